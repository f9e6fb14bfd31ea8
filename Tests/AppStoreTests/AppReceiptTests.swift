/// App receipts with a real CMS signature, each with its expected verdict.
@Suite(.enabled(if: SharedFixtures.isThere, "the shared fixtures are not beside this repository")) struct AppReceiptTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var file: String
    var root = "peer-eminz-gen-receipt-root.der"
    var bundleID = ReceiptSupport.bundleID
    var verdict: EvidenceVerdict
    var field = ""
    var environment = "Sandbox"
    var testDescription: String { "\(file) under \(root) as \(bundleID)" }
  }

  static let cases = [
    Case(file: "gen-receipt", verdict: .genuine),
    Case(file: "gen-receipt", bundleID: "com.example.other", verdict: .foreign, field: "bundle_id"),
    Case(file: "gen-receipt-foreign", verdict: .forged, field: "certificates"),
    Case(file: "gen-receipt-double-wrapped", verdict: .genuine),
    Case(file: "gen-receipt-expired-historical", root: "peer-eminz-gen-receipt-expired-root.der", verdict: .genuine),
    Case(file: "gen-receipt-expired-fresh", root: "peer-eminz-gen-receipt-expired-root.der", verdict: .forged, field: "creation_date"),
    Case(file: "gen-receipt-no-signer-oid", root: "peer-eminz-gen-receipt-no-signer-oid-root.der", verdict: .forged, field: "certificates"),
    Case(file: "gen-receipt-type-production", verdict: .genuine, environment: "Production"),
    Case(file: "gen-receipt-type-vpp", verdict: .genuine, environment: "Production"),
    Case(file: "gen-receipt-type-vpp-sandbox", verdict: .genuine),
    Case(file: "gen-receipt-no-type", verdict: .genuine),
  ]

  @Test(arguments: cases) func verdict(_ test: Case) throws {
    let reader = try ReceiptSupport.reader(root: test.root, bundleID: test.bundleID)
    let items = reader.read(try ReceiptSupport.bytes("peer-eminz-\(test.file).der"))
    let item = try #require(items.first)
    #expect(item.kind == .receipt)
    #expect(item.verdict == test.verdict, "\(item.field): \(item.reason?.english ?? "")")
    #expect(item.field == test.field)
    #expect((item.reason == nil) == (test.verdict == .genuine))
    #expect(item.bundleID == ReceiptSupport.bundleID)
    #expect(item.environment == test.environment)
    for inner in items.dropFirst() {
      #expect(inner.kind == .transaction)
      #expect(inner.verdict == item.verdict)
      #expect(inner.parentSHA256 == item.sha256)
      #expect(inner.transaction?.environment == test.environment)
    }
  }

  /// Roots of one name do not hide each other, in whatever order they are trusted.
  @Test(arguments: [false, true]) func rootsMayShareAName(isReversed: Bool) throws {
    let roots = try ["expired-root", "no-signer-oid-root", "root"].map {
      try #require(Certificate(der: ReceiptSupport.bytes("peer-eminz-gen-receipt-\($0).der")))
    }
    let anchors = TrustAnchors(certificates: isReversed ? roots.reversed() : roots)
    let reader = try EvidenceReader(anchors, apps: [AppIdentity(bundleID: ReceiptSupport.bundleID)])
    #expect(reader.read(try ReceiptSupport.bytes("peer-eminz-gen-receipt.der")).first?.verdict == .genuine)
  }

  @Test func purchasesBecomeTransactions() throws {
    let items = try ReceiptSupport.reader().read(try ReceiptSupport.bytes("peer-eminz-gen-receipt.der"))
    #expect(items.dropFirst().map { $0.transaction?.productID } == ["com.example.app.coins100", "com.example.app.vip"])
    let vip = try #require(items.last?.transaction)
    #expect(vip.transactionID == "70000000000002")
    #expect(vip.originalTransactionID == "70000000000002")
    #expect(vip.webOrderLineItemID == "42")
    #expect(vip.expiresAt == Timestamp(rfc3339: "2030-02-01T09:30:00Z"))
    #expect(vip.signedAt == Timestamp(rfc3339: "2024-08-06T12:00:00Z"))
    #expect(vip.quantity == 1)
    #expect(vip.priceMilliunits == nil)
    #expect(vip.currency == nil)
    #expect(vip.type == nil)
    #expect(vip.appAccountToken == nil)
    for item in items.dropFirst() { #expect(item.sha256 == SHA256.hex(item.raw)) }
  }

  @Test func appleSignedThisOne() throws {
    let bytes = try ReceiptSupport.bytes("peer-eminz-genuine-receipt-sandbox-g5.b64")
    let items = try ReceiptSupport.appleReader(bundleID: "dev.bonzer.weeka.app").read(bytes)
    let item = try #require(items.first)
    #expect(item.verdict == .genuine, "\(item.field): \(item.reason?.english ?? "")")
    #expect(item.environment == "Sandbox")
    #expect(item.signedAt == Timestamp(rfc3339: "2025-12-26T18:39:47Z"))
    #expect(items.dropFirst().map { $0.transaction?.originalTransactionID } == ["2000001092134138", "2000001092134138"])
    #expect(items.dropFirst().map { $0.transaction?.transactionID } == ["2000001092134138", "2000001092148094"])
    #expect(items.dropFirst().allSatisfy { $0.verdict == .genuine && $0.unrecognized.isEmpty })
    let foreign = try ReceiptSupport.appleReader(bundleID: "com.example").read(bytes)
    #expect(foreign.map(\.verdict) == [.foreign, .foreign, .foreign])
    let elsewhere = try ReceiptSupport.reader(bundleID: "dev.bonzer.weeka.app").read(bytes)
    #expect(elsewhere.map(\.verdict) == [.forged, .forged, .forged])
  }

  @Test func xcodeReceiptsAreForged() throws {
    let reader = try ReceiptSupport.appleReader(bundleID: "com.example.naturelab.backyardbirds.example")
    let empty = reader.read(try SharedFixtures.bytes("apple-server-library/receipt-xcode-empty"))
    #expect(empty.map(\.verdict) == [.forged])
    #expect(empty.first?.environment == "Xcode")
    #expect(empty.first?.bundleID == "com.example.naturelab.backyardbirds.example")
    let items = reader.read(try SharedFixtures.bytes("apple-server-library/receipt-xcode-with-transaction"))
    #expect(items.map(\.verdict) == [.forged, .forged])
    #expect(items.last?.transaction?.transactionID == "0")
    #expect(items.last?.transaction?.productID == "pass.premium")
    #expect(items.last?.transaction?.offerType == 1)
  }

  /// Returns the Base64 text in the forms that clients and logs leave, keyed by the change.
  private static func logged(_ text: [UInt8]) -> [String: [UInt8]] {
    func replacing(_ letters: [Character: String], in text: [UInt8] = text) -> [UInt8] {
      text.flatMap { byte in letters[Character(Unicode.Scalar(byte))].map { Array($0.utf8) } ?? [byte] }
    }
    let encoded = replacing(["+": "%2B", "/": "%2f", "=": "%3D"])
    let quoted = [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")]
    return [
      "spaces for plus signs": replacing(["+": " "]), "URL-safe": replacing(["+": "-", "/": "_", "=": ""]),
      "percent-encoded": encoded, "percent-encoded twice": replacing(["%": "%25"], in: encoded), "in quotes": quoted,
      "in quotes, behind a comma": quoted + Array(", ".utf8), "in single quotes": [0x27] + text + [0x27],
      "in quotes, percent-encoded": Array("%22".utf8) + encoded + Array("%22".utf8),
      "a JSON text": Array("\"".utf8) + replacing(["/": "\\/", "=": "\\u003d"]) + Array("\\r\\n\"".utf8),
      "a JSON text without its quotes": replacing(["/": "\\/", "+": "\\u002B"]), "with line ends": text + Array("\r\n".utf8),
      "a request": Array(#"{"receipt-data": ""#.utf8) + text + Array(#"", "password": "x"}"#.utf8),
    ]
  }

  @Test func receiptsAreReadAsClientsAndLogsLeaveThem() throws {
    let reader = try ReceiptSupport.reader()
    let ber = try ReceiptSupport.bytes("peer-eminz-gen-receipt.der")
    let expected = reader.read(ber)
    for message in [ber, ReceiptSupport.der(ber)] {
      for (name, form) in Self.logged(ReceiptSupport.base64(message)) {
        let items = reader.read(form)
        #expect(items.map(\.verdict) == expected.map(\.verdict), "\(name): \(items.first?.reason?.english ?? "")")
        #expect(items.dropFirst().map(\.raw) == expected.dropFirst().map(\.raw), "\(name)")
        #expect(!EvidenceReader.isTruncated(form), "\(name)")
        if !name.hasPrefix("a request") { #expect(ReceiptBody.decoded(form) == message, "\(name)") }
      }
    }
    let folded = ReceiptSupport.base64(ber, isFolded: true).map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    #expect(reader.read(folded).map(\.verdict) == expected.map(\.verdict))
    let old = try SharedFixtures.bytes("apple-server-library/receipt-legacyTransaction")
    for (name, form) in Self.logged(old.filter { $0 > 0x20 }) {
      #expect(reader.read(form).first?.verdict == .pending, "\(name)")
    }
  }

  @Test func invalidReceiptsGetAReason() throws {
    let reader = try ReceiptSupport.reader()
    #expect(reader.read(Array("MIIB{}".utf8)).map(\.reason?.english) == ["receipt is not base64"])
    #expect(reader.read(Array("MIIBAAAA".utf8)).map(\.reason?.english) == ["receipt is no CMS SignedData"])
  }

  @Test func iOS6ReceiptIsPendingUntilAppleAnswers() throws {
    let bytes = try SharedFixtures.bytes("apple-server-library/receipt-legacyTransaction")
    #expect(TransactionReceipt(bytes)?.purchase["transaction-id"] == "33993399")
    let item = try #require(try ReceiptSupport.reader().read(bytes).first)
    #expect(item.kind == .receipt)
    #expect(item.verdict == .pending)
  }

  @Test(arguments: ["gen-receipt", "gen-receipt-double-wrapped", "gen-receipt-foreign", "gen-receipt-type-production"])
  func encodingDoesNotMatter(_ name: String) throws {
    let ber = try ReceiptSupport.bytes("peer-eminz-\(name).der")
    let der = ReceiptSupport.der(ber)
    #expect(der != ber)
    let reader = try ReceiptSupport.reader()
    let expected = reader.read(ber)
    let forms = [der, ReceiptSupport.base64(ber), ReceiptSupport.base64(der), ReceiptSupport.base64(der, isFolded: true)]
    for form in forms {
      let items = reader.read(form)
      #expect(items.map(\.verdict) == expected.map(\.verdict), "\(items.first?.reason?.english ?? "")")
      #expect(items.map(\.environment) == expected.map(\.environment))
      #expect(items.dropFirst().map(\.raw) == expected.dropFirst().map(\.raw))
      #expect(items.map { $0.transaction?.transactionID } == expected.map { $0.transaction?.transactionID })
    }
  }

  @Test func receiptWithoutAppIDIsGenuine() throws {
    let bytes = try ReceiptSupport.bytes("peer-eminz-gen-receipt-type-production.der")
    #expect(try ReceiptSupport.reader(appleID: 1).read(bytes).first?.verdict == .genuine)
  }

  @Test func forgedRecordDoesNotTakeThePlaceOfAGenuineOne() throws {
    let bytes = try ReceiptSupport.bytes("peer-eminz-gen-receipt.der")
    let genuine = try ReceiptSupport.reader().read(bytes)
    let forged = try ReceiptSupport.reader(root: "peer-eminz-gen-receipt-expired-root.der").read(bytes)
    #expect(forged.map(\.verdict) == [.forged, .forged, .forged])
    #expect(forged.dropFirst().map(\.raw) == genuine.dropFirst().map(\.raw))
    #expect(Set(forged.dropFirst().map(\.sha256)).isDisjoint(with: genuine.map(\.sha256)))
  }
}
