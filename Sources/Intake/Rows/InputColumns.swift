/// The columns of a kind of rows, for the settings and for previews.
public struct InputColumns: Sendable {
  let rowType: any InputRow.Type
  public let names: [String]
  public let required: Set<String>

  public init(_ rowType: any InputRow.Type) {
    self.rowType = rowType
    (names, required) = Self.parts(rowType)
  }

  /// Kind of input: `orders`, `users` or `catalogue`.
  public var kind: String { rowType.kind }

  /// Returns why a column cannot have a value; nil if it can.
  public func fault(of value: String, in column: String) -> String? { Self.fault(rowType, value, column) }

  private static func parts<Row: InputRow>(_ rowType: Row.Type) -> ([String], Set<String>) {
    (rowType.schema.columns, rowType.schema.required)
  }

  private static func fault<Row: InputRow>(_ rowType: Row.Type, _ value: String, _ column: String) -> String? {
    let schema = rowType.schema
    guard let index = schema.columns.firstIndex(of: column) else { return "there is no column \"\(column)\"" }
    var table = FieldTable(columns: schema.columns)
    table.scratch = Array(value.utf8)
    table.slots[index] = FieldTable.Slot(kind: .text, start: 0, end: table.scratch.count, isScratch: true)
    let notes = RowNotes()
    _ = schema.make(RowValues(table: table, bytes: [], notes: notes))
    return notes.faults.first { $0.field == column }?.reason
  }
}
