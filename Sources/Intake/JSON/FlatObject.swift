internal import JSON
internal import Wording

/// Reads one flat JSON object, the row of one NDJSON line, into a table.
///
/// It is stricter than RFC 8259: a repeated key is refused, and so is an object or an array as the value of a column.
/// - Source: RFC 8259.
struct FlatObject {
  private var scanner: JSONScanner
  /// Columns in the form of key bytes.
  private let columns: [[UInt8]]
  /// Position of the row, from which faults count.
  private let start: Int
  /// Keys of this row without a column.
  private var others: [[UInt8]] = []
  private var memberCount = 0
  private var likelyColumn = 0

  /// Fills `table` with the members of the object in `bytes[range]`, which may be surrounded by spaces only.
  ///
  /// - Parameter columns: columns in the form of key bytes.
  /// - Returns: keys without a column.
  static func read(
    _ bytes: Span<UInt8>, range: Range<Int>, columns: [[UInt8]], into table: inout FieldTable
  ) throws(RowFault) -> [[UInt8]] {
    var reader = FlatObject(range, columns)
    table.clear()
    do throws(RowFault) {
      try reader.object(bytes, into: &table)
    } catch {
      table.clear()
      throw error
    }
    return reader.others
  }

  private init(_ range: Range<Int>, _ columns: [[UInt8]]) {
    scanner = JSONScanner(range)
    start = range.lowerBound
    self.columns = columns
  }

  private mutating func object(_ bytes: Span<UInt8>, into table: inout FieldTable) throws(RowFault) {
    scanner.skipSpace(bytes)
    guard scanner.take(bytes, ASCII.openBrace) else { throw broken("intake.line_no_object") }
    scanner.skipSpace(bytes)
    if !scanner.take(bytes, ASCII.closeBrace) {
      var seen = Array(repeating: false, count: columns.count)
      repeat {
        scanner.skipSpace(bytes)
        try member(bytes, seen: &seen, into: &table)
        scanner.skipSpace(bytes)
      } while scanner.take(bytes, ASCII.comma)
      guard scanner.take(bytes, ASCII.closeBrace) else {
        throw broken("intake.object_goes_on")
      }
    }
    scanner.skipSpace(bytes)
    guard scanner.position == scanner.end else { throw broken("intake.object_behind") }
  }

  private mutating func member(_ bytes: Span<UInt8>, seen: inout [Bool], into table: inout FieldTable) throws(RowFault) {
    memberCount += 1
    guard memberCount <= IntakeLimits.columnsMax else {
      throw RowFault(Phrase("intake.row_many", ["max": .plain(IntakeLimits.columnsMax)]))
    }
    let key = try string(bytes, field: [], scratch: &table.scratch)
    let column = column(key, bytes, table.scratch)
    let name: [UInt8]
    if let column {
      name = columns[column]
      guard !seen[column] else { throw repeated(name) }
      seen[column] = true
    } else {
      name = Self.copy(key, bytes, table.scratch)
      guard !others.contains(name) else { throw repeated(name) }
      others.append(name)
    }
    scanner.skipSpace(bytes)
    guard scanner.take(bytes, ASCII.colon) else { throw broken("intake.key_no_colon") }
    scanner.skipSpace(bytes)
    guard let column else { return try skipValue(bytes, field: name, scratch: &table.scratch) }
    table.slots[column] = try value(bytes, field: name, scratch: &table.scratch)
  }

  /// Skips the value of a key without a column, whatever its type.
  private mutating func skipValue(_ bytes: Span<UInt8>, field: [UInt8], scratch: inout [UInt8]) throws(RowFault) {
    guard let first = scanner.current(bytes), first == ASCII.openBrace || first == ASCII.openBracket else {
      _ = try value(bytes, field: field, scratch: &scratch)
      return
    }
    var outline = JSONOutline()
    while scanner.position < scanner.end, outline.state == .open {
      outline.follow(bytes.extracting(scanner.position..<(scanner.position + 1)))
      scanner.position += 1
    }
    guard outline.state == .complete else {
      throw broken(Phrase("intake.json_nested", ["max": .plain(JSONLimits.depthMax)]), field: field)
    }
  }

  private mutating func value(_ bytes: Span<UInt8>, field: [UInt8], scratch: inout [UInt8]) throws(RowFault) -> FieldTable.Slot {
    guard let first = scanner.current(bytes) else { throw broken("intake.object_ends") }
    switch first {
    case ASCII.quote: return try string(bytes, field: field, scratch: &scratch)
    case ASCII.openBrace:
      throw RowFault(field: Self.shown(field), reason: "intake.value_no_single")
    case ASCII.openBracket:
      throw RowFault(field: Self.shown(field), reason: "intake.value_no_list")
    case ASCII.minus, ASCII.zero...ASCII.nine:
      let range = try scanned(field) { scanner throws(JSONFault) in try scanner.number(bytes) }
      return FieldTable.Slot(kind: .number, start: range.lowerBound, end: range.upperBound)
    default: break
    }
    if scanner.take(bytes, word: "null") { return FieldTable.Slot() }
    let begin = scanner.position
    if scanner.take(bytes, word: "true") || scanner.take(bytes, word: "false") {
      return FieldTable.Slot(kind: .boolean, start: begin, end: scanner.position)
    }
    throw broken("intake.value_neither", field: field)
  }

  /// Reads a text; one with escapes is unescaped into `scratch`.
  private mutating func string(_ bytes: Span<UInt8>, field: [UInt8], scratch: inout [UInt8]) throws(RowFault) -> FieldTable.Slot {
    let text = try scanned(field) { scanner throws(JSONFault) in try scanner.text(bytes) }
    guard text.hasEscapes else {
      return FieldTable.Slot(kind: .text, start: text.range.lowerBound, end: text.range.upperBound)
    }
    let scratchStart = scratch.count
    JSONScanner.appendPlain(bytes, text.range, to: &scratch)
    return FieldTable.Slot(kind: .text, start: scratchStart, end: scratch.count, isScratch: true)
  }

  /// Reads a token. Throws a syntax error as a fault of the field.
  private mutating func scanned<Token>(
    _ field: [UInt8], _ read: (inout JSONScanner) throws(JSONFault) -> Token
  ) throws(RowFault) -> Token {
    do throws(JSONFault) {
      return try read(&scanner)
    } catch {
      throw broken(error.reason, field: field)
    }
  }

  private func broken(_ reason: Phrase, field: [UInt8] = []) -> RowFault {
    RowFault(field: Self.shown(field), reason: Phrase("intake.comma_byte", ["what": reason, "offset": .plain(scanner.position - start)]))
  }

  private func repeated(_ name: [UInt8]) -> RowFault {
    RowFault(field: Self.shown(name), reason: "intake.key_twice")
  }

  /// Returns a key for messages: truncated, with unreadable bytes replaced.
  static func shown(_ name: [UInt8]) -> String {
    let text = String(decoding: name.prefix(IntakeLimits.quotedBytesMax), as: UTF8.self)
    return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 ? "\u{FFFD}" : $0 }))
  }

  /// Returns quoted names for messages.
  static func list(_ names: [String]) -> String { names.map { "\"\(shown(Array($0.utf8)))\"" }.joined(separator: ", ") }

  /// Returns the column of a key. The search starts after the previous column, because rows keep an order.
  private mutating func column(_ slot: FieldTable.Slot, _ bytes: Span<UInt8>, _ scratch: [UInt8]) -> Int? {
    for _ in columns.indices {
      let candidate = likelyColumn
      likelyColumn = candidate + 1 == columns.count ? 0 : candidate + 1
      if Self.equals(slot, bytes, scratch, columns[candidate]) { return candidate }
    }
    return nil
  }

  private static func equals(_ slot: FieldTable.Slot, _ bytes: Span<UInt8>, _ scratch: [UInt8], _ name: [UInt8]) -> Bool {
    guard name.count == slot.end - slot.start else { return false }
    for offset in name.indices {
      let byte = slot.isScratch ? scratch[slot.start + offset] : bytes[slot.start + offset]
      if byte != name[offset] { return false }
    }
    return true
  }

  private static func copy(_ slot: FieldTable.Slot, _ bytes: Span<UInt8>, _ scratch: [UInt8]) -> [UInt8] {
    if slot.isScratch { return Array(scratch[slot.start..<slot.end]) }
    return (slot.start..<slot.end).map { bytes[$0] }
  }
}
