/// Reads the tokens of a JSON text from bytes, without copying them.
///
/// - Source: RFC 8259.
public struct JSONScanner {
  public var position: Int
  public let end: Int

  public init(_ range: Range<Int>) {
    position = range.lowerBound
    end = range.upperBound
  }

  public struct Text {
    /// The range between the quotes.
    public var range: Range<Int>
    public var hasEscapes: Bool

    @usableFromInline init(range: Range<Int>, hasEscapes: Bool) {
      self.range = range
      self.hasEscapes = hasEscapes
    }
  }

  @inlinable public static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  @inlinable public static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  @inlinable public mutating func skipSpace(_ bytes: Span<UInt8>) {
    while position < end, Self.isSpace(bytes[position]) { position += 1 }
  }

  /// Returns the next byte without consuming it; nil at the end.
  @inlinable public func current(_ bytes: Span<UInt8>) -> UInt8? { position < end ? bytes[position] : nil }

  /// Consumes a byte if it is this one. Returns whether it was.
  @inlinable public mutating func take(_ bytes: Span<UInt8>, _ byte: UInt8) -> Bool {
    guard position < end, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  /// Consumes a word if it is next. Returns whether it was.
  public mutating func take(_ bytes: Span<UInt8>, word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    guard position + length <= end else { return false }
    let letters = word.description.utf8
    var next = position
    for letter in letters {
      if bytes[next] != letter { return false }
      next += 1
    }
    position = next
    return true
  }

  /// Reads a string and checks its escapes.
  @inlinable public mutating func text(_ bytes: Span<UInt8>) throws(JSONFault) -> Text {
    guard take(bytes, 0x22) else { throw fault("json.no_text") }
    let first = position
    var hasEscapes = false
    while position < end {
      let byte = bytes[position]
      if byte == 0x22 {
        position += 1
        return Text(range: first..<(position - 1), hasEscapes: hasEscapes)
      }
      if byte < 0x20 { throw fault("json.control") }
      if byte == 0x5C {
        hasEscapes = true
        try checkEscape(bytes)
      } else {
        position += 1
      }
    }
    throw fault("json.unclosed")
  }

  @usableFromInline mutating func checkEscape(_ bytes: Span<UInt8>) throws(JSONFault) {
    var next = position + 1
    guard next < end else {
      position = end
      throw fault("json.unclosed")
    }
    let isKnown = Self.appendEscape(bytes, &next, end: end) { _ in }
    guard isKnown == .known else {
      switch isKnown {
      case .shortCode: throw fault("json.escape_short")
      case .halfPair: throw fault("json.half")
      default: throw fault("json.escape")
      }
    }
    position = next
  }

  /// Reads a number and returns its range, so that no digit is lost.
  public mutating func number(_ bytes: Span<UInt8>) throws(JSONFault) -> Range<Int> {
    let first = position
    _ = take(bytes, 0x2D)
    let whole = position
    var isWellFormed = takeDigits(bytes) > 0
    if position - whole > 1, bytes[whole] == 0x30 { isWellFormed = false }
    if take(bytes, 0x2E) { isWellFormed = takeDigits(bytes) > 0 && isWellFormed }
    if position < end, bytes[position] | 0x20 == 0x65 {
      position += 1
      if !take(bytes, 0x2B) { _ = take(bytes, 0x2D) }
      isWellFormed = takeDigits(bytes) > 0 && isWellFormed
    }
    guard isWellFormed else { throw fault("json.number") }
    return first..<position
  }

  private mutating func takeDigits(_ bytes: Span<UInt8>) -> Int {
    let first = position
    while position < end, Self.isDigit(bytes[position]) { position += 1 }
    return position - first
  }

  @usableFromInline func fault(_ key: String) -> JSONFault { JSONFault(key, offset: position) }
}

extension JSONScanner {
  enum Escape { case known, unknown, shortCode, halfPair }

  /// Appends a string read by `text`, with its escapes decoded.
  public static func appendPlain(_ bytes: Span<UInt8>, _ range: Range<Int>, to output: inout [UInt8]) {
    var position = range.lowerBound
    while position < range.upperBound {
      guard bytes[position] == 0x5C else {
        output.append(bytes[position])
        position += 1
        continue
      }
      position += 1
      _ = appendEscape(bytes, &position, end: range.upperBound) { output.append($0) }
    }
  }

  /// Appends the bytes of one escape and moves `position`, which follows its backslash, past it.
  private static func appendEscape(_ bytes: Span<UInt8>, _ position: inout Int, end: Int, to append: (UInt8) -> Void) -> Escape {
    let byte = bytes[position]
    position += 1
    switch byte {
    case 0x22, 0x5C, 0x2F: append(byte)
    case 0x62: append(0x08)
    case 0x66: append(0x0C)
    case 0x6E: append(0x0A)
    case 0x72: append(0x0D)
    case 0x74: append(0x09)
    case 0x75:
      guard var code = hexadecimal(bytes, &position, end: end) else { return .shortCode }
      if (0xD800...0xDBFF).contains(code) {
        guard position + 1 < end, bytes[position] == 0x5C, bytes[position + 1] == 0x75 else { return .halfPair }
        position += 2
        guard let low = hexadecimal(bytes, &position, end: end) else { return .shortCode }
        guard (0xDC00...0xDFFF).contains(low) else { return .halfPair }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { return .halfPair }
      for unit in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { append(unit) }
    default: return .unknown
    }
    return .known
  }

  private static func hexadecimal(_ bytes: Span<UInt8>, _ position: inout Int, end: Int) -> UInt32? {
    guard position + 4 <= end else { return nil }
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue else { return nil }
      code = code << 4 | UInt32(digit)
      position += 1
    }
    return code
  }
}

/// The reason why a text is not accepted as JSON. Catalogues contain its text.
public struct JSONFault: Error, Sendable, Hashable {
  /// Key of the text.
  public var key: String
  /// Values of the text's placeholders.
  public var values: [String: String]
  /// Byte offset of the fault, from 0.
  public var offset: Int

  @usableFromInline init(_ key: String, _ values: [String: String] = [:], offset: Int) {
    self.key = key
    self.values = values
    self.offset = offset
  }
}
