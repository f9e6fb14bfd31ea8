internal import Domain
internal import JSON

/// Typed access to a payload that records every value it cannot use.
struct PayloadFields {
  /// Maximum length of an identifier in bytes; a longer one cannot be indexed.
  static let identifierBytesMax = 255

  let object: JSONObject
  private(set) var unrecognized: [UnrecognizedValue] = []

  init(_ object: JSONObject) { self.object = object }

  /// Returns a member; nil when it is missing, null or an empty text.
  private func present(_ name: String) -> JSONValue? {
    switch object[name] {
    case nil, .null?, .string("")?: nil
    case let value?: value
    }
  }

  /// Whether the payload has a member, usable or not.
  func has(_ name: String) -> Bool { present(name) != nil }

  mutating func note(_ name: String, _ value: JSONValue?) {
    unrecognized.append(UnrecognizedValue(field: name, value: Self.shown(value)))
  }

  /// Notes values that the fields of another object did not recognise.
  mutating func note(_ values: [UnrecognizedValue]) { unrecognized += values }

  /// Returns a value as readable text without characters that PostgreSQL rejects.
  private static func shown(_ value: JSONValue?) -> String {
    let text =
      switch value {
      case nil: UnrecognizedValue.missing
      case .null?: "null"
      case .bool(let flag)?: flag ? "true" : "false"
      case .number(let digits)?: digits
      case .string(let text)?: text
      case .array?: "list"
      case .object?: "object"
      }
    return Printable.text(String(text.prefix(UnrecognizedValue.valueCharactersMax)))
  }

  /// Converts a member. A value that `convert` refuses with nil is noted and counts as missing.
  private mutating func read<Value>(_ name: String, _ convert: (JSONValue) -> Value?) -> Value? {
    guard let value = present(name) else { return nil }
    let converted = convert(value)
    if converted == nil { note(name, value) }
    return converted
  }

  /// Returns a short text: an identifier, a code or a name.
  mutating func text(_ name: String) -> String? {
    read(name) { value in
      guard case .string(let text) = value, text.utf8.count <= Self.identifierBytesMax, Printable.isPlain(text) else { return nil }
      return text
    }
  }

  /// Returns an id, or the digits of a whole number, as in rows of orders.
  mutating func identifier(_ name: String) -> String? {
    if case .number(let digits)? = object[name], digits.utf8.count <= Self.identifierBytesMax,
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    {
      return digits
    }
    return text(name)
  }

  /// Returns an id; its absence makes the item unusable and is noted.
  mutating func required(_ name: String) -> String? {
    if present(name) == nil { note(name, nil) }
    return identifier(name)
  }

  /// Returns a text of a closed list; a text that is not listed is noted and still returned.
  mutating func word(_ name: String, of list: Set<String>) -> String? {
    guard let word = text(name) else { return nil }
    if !list.contains(word) { note(name, .string(word)) }
    return word
  }

  /// Returns an instant; its absence makes the item unusable and is noted.
  mutating func requiredInstant(_ name: String) -> Timestamp? {
    if present(name) == nil { note(name, nil) }
    return instant(name)
  }

  mutating func uuid(_ name: String) -> String? {
    read(name) { if case .string(let text) = $0 { UUIDText.lowercased(text) } else { nil } }
  }

  mutating func integer(_ name: String, in range: ClosedRange<Int64>) -> Int64? {
    read(name) { value in
      guard case .number(let digits) = value, let number = Int64(digits), range.contains(number) else { return nil }
      return number
    }
  }

  /// Reads a nested object; the names of its notes are prefixed with `name`.
  mutating func nested(_ name: String, _ read: (inout PayloadFields) -> Void) {
    guard let value = present(name) else { return }
    guard case .object(let object) = value else { return note(name, value) }
    self.read(object, under: name, read)
  }

  mutating func each(_ name: String, _ read: (inout PayloadFields) -> Void) {
    guard let value = present(name) else { return }
    guard case .array(let elements) = value else { return note(name, value) }
    for element in elements {
      guard case .object(let object) = element else {
        note(name, element)
        continue
      }
      self.read(object, under: name, read)
    }
  }

  private mutating func read(_ object: JSONObject, under name: String, _ read: (inout PayloadFields) -> Void) {
    var inner = PayloadFields(object)
    read(&inner)
    unrecognized += inner.unrecognized.map { UnrecognizedValue(field: "\(name).\($0.field)", value: $0.value) }
  }

  mutating func flag(_ name: String) -> Bool? {
    read(name) { if case .bool(let flag) = $0 { flag } else { nil } }
  }

  /// Returns an instant within plausible limits from milliseconds since 1970, whole or with a fraction.
  mutating func instant(_ name: String) -> Timestamp? {
    read(name) { value in
      guard case .number(let digits) = value, let instant = Milliseconds.instant(digits), SaneLimits.instants.contains(instant)
      else { return nil }
      return instant
    }
  }

  /// Returns a currency code of three upper-case letters.
  mutating func currency(_ name: String) -> String? {
    guard let text = text(name) else { return nil }
    guard text.utf8.count == 3, text.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
      note(name, .string(text))
      return nil
    }
    return text
  }
}

/// Converts Apple's instants.
enum Milliseconds {
  /// Reason for refusing an instant beyond `SaneLimits.instants`.
  static let excess = "the instant is outside the years \(SaneLimits.years.lowerBound) to \(SaneLimits.years.upperBound)"
  /// Maximum number of digits read; every instant has fewer.
  private static let digitsMax = 40

  /// Years 1 to 9999.
  private static let range: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

  /// Returns the instant; nil when the text is no number or outside the years 1 to 9999.
  static func instant(_ digits: String) -> Timestamp? {
    if let whole = Int64(digits) {
      return range.contains(whole) ? Timestamp(microseconds: whole * 1000) : nil
    }
    guard digits.utf8.count <= digitsMax, let fractional = Double(digits), fractional >= Double(range.lowerBound),
      fractional <= Double(range.upperBound)
    else { return nil }
    return Timestamp(microseconds: Int64(fractional) * 1000)
  }

  /// Returns the instant, clamped to the years 1 to 9999.
  static func clampedInstant(_ digits: String) -> Timestamp {
    if let instant = instant(digits) { return instant }
    let bound = digits.hasPrefix("-") ? range.lowerBound : range.upperBound
    return Timestamp(microseconds: bound * 1000)
  }

  /// Decimal places of a second in microseconds.
  private static let microsecondDigits = 6

  /// Returns the instant of a number of seconds or milliseconds since 1970; nil when the text is neither.
  ///
  /// Within `SaneLimits.instants` the two ranges do not overlap.
  static func ofEpoch(_ text: String) -> Timestamp? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }), let whole = Int64(parts[0]) else {
      return nil
    }
    let limits = SaneLimits.instants
    if (limits.lowerBound.wholeSeconds..<limits.upperBound.wholeSeconds).contains(whole) {
      let digits = (parts.count > 1 ? String(parts[1].prefix(microsecondDigits)) : "").utf8.map { Int64($0) - 0x30 }
      let fraction = digits.reduce(0) { $0 * 10 + $1 } * (digits.count..<microsecondDigits).reduce(1) { power, _ in power * 10 }
      return Timestamp(microseconds: whole * 1_000_000 + fraction)
    }
    let instant = Timestamp(milliseconds: whole)
    return limits.contains(instant) ? instant : nil
  }
}

/// Makes text safe to store and show.
enum Printable {
  static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }

  /// Returns the text with control characters replaced.
  static func text(_ text: String) -> String {
    if isPlain(text) { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "\u{FFFD}" : $0 }))
  }

  /// Returns an unverified identifier as plain text of bounded length; nil gives an empty text.
  static func claim(_ text: String?) -> String {
    guard let text else { return "" }
    let charactersMax = PayloadFields.identifierBytesMax / 4
    // A text of few bytes has few characters, so counting them is unnecessary.
    return Self.text(text.utf8.count <= charactersMax ? text : String(text.prefix(charactersMax)))
  }
}
