/// Splits one line of a CSV file with any separator and quote.
enum DialectSplitter {
  /// Separators that are looked for, the most usual first.
  static let separators = [ASCII.comma, ASCII.tab, UInt8(ascii: ";"), UInt8(ascii: "|")]

  /// Splits a line without its end. At most one field more than `IntakeLimits.columnsMax` is kept.
  ///
  /// - Parameter quote: nil if values have no quotes.
  /// - Throws: `RowFault` for a quote that is not closed, or is inside a value that is not quoted.
  static func split(_ line: [UInt8], separator: UInt8, quote: UInt8?, into fields: inout [CSVSplitter.Field]) throws(RowFault) {
    fields.removeAll(keepingCapacity: true)
    var position = 0
    while true {
      var field: CSVSplitter.Field
      if position < line.count, line[position] == quote {
        field = try quoted(line, from: position + 1, quote: line[position])
        position = field.end + 1
        guard position == line.count || line[position] == separator else {
          throw RowFault(field: "", reason: "there is text between a closing quote and the next separator")
        }
      } else {
        let end = line[position...].firstIndex { $0 == separator || $0 == quote } ?? line.count
        guard end == line.count || line[end] == separator else {
          throw RowFault(field: "", reason: "there is a quote inside a value that is not quoted")
        }
        field = CSVSplitter.Field(start: position, end: end)
        position = end
      }
      CSVSplitter.add(field, of: line.span, to: &fields)
      guard position < line.count else { return }
      position += 1
    }
  }

  private static func quoted(_ line: [UInt8], from start: Int, quote: UInt8) throws(RowFault) -> CSVSplitter.Field {
    var field = CSVSplitter.Field(start: start, end: start)
    var position = start
    while position < line.count {
      guard line[position] == quote else {
        position += 1
        continue
      }
      guard position + 1 < line.count, line[position + 1] == quote else {
        field.end = position
        return field
      }
      field.hasDoubledQuotes = true
      position += 2
    }
    throw RowFault(field: "", reason: "a quote is opened and never closed in its line; a line break inside quotes is refused")
  }

  /// Returns the separator of a header: the one that occurs most often outside quotes; a comma if none occurs.
  static func separator(of header: [UInt8], quote: UInt8?) -> UInt8 {
    var counts: [UInt8: Int] = [:]
    var isQuoted = false
    for byte in header {
      if byte == quote { isQuoted.toggle() } else if !isQuoted, separators.contains(byte) { counts[byte, default: 0] += 1 }
    }
    return separators.max { counts[$0, default: 0] < counts[$1, default: 0] }.flatMap { counts[$0] == nil ? nil : $0 } ?? ASCII.comma
  }

  /// Returns a value without its doubled quotes.
  static func unescaped(_ value: ArraySlice<UInt8>, quote: UInt8) -> [UInt8] {
    var plain: [UInt8] = []
    var isSecond = false
    for byte in value {
      if byte == quote, isSecond {
        isSecond = false
        continue
      }
      isSecond = byte == quote
      plain.append(byte)
    }
    return plain
  }
}

extension String {
  /// The text without spaces at its ends.
  var trimmedSpaces: String {
    let start = drop { $0 == " " }
    return String(start.prefix(upTo: start.lastIndex { $0 != " " }.map { start.index(after: $0) } ?? start.startIndex))
  }
}
