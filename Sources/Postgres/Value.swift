/// A bound parameter, sent in binary format with its type.
public enum Value: Sendable {
  case null
  case bool(Bool)
  case int4(Int32)
  case int8(Int64)
  case text(String)
  case bytes([UInt8])
  /// Microseconds since 1970.
  case timestamptz(microseconds: Int64)
  case textArray([String])

  /// Type OID as in pg_type; 0 lets the server choose the type of a null.
  var typeOID: UInt32 {
    switch self {
    case .null: 0
    case .bool: TypeOID.bool
    case .int4: TypeOID.int4
    case .int8: TypeOID.int8
    case .text: TypeOID.text
    case .bytes: TypeOID.bytea
    case .timestamptz: TypeOID.timestamptz
    case .textArray: TypeOID.textArray
    }
  }

  /// Binary format; nil for null.
  var bytes: [UInt8]? {
    switch self {
    case .null: nil
    case .bool(let value): [value ? 1 : 0]
    case .int4(let value): bigEndian(value)
    case .int8(let value): bigEndian(value)
    case .text(let value): Array(value.utf8)
    case .bytes(let value): value
    case .timestamptz(let micros): bigEndian(micros - postgresEpochMicroseconds)
    case .textArray(let values): Value.array(values)
    }
  }

  static func array(_ values: [String]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(20 + values.reduce(0) { $0 + 4 + $1.utf8.count })
    // Dimensions, a flag for nulls, the type of the elements; then the length and lower bound of the one dimension.
    for number in [values.isEmpty ? 0 : 1, 0, Int32(TypeOID.text)] + (values.isEmpty ? [] : [Int32(values.count), 1]) {
      bytes.append(bigEndian: number)
    }
    for value in values {
      bytes.append(bigEndian: Int32(value.utf8.count))
      bytes += value.utf8
    }
    return bytes
  }
}

/// Kinds of parameters and cells. The raw value is the type in SQL.
public enum ValueKind: String, Sendable {
  case bool = "boolean"
  case int4 = "integer"
  case int8 = "bigint"
  case text
  case bytea
  case timestamptz
  case textArray = "text[]"
  /// An interval, sent as text.
  case span = "interval"

  var typeOID: UInt32 { TypeOID.kinds.filter { $0.value == self }.keys.min() ?? 0 }

  /// Size of its binary format in bytes; nil for kinds of any size.
  var size: Int? {
    switch self {
    case .bool: 1
    case .int4: 4
    case .int8, .timestamptz: 8
    case .text, .bytea, .textArray, .span: nil
    }
  }
}

enum TypeOID {
  static let bool: UInt32 = 16
  static let bytea: UInt32 = 17
  static let int8: UInt32 = 20
  static let int4: UInt32 = 23
  static let text: UInt32 = 25
  static let numeric: UInt32 = 1700
  static let int2: UInt32 = 21
  static let varchar: UInt32 = 1043
  static let timestamptz: UInt32 = 1184
  static let interval: UInt32 = 1186
  static let textArray: UInt32 = 1009
  static let jsonb: UInt32 = 3802

  static let kinds: [UInt32: ValueKind] = [
    bool: .bool, int4: .int4, int8: .int8, text: .text, varchar: .text, bytea: .bytea, timestamptz: .timestamptz,
    interval: .span, textArray: .textArray,
  ]

  static func isNumeric(_ type: UInt32) -> Bool { [int2, int4, int8, numeric].contains(type) }
}

/// The epoch of PostgreSQL's binary instants, 2000-01-01, in microseconds since 1970.
let postgresEpochMicroseconds: Int64 = 946_684_800_000_000

func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
  var bytes: [UInt8] = []
  bytes.append(bigEndian: value)
  return bytes
}

/// Returns the number that bytes encode, the highest first.
func integer(bigEndian bytes: some Sequence<UInt8>) -> Int64 { bytes.reduce(0) { $0 << 8 | Int64($1) } }

extension [UInt8] {
  mutating func append(bigEndian value: some FixedWidthInteger) {
    unsafe Swift.withUnsafeBytes(of: value.bigEndian) { unsafe append(contentsOf: $0) }
  }
}
