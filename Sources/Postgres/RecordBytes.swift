/// The binary form of a row, as the database's `record_send` writes it, so that both can compute the same hash.
/// - Source: PostgreSQL, src/backend/utils/adt/rowtypes.c.
public struct RecordBytes {
  public private(set) var bytes: [UInt8] = []

  public init(columns: Int) {
    bytes.reserveCapacity(512)
    bytes.append(bigEndian: Int32(columns))
  }

  public mutating func text(_ value: String?) {
    bytes.append(bigEndian: Int32(TypeOID.text))
    guard let utf8 = value?.utf8 else { return null() }
    bytes.append(bigEndian: Int32(utf8.count))
    bytes += utf8
  }

  /// - Parameter microseconds: microseconds since 1970.
  public mutating func timestamptz(microseconds: Int64?) {
    bytes.append(bigEndian: Int32(TypeOID.timestamptz))
    guard let microseconds else { return null() }
    bytes.append(bigEndian: Int32(8))
    bytes.append(bigEndian: microseconds - postgresEpochMicroseconds)
  }

  private mutating func null() { bytes.append(bigEndian: Int32(-1)) }
}
