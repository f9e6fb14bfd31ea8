/// Splits a line of a report into its cells.
enum FinanceCells {
  /// Cell separators in the order of the attempts, Apple's own first.
  static let delimiters: [UInt8] = [ASCII.tab, ASCII.comma, UInt8(ascii: ";")]

  /// Returns the cells of a line without spaces at their ends; nil when a quote is never closed.
  ///
  /// A quote is special only at the beginning of a cell; between tabs, only if it also ends the cell, because titles contain quotes.
  static func split(_ bytes: ArraySlice<UInt8>, by delimiter: UInt8) -> [String]? {
    let cells = delimiter == ASCII.tab ? splitTabs(bytes) : CSVRecords.read(bytes, separator: delimiter)?.first
    return cells?.map(FinanceValues.trimmed)
  }

  /// Returns whether a text ends with a parenthesis of any width, as in a name with its currency.
  static func endsInParentheses(_ text: String) -> Bool { text.hasSuffix(")") || text.hasSuffix("）") }

  private static func splitTabs(_ bytes: ArraySlice<UInt8>) -> [String] {
    bytes.split(separator: ASCII.tab, omittingEmptySubsequences: false).map { cell in
      let isQuoted = cell.count >= 2 && cell.first == ASCII.quote && cell.last == ASCII.quote
      return String(decoding: isQuoted ? cell.dropFirst().dropLast() : cell, as: UTF8.self)
    }
  }

  /// Returns a column name without the differences between files: case, spaces, slashes, underscores.
  static func key(_ name: String) -> String {
    String(String.UnicodeScalarView(name.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || ("0"..."9").contains($0) }))
  }
}
