internal import Domain
internal import Wording

/// Checks of single values. A reason quotes the value unless it may identify a person.
extension RowValues {
  /// Returns an id, a name or another text: 1 to `IntakeLimits.textBytesMax` bytes without control characters.
  func text(_ column: Int) -> String {
    require(column)
    return optionalText(column) ?? ""
  }

  func optionalText(_ column: Int) -> String? {
    optional(column) { (bytes) throws(RowFault) in
      let kind = table.slots[column].kind
      if kind == .boolean { throw quotingFault(column, "intake.value_boolean") }
      guard bytes.count <= IntakeLimits.textBytesMax else {
        throw fault(column, Phrase("intake.value_long", ["count": .plain(bytes.count), "max": .plain(IntakeLimits.textBytesMax)]))
      }
      if kind == .number, !Self.isDigits(bytes) { throw quotingFault(column, "intake.value_number_id") }
      if bytes[0] == ASCII.space || bytes[bytes.count - 1] == ASCII.space {
        throw fault(column, "intake.value_space")
      }
      if let offset = Self.controlCharacter(bytes) {
        throw fault(column, Phrase("intake.value_control", ["offset": .plain(offset)]))
      }
      guard let text = try? UTF8Span(validating: bytes) else { throw notUTF8(column, bytes) }
      if Self.isExponential(bytes) { notes.exponentialColumns.append(column) }
      return String(copying: text)
    }
  }

  func instant(_ column: Int) -> Timestamp {
    require(column)
    return optionalInstant(column) ?? Timestamp(microseconds: 0)
  }

  func optionalInstant(_ column: Int) -> Timestamp? {
    optional(column) { (bytes) throws(RowFault) in
      if let instant = Timestamp(rfc3339: bytes) {
        guard SaneLimits.instants.contains(instant) else {
          let years = SaneLimits.years
          throw quotingFault(column, "intake.value_years", ["from": .plain(years.lowerBound), "to": .plain(years.upperBound)])
        }
        return instant
      }
      let isPlain = bytes.count >= 10 && bytes[4] == ASCII.minus && bytes[7] == ASCII.minus
      throw quotingFault(column, isPlain ? "intake.value_instant_offset" : "intake.value_instant")
    }
  }

  /// Returns a whole number in digits; nil when the value is absent.
  func integer(_ column: Int, in range: ClosedRange<Int64>) -> Int64? {
    let (least, most) = (range.lowerBound, range.upperBound)
    return optional(column) { (bytes) throws(RowFault) in
      let isNegative = bytes[0] == ASCII.minus
      guard Self.isDigits(isNegative ? bytes.extracting(1...) : bytes) else {
        throw quotingFault(column, "intake.value_digits")
      }
      guard !isNegative else { throw quotingFault(column, "intake.value_less", ["least": .plain(least)]) }
      var value: Int64 = 0
      for index in bytes.indices {
        let (product, hasOverflow) = value.multipliedReportingOverflow(by: 10)
        let (sum, hasCarry) = product.addingReportingOverflow(Int64(bytes[index] - ASCII.zero))
        guard !hasOverflow, !hasCarry, sum <= most else {
          throw quotingFault(column, "intake.value_more", ["most": .plain(most)])
        }
        value = sum
      }
      guard value >= least else { throw quotingFault(column, "intake.value_less", ["least": .plain(least)]) }
      return value
    }
  }

  /// Returns a Boolean, `true|false|1|0|t|f` in any case; nil when the value is absent.
  func boolean(_ column: Int) -> Bool? {
    optional(column) { (bytes) throws(RowFault) in
      if let value = Self.booleans[Self.text(bytes).lowercased()] { return value }
      throw quotingFault(column, "intake.value_true")
    }
  }

  /// Returns a word of a closed list.
  func word<Word: RawRepresentable & CaseIterable>(_ column: Int, else otherwise: Word) -> Word where Word.RawValue == String {
    require(column)
    return optionalWord(column) ?? otherwise
  }

  func optionalWord<Word: RawRepresentable & CaseIterable>(_ column: Int) -> Word? where Word.RawValue == String {
    optional(column) { (bytes) throws(RowFault) in
      if bytes.count <= IntakeLimits.textBytesMax, let text = try? UTF8Span(validating: bytes),
        let word = Word(rawValue: String(copying: text))
      {
        return word
      }
      let list = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw quotingFault(column, "intake.value_one_of", ["list": .plain(list)])
    }
  }

  /// Returns an ISO code of three upper-case letters; nil when the value is absent.
  func code(_ column: Int, of what: String) -> String? {
    optional(column) { (bytes) throws(RowFault) in
      guard bytes.count == 3, Self.all(bytes, { (0x41...0x5A).contains($0) }) else {
        throw quotingFault(column, "intake.value_code", ["what": .code(what)])
      }
      return Self.text(bytes)
    }
  }

  /// Returns a UUID in lower case with dashes, from 32 hexadecimal digits with or without dashes (8-4-4-4-12); nil when the value is
  /// absent.
  func uuid(_ column: Int) -> String? {
    optional(column) { (bytes) throws(RowFault) in
      let hasDashes = bytes.count != 32
      guard bytes.count == 36 || !hasDashes else {
        throw fault(column, Phrase("intake.value_uuid_length", ["count": .plain(bytes.count)]))
      }
      for index in bytes.indices {
        let isDash = hasDashes && (index == 8 || index == 13 || index == 18 || index == 23)
        guard isDash ? bytes[index] == ASCII.minus : Self.isHexadecimal(bytes[index]) else {
          throw fault(column, Phrase("intake.value_uuid_byte", ["offset": .plain(index)]))
        }
      }
      let text = Self.text(bytes).lowercased()
      return hasDashes ? text : UUIDText.dashed(text)
    }
  }

  /// Returns a hexadecimal SHA-256 in lower case, without the `\x` before it in the text of a `bytea`; nil when the value is absent.
  func sha256(_ column: Int) -> String? {
    optional(column) { (bytes) throws(RowFault) in
      let digits = Self.text(bytes).lowercased().trimmingPrefix("\\x")
      guard digits.utf8.count == 64, digits.utf8.allSatisfy(Self.isHexadecimal) else { throw fault(column, "intake.value_sha256") }
      return String(digits)
    }
  }

  /// Returns an ISO 8601 duration of whole years, months, weeks and days such as `P1M`; nil when the value is absent.
  func period(_ column: Int) -> String? {
    optional(column) { (bytes) throws(RowFault) in
      let text = Self.text(bytes)
      guard (3...16).contains(bytes.count), text.wholeMatch(of: /P([0-9]+Y)?([0-9]+M)?([0-9]+W)?([0-9]+D)?/) != nil else {
        throw quotingFault(column, "intake.value_period")
      }
      return text
    }
  }

  /// Notes every value that is not UTF-8.
  func requireUTF8(from first: Int, to end: Int) {
    // Most records are ASCII, so their values need no individual check.
    var folded: UInt8 = 0
    let record = bytes.span.extracting(first..<end)
    for index in record.indices { folded |= record[index] }
    guard folded >= 0x80 else { return }
    for column in table.columns.indices {
      _ = optional(column) { (bytes) throws(RowFault) in
        guard (try? UTF8Span(validating: bytes)) != nil else { throw notUTF8(column, bytes) }
      }
    }
  }

  /// Returns a fault whose reason quotes the value, for values that identify nobody.
  private func quotingFault(_ column: Int, _ key: String, _ arguments: [String: Phrase] = [:]) -> RowFault {
    fault(column, Phrase(key, arguments.merging(["value": .plain(quoted(column))]) { $1 }))
  }

  private func notUTF8(_ column: Int, _ bytes: Span<UInt8>) -> RowFault {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes)
      return fault(column, "intake.value_utf8")
    } catch {
      return fault(column, Phrase("intake.value_utf8_byte", ["offset": .plain(error.byteOffsets.lowerBound)]))
    }
  }

  private static let booleans = ["true": true, "false": false, "1": true, "0": false, "t": true, "f": false]

  private static func all(_ bytes: Span<UInt8>, _ holds: (UInt8) -> Bool) -> Bool {
    for index in bytes.indices where !holds(bytes[index]) { return false }
    return true
  }

  private static func isDigits(_ bytes: Span<UInt8>) -> Bool {
    !bytes.isEmpty && all(bytes, ASCII.isDigit)
  }

  /// Returns whether a text is a number shortened by a spreadsheet, such as `2.02611E+11`.
  private static func isExponential(_ bytes: Span<UInt8>) -> Bool {
    var exponent = bytes.count
    while exponent > 0, ASCII.isDigit(bytes[exponent - 1]) { exponent -= 1 }
    guard exponent < bytes.count, exponent > 2, bytes[exponent - 1] == UInt8(ascii: "+"), bytes[exponent - 2] | 0x20 == UInt8(ascii: "e")
    else { return false }
    let mantissa = bytes.extracting(0..<(exponent - 2))
    return ASCII.isDigit(mantissa[0]) && all(mantissa) { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") || $0 == ASCII.comma }
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    ASCII.isDigit(byte) || (0x61...0x66).contains(byte | 0x20)
  }

  /// Returns the offset of the first control character: C0, delete, or C1 in UTF-8; nil when there is none.
  private static func controlCharacter(_ bytes: Span<UInt8>) -> Int? {
    for index in bytes.indices {
      let byte = bytes[index]
      if byte < ASCII.space || byte == ASCII.delete { return index }
      if byte == 0xC2, index + 1 < bytes.count, bytes[index + 1] < 0xA0 { return index }
    }
    return nil
  }

  /// Returns the text of bytes; empty if they are not UTF-8.
  private static func text(_ bytes: Span<UInt8>) -> String {
    guard let text = try? UTF8Span(validating: bytes) else { return "" }
    return String(copying: text)
  }
}
