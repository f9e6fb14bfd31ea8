internal import JobCore
internal import Postgres

/// A table of a report on its way, row by row, to wherever the report's formats want it.
///
/// Whoever writes a table this way has its schema beside the CSV and its sheet in the workbook.
struct ReportRows {
  let name: String
  /// The CSV; nil when it is not wanted.
  private(set) var file: ReportFile?
  /// The sheet of the workbook; nil when none is wanted.
  private let sheet: WorkbookTable?
  private(set) var columns: [String] = []

  init(name: String, file: ReportFile?, sheet: WorkbookTable?) {
    self.name = name
    self.file = file
    self.sheet = sheet
  }

  /// Says the columns, before the first row.
  ///
  /// - Parameter differences: columns that are a difference of two others of their row.
  mutating func begin(columns: [String], differences: [ReportDifference] = []) throws {
    self.columns = columns
    try file?.write(CSVLine.bytes(columns))
    try sheet?.begin(columns: columns, differences: differences)
  }

  mutating func add(_ cells: [String?]) throws {
    try file?.write(CSVLine.bytes(cells))
    try sheet?.add(cells)
  }

  /// Says that there is no further row.
  func end() throws { try sheet?.end() }

  /// Gives up what is open.
  func close() { file?.close() }
}
