internal import JSON

extension EvidenceReader {
  /// Returns whether the bytes can only be the beginning of a truncated piece of evidence.
  ///
  /// Complete evidence may still be forged or malformed; its file is not incomplete for that reason.
  public static func isTruncated(_ wrapped: [UInt8]) -> Bool {
    let bytes = LoggedText.unwrapped(wrapped)
    if ReceiptText.isJSON(bytes) {
      var outline = JSONOutline()
      let start = bytes.starts(with: ReceiptText.byteOrderMark) ? ReceiptText.byteOrderMark.count : 0
      return outline.follow(bytes.span.extracting(start..<bytes.count)) == .open
    }
    if ReceiptText.isReceipt(bytes) { return ReceiptText.head(bytes).map { isTruncatedMessage($0) } ?? false }
    return isTruncatedJWS(bytes)
  }

  /// Length of a P-256 signature in base64url.
  private static let signatureLetters = 86

  private static func isTruncatedJWS(_ bytes: [UInt8]) -> Bool {
    guard bytes.starts(with: "ey".utf8), !bytes.contains(where: JSONScanner.isSpace) else { return false }
    let segments = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return segments.count < 3 || (segments.count == 3 && segments[2].count < signatureLetters)
  }

  /// Returns whether a message is shorter than its definite length, or lacks the end mark of an indefinite length.
  private static func isTruncatedMessage(_ message: [UInt8]) -> Bool {
    guard message.count >= 2 else { return true }
    if message[1] == 0x80 { return !message.suffix(2).elementsEqual([0, 0]) }
    let octets = Int(message[1] & 0x7F)
    guard message.count >= 2 + octets else { return true }
    let length = message[2..<(2 + octets)].reduce(0) { $0 << 8 | Int($1) }
    return message.count < 2 + octets + length
  }
}
