internal import JSON

/// Strict decoding of the two base64 alphabets of RFC 4648.
enum Base64 {
  private static let skipped: UInt8 = 0xFF
  private static let url = table(Array("-_".utf8))
  private static let standard = table(Array("+/".utf8))

  private static func table(_ last: [UInt8]) -> [UInt8] {
    var table = [UInt8](repeating: skipped, count: 256)
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8) + last
    for (value, letter) in letters.enumerated() { table[Int(letter)] = UInt8(value) }
    return table
  }

  /// Decodes base64url, with or without padding. Returns nil when a character or the length is invalid.
  static func decodeURL(_ text: ArraySlice<UInt8>) -> [UInt8]? { decode(text, url) }

  /// Returns whether encoding the decoded bytes restores this base64url text: it has no padding and no stray trailing bits.
  static func isOnlyText(_ text: ArraySlice<UInt8>) -> Bool {
    guard let last = text.last else { return true }
    let value = url[Int(last)]
    switch text.count & 3 {
    case 0: return value != skipped
    case 2: return value & 0b1111 == 0
    case 3: return value & 0b11 == 0
    default: return false
    }
  }

  /// Returns whether a byte is a letter of the standard alphabet.
  static func isLetter(_ byte: UInt8) -> Bool { standard[Int(byte)] != skipped }

  /// Decodes standard base64, with or without padding. Returns nil when a character or the length is invalid.
  ///
  /// - Parameter skipsSpace: whether spaces and line ends are ignored.
  static func decodeStandard(_ text: ArraySlice<UInt8>, skipsSpace: Bool = false) -> [UInt8]? {
    decode(text, standard, skipsSpace: skipsSpace)
  }

  private static func decode(_ text: ArraySlice<UInt8>, _ table: [UInt8], skipsSpace: Bool = false) -> [UInt8]? {
    var output: [UInt8] = []
    output.reserveCapacity(text.count / 4 * 3 + 2)
    var group: UInt32 = 0
    var letterCount = 0
    var paddingCount = 0
    for letter in text {
      let value = table[Int(letter)]
      guard value != skipped else {
        if skipsSpace, JSONScanner.isSpace(letter) { continue }
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
