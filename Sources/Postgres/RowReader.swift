/// A reader of the columns of one row in order, in binary format, with a check of each type.
struct RowReader {
  private let cells: [[UInt8]?]
  private let types: [UInt32]
  private let file: String
  private var next = 0

  init(_ result: ResultHandle, row: Int, file: String) {
    cells = (0..<result.columnCount).map { result.bytes(row: row, column: $0) }
    types = (0..<result.columnCount).map { result.typeOID($0) }
    self.file = file
  }

  /// - Throws: `PostgresError.decoding` if a column was not read.
  func checkEnd() throws(PostgresError) {
    guard next == cells.count else { throw .decoding("cannot read \(file): it has \(cells.count) columns, \(next) were read") }
  }

  mutating func bool() throws(PostgresError) -> Bool { try required(optionalBool(), "bool") }
  mutating func int4() throws(PostgresError) -> Int32 { try required(optionalInt4(), "int4") }
  mutating func int8() throws(PostgresError) -> Int64 { try required(optionalInt8(), "int8") }
  mutating func text() throws(PostgresError) -> String { try required(optionalText(), "text") }
  mutating func bytes() throws(PostgresError) -> [UInt8] { try required(optionalBytes(), "bytea") }
  mutating func timestamptz() throws(PostgresError) -> Int64 { try required(optionalTimestamptz(), "timestamptz") }

  mutating func optionalBool() throws(PostgresError) -> Bool? { try cell([TypeOID.bool], size: 1).map { $0[0] != 0 } }

  private mutating func optionalInt4() throws(PostgresError) -> Int32? {
    try cell([TypeOID.int4], size: 4).map { Int32(truncatingIfNeeded: integer(bigEndian: $0)) }
  }

  mutating func optionalInt8() throws(PostgresError) -> Int64? { try cell([TypeOID.int8], size: 8).map(integer(bigEndian:)) }

  mutating func optionalText() throws(PostgresError) -> String? {
    try cell([TypeOID.text, TypeOID.varchar], size: nil).map { String(decoding: $0, as: UTF8.self) }
  }

  mutating func optionalBytes() throws(PostgresError) -> [UInt8]? { try cell([TypeOID.bytea], size: nil) }

  /// Returns microseconds since 1970.
  mutating func optionalTimestamptz() throws(PostgresError) -> Int64? {
    try cell([TypeOID.timestamptz], size: 8).map { integer(bigEndian: $0) + postgresEpochMicroseconds }
  }

  private mutating func required<T>(_ value: T?, _ type: String) throws(PostgresError) -> T {
    guard let value else { throw .decoding("cannot read \(file): column \(next) is null, a \(type) was expected") }
    return value
  }

  private mutating func cell(_ expected: [UInt32], size: Int?) throws(PostgresError) -> [UInt8]? {
    guard next < cells.count else { throw .decoding("cannot read \(file): it has \(cells.count) columns, more were expected") }
    let index = next
    next += 1
    guard expected.contains(types[index]) else {
      throw .decoding("cannot read \(file): column \(index + 1) has type OID \(types[index]), \(expected[0]) was expected")
    }
    guard let bytes = cells[index] else { return nil }
    guard size == nil || bytes.count == size else {
      throw .decoding("cannot read \(file): column \(index + 1) has \(bytes.count) bytes")
    }
    return bytes
  }
}

/// One streamed row with its cells in PostgreSQL's text format.
public struct TextRow: ~Copyable {
  private let result: ResultHandle

  init(_ result: ResultHandle) { self.result = result }

  public var count: Int { result.columnCount }

  /// Returns the bytes of a cell in UTF-8; nil for null.
  public func bytes(_ column: Int) -> [UInt8]? { result.bytes(row: 0, column: column) }

  /// Whether a column contains numbers that JSON may write without quotes.
  public func isNumeric(_ column: Int) -> Bool { TypeOID.isNumeric(result.typeOID(column)) }

  /// Whether a column contains booleans (`t` or `f`).
  public func isBoolean(_ column: Int) -> Bool { result.typeOID(column) == TypeOID.bool }

  public func isJSON(_ column: Int) -> Bool { result.typeOID(column) == TypeOID.jsonb }
}

/// A result column of a statement.
public struct ResultColumn: Sendable {
  public var name: String
  /// nil for a type that is not supported.
  public var kind: ValueKind?
  /// Whether the column contains numbers that JSON may write without quotes.
  public var isNumeric: Bool
  public var isBoolean: Bool
  public var isJSON: Bool
}
