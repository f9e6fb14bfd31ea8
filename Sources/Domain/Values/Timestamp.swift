/// An instant with microsecond resolution, equal to PostgreSQL's `timestamptz`.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Microseconds since 1970-01-01T00:00:00Z; negative before it.
  public var microseconds: Int64

  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// Converts Apple's integer milliseconds since 1970. A value beyond the range is clamped.
  public init(milliseconds: Int64) { microseconds = Self.product(milliseconds, 1000) }

  public static func < (left: Timestamp, right: Timestamp) -> Bool { left.microseconds < right.microseconds }

  /// Seconds since 1970, rounded down.
  public var wholeSeconds: Int64 { microseconds.flooredQuotientAndRemainder(1_000_000).0 }

  /// Returns the instant `seconds` later. A value beyond the range is clamped.
  public func advanced(bySeconds seconds: Int64) -> Timestamp {
    let (sum, hasOverflow) = microseconds.addingReportingOverflow(Self.product(seconds, 1_000_000))
    return Timestamp(microseconds: hasOverflow ? (seconds < 0 ? .min : .max) : sum)
  }

  /// Multiplies and clamps. Signed input can contain any number, so no number may trap.
  private static func product(_ number: Int64, _ factor: Int64) -> Int64 {
    let (product, hasOverflow) = number.multipliedReportingOverflow(by: factor)
    return hasOverflow ? (number < 0 ? .min : .max) : product
  }
}

extension Timestamp {
  /// Parses `YYYY-MM-DDTHH:MM:SS`, with or without a fraction, followed by `Z` or `±HH:MM`. Returns nil if the text is not a valid RFC 3339
  /// timestamp.
  ///
  /// A space instead of `T` and lower case are accepted. Digits of the fraction after the sixth are dropped.
  ///
  /// - Source: RFC 3339 section 5.6.
  public init?(rfc3339 bytes: Span<UInt8>) {
    var reader = DigitReader()
    guard let year = reader.number(bytes, digits: 4), reader.take(bytes, 0x2D),
      let month = reader.number(bytes, digits: 2), reader.take(bytes, 0x2D),
      let day = reader.number(bytes, digits: 2), reader.takeDateTimeSeparator(bytes),
      let hour = reader.number(bytes, digits: 2), reader.take(bytes, 0x3A),
      let minute = reader.number(bytes, digits: 2), reader.take(bytes, 0x3A),
      let second = reader.number(bytes, digits: 2)
    else { return nil }
    guard let micros = reader.fraction(bytes), let offsetMinutes = reader.offset(bytes),
      reader.position == bytes.count
    else { return nil }
    guard (1...12).contains(month), day >= 1, day <= CivilDate.daysIn(month: month, year: year),
      hour < 24, minute < 60, second <= 60
    else { return nil }
    let days = CivilDate(year: year, month: month, day: day).daysSince1970
    let seconds = days * 86400 + hour * 3600 + (minute - offsetMinutes) * 60 + second
    microseconds = Int64(seconds) * 1_000_000 + Int64(micros)
  }

  public init?(rfc3339 bytes: some Collection<UInt8>) { self.init(rfc3339: Array(bytes).span) }

  public init?(rfc3339 text: String) { self.init(rfc3339: Array(text.utf8).span) }

  /// Parses RFC 3339, also with an offset without its colon (`+0800`), as in clients' logs.
  public init?(logged text: String) {
    let offset = text.utf8.suffix(5)
    let hasPlainOffset =
      offset.count == 5 && (offset.first == 0x2B || offset.first == 0x2D) && offset.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    self.init(rfc3339: hasPlainOffset ? "\(text.dropLast(2)):\(text.suffix(2))" : text)
  }

  /// Returns an RFC 3339 instant in UTC without its fraction; nil for any other text.
  ///
  /// Every cell of a table is checked, so length and last byte reject most texts before parsing.
  public static func toTheSecond(_ text: String) -> String? {
    guard (20...27).contains(text.utf8.count), text.utf8.last == UInt8(ascii: "Z"), Timestamp(rfc3339: text) != nil else { return nil }
    return text.prefix(19) + "Z"
  }

  /// The instant as RFC 3339 in UTC: without a fraction if it is zero, else with three or six digits.
  public var rfc3339: String {
    let (days, ofDay) = microseconds.flooredQuotientAndRemainder(86_400_000_000)
    let date = CivilDate(daysSince1970: Int(days))
    let second = ofDay / 1_000_000
    let micros = ofDay % 1_000_000
    var text = "\(date)T\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    if micros != 0 { text += micros % 1000 == 0 ? ".\(padded(micros / 1000, 3))" : ".\(padded(micros, 6))" }
    return text + "Z"
  }
}

extension Int64 {
  package func flooredQuotientAndRemainder(_ divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

func padded(_ number: some BinaryInteger, _ width: Int) -> String {
  let text = String(number.magnitude)
  let zeros = String(repeating: "0", count: max(0, width - text.utf8.count))
  return number < 0 ? "-\(zeros)\(text)" : zeros + text
}

/// A reader of fixed-width digits in ASCII bytes.
struct DigitReader {
  private(set) var position = 0

  mutating func number(_ bytes: Span<UInt8>, digits: Int) -> Int? {
    var value = 0
    for _ in 0..<digits {
      guard position < bytes.count else { return nil }
      let byte = bytes[position]
      guard byte >= 0x30, byte <= 0x39 else { return nil }
      value = value * 10 + Int(byte - 0x30)
      position += 1
    }
    return value
  }

  mutating func take(_ bytes: Span<UInt8>, _ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  mutating func takeDateTimeSeparator(_ bytes: Span<UInt8>) -> Bool {
    take(bytes, 0x54) || take(bytes, 0x74) || take(bytes, 0x20)
  }

  /// Reads an optional `.digits` and returns microseconds; nil if no digit follows the point.
  mutating func fraction(_ bytes: Span<UInt8>) -> Int? {
    guard take(bytes, 0x2E) else { return 0 }
    var micros = 0
    var scale = 100_000
    var count = 0
    while let digit = number(bytes, digits: 1) {
      micros += digit * scale
      scale /= 10
      count += 1
    }
    return count > 0 ? micros : nil
  }

  /// Reads a UTC offset and returns minutes east of UTC; nil if there is none.
  mutating func offset(_ bytes: Span<UInt8>) -> Int? {
    if take(bytes, 0x5A) || take(bytes, 0x7A) { return 0 }
    let sign: Int
    if take(bytes, 0x2B) { sign = 1 } else if take(bytes, 0x2D) { sign = -1 } else { return nil }
    guard let hours = number(bytes, digits: 2), take(bytes, 0x3A),
      let minutes = number(bytes, digits: 2), hours < 24, minutes < 60
    else { return nil }
    return sign * (hours * 60 + minutes)
  }
}
