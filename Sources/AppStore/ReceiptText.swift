internal import Cryptography
internal import JSON

/// Distinguishes receipts from other evidence by their first bytes.
enum ReceiptText {
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Returns whether the bytes can only be a SEQUENCE of long or indefinite length, binary or in base64.
  static func isReceipt(_ bytes: [UInt8]) -> Bool {
    if isDER(bytes) { return true }
    let start = bytes.drop(while: JSONScanner.isSpace)
    // 0x30 0x80...0x84 in base64; a JWS contains dots.
    return start.starts(with: Array("MI".utf8)) && !bytes.contains(UInt8(ascii: "."))
  }

  /// Returns whether the first non-space character begins a JSON object.
  static func isJSON(_ bytes: [UInt8]) -> Bool { first(bytes) == UInt8(ascii: "{") }

  /// Returns whether the first non-space character begins a JSON list.
  static func isList(_ bytes: [UInt8]) -> Bool { first(bytes) == UInt8(ascii: "[") }

  private static func first(_ bytes: [UInt8]) -> UInt8? {
    let start = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(byteOrderMark.count) : bytes[...]
    return start.first { !JSONScanner.isSpace($0) }
  }

  /// Returns whether the bytes are printable text with two commas or semicolons. JWS, base64 and DER have none; JSON begins differently.
  static func isTableRow(_ bytes: [UInt8]) -> Bool {
    let separators = bytes.count { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") }
    return separators >= 2 && bytes.allSatisfy { $0 >= 0x20 || $0 == 0x09 || $0 == 0x0D }
  }

  /// Returns the decodable beginning of a receipt as BER; nil when the text is not base64.
  static func head(_ bytes: [UInt8]) -> [UInt8]? {
    if let whole = der(bytes) { return whole }
    let plain = LoggedText.standardBase64(bytes).filter { !JSONScanner.isSpace($0) }.prefix(while: Base64.isLetter)
    return Base64.decodeStandard(plain.prefix(plain.count & ~3))
  }

  private static func isDER(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 2 && bytes[0] == BERElement.sequence && (0x80...0x84).contains(bytes[1])
  }

  /// Returns the BER bytes of a receipt; nil when the text is not base64.
  static func der(_ bytes: [UInt8]) -> [UInt8]? {
    if isDER(bytes) { return bytes }
    let readings = LoggedText.decodings(bytes)
    return readings.count < 2 ? readings.first : readings.first(where: AppReceipt.isCountable) ?? readings.first
  }
}
