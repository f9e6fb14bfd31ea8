/// Test data of Apple's library, and one notification that Apple really signed.
@Suite(.enabled(if: SharedFixtures.isThere, "the shared fixtures are not beside this repository")) struct AppleFixtureTests {
  private static func reader(root: String, bundleID: String, appleID: Int64?) throws -> EvidenceReader {
    try EvidenceReader(root: SharedFixtures.bytes(root), apps: [AppIdentity(bundleID: bundleID, appleID: appleID)])
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var file: String
    var bundleID = "com.example"
    var verdict: EvidenceVerdict
    var kind: EvidenceKind?
    var testDescription: String { "\(file) as \(bundleID)" }
  }

  static let cases = [
    // Apple's fixture lacks every field of a renewal info.
    Case(file: "jws-renewalInfo", verdict: .genuine, kind: .other),
    Case(file: "jws-testNotification", verdict: .genuine, kind: .notification),
    Case(file: "jws-testNotification", bundleID: "com.example.x", verdict: .foreign, kind: .notification),
    Case(file: "jws-transactionInfo", verdict: .genuine, kind: .other),
    Case(file: "jws-transactionInfo", bundleID: "com.example.x", verdict: .foreign, kind: .other),
    Case(file: "jws-wrongBundleId", verdict: .foreign, kind: .notification),
    Case(file: "jws-missingX5CHeaderClaim", verdict: .forged, kind: nil),
    Case(file: "xcode-signed-transaction", verdict: .forged, kind: .transaction),
    Case(file: "xcode-signed-renewal-info", verdict: .forged, kind: .renewalInfo),
    Case(file: "xcode-signed-app-transaction", verdict: .forged, kind: .appTransaction),
  ]

  @Test(arguments: cases) func verdict(_ test: Case) throws {
    let reader = try Self.reader(root: "apple-server-library/cert-testCA.der", bundleID: test.bundleID, appleID: 1234)
    var bytes = try SharedFixtures.bytes("apple-server-library/\(test.file)")
    while bytes.last == 0x0A { bytes.removeLast() }
    let item = try #require(reader.read(bytes).first)
    #expect(item.verdict == test.verdict, "\(item.field): \(item.reason?.english ?? "")")
    if let kind = test.kind { #expect(item.kind == kind) }
  }

  @Test func testNotificationIsDecoded() throws {
    let reader = try Self.reader(root: "apple-server-library/cert-testCA.der", bundleID: "com.example", appleID: 1234)
    let item = try #require(reader.read(try SharedFixtures.bytes("apple-server-library/jws-testNotification")).first)
    #expect(item.notification?.type == "TEST")
    #expect(item.notification?.uuid == "9ad56bd2-0bc6-42e0-af24-fd996d87a1e6")
    #expect(item.environment == "Sandbox")
    #expect(item.signedAt?.microseconds == 1_681_314_324_000_000)
  }

  struct ChainCase: Sendable, CustomTestStringConvertible {
    var leaf: String
    var intermediate: String
    var root = "chain-root"
    var holds: Bool
    var testDescription: String { "\(leaf) under \(intermediate) under \(root)" }
  }

  static let chains = [
    ChainCase(leaf: "chain-leaf", intermediate: "chain-intermediate", holds: true),
    ChainCase(leaf: "chain-leaf", intermediate: "chain-intermediate", root: "chain-real-apple-root-ca-g3", holds: false),
    ChainCase(leaf: "chain-leaf", intermediate: "chain-leaf", holds: false),
    ChainCase(leaf: "chain-intermediate", intermediate: "chain-leaf", holds: false),
    ChainCase(
      leaf: "chain-real-apple-signing-leaf-2025", intermediate: "chain-real-apple-wwdr-g6",
      root: "chain-real-apple-root-ca-g3", holds: true),
    ChainCase(leaf: "chain-real-apple-signing-leaf-2025", intermediate: "chain-real-apple-wwdr-g6", holds: false),
  ]

  @Test(arguments: chains) func chain(_ test: ChainCase) throws {
    func certificate(_ name: String) throws -> Certificate {
      try #require(Certificate(der: SharedFixtures.bytes("apple-server-library/\(name).der")))
    }
    let store = TrustStore(roots: [try certificate(test.root)])
    let root = store.root(leaf: try certificate(test.leaf), intermediate: try certificate(test.intermediate))
    #expect((root != nil) == test.holds)
  }

  @Test func markersAreSeen() throws {
    let leaf = "1.2.840.113635.100.6.11.1"
    let intermediate = "1.2.840.113635.100.6.2.1"
    for (file, oid, isThere) in [
      ("chain-leaf", leaf, true), ("chain-leaf-missing-oid", leaf, false), ("chain-intermediate", intermediate, true),
      ("chain-intermediate-missing-oid", intermediate, false), ("chain-real-apple-signing-leaf-2025", leaf, true),
      ("chain-real-apple-wwdr-g6", intermediate, true),
    ] {
      let certificate = try #require(Certificate(der: SharedFixtures.bytes("apple-server-library/\(file).der")))
      #expect(certificate.hasExtension(oid) == isThere, "\(file)")
    }
  }

  @Test func realNotificationHoldsUnderTheShippedRoots() throws {
    let bytes = try SharedFixtures.bytes("real/test-notification-2022.json")
    let roots = try TrustAnchors.apple(folders: [SharedFixtures.rootsDirectory])
    let item = try #require(try EvidenceReader(roots, apps: []).read(bytes).first)
    // The verdict foreign means that signature and chain are valid. The owning app does not matter here.
    #expect(item.verdict == .foreign)
    #expect(item.field == "bundle_id")
    #expect(item.notification?.type == "TEST")
    #expect(try EvidenceReader(roots, apps: [AppIdentity(bundleID: item.bundleID)]).read(bytes).first?.verdict == .genuine)
  }
}

/// The roots that the product ships are those that Apple publishes.
@Suite struct ShippedRootTests {
  @Test(arguments: [
    ("AppleRootCA-G3.cer", "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179"),
    ("AppleIncRootCertificate.cer", "b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024"),
    ("AppleRootCA-G2.cer", "c2b9b042dd57830e7d117dac55ac8ae19407d38e41d88f3215bc3a890444a050"),
  ]) func fingerprint(_ root: (name: String, sha256: String)) throws {
    #expect(SHA256.hex(try SharedFixtures.shipped(root.name)) == root.sha256)
  }

  @Test func allAreReadable() throws {
    #expect(try TrustAnchors.apple(folders: ["/nowhere", SharedFixtures.rootsDirectory]).certificates.count == 3)
  }

  @Test func missingRootsAreReportedByName() {
    #expect(throws: TrustAnchorError.self) { try TrustAnchors.apple(folders: ["/nowhere"]) }
    #expect(throws: TrustAnchorError.self) { try TrustAnchors(directory: "/nowhere") }
  }
}
