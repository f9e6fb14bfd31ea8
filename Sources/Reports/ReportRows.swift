internal import JobCore
internal import Postgres

/// A table of a report that is written row by row to the report's formats. Its CSV gets a schema, and its workbook gets a sheet.
struct ReportRows {
  let name: String
  /// The CSV; nil if it is not requested.
  let file: ReportFile?
  /// The JSON with all tables of the report; nil if there is none.
  let json: ReportFile?
  /// Whether JSON shows the cells of each column as numbers. It is set before the first row.
  var isNumeric: [Bool] = []
  private var isEmpty = true
  /// The sheet of the workbook; nil if no workbook is requested.
  private let sheet: WorkbookTable?
  private(set) var columns: [String] = []
  private var keys: [[UInt8]] = []

  init(name: String, file: ReportFile?, json: ReportFile?, sheet: WorkbookTable?) {
    self.name = name
    self.file = file
    self.json = json
    self.sheet = sheet
  }

  /// Writes the header, before the first row.
  ///
  /// - Parameter differences: columns whose value is the difference of two others.
  mutating func begin(columns: [String], differences: [ReportDifference] = []) throws {
    self.columns = columns
    keys = ReportText.jsonKeys(columns)
    try file?.write(CSVLine.bytes(columns))
    try json?.write(",\n\(ReportText.quoted(name)):[")
    try sheet?.begin(columns: columns, differences: differences)
  }

  mutating func add(_ cells: [String?]) throws {
    try file?.write(CSVLine.bytes(cells))
    try addJSON(cells)
    try sheet?.add(cells)
  }

  private mutating func addJSON(_ cells: [String?]) throws {
    guard json != nil else { return }
    try json?.write(Array((isEmpty ? "\n" : ",\n").utf8) + ReportText.jsonRow(cells, keys: keys, isNumeric: isNumeric))
    isEmpty = false
  }

  /// Cells that end many rows, formatted once.
  struct Tail {
    let cells: [String?]
    fileprivate let bytes: [UInt8]

    init(_ cells: [String?]) { (self.cells, bytes) = (cells, CSVLine.bytes(cells)) }
  }

  mutating func add(_ cells: [String?], _ tail: Tail) throws {
    try file?.write(CSVLine.bytes(cells).dropLast() + [UInt8(ascii: ",")] + tail.bytes)
    if json != nil { try addJSON(cells + tail.cells) }
    try sheet?.add(cells + tail.cells)
  }

  mutating func end() throws {
    try json?.write(isEmpty ? "]" : "\n]")
    try sheet?.end()
  }
}
