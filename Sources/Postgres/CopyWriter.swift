/// A writer of rows in PostgreSQL's binary COPY format, with one reused buffer.
///
/// - Source: PostgreSQL documentation, COPY, "Binary Format".
public struct CopyWriter: ~Copyable {
  /// Buffer size in bytes from which the buffer is passed to libpq.
  private static let flushBytes = 1 << 16

  private var buffer: [UInt8] = []
  private let connection: Connection

  init(_ connection: Connection) {
    self.connection = connection
    buffer.reserveCapacity(Self.flushBytes * 2)
    buffer += Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + [UInt8](repeating: 0, count: 8)
  }

  public mutating func beginRow(columns: Int) throws(PostgresError) {
    if buffer.count >= Self.flushBytes { try flush() }
    buffer.append(bigEndian: Int16(columns))
  }

  public mutating func null() throws(PostgresError) { buffer.append(bigEndian: Int32(-1)) }

  public mutating func bool(_ value: Bool) throws(PostgresError) {
    buffer.append(bigEndian: Int32(1))
    buffer.append(value ? 1 : 0)
  }

  public mutating func int4(_ value: Int32) throws(PostgresError) {
    buffer.append(bigEndian: Int32(4))
    buffer.append(bigEndian: value)
  }

  public mutating func int8(_ value: Int64) throws(PostgresError) {
    buffer.append(bigEndian: Int32(8))
    buffer.append(bigEndian: value)
  }

  public mutating func text(_ value: String) throws(PostgresError) {
    var value = value
    value.withUTF8 { utf8 in
      buffer.append(bigEndian: Int32(utf8.count))
      unsafe buffer.append(contentsOf: utf8)
    }
  }

  /// Writes the text of a value of type `jsonb`, whose binary format begins with a version.
  public mutating func jsonb(_ value: String) throws(PostgresError) {
    var value = value
    value.withUTF8 { utf8 in
      buffer.append(bigEndian: Int32(utf8.count + 1))
      buffer.append(1)
      unsafe buffer.append(contentsOf: utf8)
    }
  }

  public mutating func bytes(_ value: [UInt8]) throws(PostgresError) {
    buffer.append(bigEndian: Int32(value.count))
    buffer += value
  }

  public mutating func bytes(_ value: ArraySlice<UInt8>) throws(PostgresError) {
    buffer.append(bigEndian: Int32(value.count))
    buffer += value
  }

  public mutating func textArray(_ values: [String]) throws(PostgresError) { try bytes(Value.array(values)) }

  /// - Parameter microseconds: microseconds since 1970.
  public mutating func timestamptz(microseconds: Int64) throws(PostgresError) {
    buffer.append(bigEndian: Int32(8))
    buffer.append(bigEndian: microseconds - postgresEpochMicroseconds)
  }

  public mutating func optionalText(_ value: String?) throws(PostgresError) {
    if let value { try text(value) } else { try null() }
  }

  public mutating func optionalBytes(_ value: [UInt8]?) throws(PostgresError) {
    if let value { try bytes(value) } else { try null() }
  }

  mutating func finish() throws(PostgresError) {
    buffer.append(bigEndian: Int16(-1))
    try flush()
  }

  private mutating func flush() throws(PostgresError) {
    try connection.putCopy(buffer)
    buffer.removeAll(keepingCapacity: true)
  }
}
