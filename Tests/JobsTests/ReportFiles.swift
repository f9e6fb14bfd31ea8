/// The files of a report.
typealias ReportFiles = [(name: String, text: String)]

extension ReportFiles {
  func text(_ name: String) throws -> String { try #require(first { $0.name == name }?.text, "\(name)") }

  func rows(_ name: String) throws -> [[String: String]] { CSVRows.decode([UInt8](try text(name).utf8)) }

  /// Returns the rows of a table of identities that do not hold.
  func failures(_ name: String) throws -> [[String: String]] { try rows(name).filter { $0["holds"] != "yes" } }
}
