/// The two base64 alphabets of RFC 4648, read strictly.
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

  /// Decodes base64url, with or without padding; nil when a character or the length does not fit.
  static func decodeURL(_ text: ArraySlice<UInt8>) -> [UInt8]? { decode(text, url) }

  /// Decodes standard base64, with or without padding; nil when a character or the length does not fit.
  static func decodeStandard(_ text: ArraySlice<UInt8>) -> [UInt8]? { decode(text, standard) }

  private static func decode(_ text: ArraySlice<UInt8>, _ table: [UInt8]) -> [UInt8]? {
    var text = text
    if text.last == UInt8(ascii: "="), text.count.isMultiple(of: 4) {
      text = text.dropLast()
      if text.last == UInt8(ascii: "=") { text = text.dropLast() }
    }
    guard text.count % 4 != 1 else { return nil }
    var output: [UInt8] = []
    output.reserveCapacity(text.count / 4 * 3 + 2)
    var group: UInt32 = 0
    var filled = 0
    for letter in text {
      let value = table[Int(letter)]
      guard value != skipped else { return nil }
      group = group << 6 | UInt32(value)
      filled += 1
      if filled == 4 {
        output.append(UInt8(truncatingIfNeeded: group >> 16))
        output.append(UInt8(truncatingIfNeeded: group >> 8))
        output.append(UInt8(truncatingIfNeeded: group))
        group = 0
        filled = 0
      }
    }
    if filled == 3 {
      output.append(UInt8(truncatingIfNeeded: group >> 10))
      output.append(UInt8(truncatingIfNeeded: group >> 2))
    } else if filled == 2 {
      output.append(UInt8(truncatingIfNeeded: group >> 4))
    }
    return output
  }
}
