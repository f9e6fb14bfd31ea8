import Foundation

@Suite(.cleansUp) struct EvidenceUnderOtherRootsTests {
  private static let first = "2026-05-12T12:00:00Z"
  private static let second = "2026-05-13T12:00:00Z"
  private let scenario: Scenario
  init() async throws { scenario = try await Scenario() }

  private static let bought = ApplePurchase("470001000000280", at: "2026-05-09T10:00:00Z")
  private static let stated = ApplePurchase("470001000000281", at: "2026-05-09T11:00:00Z").with { $0.token = Scenario.token1 }
  private static let kids = ApplePurchase("470001000000282", at: "2026-05-09T12:00:00Z").with { $0.bundleID = "com.acme.kids" }
  private static let month = ApplePurchase.month(
    "600", at: "2026-04-20T10:00:00Z", until: "2026-05-20T10:00:00Z", price: 28_000)

  private static var orders: [TestOrder] {
    [
      TestOrder("PO-1", at: "2026-05-09T09:59:00Z", names: "470001000000280"), TestOrder("PO-2", user: "U2", at: "2026-05-09T10:59:00Z"),
      TestOrder("PO-3", user: "U3", at: "2026-05-09T11:59:00Z") { $0.bundleID = "com.acme.kids" },
      TestOrder("PO-4", user: "U4", at: "2026-05-09T11:59:00Z", names: "470001000000284"),
    ]
  }

  private static var evidence: [String] {
    let answer = """
      {"bundleId":"com.acme.reader","environment":"Production","signedTransactions":["\(month.jws)"]}
      """
    return [
      Scenario.upload(bought.jws, user: "U1", at: "2026-05-09T10:00:30Z"),
      Scenario.notification("ONE_TIME_CHARGE", uuid: "n-1", stated, signedAt: "2026-05-09T11:00:05Z"),
      Scenario.upload(kids.jws, user: "U3", order: "PO-3", at: "2026-05-09T12:00:30Z"), answer,
      Scenario.upload(
        Scenario.sign(ApplePurchase("470001000000284", at: "2026-05-09T12:00:00Z"), by: Scenario.forger), user: "U4",
        at: "2026-05-09T12:00:30Z"),
    ]
  }

  enum Mistake: String, CaseIterable, Sendable {
    case rootsMissing, appMissing, otherAppleID, olderReader, none

    func make(_ scenario: inout Scenario) throws {
      switch self {
      case .rootsMissing: try scenario.trust(Scenario.stranger)
      case .appMissing: scenario.settings.apps.removeAll { $0.bundleID == "com.acme.kids" }
      case .otherAppleID: scenario.settings.apps[0].appleID = 7
      case .olderReader, .none: break
      }
    }
  }

  private static func ingest(_ scenario: Scenario, _ clock: String) async throws {
    try await scenario.decide(users: ["U2,\(Scenario.token1),CHN,false"], orders: orders, evidence: evidence, asOf: clock)
  }

  private static func state(_ scenario: Scenario) async throws -> [String] {
    let verdicts = try await scenario.cells(.evidence, "sha256 kind verdict reason charge_id", asOf: second)
    let charges = String(decoding: try await scenario.export(.charges, asOf: second), as: UTF8.self)
    let ids = try await scenario.rows(.breaks, asOf: second).filter { $0["status"] != "resolved" }.cells("break_id")
    return try await verdicts.sorted() + [charges] + ids.sorted() + scenario.openBreaks(asOf: second)
      + scenario.matches(asOf: second)
  }

  @Test("whatever was believed before, the same evidence comes to the same", arguments: Mistake.allCases)
  func verdictsAreRepairedByJudging(_ mistake: Mistake) async throws {
    let right = try await Scenario()
    try await Self.ingest(right, Self.first)
    try await right.decide(asOf: Self.second)
    let wanted = try await Self.state(right)
    var scenario = scenario
    let settings = scenario.settings
    try mistake.make(&scenario)
    try await Self.ingest(scenario, Self.first)
    let past = try await Past(
      scenario, clock: Self.first, lists: [.evidence, .charges, .transactions, .matches, .breaks, .pending, .subscriptions])
    scenario.settings = settings
    try scenario.trust(Scenario.authority)
    let outcome = try await scenario.judge(asOf: Self.second)
    #expect((outcome.changedCount > 0) == ![.none, .olderReader].contains(mistake), "\(outcome)")
    #expect(try await scenario.judge(asOf: Self.second).readCount == 0)
    try await scenario.decide(asOf: Self.second)
    #expect(try await Self.state(scenario) == wanted)
    #expect(try await scenario.changesOfFullRuns(asOf: Self.second) == [])
    // The result at the past clock is unchanged. Lists are read with the corrected settings.
    #expect(try await past.differences(scenario) == [])
    #expect(try await scenario.auditFaults(asOf: Self.second) == [])
  }

  @Test("under missing roots nothing is money, and uploads are held against those who uploaded") func missingRoots() async throws {
    try scenario.trust(Scenario.stranger)
    try await Self.ingest(scenario, Self.first)
    #expect(try await scenario.rows(.charges, asOf: Self.first).isEmpty)
    #expect(
      try await scenario.openBreaks(asOf: Self.first).filter { $0.hasPrefix("FORGED_SIGNATURE") } == [
        "FORGED_SIGNATURE PO-1", "FORGED_SIGNATURE PO-3", "FORGED_SIGNATURE PO-4",
      ])
    try scenario.trust(Scenario.authority)
    try await scenario.night(asOf: Self.second)
    #expect(try await scenario.rows(.charges, asOf: Self.second).count == 4)
    #expect(try await scenario.openBreaks(asOf: Self.second).filter { $0.hasPrefix("FORGED_SIGNATURE") } == ["FORGED_SIGNATURE PO-4"])
    // Genuine evidence stays genuine, because its signature was once valid.
    try scenario.trust(Scenario.stranger)
    let third = "2026-05-14T12:00:00Z"
    try await scenario.night(asOf: third)
    #expect(try await scenario.rows(.charges, asOf: third).count == 4)
  }

  @Test("the same bytes come again when the roots are right: no judging is needed") func comesAgain() async throws {
    // Constants, because another signature would have other bytes.
    let evidence = Self.evidence
    try scenario.trust(Scenario.stranger)
    try await scenario.evidence(evidence, asOf: Self.first)
    try scenario.trust(Scenario.authority)
    let tally = try await scenario.evidence(evidence, asOf: Self.second)
    // The answer around the fourth transaction is known and unsigned.
    #expect(tally.accepted == 3, "\(tally)")
    #expect(try await scenario.rows(.charges, asOf: Self.second).count == 4)
    #expect(try await scenario.rows(.charges, asOf: Self.first).isEmpty)
    #expect(try await scenario.auditFaults(asOf: Self.second) == [])
  }

  @Test("what an older program could not read is read by a newer one") func olderReader() async throws {
    let jws = Self.bought.jws
    try await scenario.evidence(["{\"x\":1}"], asOf: Self.first)
    #expect(try await scenario.judge(asOf: Self.first).readCount == 0)
    try await scenario.execute(
      """
      insert into payrecon.evidence
          (sha256, kind, verdict, reason, bundle_id, environment, source, body, batch_id, received_at)
      select sha256(convert_to('\(jws)', 'UTF8')), '', 'malformed', '"older"', '', '', 'client',
          convert_to('\(jws)', 'UTF8'), max(batch_id), '\(Self.first)'
      from payrecon.batches
      """)
    try await scenario.execute(
      """
      insert into payrecon.unproven_evidence (sha256, is_from_apple, reader_sha256)
      values (sha256(convert_to('\(jws)', 'UTF8')), false, '')
      """)
    let outcome = try await scenario.judge(asOf: Self.second)
    #expect(outcome == EvidenceJudge.Outcome(readCount: 1, changedCount: 1, genuineCount: 1))
    #expect(try await scenario.rows(.charges, asOf: Self.second).count == 1)
    #expect(try await scenario.rows(.charges, asOf: Self.first).isEmpty)
  }

  // MARK: Another app's notification

  private static func foreignNotification(_ id: String) -> String {
    Scenario.notification("ONE_TIME_CHARGE", uuid: "n-\(id)", bought, appleID: 999, signedAt: "2026-05-09T10:00:05Z")
  }

  @Test("a notification of another Apple app id brings no money, unless we have it otherwise") func otherAppleID() async throws {
    let alone = Self.bought.jws
    let again = Self.bought.signed(at: "2026-05-10T10:00:00Z").jws
    let foreign = Self.foreignNotification("1")
    let cases: [(lines: [[String]], charges: Int)] = [
      ([[foreign]], 0), ([[foreign, alone]], 1), ([[alone, foreign]], 1), ([[foreign], [alone]], 1), ([[alone], [foreign]], 1),
      ([[foreign], [again]], 1), ([[foreign], [Self.foreignNotification("2")]], 0),
      ([[foreign], [Scenario.notification("ONE_TIME_CHARGE", uuid: "n-3", Self.bought, signedAt: "2026-05-09T10:00:06Z")]], 1),
    ]
    for (lines, charges) in cases {
      let scenario = try await Scenario()
      for part in lines { try await scenario.evidence(part, asOf: Self.first) }
      try await scenario.decide(asOf: Self.first)
      #expect(try await scenario.rows(.charges, asOf: Self.first).count == charges, "\(lines.count) parts")
      let breaks = try await scenario.openBreaks(asOf: Self.first)
      #expect(breaks.contains("APP_ID_DIFF"))
      #expect(breaks.contains("TX_NO_ORDER") == (charges > 0))
      #expect(try await scenario.auditFaults(asOf: Self.first) == [])
    }
  }

  // MARK: Unsigned containers

  @Test("an untouched database that holds unsigned and refused containers is whole") func untouched() async throws {
    let row = """
      {"transaction_id":"1","original_transaction_id":"1","product_id":"coins60","quantity":"1",\
      "purchase_date_ms":"1778320800000","original_purchase_date_ms":"1778320800000"}
      """
    let answer = """
      {"status":0,"environment":"Production","receipt":{"bundle_id":"com.acme.reader","in_app":[\(row)]},\
      "latest_receipt_info":[\(row)],"pending_renewal_info":[{"original_transaction_id":"1","product_id":"coins60",\
      "auto_renew_status":"1"}]}
      """
    let old = """
      {"status":0,"auto_renew_status":1,"receipt":{"bid":"com.acme.reader","transaction_id":"2",\
      "original_transaction_id":"2","product_id":"vip","quantity":"1","purchase_date_ms":"1778320800000"}}
      """
    let notification = """
      {"notification_type":"DID_RENEW","password":"s","environment":"PROD","bid":"com.acme.reader",\
      "unified_receipt":\(answer)}
      """
    try await scenario.evidence([answer, old, notification], asOf: Self.first)
    #expect(try await scenario.rows(.evidence, asOf: Self.first).count { $0["verdict"] != "genuine" } >= 5)
    let explain = ExplainJob(context: try scenario.context(asOf: Self.first))
    for row in try await scenario.rows(.evidence, asOf: Self.first) {
      let hash = row["sha256"] ?? ""
      let (bytes, container) = try await explain.hashedText(hash)
      #expect(SHA256.hex(bytes) == hash, "\(row)")
      let isPart = container.map { bytes.starts(with: $0.utf8) } ?? false
      #expect(isPart == ["transaction", "renewal_info"].contains(row["kind"] ?? ""), "\(row)")
      if let container { #expect(SHA256.hex(try await explain.evidenceBytes(container)) == container, "\(row)") }
    }
    #expect(try await scenario.auditFaults(asOf: Self.first) == [])
  }

  private static let receipts = "\(TestServer.repository)/../shared/fixtures/receipts"
  private static let receiptNames = [
    "peer-eminz-gen-receipt.der", "peer-eminz-gen-receipt-foreign.der", "peer-eminz-genuine-receipt-sandbox-g5.b64",
  ]

  @Test(
    "an untouched database that holds receipts of Xcode and of other apps is whole",
    .enabled(if: FileManager.default.fileExists(atPath: receipts), "the folder of genuine receipts is not here"))
  func untouchedReceipts() async throws {
    for name in Self.receiptNames {
      let data = try #require(FileManager.default.contents(atPath: "\(Self.receipts)/\(name)"), "\(name)")
      let text = name.hasSuffix("b64") ? String(decoding: data, as: UTF8.self).filter { !$0.isWhitespace } : data.base64EncodedString()
      try await scenario.evidence([text], asOf: Self.first)
    }
    let verdicts = try await scenario.rows(.evidence, asOf: Self.first).filter { $0["kind"] == "receipt" }
    #expect(verdicts.count == Self.receiptNames.count && verdicts.allSatisfy { $0["verdict"] != "genuine" })
    #expect(try await scenario.auditFaults(asOf: Self.first) == [])
  }
}
