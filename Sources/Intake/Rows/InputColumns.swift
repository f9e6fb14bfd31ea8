/// The columns of a kind of rows, for the settings and for previews.
public struct InputColumns: Sendable {
  let row: any InputRow.Type
  /// Names in their order.
  public let names: [String]
  public let required: Set<String>

  public init(_ row: any InputRow.Type) {
    self.row = row
    (names, required) = Self.parts(row)
  }

  /// Kind of input: `orders`, `users` or `catalogue`.
  public var kind: String { row.kind }

  /// Returns why a column cannot have a value; nil if it can.
  public func fault(of value: String, in column: String) -> String? { Self.fault(row, value, column) }

  private static func parts<Row: InputRow>(_ row: Row.Type) -> ([String], Set<String>) { (row.schema.columns, row.schema.required) }

  private static func fault<Row: InputRow>(_ row: Row.Type, _ value: String, _ column: String) -> String? {
    let schema = row.schema
    guard let index = schema.columns.firstIndex(of: column) else { return "there is no column \"\(column)\"" }
    var table = FieldTable(columns: schema.columns)
    table.scratch = Array(value.utf8)
    table.slots[index] = FieldTable.Slot(kind: .text, start: 0, end: table.scratch.count, isScratch: true)
    let notes = RowNotes()
    _ = schema.make(RowValues(table: table, bytes: [], notes: notes))
    return notes.faults.first { $0.field == column }?.reason
  }
}
