import FoundationEssentials
import Repository

/// Fixtures stored beside the repository. Without them, the tests that need them are reported as skipped.
enum SharedFixtures {
  static let isThere = FileManager.default.fileExists(atPath: Repository.sharedFixtures)

  static func bytes(_ path: String) throws -> [UInt8] { try read("\(Repository.sharedFixtures)/\(path)") }

  /// Returns a fixture stored in the repository.
  static func own(_ path: String) throws -> [UInt8] { try read("\(Repository.root)/Tests/AppStoreTests/Fixtures/\(path)") }

  static func shipped(_ name: String) throws -> [UInt8] { try read("\(rootsDirectory)/\(name)") }

  static let rootsDirectory = "\(Repository.root)/Sources/AppStore/Roots"

  private static func read(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }
}

extension EvidenceReader {
  convenience init(_ anchors: TrustAnchors, apps: [AppIdentity], now: String = "2026-06-01T00:00:00Z") throws {
    self.init(apps: apps, anchors: anchors, now: try #require(Timestamp(rfc3339: now)))
  }

  /// Trusts one root certificate in DER.
  convenience init(
    root: [UInt8], apps: [AppIdentity] = [AppIdentity(bundleID: "com.example.app")], now: String = "2026-06-01T00:00:00Z"
  ) throws {
    try self.init(TrustAnchors(certificates: [try #require(Certificate(der: root))]), apps: apps, now: now)
  }
}
