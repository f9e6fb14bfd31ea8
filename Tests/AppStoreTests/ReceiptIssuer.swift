import AppStore
import Cryptography
import FoundationEssentials
import Glibc
import SystemCalls
import Testing

/// Signs receipts under a generated root, so that a test chooses their contents.
final class ReceiptIssuer {
  private let folder: String
  let root: Certificate

  static let bundleID = "com.example.app"

  /// - Throws: `Failure` when openssl is missing or fails.
  init() throws {
    folder = try Temporary.makeFolder("payrecon-receipts")
    let extensions = """
      [root]
      basicConstraints=critical,CA:TRUE
      [middle]
      basicConstraints=critical,CA:TRUE,pathlen:0
      1.2.840.113635.100.6.2.1=DER:0500
      [leaf]
      basicConstraints=CA:FALSE
      1.2.840.113635.100.6.11.1=DER:0500
      """
    try Data(extensions.utf8).write(to: URL(filePath: "\(folder)/extensions"))
    root = try Self.chain(in: folder)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private static func chain(in folder: String) throws -> Certificate {
    let signer = [("root", "root"), ("middle", "root"), ("leaf", "middle")]
    for (name, issuer) in signer {
      try run("openssl req -new -newkey rsa:2048 -nodes -keyout \(name).key -subj /CN=\(name) -out \(name).csr", in: folder)
      let by = name == issuer ? "-signkey root.key" : "-CA \(issuer).pem -CAkey \(issuer).key -CAcreateserial"
      try run("openssl x509 -req -in \(name).csr \(by) -days 20000 -extfile extensions -extensions \(name) -out \(name).pem", in: folder)
    }
    try run("openssl x509 -in root.pem -outform DER -out root.der", in: folder)
    guard let data = FileManager.default.contents(atPath: "\(folder)/root.der"), let root = Certificate(der: [UInt8](data))
    else { throw Failure(step: "read the root") }
    return root
  }

  private static func run(_ command: String, in folder: String) throws {
    guard unsafe system("cd \(folder) && \(command) >/dev/null 2>&1") == 0 else { throw Failure(step: command) }
  }

  func sign(_ attributes: [[UInt8]]) throws -> [UInt8] {
    try Data(Self.set(attributes)).write(to: URL(filePath: "\(folder)/content"))
    try Self.run(
      "openssl cms -sign -binary -nodetach -in content -signer leaf.pem -inkey leaf.key -certfile middle.pem"
        + " -outform DER -out receipt -md sha256", in: folder)
    guard let data = FileManager.default.contents(atPath: "\(folder)/receipt") else { throw Failure(step: "sign") }
    return [UInt8](data)
  }

  func reader() throws -> EvidenceReader {
    try EvidenceReader(
      TrustAnchors(certificates: [root]), apps: [AppIdentity(bundleID: Self.bundleID, appleID: 42)], now: "2099-11-21T00:00:00Z")
  }

  // MARK: Attributes

  static func set(_ elements: [[UInt8]]) -> [UInt8] { encoded(0x31, elements.flatMap { $0 }) }

  static func attribute(_ type: Int, _ value: [UInt8]) -> [UInt8] {
    let number: [UInt8] = [0x02, 0x02, UInt8(type >> 8), UInt8(type & 0xFF)]
    return encoded(0x30, number + [0x02, 0x01, 0x01] + encoded(0x04, value))
  }

  static func text(_ type: Int, _ text: String) -> [UInt8] { attribute(type, encoded(0x0C, Array(text.utf8))) }

  static func instant(_ type: Int, _ text: String) -> [UInt8] { attribute(type, encoded(0x16, Array(text.utf8))) }

  /// Returns the attributes that every receipt of these tests has.
  ///
  /// - Parameter changes: attributes that replace those of the same type.
  static func head(_ changes: [Int: [UInt8]] = [:]) -> [[UInt8]] {
    let usual: [(Int, [UInt8])] = [
      (0, text(0, "Production")), (1, attribute(1, [0x02, 0x01, 42])), (2, text(2, bundleID)),
      (12, instant(12, "2050-05-10T10:00:00Z")),
    ]
    return usual.map { changes[$0.0] ?? $0.1 } + changes.filter { change in !usual.contains { $0.0 == change.key } }.map(\.value)
  }

  static func purchase(_ id: String, _ changes: [Int: [UInt8]?] = [:]) -> [UInt8] {
    let usual: [(Int, [UInt8])] = [
      (1701, attribute(1701, [0x02, 0x01, 1])), (1702, text(1702, "coins60")), (1703, text(1703, id)),
      (1704, instant(1704, "2050-05-01T10:00:00Z")), (1705, text(1705, id)),
    ]
    let kept = usual.compactMap { type, value in changes.keys.contains(type) ? nil : value }
    return attribute(17, set(kept + changes.sorted { $0.key < $1.key }.compactMap(\.value)))
  }

  static func encoded(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let count = content.count
    if count < 0x80 { return [tag, UInt8(count)] + content }
    let octets: [UInt8] = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
    return [tag, 0x84] + octets + content
  }

  struct Failure: Error { var step: String }
}
