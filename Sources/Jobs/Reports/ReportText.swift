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
      let needsQuotes = text.utf8.contains {
        $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == 0x0A || $0 == 0x0D
      }
      guard needsQuotes else {
        bytes += Array(text.utf8)
        continue
      }
      bytes.append(UInt8(ascii: "\""))
      for byte in text.utf8 {
        if byte == UInt8(ascii: "\"") { bytes.append(byte) }
        bytes.append(byte)
      }
      bytes.append(UInt8(ascii: "\""))
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
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
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
