/// Writes cells as CSV (RFC 4180, LF) and JSON, the same bytes for the same facts.
enum ReportText {
  /// Columns of free text, which a spreadsheet must not take for a formula; identifiers are never touched.
  private static let freeText: Set<String> = ["detail", "runbook", "best_reason", "file_name", "formula"]

  static func csvHeader(_ columns: [String]) -> [UInt8] {
    Array((columns.joined(separator: ",") + "\n").utf8)
  }

  static func csvRow(_ cells: [String?], columns: [String]) -> [UInt8] {
    var bytes: [UInt8] = []
    for (index, cell) in cells.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      guard let cell else { continue }
      let text = freeText.contains(columns[index]) ? guarded(cell) : cell
      TextCell.appendCSV(text.utf8, to: &bytes)
    }
    bytes.append(0x0A)
    return bytes
  }

  static func csv(_ table: ReportTable) -> [UInt8] {
    table.rows.reduce(into: csvHeader(table.columns)) { $0 += csvRow($1, columns: table.columns) }
  }

  /// One JSON object, its keys in the order of the columns.
  static func jsonRow(_ cells: [String?], columns: [String], isNumeric: [Bool]) -> String {
    let fields = cells.enumerated().map { index, cell in
      let value = cell.map { isNumeric[index] ? $0 : quoted($0) } ?? "null"
      return "\(quoted(columns[index])):\(value)"
    }
    return "{\(fields.joined(separator: ","))}"
  }

  /// A JSON array with one row a line.
  static func json(_ table: ReportTable) -> String {
    let rows = table.rows.map { jsonRow($0, columns: table.columns, isNumeric: table.isNumeric) }
    return rows.isEmpty ? "[]" : "[\n\(rows.joined(separator: ",\n"))\n]"
  }

  /// A JSON string with its quotes.
  static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    TextCell.appendJSON(text.utf8, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Text that a spreadsheet shows and never computes.
  ///
  /// - Source: OWASP, "CSV Injection".
  private static func guarded(_ text: String) -> String {
    guard let first = text.unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(first) else {
      return text
    }
    return "'" + text
  }
}
