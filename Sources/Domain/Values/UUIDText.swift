public enum UUIDText {
  /// Hexadecimal digits between the dashes.
  private static let groups = [8, 4, 4, 4, 12]

  /// Returns the UUID in lower case with dashes; nil if the text is not 32 hexadecimal digits, bare or in the form 8-4-4-4-12.
  public static func lowercased(_ text: String) -> String? {
    let hasDashes = text.utf8.count == 36
    guard hasDashes || text.utf8.count == 32 else { return nil }
    for (index, byte) in text.utf8.enumerated() {
      let isDash = hasDashes && (index == 8 || index == 13 || index == 18 || index == 23)
      switch byte {
      case 0x30...0x39, 0x41...0x46, 0x61...0x66: if isDash { return nil }
      default: guard isDash, byte == UInt8(ascii: "-") else { return nil }
      }
    }
    return hasDashes ? text.lowercased() : dashed(text.lowercased())
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
