internal import Domain

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

  enum Outcome {
    case record(contentEnd: Int, next: Int)
    case blank(next: Int)
    /// The record continues after the given bytes.
    case open(isQuoted: Bool)
    case broken(String)
  }

  /// Splits the record that begins at `start`, and stores its fields in `fields` even if it is broken.
  ///
  /// At most one field more than `IntakeLimits.columnsMax` is kept.
  /// - Parameters:
  ///   - isComplete: whether no bytes follow `end`.
  ///   - quote: a line feed if values have no quotes.
  static func split(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, isComplete: Bool, separator: UInt8 = ASCII.comma, quote: UInt8 = ASCII.quote,
    into fields: inout [Field]
  ) -> Outcome {
    fields.removeAll(keepingCapacity: true)
    if let next = blankLine(bytes, from: start, to: end, isComplete: isComplete) { return .blank(next: next) }
    var position = start
    while true {
      if position < end, bytes[position] == quote {
        var field = Field(start: position + 1, end: position + 1)
        switch closeQuote(bytes, quote, of: &field, to: end, isComplete: isComplete) {
        case .closed: break
        case .lineBreak:
          return .broken("a quote is opened and never closed in its line; a line break inside quotes is refused")
        case .missing: return isComplete ? .broken("a quote is opened and never closed") : .open(isQuoted: true)
        }
        add(field, of: bytes, to: &fields)
        position = field.end + 1
        if position == end { return isComplete ? .record(contentEnd: end, next: end) : .open(isQuoted: false) }
        switch bytes[position] {
        case separator:
          position += 1
          continue
        case ASCII.lf:
          return .record(contentEnd: position, next: position + 1)
        case ASCII.cr where position + 1 == end:
          return isComplete ? .record(contentEnd: position, next: end) : .open(isQuoted: false)
        case ASCII.cr where bytes[position + 1] == ASCII.lf:
          return .record(contentEnd: position, next: position + 2)
        default: return .broken("there is text between a closing quote and the next separator")
        }
      }
      var stop = position
      while stop < end {
        let byte = bytes[stop]
        if byte == separator || byte == ASCII.lf || byte == quote { break }
        stop += 1
      }
      if stop < end, bytes[stop] == separator {
        add(Field(start: position, end: stop), of: bytes, to: &fields)
        position = stop + 1
        continue
      }
      if stop < end, bytes[stop] == quote {
        return .broken("there is a quote inside a value that is not quoted")
      }
      if stop == end, !isComplete { return .open(isQuoted: false) }
      let contentEnd = stop > position && bytes[stop - 1] == ASCII.cr ? stop - 1 : stop
      add(Field(start: position, end: contentEnd), of: bytes, to: &fields)
      return .record(contentEnd: contentEnd, next: min(stop + 1, end))
    }
  }

  /// Splits a line without its end.
  ///
  /// - Parameter quote: nil if values have no quotes.
  /// - Throws: `RowFault` for a quote that is not closed, or is inside a value that is not quoted.
  static func split(_ line: [UInt8], separator: UInt8, quote: UInt8?, into fields: inout [Field]) throws(RowFault) {
    let outcome = split(
      line.span, from: 0, to: line.count, isComplete: true, separator: separator, quote: quote ?? ASCII.lf, into: &fields)
    if case .broken(let reason) = outcome { throw RowFault(field: "", reason: reason) }
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
      let count = fields.count > IntakeLimits.columnsMax ? "more than \(IntakeLimits.columnsMax)" : "\(fields.count)"
      throw RowFault(field: "", reason: "the row has \(count) values, and the header names \(columns.count) columns")
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

  /// Returns the position after an empty line; nil when there is none.
  private static func blankLine(_ bytes: Span<UInt8>, from start: Int, to end: Int, isComplete: Bool) -> Int?
  {
    guard start < end else { return nil }
    if bytes[start] == ASCII.lf { return start + 1 }
    guard bytes[start] == ASCII.cr else { return nil }
    if start + 1 == end { return isComplete ? end : nil }
    return bytes[start + 1] == ASCII.lf ? start + 2 : nil
  }

  private enum Closing {
    case closed, missing, lineBreak
  }

  /// Finds the closing quote of a field and sets the field's end.
  private static func closeQuote(
    _ bytes: Span<UInt8>, _ quote: UInt8, of field: inout Field, to end: Int, isComplete: Bool
  ) -> Closing {
    var position = field.start
    while position < end {
      let byte = bytes[position]
      if byte == ASCII.lf { return .lineBreak }
      guard byte == quote else {
        position += 1
        continue
      }
      // The next byte determines whether this quote closes the field.
      if position + 1 == end, !isComplete { return .missing }
      guard position + 1 < end, bytes[position + 1] == quote else {
        field.end = position
        return .closed
      }
      field.hasDoubledQuotes = true
      position += 2
    }
    return .missing
  }
}

extension CSVSplitter {
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
  var trimmedSpaces: String {
    let start = drop { $0 == " " }
    return String(start.prefix(upTo: start.lastIndex { $0 != " " }.map { start.index(after: $0) } ?? start.startIndex))
  }
}
