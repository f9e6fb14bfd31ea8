internal import CXlsxWriter

/// The functions of libxlsxwriter, loaded once and kept until the process ends.
@safe final class Library: Sendable {
  /// nil if the library is not installed.
  static let shared = Library()

  nonisolated(unsafe) let functions: UnsafeMutablePointer<payrecon_xlsx>

  private init?() {
    unsafe functions = .allocate(capacity: 1)
    unsafe functions.initialize(to: payrecon_xlsx())
    guard unsafe payrecon_xlsx_load(functions) != 0 else {
      unsafe functions.deallocate()
      return nil
    }
  }

  /// - Throws: `WorkbookError` with the library's message, unless `code` means success.
  func check(_ code: Int32, _ attempt: @autoclosure () -> String) throws(WorkbookError) {
    guard code != 0 else { return }
    let reason = unsafe payrecon_xlsx_reason(functions, code).map { unsafe String(cString: $0) } ?? "error \(code)"
    throw WorkbookError(description: "could not \(attempt()): \(reason)")
  }
}

/// The reason why a workbook could not be written.
public struct WorkbookError: Error, Sendable, CustomStringConvertible {
  public let description: String
}
