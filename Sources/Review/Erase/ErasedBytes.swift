internal import Cryptography
internal import Intake

/// The forms in which stored input contains a user id: in UTF-8, with escapes of JSON, and in the other encodings of inputs.
///
/// Patterns and replacements are for the text form of bytes in PostgreSQL, `encode(…, 'escape')`: a backslash is doubled, and a zero
/// byte and bytes from 128 are a backslash with three octal digits.
struct ErasedBytes {
  /// Bytes of which input with the id has at least one, in hexadecimal digits.
  private(set) var forms: [String] = []
  /// Regular expressions, each of which finds the id as a separate word.
  private(set) var patterns: [String] = []
  private(set) var replacements: [String] = []

  init(of userID: String, by pseudonym: String) {
    let plain = Array(userID.utf8)
    add(Self.escapable(userID), pseudonym, zero: nil)
    forms = [Hexadecimal.text(plain)] + (userID.utf8.allSatisfy { $0 < 0x80 } ? [] : [Hexadecimal.text(Array("\\u".utf8))])
    var known: Set<[UInt8]> = [plain]
    for encoding in TextEncoding.allCases where encoding != .utf16 {
      guard let bytes = encoding.bytes(of: userID), known.insert(bytes).inserted else { continue }
      let zero: Zero? = encoding == .utf16LE ? .after : encoding == .utf16BE ? .before : nil
      add(bytes.map(Self.pattern).joined(), pseudonym, zero: zero)
      forms.append(Hexadecimal.text(bytes))
    }
  }

  /// Where the zero byte of an ASCII character is in UTF-16.
  private enum Zero { case before, after }

  private mutating func add(_ word: String, _ pseudonym: String, zero: Zero?) {
    let (before, after) = (zero == .before ? Self.pattern(0) : "", zero == .after ? Self.pattern(0) : "")
    let ends = "(?!\(before)[A-Za-z0-9_-]|\(before)\\.\(after)\(before)[A-Za-z0-9])"
    // The octal digits of another byte are no characters before the id.
    let escape = #"(?<=(?:^|[^\\])(?:\\\\)*\\[0-7]{3})"#
    let begins = zero == .after ? "(?<![A-Za-z0-9_.-]\(after))" : "(?:(?<![A-Za-z0-9_.-])|\(escape))"
    patterns.append("\(begins)\(word)\(ends)")
    replacements.append(pseudonym.map { "\(before)\($0)\(after)" }.joined())
  }

  /// Returns a pattern of the UTF-8 bytes of a text in which JSON may escape each character beyond ASCII.
  private static func escapable(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      let bytes = UTF8.encode(scalar).map { $0.map(pattern).joined() } ?? ""
      guard !scalar.isASCII, let units = UTF16.encode(scalar) else { return bytes }
      return "(?:\(bytes)|\(units.map(escape).joined()))"
    }.joined()
  }

  /// Returns a pattern of a JSON escape, whose hexadecimal digits have either case.
  private static func escape(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    let hexadecimal = String(repeating: "0", count: 4 - digits.count) + digits
    return #"\\\\u"# + hexadecimal.map { "[\($0)\($0.uppercased())]" }.joined()
  }

  private static func pattern(_ byte: UInt8) -> String {
    let octal = String(byte, radix: 8)
    switch byte {
    case 0, 128...: return #"\\"# + String(repeating: "0", count: 3 - octal.count) + octal
    case UInt8(ascii: "\\"): return #"\\\\"#
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
      return String(UnicodeScalar(byte))
    default: return "\\" + String(UnicodeScalar(byte))
    }
  }
}
