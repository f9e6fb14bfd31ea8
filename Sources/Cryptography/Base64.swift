/// The two base64 alphabets of RFC 4648, decoded strictly.
public enum Base64 {
  /// Value of a byte that is no letter of the alphabet.
  private static let noLetter: UInt8 = 0xFF
  private static let urlLetters = letters("-_")
  private static let standardLetters = letters("+/")
  private static let url = table(urlLetters)
  private static let standard = table(standardLetters)

  private static func letters(_ last: String) -> [UInt8] {
    Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\(last)".utf8)
  }

  private static func table(_ letters: [UInt8]) -> [UInt8] {
    var table = [UInt8](repeating: noLetter, count: 256)
    for (value, letter) in letters.enumerated() { table[Int(letter)] = UInt8(value) }
    return table
  }

  /// Encodes to base64url without padding.
  public static func encodeURL(_ bytes: [UInt8]) -> String { String(decoding: encode(bytes, urlLetters), as: UTF8.self) }

  /// Encodes to standard base64 with padding.
  public static func encodeStandard(_ bytes: [UInt8]) -> String {
    let text = encode(bytes, standardLetters)
    return String(decoding: text + [UInt8](repeating: UInt8(ascii: "="), count: -text.count & 3), as: UTF8.self)
  }

  private static func encode(_ bytes: [UInt8], _ letters: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count / 3 * 4 + 4)
    var group: UInt32 = 0
    var bits = 0
    for byte in bytes {
      group = group << 8 | UInt32(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        output.append(letters[Int(group >> UInt32(bits) & 63)])
      }
    }
    if bits > 0 { output.append(letters[Int(group << UInt32(6 - bits) & 63)]) }
    return output
  }

  /// Decodes base64url, with or without padding. Returns nil when a character or the length is invalid.
  public static func decodeURL(_ text: ArraySlice<UInt8>) -> [UInt8]? { decode(text, url) }

  /// Whether `encodeURL` of the decoded bytes gives this text: it has no padding and no stray trailing bits.
  public static func isCanonicalURL(_ text: ArraySlice<UInt8>) -> Bool {
    guard let last = text.last else { return true }
    let value = url[Int(last)]
    switch text.count & 3 {
    case 0: return value != noLetter
    case 2: return value & 0b1111 == 0
    case 3: return value & 0b11 == 0
    default: return false
    }
  }

  /// Returns whether a byte is a letter of the standard alphabet.
  public static func isLetter(_ byte: UInt8) -> Bool { standard[Int(byte)] != noLetter }

  /// Decodes standard base64, with or without padding. Returns nil when a character or the length is invalid.
  ///
  /// - Parameter skipsSpace: whether spaces and line ends are ignored.
  public static func decodeStandard(_ text: ArraySlice<UInt8>, skipsSpace: Bool = false) -> [UInt8]? {
    decode(text, standard, skipsSpace: skipsSpace)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

  private static func decode(_ text: ArraySlice<UInt8>, _ table: [UInt8], skipsSpace: Bool = false) -> [UInt8]? {
    var output: [UInt8] = []
    output.reserveCapacity(text.count / 4 * 3 + 2)
    var group: UInt32 = 0
    var letterCount = 0
    var paddingCount = 0
    for letter in text {
      let value = table[Int(letter)]
      guard value != noLetter else {
        if skipsSpace, isSpace(letter) { continue }
        guard letter == UInt8(ascii: "="), paddingCount < 2 else { return nil }
        paddingCount += 1
        continue
      }
      guard paddingCount == 0 else { return nil }
      group = group << 6 | UInt32(value)
      letterCount += 1
      if letterCount & 3 == 0 {
        output.append(UInt8(truncatingIfNeeded: group >> 16))
        output.append(UInt8(truncatingIfNeeded: group >> 8))
        output.append(UInt8(truncatingIfNeeded: group))
        group = 0
      }
    }
    let rest = letterCount & 3
    guard rest != 1, paddingCount == 0 || rest + paddingCount == 4 else { return nil }
    if rest == 3 {
      output.append(UInt8(truncatingIfNeeded: group >> 10))
      output.append(UInt8(truncatingIfNeeded: group >> 2))
    } else if rest == 2 {
      output.append(UInt8(truncatingIfNeeded: group >> 4))
    }
    return output
  }
}
