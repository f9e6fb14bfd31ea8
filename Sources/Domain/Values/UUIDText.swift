public enum UUIDText {
  /// Hexadecimal digits between the dashes.
  private static let groups = [8, 4, 4, 4, 12]

  /// Returns the UUID in lower case with dashes; nil if the text is not 32 hexadecimal digits, bare or in the form 8-4-4-4-12.
  public static func lowercased(_ text: String) -> String? {
    guard text.utf8.count == 36 else { return bare(text) }
    var isLowercase = true
    var index = 0
    for byte in text.utf8 {
      let isDash = index == 8 || index == 13 || index == 18 || index == 23
      index += 1
      switch byte {
      case 0x30...0x39, 0x61...0x66: if isDash { return nil }
      case 0x41...0x46:
        if isDash { return nil }
        isLowercase = false
      default: guard isDash, byte == UInt8(ascii: "-") else { return nil }
      }
    }
    return isLowercase ? text : text.lowercased()
  }

  private static func bare(_ text: String) -> String? {
    let isDigits = text.utf8.count == 32 && text.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
      default: false
      }
    }
    return isDigits ? dashed(text.lowercased()) : nil
  }

  /// Inserts the dashes between 32 hexadecimal digits.
  public static func dashed(_ digits: String) -> String {
    var rest = digits[...]
    return groups.map { count in
      defer { rest = rest.dropFirst(count) }
      return String(rest.prefix(count))
    }.joined(separator: "-")
  }
}
