internal import Domain

/// A pattern of digits and literal text, such as `yyyy-MM-dd HH:mm:ss`.
public struct InstantPattern: Sendable, Hashable {
  /// A part of a pattern: a letter with its number of repetitions, or literal text. X is an offset in any of its forms.
  public enum Part: Sendable, Hashable {
    case field(letter: Unicode.Scalar, count: Int)
    case literal(String)
  }

  /// Words for counts since 1970, with the number of microseconds per unit.
  private static let unixWords: [String: Int64] = ["unix_seconds": 1_000_000, "unix_milliseconds": 1000, "unix_microseconds": 1]
  private static let fractionDigitsMax = 9

  public let text: String
  /// The parts in their order; empty for a count since 1970.
  public let parts: [Part]
  /// Microseconds per unit of a count since 1970; nil for any other pattern.
  public let unixUnit: Int64?

  /// Whether the value states the instant by itself, so that no zone is needed.
  public var statesInstant: Bool { unixUnit != nil || parts.contains(.field(letter: "X", count: 1)) }

  /// Parses a pattern of the letters y M d H h m s S a X, of other characters, and of literal text in single quotes.
  ///
  /// - Returns: nil for another letter, or without year, month and day.
  public init?(_ text: String) {
    self.text = text
    unixUnit = Self.unixWords[text]
    if unixUnit != nil {
      parts = []
      return
    }
    guard let parts = Self.parts(of: text) else { return nil }
    let fields = parts.filter { if case .literal = $0 { false } else { true } }
    let letters = Set(fields.compactMap { if case .field(let letter, _) = $0 { letter } else { nil } })
    guard letters.isSuperset(of: ["y", "M", "d"]), Set(fields).count == fields.count, letters.contains("h") == letters.contains("a")
    else { return nil }
    self.parts = parts
  }

  private static func parts(of text: String) -> [Part]? {
    var parts: [Part] = []
    var rest = Array(text)[...]
    while let letter = rest.first {
      if letter == "'" {
        rest = rest.dropFirst()
        guard let end = rest.firstIndex(of: "'") else { return nil }
        parts.append(.literal(end == rest.startIndex ? "'" : String(rest[..<end])))
        rest = rest[(end + 1)...]
        continue
      }
      guard letter.isASCII, letter.isLetter, let scalar = letter.unicodeScalars.first else {
        parts.append(.literal(String(letter)))
        rest = rest.dropFirst()
        continue
      }
      let count = rest.prefix { $0 == letter }.count
      guard let field = field(scalar, count) else { return nil }
      parts.append(field)
      rest = rest.dropFirst(count)
    }
    return parts.isEmpty ? nil : parts
  }

  private static func field(_ letter: Unicode.Scalar, _ count: Int) -> Part? {
    switch (letter, count) {
    case ("y", 2), ("y", 4), ("M", 1...2), ("d", 1...2), ("H", 1...2), ("h", 1...2), ("m", 1...2), ("s", 1...2), ("a", 1),
      ("S", 1...fractionDigitsMax):
      .field(letter: letter, count: count)
    case ("X", 1...3), ("x", 1...3), ("Z", 1...5): .field(letter: "X", count: 1)
    default: nil
    }
  }

  /// A date and time while it is read.
  private struct Reading {
    var year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0
    var nanoseconds: Int64 = 0
    var isAfternoon: Bool?
    var offsetSeconds: Int64?
  }

  /// Reads a text. Returns nil if it does not have the pattern; `local` is nil if the instant needs no zone.
  ///
  /// - Throws: `ConversionFault` for a text of the pattern that is no date or time, or is finer than a microsecond.
  func read(_ text: [UInt8]) throws(ConversionFault) -> (local: Int64?, micros: Int64)? {
    if let unixUnit { return try Self.unix(text, unit: unixUnit).map { (nil, $0) } }
    var reading = Reading()
    var rest = text[...]
    for part in parts {
      guard Self.take(part, from: &rest, into: &reading) else { return nil }
    }
    return rest.isEmpty ? try Self.result(reading) : nil
  }

  private static let isoDate = parts(of: "yyyy-MM-dd") ?? []
  private static let isoTime = parts(of: "HH:mm:ss") ?? []

  /// Reads ISO 8601 with a space or a `T`, optional fraction and optional offset.
  static func iso(_ text: [UInt8]) throws(ConversionFault) -> (local: Int64?, micros: Int64)? {
    var reading = Reading()
    var rest = text[...]
    for part in isoDate where !take(part, from: &rest, into: &reading) { return nil }
    guard let mark = rest.popFirst(), [ASCII.space, UInt8(ascii: "T"), UInt8(ascii: "t")].contains(mark) else { return nil }
    for part in isoTime where !take(part, from: &rest, into: &reading) { return nil }
    if rest.first == ASCII.point {
      let digits = rest.dropFirst().prefix { ASCII.isDigit($0) }.count
      guard (1...fractionDigitsMax).contains(digits) else { return nil }
      rest = rest.dropFirst()
      guard take(.field(letter: "S", count: digits), from: &rest, into: &reading) else { return nil }
    }
    guard rest.isEmpty || offset(&rest, &reading), rest.isEmpty else { return nil }
    return try result(reading)
  }

  private static func result(_ reading: Reading) throws(ConversionFault) -> (local: Int64?, micros: Int64) {
    var hour = reading.hour
    if let isAfternoon = reading.isAfternoon {
      guard (1...12).contains(hour) else { throw ConversionFault("has an hour outside 1 to 12") }
      hour = hour % 12 + (isAfternoon ? 12 : 0)
    }
    guard (1...12).contains(reading.month), reading.day >= 1,
      reading.day <= CivilDate.daysIn(month: reading.month, year: reading.year)
    else { throw ConversionFault("is not a day of the calendar") }
    guard hour < 24, reading.minute < 60, reading.second < 60 else { throw ConversionFault("is not a time of the day") }
    guard reading.nanoseconds % 1000 == 0 else { throw ConversionFault("is finer than a microsecond") }
    let days = CivilDate(year: reading.year, month: reading.month, day: reading.day).daysSince1970
    let local = Int64(days * 86_400 + hour * 3600 + reading.minute * 60 + reading.second)
    let micros = reading.nanoseconds / 1000
    guard let offset = reading.offsetSeconds else { return (local, micros) }
    return (nil, (local - offset) * 1_000_000 + micros)
  }

  private static func take(_ part: Part, from rest: inout ArraySlice<UInt8>, into reading: inout Reading) -> Bool {
    switch part {
    case .literal(let text):
      guard rest.starts(with: text.utf8) else { return false }
      rest = rest.dropFirst(text.utf8.count)
      return true
    case .field(let letter, let count):
      return switch letter {
      // As in POSIX, 69 to 99 are of the last century; none of them is an instant that payrecon accepts.
      case "y": number(count, count, &rest) { reading.year = count == 4 ? $0 : $0 < 69 ? 2000 + $0 : 1900 + $0 }
      case "M": number(count, 2, &rest) { reading.month = $0 }
      case "d": number(count, 2, &rest) { reading.day = $0 }
      case "H", "h": number(count, 2, &rest) { reading.hour = $0 }
      case "m": number(count, 2, &rest) { reading.minute = $0 }
      case "s": number(count, 2, &rest) { reading.second = $0 }
      case "S":
        number(count, count, &rest) { value in
          reading.nanoseconds = (count..<fractionDigitsMax).reduce(Int64(value)) { product, _ in product * 10 }
        }
      case "a": halfDay(&rest, &reading)
      default: offset(&rest, &reading)
      }
    }
  }

  private static func number(_ least: Int, _ most: Int, _ rest: inout ArraySlice<UInt8>, _ set: (Int) -> Void) -> Bool {
    let digits = rest.prefix(most).prefix { ASCII.isDigit($0) }
    guard digits.count >= least else { return false }
    set(digits.reduce(0) { $0 * 10 + Int($1 - ASCII.zero) })
    rest = rest.dropFirst(digits.count)
    return true
  }

  private static let halfDays: [(word: String, isAfternoon: Bool)] = [
    ("AM", false), ("PM", true), ("am", false), ("pm", true),
    ("上午", false), ("下午", true), ("午前", false), ("午後", true),
  ]

  private static func halfDay(_ rest: inout ArraySlice<UInt8>, _ reading: inout Reading) -> Bool {
    guard let found = halfDays.first(where: { rest.starts(with: $0.word.utf8) }) else { return false }
    reading.isAfternoon = found.isAfternoon
    rest = rest.dropFirst(found.word.utf8.count)
    return true
  }

  private static func offset(_ rest: inout ArraySlice<UInt8>, _ reading: inout Reading) -> Bool {
    let text = rest.prefix { ASCII.isDigit($0) || "+-:Zz".utf8.contains($0) }
    guard let seconds = offsetSeconds(Array(text)) else { return false }
    reading.offsetSeconds = seconds
    rest = rest.dropFirst(text.count)
    return true
  }

  /// Reads `Z`, `+08:00`, `+0800` or `+08`. Returns seconds east of UTC; nil for any other text.
  static func offsetSeconds(_ text: [UInt8]) -> Int64? {
    if text == [UInt8(ascii: "Z")] || text == [UInt8(ascii: "z")] { return 0 }
    guard let sign = text.first, sign == ASCII.plus || sign == ASCII.minus else { return nil }
    var rest = text.dropFirst()
    var (hours, minutes) = (0, 0)
    guard number(2, 2, &rest, { hours = $0 }) else { return nil }
    if rest.first == ASCII.colon { rest = rest.dropFirst() }
    guard rest.isEmpty ? text.last != ASCII.colon : number(2, 2, &rest, { minutes = $0 }), rest.isEmpty, hours < 24, minutes < 60
    else { return nil }
    return Int64((sign == ASCII.plus ? 1 : -1) * (hours * 60 + minutes) * 60)
  }

  /// Reads a count of units since 1970, with decimals down to the microsecond. Returns microseconds; nil for any other text.
  private static func unix(_ text: [UInt8], unit: Int64) throws(ConversionFault) -> Int64? {
    let whole = text.prefix { ASCII.isDigit($0) }
    var fraction = text.dropFirst(whole.count)
    guard !whole.isEmpty, whole.count <= 16 else { return nil }
    if fraction.popFirst().map({ $0 != ASCII.point || fraction.isEmpty }) == true { return nil }
    guard fraction.allSatisfy(ASCII.isDigit), fraction.count <= fractionDigitsMax else { return nil }
    var value = whole.reduce(Int64(0)) { $0 * 10 + Int64($1 - ASCII.zero) }.multipliedReportingOverflow(by: unit)
    guard !value.overflow else { return nil }
    var scale = unit
    for digit in fraction {
      guard scale >= 10 || digit == ASCII.zero else { throw ConversionFault("is finer than a microsecond") }
      scale /= 10
      value.partialValue += scale * Int64(digit - ASCII.zero)
    }
    return value.partialValue
  }
}
