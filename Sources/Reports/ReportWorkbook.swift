internal import Domain
package import JobCore
internal import Wording
internal import Workbooks

/// The tables of a report as one workbook: a summary, totals as formulas, a sheet per table, and the dictionary of columns.
package final class ReportWorkbook {
  let words: ColumnDictionary
  let workbook: Workbook
  let headFormat: CellFormat
  private let boldFormat: CellFormat
  /// Maximum number of rows of a sheet, including the header.
  let sheetRows: Int
  private let path: String
  private let header: ReportHeader
  private let summary: Worksheet
  private let totals: Worksheet
  private var tables: [WorkbookTable] = []

  private static let headFill: Int64 = 0xE8EEF4
  private static let totalColumns = ["sheet", "column", "scope", "environment", "status", "is_provisional", "currency", "total"]

  /// Creates the workbook with its summary sheets.
  ///
  /// - Parameters:
  ///   - path: path of the file for messages.
  ///   - target: path with which the library opens the same file.
  init(
    path: String, target: String, temporaryFolder: String, header: ReportHeader, sheetRows: Int, words: ColumnDictionary
  ) throws(JobError) {
    self.path = path
    self.header = header
    self.sheetRows = sheetRows
    self.words = words
    do throws(WorkbookError) {
      // The creation time is the clock of the report, so that a replay gives the same bytes.
      workbook = try Workbook(
        path: target, temporaryFolder: temporaryFolder, title: "payrecon \(header.kind.rawValue)",
        created: header.asOf.microseconds / 1_000_000)
      headFormat = try workbook.format(CellStyle(isBold: true, fill: Self.headFill))
      boldFormat = try workbook.format(CellStyle(isBold: true))
      summary = try workbook.addSheet(header.words.name("sheet", "summary"))
      totals = try workbook.addSheet(header.words.name("sheet", "totals"))
    } catch {
      throw Self.failure(path, error.description)
    }
  }

  /// - Throws: `JobError` naming the package if the library is not installed.
  package static func checkAvailable(for formats: Set<ReportFormat>) throws(JobError) {
    guard formats.contains(.xlsx), !Workbook.isAvailable else { return }
    throw JobError(
      "could not write a workbook: the library that writes xlsx is not installed",
      hint: "Install it: apt-get install \(Workbook.package); or leave xlsx out of the formats. Nothing was written.")
  }

  func failure(_ reason: String) -> JobError { Self.failure(path, reason) }

  private static func failure(_ path: String, _ reason: String) -> JobError {
    JobError("could not write the report \"\(path)\": \(reason)", hint: "Free some space, or take the report as CSV.")
  }

  func sheetName(_ table: String) -> String { header.words.name("sheet", table) }

  /// Returns a translated header of the summary sheets. Columns of tables keep their names.
  private func head(_ name: String) -> String { header.words.name("field", name) }

  func table(_ name: String) -> WorkbookTable {
    let table = WorkbookTable(name: name, book: self)
    tables.append(table)
    return table
  }

  /// Writes the summary, the totals and the dictionary, and closes the file.
  func close() throws(JobError) {
    do throws(WorkbookError) {
      try writeSummary()
      try writeTotals()
      try writeColumns()
      try workbook.close()
    } catch {
      throw failure(error.description)
    }
  }

  private func writeSummary() throws(WorkbookError) {
    try summary.setWidth(18, column: 0)
    try summary.setWidth(80, column: 1)
    var lines = [
      ("report", header.kind.rawValue), ("as_of", header.asOf.rfc3339), ("run_id", header.runID),
      ("verdict", header.words.name("word", header.verdict.rawValue)),
    ]
    lines += header.reasons.map { ("", header.words($0)) }
    lines += [("code_version", header.codeVersion), ("settings_sha256", header.settingsSHA256)]
    for (row, line) in lines.enumerated() {
      try summary.write(head(line.0), row: row, column: 0, format: boldFormat)
      guard line.0 == "as_of", let value = WorkbookValue(line.1, .instant, currency: nil) else {
        try summary.write(line.1, row: row, column: 1)
        continue
      }
      try write(value, to: summary, row: row, column: 1)
    }
    var row = lines.count + 1
    for (column, title) in ["sheet", "what", "rows"].enumerated() {
      try summary.write(head(title), row: row, column: column, format: headFormat)
    }
    for table in tables {
      row += 1
      try summary.write(sheetName(table.name), row: row, column: 0)
      try summary.write(header.words.name("relation", table.name, otherwise: words.title(of: table.name)), row: row, column: 1)
      try write(.number(Double(table.rowCount), format: "#,##0"), to: summary, row: row, column: 2)
    }
  }

  private func writeTotals() throws(WorkbookError) {
    for (column, title) in Self.totalColumns.enumerated() {
      try totals.setWidth(column == 1 ? 34 : 18, column: column)
      try totals.write(head(title), row: 0, column: column, format: headFormat)
    }
    var row = 0
    for table in tables {
      for total in table.totals {
        row += 1
        try write(total, parts: table.parts, row: row)
      }
    }
    try totals.finishHead(rowCount: max(2, row + 1), columnCount: Self.totalColumns.count)
  }

  private func write(_ total: WorkbookTotal, parts: [WorkbookTable.Part], row: Int) throws(WorkbookError) {
    try totals.write(sheetName(total.table), row: row, column: 0)
    try totals.write(total.title, row: row, column: 1)
    var criteria: [String] = []
    for condition in total.conditions {
      let column = Self.totalColumns.firstIndex(of: condition.column) ?? 0
      if !condition.value.isEmpty { try totals.write(condition.value, row: row, column: column) }
      criteria.append(condition.value.isEmpty ? "\"=\"" : CellPlace.text(row: row, column: column))
    }
    let last = Self.totalColumns.count - 1
    guard case .number(let value, let format) = total.value else { return }
    let style = try workbook.format(CellStyle(numberFormat: format, isBold: true))
    guard total.isComputed else { return try totals.write(value, row: row, column: last, format: style) }
    try totals.write(formula: total.formula(parts: parts, criteria: criteria), value: value, row: row, column: last, format: style)
  }

  private func writeColumns() throws(WorkbookError) {
    let sheet = try workbook.addSheet(sheetName("columns"))
    for (column, title) in ["sheet", "column", "type", "unit", "description"].enumerated() {
      try sheet.setWidth([20, 34, 10, 24, 100][column], column: column)
      try sheet.write(head(title), row: 0, column: column, format: headFormat)
    }
    var row = 0
    for table in tables {
      for (title, word) in table.described {
        row += 1
        let unit = word.currencyColumn.map { "units of \($0)" } ?? word.unit
        let kind = word.currencyColumn == nil ? word.kind : .number
        for (column, text) in [sheetName(table.name), title, kind.rawValue, unit, word.description].enumerated() {
          try sheet.write(text, row: row, column: column)
        }
      }
    }
    try sheet.finishHead(rowCount: max(2, row + 1), columnCount: 5)
  }

  private func write(_ value: WorkbookValue, to sheet: Worksheet, row: Int, column: Int) throws(WorkbookError) {
    guard case .number(let number, let format) = value else { return }
    try sheet.write(number, row: row, column: column, format: try workbook.format(CellStyle(numberFormat: format)))
  }
}
