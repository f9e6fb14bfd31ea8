/// A reader of the cells of one row in order, in binary format, with a check of each type.
struct RowReader {
  private let result: ResultHandle
  private let row: Int
  private let file: String
  private var next = 0

  init(_ result: ResultHandle, row: Int, file: String) {
    (self.result, self.row, self.file) = (result, row, file)
  }

  func checkEnd() throws(PostgresError) {
    let count = result.columnCount
    guard next == count else { throw .decoding("cannot read \(file): it has \(count) columns, \(next) were read") }
  }

  /// Reads the next cell.
  ///
  /// - Throws: `PostgresError.decoding` if its type or size is another, or if it is null and must not be.
  mutating func read<Cell>(_ column: Column<Cell>) throws(PostgresError) -> Cell {
    guard next < result.columnCount else {
      throw .decoding("cannot read \(file): it has \(result.columnCount) columns, more were expected")
    }
    let (type, kind) = (result.typeOID(next), column.kind)
    let bytes = result.bytes(row: row, column: next)
    next += 1
    guard TypeOID.kinds[type] == kind else {
      throw .decoding("cannot read \(file): column \(next) has type OID \(type), \(kind.typeOID) was expected")
    }
    if let bytes, let size = kind.size, bytes.count != size {
      throw .decoding("cannot read \(file): column \(next) has \(bytes.count) bytes")
    }
    guard let cell = column.decode(bytes) else {
      throw .decoding("cannot read \(file): column \(next) is null, a \(kind) was expected")
    }
    return cell
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

public struct ResultColumn: Sendable {
  public var name: String
  /// nil for a type that is not supported.
  public var kind: ValueKind?
  /// Whether the column contains numbers that JSON may write without quotes.
  public var isNumeric: Bool
  public var isBoolean: Bool
  public var isJSON: Bool
}
