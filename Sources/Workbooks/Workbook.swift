internal import CXlsxWriter

/// An Office Open XML workbook, written row by row. Rows are kept in a file, not in memory.
///
/// The same cells and creation time give the same bytes.
/// - Source: ECMA-376; libxlsxwriter, "Working with Memory and Performance".
@safe public final class Workbook {
  /// Debian package of the workbook library.
  public static let package = "libxlsxwriter4"
  /// Whether this machine has the library.
  public static var isAvailable: Bool { Library.shared != nil }
  /// Largest number of sheets in a workbook.
  static let sheetsMax = 1000

  let library: Library
  private var pointer: UnsafeMutableRawPointer?
  private var formats: [CellStyle: CellFormat] = [:]
  private var sheetCount = 0

  /// Creates a workbook.
  ///
  /// - Parameters:
  ///   - path: file that is written when the workbook is closed.
  ///   - temporaryFolder: folder for the rows until then, in nameless files.
  ///   - created: creation time in the file's metadata, in seconds since 1970.
  /// - Throws: `WorkbookError` if the library is missing or memory is short.
  public init(path: String, temporaryFolder: String, title: String, created: Int64) throws(WorkbookError) {
    guard let library = Library.shared else {
      throw WorkbookError(description: "the library \(PAYRECON_XLSX_NAME) is not installed")
    }
    self.library = library
    unsafe pointer = payrecon_xlsx_new(library.functions, path, temporaryFolder, title, created)
    guard unsafe pointer != nil else { throw WorkbookError(description: "memory is short") }
  }

  deinit { if let pointer = unsafe pointer { unsafe payrecon_xlsx_free(library.functions, pointer) } }

  /// Adds an empty sheet. Rows of several sheets may be written alternately.
  ///
  /// - Parameter name: 1 to 31 characters, none of `[ ] : * ? / \`.
  public func addSheet(_ name: String) throws(WorkbookError) -> Worksheet {
    guard let pointer = unsafe pointer, sheetCount < Self.sheetsMax else {
      throw WorkbookError(description: "could not add sheet \"\(name)\": a workbook has at most \(Self.sheetsMax) sheets")
    }
    guard let sheet = unsafe payrecon_xlsx_sheet(library.functions, pointer, name) else {
      throw WorkbookError(description: "could not add sheet \"\(name)\": the name is taken or not allowed")
    }
    sheetCount += 1
    return unsafe Worksheet(workbook: self, name: name, pointer: sheet)
  }

  /// Writes the file. The sheets accept no further rows.
  public func close() throws(WorkbookError) {
    guard let pointer = unsafe pointer else { return }
    unsafe self.pointer = nil
    try library.check(unsafe payrecon_xlsx_close(library.functions, pointer), "write the workbook")
  }

  public func format(_ style: CellStyle) throws(WorkbookError) -> CellFormat {
    if let known = formats[style] { return known }
    guard let pointer = unsafe pointer,
      let format = unsafe payrecon_xlsx_format(library.functions, pointer, style.numberFormat, style.isBold ? 1 : 0, style.fill ?? -1)
    else { throw WorkbookError(description: "could not add a cell format: memory is short") }
    let made = unsafe CellFormat(pointer: format)
    formats[style] = made
    return made
  }
}

@safe public struct CellFormat {
  /// The sheet's default format.
  public static var plain: CellFormat { unsafe CellFormat(pointer: nil) }

  let pointer: UnsafeMutableRawPointer?
}

public struct CellStyle: Hashable, Sendable {
  /// Number format of the spreadsheet, such as `#,##0.00`; empty for general.
  public var numberFormat: String
  public var isBold: Bool
  /// Background colour, 0xRRGGBB.
  public var fill: Int64?

  public init(numberFormat: String = "", isBold: Bool = false, fill: Int64? = nil) {
    self.numberFormat = numberFormat
    self.isBold = isBold
    self.fill = fill
  }
}
