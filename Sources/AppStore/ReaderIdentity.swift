internal import Cryptography

/// What verdicts on evidence rest on: trusted roots, our apps, and the version of the reading itself.
///
/// Two readers with the same identity judge the same bytes alike; when it changes, what is not genuine is judged anew.
public struct ReaderIdentity: Sendable, Hashable {
  /// SHA-256 over the hashes of the trusted roots, whatever their order.
  public let anchorsSHA256: String
  /// Our apps, `bundle id=Apple id` (`-` where none is set), sorted, one a line.
  public let apps: String
  public let version: Int

  init(apps: [AppIdentity], anchors: TrustAnchors, version: Int) {
    anchorsSHA256 = anchors.sha256
    self.apps = Set(apps.map { "\($0.bundleID)=\($0.appleID.map(String.init) ?? "-")" }).sorted()
      .joined(separator: "\n")
    self.version = version
  }

  /// SHA-256 of all of it: the name of the reader in the database.
  public var sha256: String { SHA256.hex(Array("\(anchorsSHA256)\n\(version)\n\(apps)".utf8)) }
}
