/// Reads one flat JSON object, the row of one NDJSON line, into a table.
///
/// Stricter than RFC 8259 asks: a repeated key and a value that is an object or an array are refused.
/// - Source: RFC 8259.
struct FlatObject {
  private var position: Int
  private let end: Int
  /// Keys of this row that no column has.
  private var others: [[UInt8]] = []
  private var memberCount = 0
  private var likelyColumn = 0

  /// Fills `table` with the members of the object that is all of `bytes[range]` but spaces.
  ///
  /// - Parameter columns: column by the bytes of its key.
  /// - Returns: keys that no column has.
  static func read(
    _ bytes: Span<UInt8>, range: Range<Int>, columns: [[UInt8]], into table: inout FieldTable
  ) throws(RowFault) -> [[UInt8]] {
    var reader = FlatObject(position: range.lowerBound, end: range.upperBound)
    table.clear()
    do throws(RowFault) {
      try reader.object(bytes, columns: columns, into: &table)
    } catch {
      table.clear()
      throw error
    }
    return reader.others
  }

  private init(position: Int, end: Int) {
    self.position = position
    self.end = end
  }

  private mutating func object(_ bytes: Span<UInt8>, columns: [[UInt8]], into table: inout FieldTable)
    throws(RowFault)
  {
    let start = position
    skipSpaces(bytes)
    guard take(bytes, ASCII.openBrace) else { throw broken("the line is not a JSON object", since: start) }
    skipSpaces(bytes)
    if !take(bytes, ASCII.closeBrace) {
      var seen = Array(repeating: false, count: columns.count)
      repeat {
        skipSpaces(bytes)
        try member(bytes, columns: columns, seen: &seen, into: &table, start: start)
        skipSpaces(bytes)
      } while take(bytes, ASCII.comma)
      guard take(bytes, ASCII.closeBrace) else {
        throw broken("the JSON object goes on with neither a comma nor a closing brace", since: start)
      }
    }
    skipSpaces(bytes)
    guard position == end else { throw broken("there is text behind the JSON object", since: start) }
  }

  private mutating func member(
    _ bytes: Span<UInt8>, columns: [[UInt8]], seen: inout [Bool], into table: inout FieldTable, start: Int
  ) throws(RowFault) {
    memberCount += 1
    guard memberCount <= IntakeLimits.columnsMax else {
      throw RowFault(field: "", reason: "the row has more than \(IntakeLimits.columnsMax) values")
    }
    let key = try string(bytes, field: [], start: start, scratch: &table.scratch)
    let column = column(key, bytes, table.scratch, columns)
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
    skipSpaces(bytes)
    guard take(bytes, ASCII.colon) else {
      throw broken("the JSON key is not followed by a colon", since: start)
    }
    skipSpaces(bytes)
    let slot = try value(bytes, field: name, start: start, scratch: &table.scratch)
    if let column { table.slots[column] = slot }
  }

  private mutating func value(_ bytes: Span<UInt8>, field: [UInt8], start: Int, scratch: inout [UInt8])
    throws(RowFault) -> FieldTable.Slot
  {
    guard position < end else { throw broken("the JSON object ends before its value", since: start) }
    switch bytes[position] {
    case ASCII.quote: return try string(bytes, field: field, start: start, scratch: &scratch)
    case ASCII.openBrace, ASCII.openBracket:
      throw RowFault(
        field: Self.shown(field),
        reason: "the value is a JSON object or array where a single value is expected")
    case ASCII.minus, ASCII.zero...ASCII.nine: return try number(bytes, field: field, start: start)
    default: break
    }
    if takeWord(bytes, "null") { return FieldTable.Slot() }
    let first = position
    if takeWord(bytes, "true") || takeWord(bytes, "false") {
      return FieldTable.Slot(kind: .boolean, start: first, end: position)
    }
    throw broken("the JSON value is neither text, number, true, false nor null", field: field, since: start)
  }

  /// Takes a number and keeps it as it is written, so that no digit is lost.
  private mutating func number(_ bytes: Span<UInt8>, field: [UInt8], start: Int) throws(RowFault)
    -> FieldTable.Slot
  {
    let first = position
    _ = take(bytes, ASCII.minus)
    let integer = position
    var isWellFormed = takeDigits(bytes) > 0
    if position - integer > 1, bytes[integer] == ASCII.zero { isWellFormed = false }
    if take(bytes, ASCII.point) { isWellFormed = takeDigits(bytes) > 0 && isWellFormed }
    if position < end, bytes[position] | 0x20 == 0x65 {
      position += 1
      if !take(bytes, ASCII.plus) { _ = take(bytes, ASCII.minus) }
      isWellFormed = takeDigits(bytes) > 0 && isWellFormed
    }
    guard isWellFormed else { throw broken("the JSON number is not well formed", field: field, since: start) }
    return FieldTable.Slot(kind: .number, start: first, end: position)
  }

  /// Takes a text; one with escapes is written out in `scratch`.
  private mutating func string(_ bytes: Span<UInt8>, field: [UInt8], start: Int, scratch: inout [UInt8])
    throws(RowFault) -> FieldTable.Slot
  {
    guard take(bytes, ASCII.quote) else {
      throw broken("there is no JSON text where one is expected", since: start)
    }
    let first = position
    while position < end {
      let byte = bytes[position]
      if byte == ASCII.quote {
        position += 1
        return FieldTable.Slot(kind: .text, start: first, end: position - 1)
      }
      if byte == ASCII.backslash { break }
      if byte < ASCII.space {
        throw broken("a JSON text holds a control character", field: field, since: start)
      }
      position += 1
    }
    let scratchStart = scratch.count
    for index in first..<position { scratch.append(bytes[index]) }
    while position < end {
      let byte = bytes[position]
      position += 1
      switch byte {
      case ASCII.quote:
        return FieldTable.Slot(kind: .text, start: scratchStart, end: scratch.count, isScratch: true)
      case ASCII.backslash: try escape(bytes, field: field, start: start, scratch: &scratch)
      case 0..<ASCII.space: throw broken("a JSON text holds a control character", field: field, since: start)
      default: scratch.append(byte)
      }
    }
    throw broken("a JSON text is opened and never closed", field: field, since: start)
  }

  private mutating func escape(_ bytes: Span<UInt8>, field: [UInt8], start: Int, scratch: inout [UInt8])
    throws(RowFault)
  {
    guard position < end else {
      throw broken("a JSON text is opened and never closed", field: field, since: start)
    }
    let byte = bytes[position]
    position += 1
    switch byte {
    case ASCII.quote, ASCII.backslash, 0x2F: scratch.append(byte)
    case 0x62: scratch.append(0x08)
    case 0x66: scratch.append(0x0C)
    case 0x6E: scratch.append(ASCII.lf)
    case 0x72: scratch.append(ASCII.cr)
    case 0x74: scratch.append(ASCII.tab)
    case 0x75:
      guard var code = hexadecimal(bytes) else {
        throw broken("a JSON escape \\u has fewer than four hexadecimal digits", field: field, since: start)
      }
      if (0xD800...0xDBFF).contains(code), position + 1 < end, bytes[position] == ASCII.backslash,
        bytes[position + 1] == 0x75
      {
        position += 2
        if let low = hexadecimal(bytes), (0xDC00...0xDFFF).contains(low) {
          code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
      }
      guard let scalar = Unicode.Scalar(code) else {
        throw broken("a JSON escape is half of a surrogate pair", field: field, since: start)
      }
      scratch += Array(String(scalar).utf8)
    default: throw broken("a JSON text has an escape that JSON does not define", field: field, since: start)
    }
  }

  private mutating func hexadecimal(_ bytes: Span<UInt8>) -> UInt32? {
    guard position + 4 <= end else { return nil }
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue else { return nil }
      code = code << 4 | UInt32(digit)
      position += 1
    }
    return code
  }

  private mutating func takeDigits(_ bytes: Span<UInt8>) -> Int {
    let first = position
    while position < end, ASCII.isDigit(bytes[position]) { position += 1 }
    return position - first
  }

  private mutating func takeWord(_ bytes: Span<UInt8>, _ word: String) -> Bool {
    var next = position
    for byte in word.utf8 {
      guard next < end, bytes[next] == byte else { return false }
      next += 1
    }
    position = next
    return true
  }

  private mutating func take(_ bytes: Span<UInt8>, _ byte: UInt8) -> Bool {
    guard position < end, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipSpaces(_ bytes: Span<UInt8>) {
    while position < end, ASCII.isSpace(bytes[position]) { position += 1 }
  }

  private func broken(_ reason: String, field: [UInt8] = [], since start: Int) -> RowFault {
    RowFault(field: Self.shown(field), reason: "\(reason), at byte \(position - start)")
  }

  private func repeated(_ name: [UInt8]) -> RowFault {
    RowFault(field: Self.shown(name), reason: "the JSON key is there more than once")
  }

  /// A key as reports show it: cut short, and readable whatever its bytes are.
  static func shown(_ name: [UInt8]) -> String {
    let text = String(decoding: name.prefix(IntakeLimits.quotedBytesMax), as: UTF8.self)
    return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 ? "\u{FFFD}" : $0 }))
  }

  /// Column that a key names, looked for from the one after the last, because rows keep an order.
  private mutating func column(
    _ slot: FieldTable.Slot, _ bytes: Span<UInt8>, _ scratch: [UInt8], _ columns: [[UInt8]]
  ) -> Int? {
    for _ in columns.indices {
      let candidate = likelyColumn
      likelyColumn = candidate + 1 == columns.count ? 0 : candidate + 1
      if Self.equals(slot, bytes, scratch, columns[candidate]) { return candidate }
    }
    return nil
  }

  private static func equals(
    _ slot: FieldTable.Slot, _ bytes: Span<UInt8>, _ scratch: [UInt8], _ name: [UInt8]
  ) -> Bool {
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
