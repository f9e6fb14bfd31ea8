internal import JobCore

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
    if let json {
      try beginJSONRow()
      try json.write(ReportText.jsonRow(cells, keys: keys, isNumeric: isNumeric))
    }
    try sheet?.add(cells)
  }

  private mutating func beginJSONRow() throws {
    try json?.write(isEmpty ? "\n" : ",\n")
    isEmpty = false
  }

  /// Cells that end many rows, formatted once.
  struct Tail {
    fileprivate let cells: [String?]
    /// After the comma behind the other cells.
    fileprivate let csv, json: [UInt8]
  }

  /// Returns the tail of rows with the last cells in common.
  func tail(_ cells: [String?]) -> Tail {
    let first = columns.count - cells.count
    let row = ReportText.jsonRow(cells, keys: Array(keys[first...]), isNumeric: Array(isNumeric[first...]))
    return Tail(cells: cells, csv: CSVLine.bytes(cells), json: Array(row.dropFirst()))
  }

  mutating func add(_ cells: [String?], _ tail: Tail) throws {
    if let file {
      var line = CSVLine.bytes(cells)
      line[line.count - 1] = UInt8(ascii: ",")
      try file.write(line)
      try file.write(tail.csv)
    }
    if let json {
      try beginJSONRow()
      var row = ReportText.jsonRow(cells, keys: keys, isNumeric: isNumeric)
      row[row.count - 1] = UInt8(ascii: ",")
      try json.write(row)
      try json.write(tail.json)
    }
    try sheet?.add(cells + tail.cells)
  }

  mutating func end() throws {
    try json?.write(isEmpty ? "]" : "\n]")
    try sheet?.end()
  }
}
