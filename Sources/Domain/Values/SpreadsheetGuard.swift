/// The apostrophe that keeps a spreadsheet from computing a cell of CSV, which is put before it and comes off again.
///
/// - Source: OWASP, "CSV Injection".
public enum SpreadsheetGuard {
  private static let apostrophe = UInt8(ascii: "'")
  /// First characters by which a spreadsheet takes a cell for a formula.
  private static let formulaMarks: Set<UInt8> = Set("=+-@\t\r\n".utf8)

  /// Whether the cell is written with one apostrophe more: it would be computed, or looks like one that was guarded.
  ///
  /// A plain number such as -5 or -9.99 is computed as what it is.
  public static func isNeeded(by cell: some Collection<UInt8>) -> Bool {
    let text = cell.drop { $0 == apostrophe }
    guard let first = text.first, formulaMarks.contains(first) else { return false }
    return text.startIndex != cell.startIndex || first != UInt8(ascii: "-") || !isNumber(text.dropFirst())
  }

  /// Whether the cell that stands at `range` begins with an apostrophe that a guarded cell has more than its value.
  public static func isOn(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    guard !range.isEmpty, bytes[range.lowerBound] == apostrophe else { return false }
    let mark = range.first { bytes[$0] != apostrophe }
    return mark.map { formulaMarks.contains(bytes[$0]) } ?? false
  }

  private static func isNumber(_ text: some Collection<UInt8>) -> Bool {
    let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    return parts.allSatisfy { part in !part.isEmpty && part.allSatisfy { (0x30...0x39).contains($0) } }
  }
}
