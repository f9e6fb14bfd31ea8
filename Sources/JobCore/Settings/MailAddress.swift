public enum MailAddress {
  /// Source: RFC 5321, section 4.5.3.1.3, less the angle brackets.
  private static let bytesMax = 254

  /// Whether a text is one address without characters that could inject a header.
  public static func isValid(_ text: String) -> Bool {
    let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"<>,;\"\\()[]".utf8.contains($0) }
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return isPlain && text.utf8.count <= bytesMax && parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
  }
}
