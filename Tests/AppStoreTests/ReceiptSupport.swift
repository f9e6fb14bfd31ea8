import FoundationEssentials

enum ReceiptSupport {
  static let folder = "receipts"
  static let bundleID = "com.example.app"

  static func bytes(_ name: String) throws -> [UInt8] { try SharedFixtures.bytes("\(folder)/\(name)") }

  static func reader(
    root: String = "peer-eminz-gen-receipt-root.der", bundleID: String = bundleID, appleID: Int64? = nil
  ) throws -> EvidenceReader {
    try EvidenceReader(root: bytes(root), apps: [AppIdentity(bundleID: bundleID, appleID: appleID)], now: "2026-11-21T00:00:00Z")
  }

  /// Returns a reader with the roots that the program ships.
  static func appleReader(bundleID: String) throws -> EvidenceReader {
    try EvidenceReader(
      TrustAnchors(directory: SharedFixtures.rootsDirectory), apps: [AppIdentity(bundleID: bundleID)], now: "2026-11-21T00:00:00Z")
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
      return DER.value(tag, Array(bytes[at..<(at + length)]))
    }
    var content: [UInt8] = []
    while bytes[at] != 0 || bytes[at + 1] != 0 {
      let inner = element(bytes, &at)
      // The parts of a constructed OCTET STRING are joined.
      content += tag == 0x24 ? contents(inner) : inner
    }
    at += 2
    return DER.value(tag == 0x24 ? 0x04 : tag, content)
  }

  private static func contents(_ element: [UInt8]) -> [UInt8] {
    let first = element[1]
    return Array(element.dropFirst(first > 0x80 ? 2 + Int(first & 0x7F) : 2))
  }

  /// Returns base64 text, in one line or in lines of 76 letters.
  static func base64(_ bytes: [UInt8], isFolded: Bool = false) -> [UInt8] {
    Array(Data(bytes).base64EncodedData(options: isFolded ? [.lineLength76Characters, .endLineWithLineFeed] : []))
  }
}

extension [UInt8] {
  func range(of part: [UInt8]) -> Range<Int>? { firstRange(of: part) }
}
