/// One row of a binary COPY, read column by column.
///
/// - Source: PostgreSQL documentation, COPY, "Binary Format".
public struct CopyRow {
  /// Bytes before the first row: signature, flags and an empty header extension.
  private static let headerBytes = 19

  private let message: [UInt8]
  private let statement: String
  private let start: Int
  private var position: Int
  private var columnsLeft: Int

  /// Starts reading a row.
  ///
  /// - Returns: nil for the message that ends the rows.
  init?(_ message: [UInt8], isFirst: Bool, of statement: String) throws(PostgresError) {
    try self.init(message, from: isFirst ? Self.headerBytes : 0, of: statement)
  }

  private init?(_ message: [UInt8], from start: Int, of statement: String) throws(PostgresError) {
    (self.message, self.statement, self.start) = (message, statement, start)
    (position, columnsLeft) = (start, 0)
    let count = try integer(Int16.self)
    if count < 0 { return nil }
    columnsLeft = Int(count)
  }

  /// Passes stored rows on one by one.
  ///
  /// - Parameter rows: the concatenated `bytes` of rows of one statement.
  public static func each(in rows: [UInt8], of statement: String, _ body: (inout CopyRow) throws -> Void) throws {
    var position = 0
    while position < rows.count {
      guard var row = try CopyRow(rows, from: position, of: statement) else {
        throw PostgresError.decoding("cannot read \(statement): a stored row is incomplete")
      }
      try body(&row)
      try row.checkEnd()
      position = row.position
    }
  }

  /// The bytes of the columns that were read, from which `each` reads the row again once all were.
  public var bytes: ArraySlice<UInt8> { message[start..<position] }

  /// Returns the bytes of the columns that were read since `earlier`, a copy of this row.
  public func bytes(since earlier: CopyRow) -> ArraySlice<UInt8> { message[earlier.position..<position] }

  public mutating func skip(_ count: Int) throws(PostgresError) {
    for _ in 0..<count { position += try beginCell() ?? 0 }
  }

  public mutating func skipRest() throws(PostgresError) { try skip(columnsLeft) }

  /// Returns the bytes of the next column; nil for null.
  public mutating func cell() throws(PostgresError) -> ArraySlice<UInt8>? {
    guard let count = try beginCell() else { return nil }
    defer { position += count }
    return message[position..<position + count]
  }

  /// Returns the number of bytes of the next column, which follow; nil for null.
  private mutating func beginCell() throws(PostgresError) -> Int? {
    guard columnsLeft > 0 else { throw .decoding("cannot read \(statement): more columns were expected") }
    columnsLeft -= 1
    let count = Int(try integer(Int32.self))
    if count < 0 { return nil }
    guard position + count <= message.count else { throw .decoding("cannot read \(statement): a row ends within a column") }
    return count
  }

  /// Returns the next column as UTF-8.
  public mutating func text() throws(PostgresError) -> ArraySlice<UInt8> { try required(cell()) }
  public mutating func string() throws(PostgresError) -> String { String(decoding: try text(), as: UTF8.self) }
  public mutating func optionalString() throws(PostgresError) -> String? {
    try cell().map { String(decoding: $0, as: UTF8.self) }
  }
  public mutating func bool() throws(PostgresError) -> Bool { try required(cell()).first == 1 }
  public mutating func int8() throws(PostgresError) -> Int64 { try required(optionalInt8()) }
  /// Returns microseconds since 1970.
  public mutating func timestamptz() throws(PostgresError) -> Int64 { try required(optionalTimestamptz()) }
  public mutating func optionalTimestamptz() throws(PostgresError) -> Int64? {
    // PostgreSQL encodes infinity as the greatest number.
    try optionalInt8().map { $0 > .max - postgresEpochMicroseconds ? .max : $0 + postgresEpochMicroseconds }
  }

  private mutating func optionalInt8() throws(PostgresError) -> Int64? {
    guard let count = try beginCell() else { return nil }
    guard count == 8 else { throw .decoding("cannot read \(statement): a column of eight bytes was expected") }
    return try integer(Int64.self)
  }

  private func required<Cell>(_ cell: Cell?) throws(PostgresError) -> Cell {
    guard let cell else { throw .decoding("cannot read \(statement): a column is null") }
    return cell
  }

  private mutating func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws(PostgresError) -> Number {
    let count = MemoryLayout<Number>.size
    guard position + count <= message.count else { throw .decoding("cannot read \(statement): a row is incomplete") }
    let start = position
    position += count
    return unsafe message.withUnsafeBytes { unsafe Number(bigEndian: $0.loadUnaligned(fromByteOffset: start, as: type)) }
  }

  func checkEnd() throws(PostgresError) {
    guard columnsLeft == 0 else { throw .decoding("cannot read \(statement): \(columnsLeft) columns were not read") }
  }
}
