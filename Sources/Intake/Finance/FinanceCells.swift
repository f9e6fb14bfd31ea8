/// Splits a line of a report into its cells.
enum FinanceCells {
  /// Marks between cells that are tried, Apple's own first.
  static let delimiters: [UInt8] = [ASCII.tab, ASCII.comma, UInt8(ascii: ";")]

  /// Cells of a line; nil when a quote in it is never closed.
  ///
  /// A quote has a meaning only where it begins a cell, and between tabs only where it ends it, too: titles hold quotes.
  static func split(_ bytes: ArraySlice<UInt8>, by delimiter: UInt8) -> [String]? {
    delimiter == ASCII.tab ? splitTabs(bytes) : splitQuoted(bytes, by: delimiter)
  }

  /// Whether a text ends in parentheses, of any width, as a name and its currency do.
  static func endsInParentheses(_ text: String) -> Bool { text.hasSuffix(")") || text.hasSuffix("）") }

  private static func splitTabs(_ bytes: ArraySlice<UInt8>) -> [String] {
    bytes.split(separator: ASCII.tab, omittingEmptySubsequences: false).map { cell in
      let isQuoted = cell.count >= 2 && cell.first == ASCII.quote && cell.last == ASCII.quote
      return String(decoding: isQuoted ? cell.dropFirst().dropLast() : cell, as: UTF8.self)
    }
  }

  private static func splitQuoted(_ bytes: ArraySlice<UInt8>, by delimiter: UInt8) -> [String]? {
    var cells: [String] = []
    var cell: [UInt8] = []
    var isInQuotes = false
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      if isInQuotes {
        if byte != ASCII.quote {
          cell.append(byte)
        } else if index + 1 < bytes.endIndex, bytes[index + 1] == ASCII.quote {
          cell.append(byte)
          index += 1
        } else {
          isInQuotes = false
        }
      } else if byte == delimiter {
        cells.append(String(decoding: cell, as: UTF8.self))
        cell.removeAll(keepingCapacity: true)
      } else if byte == ASCII.quote, cell.allSatisfy({ $0 == ASCII.space }) {
        cell.removeAll(keepingCapacity: true)
        isInQuotes = true
      } else {
        cell.append(byte)
      }
      index += 1
    }
    guard !isInQuotes else { return nil }
    return cells + [String(decoding: cell, as: UTF8.self)]
  }

  /// A name of a column without what files spell differently: case, spaces, slashes, underscores.
  static func key(_ name: String) -> String {
    String(String.UnicodeScalarView(name.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || ("0"..."9").contains($0) }))
  }
}
