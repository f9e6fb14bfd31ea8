internal import Domain

/// The columns of a kind of rows, for the settings and for previews.
public struct InputColumns: Sendable {
  /// Kind of input: `orders`, `users` or `catalogue`.
  public let kind: String
  /// Names in their order.
  public let names: [String]
  public let required: Set<String>

  /// - Parameter kind: nil is returned for kinds without a mapping.
  public init?(kind: String) {
    self.kind = kind
    switch kind {
    case "orders": (names, required) = Self.parts(OrderRow.schema)
    case "users": (names, required) = Self.parts(UserRow.schema)
    case "catalogue": (names, required) = Self.parts(CatalogueRow.schema)
    default: return nil
    }
  }

  /// Returns why a column cannot have a value; nil if it can.
  public func fault(of value: String, in column: String) -> String? {
    switch kind {
    case "orders": Self.fault(OrderRow.schema, value, column)
    case "users": Self.fault(UserRow.schema, value, column)
    default: Self.fault(CatalogueRow.schema, value, column)
    }
  }

  private static func parts<Row>(_ schema: RowSchema<Row>) -> ([String], Set<String>) { (schema.columns, schema.required) }

  private static func fault<Row>(_ schema: RowSchema<Row>, _ value: String, _ column: String) -> String? {
    guard let index = schema.columns.firstIndex(of: column) else { return "there is no column \"\(column)\"" }
    var table = FieldTable(columns: schema.columns)
    table.scratch = Array(value.utf8)
    table.slots[index] = FieldTable.Slot(kind: .text, start: 0, end: table.scratch.count, isScratch: true)
    let notes = RowNotes()
    _ = schema.make(RowValues(table: table, bytes: [], notes: notes))
    return notes.faults.first { $0.field == column }?.reason
  }
}
