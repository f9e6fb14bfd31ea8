internal import CXlsxWriter

/// A sheet of a workbook. Rows are written from top to bottom; a completed row cannot be changed.
@safe public struct Worksheet {
  /// Largest number of columns in a sheet.
  public static let columnsMax = 16_384

  private let workbook: Workbook
  public let name: String
  private let pointer: UnsafeMutableRawPointer

  init(workbook: Workbook, name: String, pointer: UnsafeMutableRawPointer) {
    self.workbook = workbook
    self.name = name
    unsafe self.pointer = pointer
  }

  private var library: Library { workbook.library }

  /// Writes text as text, even if it looks like a number. Rows and columns count from 0.
  public func write(_ text: String, row: Int, column: Int, format: CellFormat = .plain) throws(WorkbookError) {
    try check(
      unsafe payrecon_xlsx_text(
        library.functions, pointer, UInt32(row), UInt16(column), CellText.encoded(text), format.pointer), row, column)
  }

  public func write(_ number: Double, row: Int, column: Int, format: CellFormat = .plain) throws(WorkbookError) {
    try check(unsafe payrecon_xlsx_number(library.functions, pointer, UInt32(row), UInt16(column), number, format.pointer), row, column)
  }

  public func write(_ flag: Bool, row: Int, column: Int, format: CellFormat = .plain) throws(WorkbookError) {
    try check(
      unsafe payrecon_xlsx_boolean(library.functions, pointer, UInt32(row), UInt16(column), flag ? 1 : 0, format.pointer),
      row, column)
  }

  /// Writes a formula with its value, for readers that do not compute.
  public func write(formula: String, value: Double, row: Int, column: Int, format: CellFormat = .plain) throws(WorkbookError) {
    try check(
      unsafe payrecon_xlsx_formula(library.functions, pointer, UInt32(row), UInt16(column), formula, value, format.pointer), row, column)
  }

  /// Freezes the first row and adds a filter to it.
  public func finishHead(rowCount: Int, columnCount: Int) throws(WorkbookError) {
    try library.check(
      unsafe payrecon_xlsx_head(library.functions, pointer, UInt32(max(0, rowCount - 1)), UInt16(max(1, columnCount) - 1)),
      "filter sheet \"\(name)\"")
  }

  /// - Parameter width: width in characters.
  public func setWidth(_ width: Double, column: Int) throws(WorkbookError) {
    try library.check(unsafe payrecon_xlsx_width(library.functions, pointer, UInt16(column), width), "size a column of sheet \"\(name)\"")
  }

  private func check(_ code: Int32, _ row: Int, _ column: Int) throws(WorkbookError) {
    try library.check(code, "write cell \(CellPlace.text(row: row, column: column)) of sheet \"\(name)\"")
  }
}

/// Cell references for formulas.
public enum CellPlace {
  /// Returns the reference of a cell; row 0 and column 0 give `A1`.
  public static func text(row: Int, column: Int) -> String { "\(letters(column))\(row + 1)" }

  /// Returns the reference of a range, as in `'breaks (2)'!$C$2:$C$9`.
  public static func range(sheet: String, column: Int, rows: ClosedRange<Int>) -> String {
    let letters = letters(column)
    return "'\(sheet.replacing("'", with: "''"))'!$\(letters)$\(rows.lowerBound + 1):$\(letters)$\(rows.upperBound + 1)"
  }

  private static func letters(_ column: Int) -> String {
    var letters = ""
    var rest = column + 1
    while rest > 0 {
      letters = String(UnicodeScalar(UInt8(ascii: "A") + UInt8((rest - 1) % 26))) + letters
      rest = (rest - 1) / 26
    }
    return letters
  }
}
