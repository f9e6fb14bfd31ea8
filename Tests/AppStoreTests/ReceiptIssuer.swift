/// Signs receipts under a simulated root, so that a test chooses their contents.
enum ReceiptIssuer {
  private static let authority = SimulatedAuthority(seed: 82)
  private static let bundleID = "com.example.app"

  static func sign(_ attributes: [[UInt8]]) -> [UInt8] { authority.signReceipt(set(attributes)) }

  static func reader() throws -> EvidenceReader {
    try EvidenceReader(root: authority.rootDER, apps: [AppIdentity(bundleID: bundleID, appleID: 42)], now: "2099-11-21T00:00:00Z")
  }

  // MARK: Attributes

  static func set(_ elements: [[UInt8]]) -> [UInt8] { DER.value(0x31, elements.flatMap { $0 }) }

  static func attribute(_ type: Int, _ value: [UInt8]) -> [UInt8] {
    let number: [UInt8] = [0x02, 0x02, UInt8(type >> 8), UInt8(type & 0xFF)]
    return DER.value(0x30, number + [0x02, 0x01, 0x01] + DER.value(0x04, value))
  }

  static func text(_ type: Int, _ text: String) -> [UInt8] { attribute(type, DER.value(0x0C, Array(text.utf8))) }

  static func instant(_ type: Int, _ text: String) -> [UInt8] { attribute(type, DER.value(0x16, Array(text.utf8))) }

  /// Returns the attributes that every receipt of these tests has.
  ///
  /// - Parameter changes: attributes that replace those of the same type.
  static func head(_ changes: [Int: [UInt8]] = [:]) -> [[UInt8]] {
    let usual: [(Int, [UInt8])] = [
      (0, text(0, "Production")), (1, attribute(1, [0x02, 0x01, 42])), (2, text(2, bundleID)),
      (12, instant(12, "2040-05-10T10:00:00Z")),
    ]
    return usual.map { changes[$0.0] ?? $0.1 } + changes.filter { change in !usual.contains { $0.0 == change.key } }.map(\.value)
  }

  static func purchase(_ id: String, _ changes: [Int: [UInt8]?] = [:]) -> [UInt8] {
    let usual: [(Int, [UInt8])] = [
      (1701, attribute(1701, [0x02, 0x01, 1])), (1702, text(1702, "coins60")), (1703, text(1703, id)),
      (1704, instant(1704, "2040-05-01T10:00:00Z")), (1705, text(1705, id)),
    ]
    let kept = usual.compactMap { type, value in changes.keys.contains(type) ? nil : value }
    return attribute(17, set(kept + changes.sorted { $0.key < $1.key }.compactMap(\.value)))
  }
}
