internal import Domain

/// Collects the bytes of CSV and JSON text without a String per field.
struct TextBuffer {
  private(set) var bytes: [UInt8] = []

  init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }
  mutating func add(_ more: [UInt8]) { bytes.append(contentsOf: more) }
  mutating func add(_ number: Int64) { add(String(number)) }
  mutating func newline() { bytes.append(0x0A) }

  /// Appends the instant as RFC 3339 in UTC with three decimals of a second.
  mutating func add(instant: Instant) {
    let (day, rest) = instant.milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
    let date = CivilDate(daysSince1970: Int(day))
    digits(Int64(date.year), 4)
    bytes.append(0x2D)
    digits(Int64(date.month), 2)
    bytes.append(0x2D)
    digits(Int64(date.day), 2)
    bytes.append(0x54)
    digits(rest / 3_600_000, 2)
    bytes.append(0x3A)
    digits(rest / 60000 % 60, 2)
    bytes.append(0x3A)
    digits(rest / 1000 % 60, 2)
    bytes.append(0x2E)
    digits(rest % 1000, 3)
    bytes.append(0x5A)
  }

  private mutating func digits(_ number: Int64, _ count: Int) {
    let end = bytes.count + count
    for _ in 0..<count { bytes.append(0x30) }
    var rest = number
    for place in 1...count {
      bytes[end - place] = 0x30 + UInt8(rest % 10)
      rest /= 10
    }
  }

  // MARK: CSV; our own texts contain no comma, quote or line end.

  mutating func row<each Field: CSVField>(_ fields: repeat each Field) {
    for field in repeat each fields {
      field.append(to: &self)
      bytes.append(0x2C)
    }
    bytes[bytes.count - 1] = 0x0A
  }

  // MARK: JSON; keys and texts need no escape.

  mutating func open() { bytes.append(0x7B) }

  mutating func close() {
    if bytes.last == 0x2C { bytes.removeLast() }
    bytes.append(0x7D)
  }

  mutating func key(_ name: String) {
    bytes.append(0x22)
    add(name)
    bytes.append(0x22)
    bytes.append(0x3A)
  }

  mutating func member(_ name: String, _ text: String?) {
    if let text { member(name, bytes: text.utf8) }
  }

  mutating func member(_ name: String, bytes text: some Sequence<UInt8>) {
    key(name)
    bytes.append(0x22)
    bytes.append(contentsOf: text)
    add("\",")
  }

  mutating func member(_ name: String, _ number: Int64?) {
    guard let number else { return }
    key(name)
    add(number)
    bytes.append(0x2C)
  }

  mutating func member(_ name: String, _ instant: Instant?) { member(name, instant?.milliseconds) }

  mutating func endObject() {
    close()
    bytes.append(0x2C)
  }
}

/// A value of a CSV row; nil is an empty cell.
protocol CSVField {
  func append(to text: inout TextBuffer)
}

extension Optional: CSVField where Wrapped: CSVField {
  func append(to text: inout TextBuffer) { self?.append(to: &text) }
}

extension String: CSVField {
  func append(to text: inout TextBuffer) { text.add(self) }
}

extension Int64: CSVField {
  func append(to text: inout TextBuffer) { text.add(self) }
}

extension Instant: CSVField {
  func append(to text: inout TextBuffer) { text.add(instant: self) }
}

/// An instant with Apple's resolution of a millisecond.
struct Instant: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  var milliseconds: Int64

  static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }
  static func + (left: Instant, seconds: Int64) -> Instant { Instant(milliseconds: left.milliseconds + seconds * 1000) }
  static func - (left: Instant, seconds: Int64) -> Instant { left + -seconds }
}

/// Durations in seconds.
enum Span {
  static let minute: Int64 = 60
  static let hour: Int64 = 3600
  static let day: Int64 = 86400
}
