import AppStore
import Cryptography
import Domain
import Testing

/// Readers and bytes that the tests of receipts share.
enum ReceiptSupport {
  static let folder = "receipts"
  static let bundleID = "com.example.app"

  static func bytes(_ name: String) throws -> [UInt8] { try SharedFixtures.bytes("\(folder)/\(name)") }

  static func reader(
    root: String = "peer-eminz-gen-receipt-root.der", bundleID: String = bundleID, appleID: Int64? = nil
  ) throws -> EvidenceReader {
    let certificate = try #require(Certificate(der: bytes(root)))
    return try reader(TrustAnchors(certificates: [certificate]), bundleID: bundleID, appleID: appleID)
  }

  /// Returns a reader with the roots that the program ships.
  static func appleReader(bundleID: String) throws -> EvidenceReader {
    try reader(TrustAnchors(directory: SharedFixtures.rootsDirectory), bundleID: bundleID, appleID: nil)
  }

  private static func reader(_ anchors: TrustAnchors, bundleID: String, appleID: Int64?) throws -> EvidenceReader {
    EvidenceReader(
      apps: [AppIdentity(bundleID: bundleID, appleID: appleID)], anchors: anchors,
      now: try #require(Timestamp(rfc3339: "2026-11-21T00:00:00Z")))
  }

  /// Returns the same message with definite lengths only and every constructed OCTET STRING joined.
  static func der(_ bytes: [UInt8]) -> [UInt8] {
    var at = 0
    return element(bytes, &at)
  }

  private static func element(_ bytes: [UInt8], _ at: inout Int) -> [UInt8] {
    let tag = bytes[at]
    let first = bytes[at + 1]
    at += 2
    guard first == 0x80 else {
      var length = Int(first)
      if first > 0x80 {
        length = 0
        for _ in 0..<(first & 0x7F) {
          length = length << 8 | Int(bytes[at])
          at += 1
        }
      }
      defer { at += length }
      return encoded(tag, Array(bytes[at..<(at + length)]))
    }
    var content: [UInt8] = []
    while bytes[at] != 0 || bytes[at + 1] != 0 {
      let inner = element(bytes, &at)
      // The parts of a constructed OCTET STRING are joined.
      content += tag == 0x24 ? contents(inner) : inner
    }
    at += 2
    return encoded(tag == 0x24 ? 0x04 : tag, content)
  }

  private static func contents(_ element: [UInt8]) -> [UInt8] {
    let first = element[1]
    return Array(element.dropFirst(first > 0x80 ? 2 + Int(first & 0x7F) : 2))
  }

  static func encoded(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let count = content.count
    if count < 0x80 { return [tag, UInt8(count)] + content }
    if count < 0x100 { return [tag, 0x81, UInt8(count)] + content }
    return [tag, 0x82, UInt8(count >> 8), UInt8(count & 0xFF)] + content
  }

  static func base64(_ bytes: [UInt8], lineLength: Int? = nil) -> [UInt8] {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let number = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
      for place in 0..<4 {
        text.append(place <= group.count ? digits[Int(number >> UInt32(18 - 6 * place) & 63)] : UInt8(ascii: "="))
        if let lineLength, text.count % (lineLength + 1) == lineLength { text.append(0x0A) }
      }
    }
    return text
  }
}

extension [UInt8] {
  /// Returns the range of the first occurrence of `part`.
  func range(of part: [UInt8]) -> Range<Int>? {
    guard count >= part.count, let first = part.first else { return nil }
    for start in 0...(count - part.count) where self[start] == first {
      if self[start..<(start + part.count)].elementsEqual(part) { return start..<(start + part.count) }
    }
    return nil
  }
}
