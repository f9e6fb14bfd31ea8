internal import JSON

extension EvidenceReader {
  /// Whether bytes can only be the beginning of a piece of evidence that goes on behind them.
  ///
  /// What is whole may still be forged or malformed; a file that holds it is not incomplete for that.
  public static func isCutShort(_ wrapped: [UInt8]) -> Bool {
    let bytes = LoggedText.unwrapped(wrapped)
    if ReceiptText.isJSON(bytes) {
      var outline = JSONOutline()
      let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      return outline.follow(bytes.span.extracting(start..<bytes.count)) == .open
    }
    if ReceiptText.isReceipt(bytes) { return ReceiptText.head(bytes).map { isCutMessage($0) } ?? false }
    return isCutJWS(bytes)
  }

  /// A signature by P-256 in base64url.
  private static let signatureLetters = 86

  private static func isCutJWS(_ bytes: [UInt8]) -> Bool {
    guard bytes.starts(with: "ey".utf8), !bytes.contains(where: JSONScanner.isSpace) else { return false }
    let segments = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return segments.count < 3 || (segments.count == 3 && segments[2].count < signatureLetters)
  }

  /// A message of definite length that is longer than what is there, or one of indefinite length without its end mark.
  private static func isCutMessage(_ message: [UInt8]) -> Bool {
    guard message.count >= 2 else { return true }
    if message[1] == 0x80 { return !message.suffix(2).elementsEqual([0, 0]) }
    let octets = Int(message[1] & 0x7F)
    guard message.count >= 2 + octets else { return true }
    let length = message[2..<(2 + octets)].reduce(0) { $0 << 8 | Int($1) }
    return message.count < 2 + octets + length
  }
}
