/// The binary form of a row, as the database's `record_send` writes it, so that both can compute the same hash.
/// - Source: PostgreSQL, src/backend/utils/adt/rowtypes.c.
public struct RecordBytes {
  public private(set) var bytes: [UInt8] = []

  public init(columns: Int) {
    bytes.reserveCapacity(512)
    append(Int32(columns))
  }

  public mutating func text(_ value: String?) {
    append(Int32(TypeOID.text))
    guard let utf8 = value?.utf8 else { return null() }
    append(Int32(utf8.count))
    bytes += utf8
  }

  /// - Parameter microseconds: microseconds since 1970.
  public mutating func timestamptz(microseconds: Int64?) {
    append(Int32(TypeOID.timestamptz))
    guard let microseconds else { return null() }
    append(Int32(8))
    append(microseconds - postgresEpochMicroseconds)
  }

  private mutating func null() { append(Int32(-1)) }

  private mutating func append(_ value: some FixedWidthInteger) {
    unsafe withUnsafeBytes(of: value.bigEndian) { unsafe bytes.append(contentsOf: $0) }
  }
}
