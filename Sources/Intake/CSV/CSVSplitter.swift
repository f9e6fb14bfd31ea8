internal import Domain
internal import Wording

/// Splits one CSV record into its values.
///
/// A record is one physical line. A line break inside quotes is refused, because two stray quotes would hide all rows between them.
/// - Source: RFC 4180 section 2; a single line feed also ends a record.
enum CSVSplitter {
  /// Position of a value.
  struct Field {
    var start: Int
    var end: Int
    var hasDoubledQuotes = false
  }

  /// The fault of a quote that is not closed in its record.
  static let openQuote = RowFault("intake.quote_open")
  private static let lineBreak = RowFault("intake.quote_line")

  /// Splits a line without its end, and stores its fields in `fields`, those before a fault included.
  ///
  /// At most one field more than `IntakeLimits.columnsMax` is kept.
  /// - Parameters:
  ///   - quote: a line feed if values have no quotes.
  ///   - hasLineEnd: whether a line end follows.
  /// - Returns: the fault without its column; nil for a record.
  static func split(
    _ bytes: Span<UInt8>, _ line: Range<Int>, separator: UInt8 = ASCII.comma, quote: UInt8 = ASCII.quote, hasLineEnd: Bool = false,
    into fields: inout [Field]
  ) -> RowFault? {
    fields.removeAll(keepingCapacity: true)
    let end = line.upperBound
    var position = line.lowerBound
    while true {
      var field = Field(start: position, end: position)
      if position < end, bytes[position] == quote {
        field.start += 1
        guard closeQuote(bytes, quote, of: &field, to: end) else { return hasLineEnd ? lineBreak : openQuote }
        position = field.end + 1
      } else {
        while position < end, bytes[position] != separator, bytes[position] != quote { position += 1 }
        field.end = position
        if position < end, bytes[position] == quote {
          return RowFault("intake.quote_inside")
        }
      }
      add(field, of: bytes, to: &fields)
      if position == end { return nil }
      guard bytes[position] == separator else {
        return RowFault("intake.quote_text")
      }
      position += 1
    }
  }

  /// Splits a line of an input with a mapping, which may also end in a carriage return.
  ///
  /// - Parameter quote: nil if values have no quotes.
  /// - Throws: `RowFault` for a quote that is not closed, or is inside a value that is not quoted.
  static func split(_ line: [UInt8], separator: UInt8, quote: UInt8?, into fields: inout [Field]) throws(RowFault) {
    let end = line.last == ASCII.cr ? line.count - 1 : line.count
    if let fault = split(line.span, 0..<end, separator: separator, quote: quote ?? ASCII.lf, into: &fields) { throw fault }
  }

  static func texts(_ fields: [Field], of line: Span<UInt8>, quote: UInt8 = ASCII.quote) -> [String] {
    fields.map { field in
      var text: [UInt8] = []
      appendUnescaped(line.extracting(field.start..<field.end), quote: quote, to: &text)
      return String(decoding: text, as: UTF8.self)
    }
  }

  /// Stores the fields of a line as the values of a row.
  ///
  /// - Parameter columns: column of the table per field; nil for an ignored one.
  /// - Throws: `RowFault` when the line has another number of fields.
  static func fill(
    _ table: inout FieldTable, _ fields: [Field], of line: Span<UInt8>, quote: UInt8 = ASCII.quote, columns: [Int?]
  ) throws(RowFault) {
    guard fields.count == columns.count else {
      let count =
        fields.count > IntakeLimits.columnsMax ? Phrase("intake.more_than", ["max": .plain(IntakeLimits.columnsMax)]) : .plain(fields.count)
      throw RowFault(Phrase("intake.row_values", ["count": count, "columns": .plain(columns.count)]))
    }
    table.clear()
    for (column, field) in zip(columns, fields) {
      guard let column else { continue }
      guard field.hasDoubledQuotes else {
        table.slots[column] = FieldTable.Slot(kind: .text, start: field.start, end: field.end)
        continue
      }
      let start = table.scratch.count
      appendUnescaped(line.extracting(field.start..<field.end), quote: quote, to: &table.scratch)
      table.slots[column] = FieldTable.Slot(kind: .text, start: start, end: table.scratch.count, isScratch: true)
    }
  }

  /// Appends a value with doubled quotes replaced by single ones.
  static func appendUnescaped(_ value: Span<UInt8>, quote: UInt8 = ASCII.quote, to bytes: inout [UInt8]) {
    var index = 0
    while index < value.count {
      bytes.append(value[index])
      let isDoubled = value[index] == quote && index + 1 < value.count && value[index + 1] == quote
      index += isDoubled ? 2 : 1
    }
  }

  /// Adds a field. An apostrophe that our exports put before spreadsheet formulas is removed.
  private static func add(_ field: Field, of bytes: Span<UInt8>, to fields: inout [Field]) {
    guard fields.count <= IntakeLimits.columnsMax else { return }
    var field = field
    if SpreadsheetGuard.isOn(bytes, field.start..<field.end) { field.start += 1 }
    fields.append(field)
  }

  /// Finds the closing quote of a field and sets the field's end. Returns false if there is none.
  private static func closeQuote(_ bytes: Span<UInt8>, _ quote: UInt8, of field: inout Field, to end: Int) -> Bool {
    var position = field.start
    while position < end {
      guard bytes[position] == quote else {
        position += 1
        continue
      }
      guard position + 1 < end, bytes[position + 1] == quote else {
        field.end = position
        return true
      }
      field.hasDoubledQuotes = true
      position += 2
    }
    return false
  }

  /// Separators that are looked for, the most usual first.
  static let separators = [ASCII.comma, ASCII.tab, UInt8(ascii: ";"), UInt8(ascii: "|")]

  /// Returns the separator of a header: the one that occurs most often outside quotes; a comma if none occurs.
  static func separator(of header: [UInt8], quote: UInt8?) -> UInt8 {
    var counts: [UInt8: Int] = [:]
    var isQuoted = false
    for byte in header {
      if byte == quote { isQuoted.toggle() } else if !isQuoted, separators.contains(byte) { counts[byte, default: 0] += 1 }
    }
    return separators.max { counts[$0, default: 0] < counts[$1, default: 0] }.flatMap { counts[$0] == nil ? nil : $0 } ?? ASCII.comma
  }
}

extension String {
  /// The text without spaces at its ends.
  var trimmedSpaces: String { String(trimmed { $0 == " " }) }
}
