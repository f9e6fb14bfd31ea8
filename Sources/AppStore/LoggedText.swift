internal import Cryptography
internal import JSON

/// Removes the quoting and encoding that clients and logs add to Apple's texts.
enum LoggedText {
  private static let space = UInt8(ascii: " ")
  private static let percent = UInt8(ascii: "%")
  private static let backslash = UInt8(ascii: "\\")
  private static let quote = UInt8(ascii: "\"")
  static let padding = UInt8(ascii: "=")
  /// Maximum number of quoting or percent-encoding levels.
  private static let levelsMax = 3

  /// Returns the item without surrounding quotes or percent-encoding, and a text other than JSON without a byte order mark.
  static func unwrapped(_ bytes: [UInt8]) -> [UInt8] {
    var text = bytes
    let mark = ReceiptText.byteOrderMark
    if text.starts(with: mark), !ReceiptText.isJSON(text) { text.removeFirst(mark.count) }
    for _ in 0..<levelsMax {
      guard let first = text.first(where: { !JSONScanner.isSpace($0) }), first == percent || isWrapping(first) else { break }
      text = first == percent ? percentDecoded(text) : unquoted(text)
    }
    return text
  }

  /// Returns a signed text without white space, percent-encoding, escapes and padding, in the alphabet of base64url.
  ///
  /// Returns nil for a text that is the same without them, and for a text that is no JWS.
  /// - Parameter isAlone: whether the item stands alone. Then a text after white space is no JWS, and the letters + and / stay.
  static func signed(_ bytes: ArraySlice<UInt8>, isAlone: Bool = false) -> [UInt8]? {
    if isAlone, bytes.first.map(JSONScanner.isSpace) == true { return nil }
    var text = Array(bytes.drop(while: JSONScanner.isSpace))
    guard text.starts(with: "ey".utf8) else { return nil }
    for _ in 0..<levelsMax where text.contains(percent) { text = percentDecoded(text) }
    if text.contains(backslash) { text = unescaped(text) ?? text }
    text.removeAll(where: JSONScanner.isSpace)
    let segments = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { segment in
      segment.reversed().drop { $0 == padding }.reversed()
    }
    var plain = Array(segments.joined(separator: [UInt8(ascii: ".")]))
    if !isAlone { plain = plain.map(urlLetter) }
    return plain.elementsEqual(bytes) ? nil : plain
  }

  /// Returns the possible decodings of base64 text. A space is either a line fold or a plus sign that form decoding replaced.
  static func decodings(_ bytes: [UInt8]) -> [[UInt8]] {
    let text = standardBase64(bytes)
    let readings = text.contains(space) ? [text, text.map { $0 == space ? UInt8(ascii: "+") : $0 }] : [text]
    return readings.compactMap { Base64.decodeStandard($0[...], skipsSpace: true) }
  }

  /// Returns base64 text in the standard alphabet, without percent-encoding, escapes and quotes. Spaces inside the text stay.
  static func standardBase64(_ bytes: [UInt8]) -> [UInt8] {
    var text = bytes
    for _ in 0..<levelsMax where text.contains(percent) { text = percentDecoded(text) }
    if text.contains(backslash) { text = unescaped(trimmed(text)) ?? text }
    let letters = trimmed(text).drop(while: JSONScanner.isSpace)
    return letters.map { letter in
      switch letter {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: letter
      }
    }
  }

  /// Returns the letter of base64url for a letter of the standard alphabet.
  private static func urlLetter(_ letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "+"): UInt8(ascii: "-")
    case UInt8(ascii: "/"): UInt8(ascii: "_")
    default: letter
    }
  }

  /// Returns whether a byte before or after an item belongs to the quoting.
  private static func isWrapping(_ byte: UInt8) -> Bool { byte == quote || byte == backslash || byte == UInt8(ascii: "'") }

  private static func unquoted(_ text: [UInt8]) -> [UInt8] {
    let bare = Array(text.drop(while: JSONScanner.isSpace).reversed().drop(while: JSONScanner.isSpace).reversed())
    guard bare.count > 2, bare.first == quote, bare.last == quote else { return trimmed(bare) }
    return unescaped(Array(bare.dropFirst().dropLast())) ?? trimmed(bare)
  }

  /// Returns the text without surrounding quotes, line ends and commas. A trailing space may be a plus sign and stays.
  private static func trimmed(_ text: [UInt8]) -> [UInt8] {
    func isOuter(_ byte: UInt8) -> Bool {
      isWrapping(byte) || byte == UInt8(ascii: ",") || (byte != space && JSONScanner.isSpace(byte))
    }
    let start = text.drop { $0 == space || isOuter($0) }
    return Array(start.reversed().drop(while: isOuter).reversed())
  }

  /// Returns the value of a JSON string; nil when the bytes between its quotes are not one.
  private static func unescaped(_ content: [UInt8]) -> [UInt8]? {
    let text = [quote] + content + [quote]
    var scanner = JSONScanner(0..<text.count)
    guard let found = try? scanner.text(text.span), scanner.position == text.count else { return nil }
    var plain: [UInt8] = []
    JSONScanner.appendPlain(text.span, found.range, to: &plain)
    return plain
  }

  private static func percentDecoded(_ text: [UInt8]) -> [UInt8] {
    var plain: [UInt8] = []
    plain.reserveCapacity(text.count)
    var at = 0
    while at < text.count {
      if text[at] == percent, at + 2 < text.count, let high = digit(text[at + 1]), let low = digit(text[at + 2]) {
        plain.append(high << 4 | low)
        at += 3
      } else {
        plain.append(text[at])
        at += 1
      }
    }
    return plain
  }

  private static func digit(_ letter: UInt8) -> UInt8? {
    Character(Unicode.Scalar(letter)).hexDigitValue.map { UInt8($0) }
  }
}

/// Decodes a receipt that a client or a log wrote.
public enum ReceiptBody {
  /// Returns the decoded bytes of a receipt's text, which callers send to verifyReceipt in plain base64. Returns other bytes unchanged.
  public static func decoded(_ kept: [UInt8]) -> [UInt8] {
    let text = LoggedText.unwrapped(kept)
    return (ReceiptText.isReceipt(text) ? ReceiptText.der(text) : TransactionReceipt.decoded(text)) ?? kept
  }
}
