/// Cells as JSON. Equal facts give equal bytes.
package enum ReportText {
  /// Returns one JSON object with its keys in the order of the columns.
  ///
  /// - Parameter keys: from `jsonKeys`.
  package static func jsonRow(_ cells: [String?], keys: [[UInt8]], isNumeric: [Bool]) -> [UInt8] {
    var row: [UInt8] = []
    appendJSONRow(cells.map { $0?.utf8 }, keys: keys, isNumeric: isNumeric, to: &row)
    return row
  }

  static func appendJSONRow(_ cells: [(some Collection<UInt8>)?], keys: [[UInt8]], isNumeric: [Bool], to row: inout [UInt8]) {
    row.append(UInt8(ascii: "{"))
    for (index, cell) in cells.enumerated() {
      if index > 0 { row.append(UInt8(ascii: ",")) }
      row += keys[index]
      switch cell {
      case nil: row += "null".utf8
      case let cell? where isNumeric[index]: row += cell
      case let cell?: TextCell.appendJSON(cell, to: &row)
      }
    }
    row.append(UInt8(ascii: "}"))
  }

  /// Returns the columns as keys of JSON objects, each with its colon.
  package static func jsonKeys(_ columns: [String]) -> [[UInt8]] { columns.map { Array("\(quoted($0)):".utf8) } }

  package static func json(_ table: ReportTable) -> String {
    let keys = jsonKeys(table.columns)
    let rows = table.rows.map { String(decoding: jsonRow($0, keys: keys, isNumeric: table.isNumeric), as: UTF8.self) }
    return rows.isEmpty ? "[]" : "[\n\(rows.joined(separator: ",\n"))\n]"
  }

  package static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    TextCell.appendJSON(text.utf8, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
