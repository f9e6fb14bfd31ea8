internal import Cryptography

/// The inputs that verdicts on evidence depend on: trusted roots, our apps, and the version of the reading.
///
/// Readers with the same identity give the same verdict on the same bytes. When the identity changes, evidence that is not genuine is
/// re-evaluated.
public struct ReaderIdentity: Sendable, Hashable {
  /// SHA-256 over the sorted hashes of the trusted roots.
  public let anchorsSHA256: String
  /// Our apps as sorted lines `bundle id=Apple id`; `-` replaces a missing Apple id.
  public let apps: String
  public let version: Int

  init(apps: [AppIdentity], anchors: TrustAnchors, version: Int) {
    anchorsSHA256 = anchors.sha256
    self.apps = Set(apps.map { "\($0.bundleID)=\($0.appleID.map(String.init) ?? "-")" }).sorted()
      .joined(separator: "\n")
    self.version = version
  }

  /// SHA-256 of all properties; it identifies the reader in the database.
  public var sha256: String { SHA256.hex(Array("\(anchorsSHA256)\n\(version)\n\(apps)".utf8)) }
}
