internal import Domain
internal import JSON

/// Typed access to a payload that notes every value it could not use.
struct PayloadFields {
  /// Longest identifier that is taken; a longer one cannot be indexed.
  static let identifierBytesMax = 255

  let object: JSONObject
  private(set) var unrecognized: [UnrecognizedValue] = []
  /// The first value that no purchase can have; what holds it is not to be used.
  private(set) var excess: FieldExcess?

  init(_ object: JSONObject) { self.object = object }

  /// A member that is there, and neither null nor an empty text.
  private func present(_ name: String) -> JSONValue? {
    switch object[name] {
    case nil, .null?, .string("")?: nil
    case let value?: value
    }
  }

  mutating func note(_ name: String, _ value: JSONValue?) {
    unrecognized.append(UnrecognizedValue(field: name, value: Self.shown(value)))
  }

  /// A value as a person can read it, without characters that a database refuses.
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

  /// A short text: an identifier, a code or a name.
  mutating func text(_ name: String) -> String? {
    guard let value = present(name) else { return nil }
    guard case .string(let text) = value, text.utf8.count <= Self.identifierBytesMax,
      Printable.isPlain(text)
    else {
      note(name, value)
      return nil
    }
    return text
  }

  /// A text without which the item cannot be used.
  mutating func required(_ name: String) -> String? {
    if present(name) == nil { note(name, nil) }
    return text(name)
  }

  /// A text of a closed list; one that is not on it is noted and kept.
  mutating func word(_ name: String, of list: Set<String>) -> String? {
    guard let word = text(name) else { return nil }
    if !list.contains(word) { note(name, .string(word)) }
    return word
  }

  /// An instant without which the item cannot be used.
  mutating func requiredInstant(_ name: String) -> Timestamp? {
    if present(name) == nil { note(name, nil) }
    return instant(name)
  }

  /// A UUID in lower case.
  mutating func uuid(_ name: String) -> String? {
    guard let value = present(name) else { return nil }
    guard case .string(let text) = value, let uuid = UUIDText.lowercased(text) else {
      note(name, value)
      return nil
    }
    return uuid
  }

  /// A whole number in a range.
  mutating func integer(_ name: String, in range: ClosedRange<Int64>) -> Int64? {
    guard let value = present(name) else { return nil }
    guard case .number(let digits) = value, let number = Int64(digits), range.contains(number) else {
      note(name, value)
      return nil
    }
    return number
  }

  /// Money or a quantity: a whole number within sane limits.
  ///
  /// A number beyond them, however long, is no value that could be kept aside: the whole item is refused.
  mutating func limited(_ name: String, in range: ClosedRange<Int64>) -> Int64? {
    if case .number(let digits)? = present(name), Self.isWhole(digits), !range.contains(Int64(digits) ?? .max) {
      refuse(name, "\(name) is outside \(range.lowerBound) to \(range.upperBound)")
      return nil
    }
    return integer(name, in: range)
  }

  private static func isWhole(_ digits: String) -> Bool { digits.utf8.allSatisfy { $0 == 0x2D || (0x30...0x39).contains($0) } }

  private mutating func refuse(_ name: String, _ reason: String) {
    if excess == nil { excess = FieldExcess(field: name, reason: reason) }
  }

  /// Reads a nested object; its notes carry its name before theirs.
  mutating func nested(_ name: String, _ read: (inout PayloadFields) -> Void) {
    guard let value = present(name) else { return }
    guard case .object(let object) = value else { return note(name, value) }
    self.read(object, under: name, read)
  }

  /// Reads each object of a list.
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
    if let excess = inner.excess { refuse("\(name).\(excess.field)", excess.reason) }
  }

  mutating func flag(_ name: String) -> Bool? {
    guard let value = present(name) else { return nil }
    guard case .bool(let flag) = value else {
      note(name, value)
      return nil
    }
    return flag
  }

  /// An instant in milliseconds since 1970, whole or with a fraction.
  mutating func instant(_ name: String) -> Timestamp? {
    guard let value = present(name) else { return nil }
    guard case .number(let digits) = value else {
      note(name, value)
      return nil
    }
    guard let instant = Milliseconds.instant(digits), SaneLimits.instants.contains(instant) else {
      refuse(name, "\(name): \(Milliseconds.excess)")
      return nil
    }
    return instant
  }

  /// Three upper-case letters.
  mutating func currency(_ name: String) -> String? {
    guard let text = text(name) else { return nil }
    guard text.utf8.count == 3, text.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
      note(name, .string(text))
      return nil
    }
    return text
  }
}

/// Apple's instants.
enum Milliseconds {
  /// Why an instant beyond `SaneLimits.instants` is refused.
  static let excess =
    "the instant is outside the years \(SaneLimits.years.lowerBound) to \(SaneLimits.years.upperBound)"
  /// Digits that are read; no instant has as many.
  private static let digitsMax = 40

  /// Years 1 to 9999.
  fileprivate static let range: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

  /// nil when the text is no number or outside the years 1 to 9999.
  static func instant(_ digits: String) -> Timestamp? {
    if let whole = Int64(digits) {
      return range.contains(whole) ? Timestamp(microseconds: whole * 1000) : nil
    }
    guard digits.utf8.count <= digitsMax, let fractional = Double(digits), fractional >= Double(range.lowerBound),
      fractional <= Double(range.upperBound)
    else { return nil }
    return Timestamp(microseconds: Int64(fractional) * 1000)
  }
}

extension Milliseconds {
  /// The instant, moved into the years 1 to 9999.
  static func clampedInstant(_ digits: String) -> Timestamp {
    if let instant = instant(digits) { return instant }
    let bound = digits.hasPrefix("-") ? range.lowerBound : range.upperBound
    return Timestamp(microseconds: bound * 1000)
  }
}

/// Text that can be stored and shown.
enum Printable {
  /// Whether a text has no control character.
  static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }

  /// The text with control characters replaced.
  static func text(_ text: String) -> String {
    if isPlain(text) { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "\u{FFFD}" : $0 }))
  }

  /// A claimed identifier for storing whatever it is worth: plain and of bounded length.
  static func claim(_ text: String?) -> String {
    guard let text else { return "" }
    let charactersMax = PayloadFields.identifierBytesMax / 4
    // Few bytes are few characters, and need not be counted as such.
    return Self.text(text.utf8.count <= charactersMax ? text : String(text.prefix(charactersMax)))
  }
}
