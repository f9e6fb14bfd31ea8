/// Cells as JSON. Equal facts give equal bytes.
package enum ReportText {
  /// Returns one JSON object with its keys in the order of the columns.
  package static func jsonRow(_ cells: [String?], columns: [String], isNumeric: [Bool]) -> String {
    let fields = cells.enumerated().map { index, cell in
      let value = cell.map { isNumeric[index] ? $0 : quoted($0) } ?? "null"
      return "\(quoted(columns[index])):\(value)"
    }
    return "{\(fields.joined(separator: ","))}"
  }

  /// Returns a JSON array with one row per line.
  package static func json(_ table: ReportTable) -> String {
    let rows = table.rows.map { jsonRow($0, columns: table.columns, isNumeric: table.isNumeric) }
    return rows.isEmpty ? "[]" : "[\n\(rows.joined(separator: ",\n"))\n]"
  }

  /// Returns a JSON string with its quotes.
  package static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    TextCell.appendJSON(text.utf8, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
