/// The apostrophe before a CSV cell that a spreadsheet would otherwise evaluate as a formula. Readers of our tables remove it.
///
/// - Source: OWASP, "CSV Injection".
public enum SpreadsheetGuard {
  private static let apostrophe = UInt8(ascii: "'")

  /// Whether the cell needs an additional apostrophe, because it is a formula or looks like a guarded cell.
  ///
  /// A plain number such as -5 or -9.99 needs none. The parameter is a span because every cell of every export is checked, and a generic
  /// function is not specialised across modules.
  public static func isNeeded(by cell: Span<UInt8>) -> Bool {
    guard let mark = firstMark(cell, in: 0..<cell.count) else { return false }
    return mark > 0 || cell[mark] != UInt8(ascii: "-") || !isNumber(cell, from: mark + 1)
  }

  /// Whether the cell at `range` starts with an apostrophe that guards it.
  public static func isOn(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    guard !range.isEmpty, bytes[range.lowerBound] == apostrophe else { return false }
    return firstMark(bytes, in: range) != nil
  }

  /// Returns the position of the first byte other than an apostrophe, if it marks a formula for a spreadsheet; else nil.
  private static func firstMark(_ bytes: Span<UInt8>, in range: Range<Int>) -> Int? {
    guard let first = range.first(where: { bytes[$0] != apostrophe }) else { return nil }
    return isFormulaMark(bytes[first]) ? first : nil
  }

  private static func isFormulaMark(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0A, 0x0D: true
    default: false
    }
  }

  /// Whether the bytes are digits with at most one decimal point between them.
  private static func isNumber(_ bytes: Span<UInt8>, from start: Int) -> Bool {
    var hasPoint = false
    var isAfterDigit = false
    for index in start..<bytes.count {
      if bytes[index] == UInt8(ascii: "."), isAfterDigit, !hasPoint {
        hasPoint = true
        isAfterDigit = false
      } else {
        guard (0x30...0x39).contains(bytes[index]) else { return false }
        isAfterDigit = true
      }
    }
    return isAfterDigit
  }
}
