/// Arbitrary posts block nothing, fill no storage, and are counted.
@Suite(.cleansUp) struct UnverifiedPostTests {
  private static let clock = "2026-05-12T12:00:00Z"
  private static let received = "2026-05-10T11:00:00Z"

  private static func purchase(_ number: Int, bundleID: String = "com.acme.reader") -> ApplePurchase {
    ApplePurchase("\(3000 + number)", at: "2026-05-10T10:00:20Z").with { $0.bundleID = bundleID }
  }

  private static func genuine(_ number: Int) -> String {
    Scenario.notification("ONE_TIME_CHARGE", uuid: "g-\(number)", purchase(number), signedAt: "2026-05-10T10:00:25Z")
  }

  private static func receipt(_ number: Int) -> String {
    Scenario.receipt([purchase(number)], createdAt: "2026-05-10T10:00:30Z")
  }

  /// Returns a notification of version 1. Apple's own contain the receipt of the purchase.
  private static func versionOne(_ number: Int, receipt: String? = nil) -> String {
    let rows = (0..<3).map {
      """
      {"transaction_id":"\(9000 + number * 3 + $0)","original_transaction_id":"1","product_id":"coins60","quantity":"1",\
      "purchase_date_ms":"1778320800000"}
      """
    }
    let latest = receipt.map { ",\"latest_receipt\":\"\($0)\"" } ?? ""
    return """
      {"notification_type":"DID_RENEW","n":\(number),"environment":"PROD","bid":"com.acme.reader","unified_receipt":\
      {"status":0,"environment":"Production","latest_receipt_info":[\(rows.joined(separator: ","))]\(latest)}}
      """
  }

  private static func count(_ query: String, _ scenario: Scenario) async throws -> Int {
    let found: [Int64] = try await scenario.query("select (\(query))::bigint", gives: .int8)
    return Int(try #require(found.first))
  }

  private static func queued(_ scenario: Scenario) async throws -> Int {
    try await count("select count(*) from payrecon.received_notifications", scenario)
  }

  private static func repeated(_ scenario: Scenario) async throws -> Int {
    try await count("select sum(repeated_count) from payrecon.batches", scenario)
  }

  @Test("unsigned notifications fill neither the queue nor the evidence; they are a storm") func unsigned() async throws {
    var scenario = try await Scenario()
    scenario.settings.quarantine.queuePostsMax = 2
    let posts = [Self.genuine(1)] + (1...120).map { Self.versionOne($0) } + [Self.genuine(2)]
    #expect(try await scenario.post(posts, at: Self.received).allSatisfy { $0 == .stored })
    #expect(try await Self.queued(scenario) == 2)
    try await scenario.night(asOf: Self.clock)
    #expect(try await Self.count("select count(*) from payrecon.evidence where verdict <> 'genuine'", scenario) == 0)
    #expect(try await scenario.rows(.quarantine, asOf: Self.clock).map { $0["item_count"] } == ["120"])
    #expect(try await scenario.openBreaks(asOf: Self.clock) == ["FORGED_STORM", "TX_NO_ORDER", "TX_NO_ORDER"])
  }

  @Test func `a notification of version 1 is the receipt in it, which Apple is asked about; what waits from before, too`() async throws {
    let scenario = try await Scenario()
    let order = TestOrder("PO-1", at: "2026-05-10T10:00:00Z") {
      ($0.evidenceSHA256, $0.productID) = (SHA256.hex(Array(Self.receipt(9).utf8)), "vip")
    }
    try await scenario.orders([order], asOf: Self.clock)
    let posts = [1, 2, 9].map { Self.versionOne($0, receipt: Self.receipt($0)) } + [Self.versionOne(4)]
    #expect(try await scenario.post(posts, at: Self.received).allSatisfy { $0 == .stored })
    // Posts queued by an older server, which stored all of them.
    for text in [Self.versionOne(5), Self.versionOne(6, receipt: Self.receipt(6))] {
      try await scenario.execute(
        "insert into payrecon.received_notifications (received_at, body) values ('\(Self.received)', convert_to('\(text)', 'UTF8'))")
    }
    try await scenario.night(asOf: Self.clock)
    let evidence = try await scenario.rows(.evidence, asOf: Self.clock).filter { $0["verdict"] == "genuine" }
    #expect(evidence.count { $0["kind"] == "receipt" } == 4)
    #expect(try await scenario.rows(.charges, asOf: Self.clock).count == 4)
    #expect(try await Self.count("select count(*) from payrecon.evidence where verdict <> 'genuine'", scenario) == 0)
    #expect(try await scenario.rows(.quarantine, asOf: Self.clock).map { $0["item_count"] } == ["2"])
    #expect(try await Self.wanted(scenario) == [SHA256.hex(Array(Self.receipt(9).utf8))])
    #expect(try await scenario.auditFaults(asOf: Self.clock) == [])
  }

  private static func wanted(_ scenario: Scenario) async throws -> [String] {
    let context = try scenario.context(asOf: clock)
    let day: (String) -> Value = { .timestamptz(microseconds: instant($0).microseconds) }
    let parameters: [String: Value] = [
      "bundle_id": .text("com.acme.reader"), "after_sha256": .text(""), "ends_from": day("2026-03-12T00:00:00Z"),
      "ends_to": day("2026-05-15T00:00:00Z"), "since": day("2026-03-12T00:00:00Z"), "chains": .textArray([]),
      "asked_before": day("2026-05-12T00:00:00Z"), "row_max": .int8(100), "byte_max": .int8(1 << 20),
    ]
    return try await context.withSession { session in
      try await session.transaction(.readOnlySnapshot) { tx in
        try tx.rows(context.sql(CollectSQL.wantedReceipts), parameters).map { $0.0 }
      }
    }
  }

  @Test("a root for signed texts proves nothing of receipts, which have another") func oneRootOfTwo() async throws {
    var scenario = try await Scenario()
    scenario.settings.quarantine.itemsMax = 2
    let other = SimulatedAuthority(seed: 9)
    let posts = (1...4).map { number in
      Self.versionOne(number, receipt: Scenario.receipt([Self.purchase(number)], createdAt: "2026-05-10T10:00:30Z", by: other))
    }
    let isStored = { (outcomes: [PostQueue.Outcome]) in outcomes.map { $0 == .stored } }
    #expect(isStored(try await scenario.post([Self.genuine(9)] + posts, at: Self.received)) == [true, true, true, false, false])
    // Another server with the same roots, without any posts yet. Forged texts count as usual.
    let forged = (1...3).map { Scenario.sign(Self.purchase($0), by: Scenario.forger) }
    try await scenario.night(asOf: "2026-05-10T12:00:00Z")
    #expect(isStored(try await scenario.post(forged + [posts[2]], at: Self.received)) == [true, true, true, false])
    try scenario.write("roots/receipts.der", other.rootDER)
    #expect(isStored(try await scenario.post(Array(posts.dropFirst(2)), at: Self.clock)) == [true, true])
    try await scenario.night(asOf: Self.clock)
    #expect(try await scenario.rows(.charges, asOf: Self.clock).count == 5)
  }

  @Test("a text is queued once, however it is written; repeats are counted") func replays() async throws {
    var scenario = try await Scenario()
    scenario.settings.quarantine.queuePostsMax = 3
    let jws = Self.purchase(1).jws
    let around = ["{\"signedPayload\":\"\(jws)\"}", "{\"signedPayload\":\"\(jws)\",\"n\":1}", "{ \"signedPayload\":\"\(jws)\"}"]
    let receipt = Self.receipt(2)
    let lines: [String] = ["\(receipt.prefix(40))\\n\(receipt.dropFirst(40))", "\(receipt.prefix(80))\\n\\n\(receipt.dropFirst(80))"]
    let receipts = ([receipt] + lines).enumerated().map { Self.versionOne($0, receipt: $1) }
    let posts = [jws, jws] + around + receipts + [Self.genuine(3), jws]
    #expect(try await scenario.post(posts, at: Self.received).allSatisfy { $0 == .stored })
    #expect(try await Self.queued(scenario) == 3)
    #expect(try await scenario.post([Self.genuine(4)], at: Self.received) == [.refused])
    try await scenario.night(asOf: Self.clock)
    #expect(try await Self.repeated(scenario) == 7)
    // A known text is not queued again by any server. A receipt in another encoding is queued once per night.
    #expect(try await scenario.post(posts, at: Self.clock).allSatisfy { $0 == .stored })
    #expect(try await Self.queued(scenario) == 1)
    try await scenario.night(asOf: "2026-05-13T12:00:00Z")
    #expect(try await scenario.rows(.charges, asOf: "2026-05-13T12:00:00Z").count == 3)
    #expect(try await Self.count("select sum(input_count) from payrecon.batches", scenario) == 2 * posts.count)
    #expect(try await scenario.rows(.quarantine, asOf: "2026-05-13T12:00:00Z").isEmpty)
  }

  @Test("what we had from elsewhere is news when Apple posts it") func deliveredAfterAll() async throws {
    let scenario = try await Scenario()
    try await scenario.evidence([Self.genuine(1)], asOf: Self.received)
    #expect(try await scenario.post([Self.genuine(1), Self.genuine(1)], at: Self.clock) == [.stored, .stored])
    #expect(try await Self.queued(scenario) == 1)
    try await scenario.night(asOf: Self.clock)
    #expect(try await Self.count("select count(*) from payrecon.uploads where source = 'notification'", scenario) > 0)
    #expect(try await scenario.post([Self.genuine(1)], at: Self.clock) == [.stored])
    #expect(try await Self.queued(scenario) == 0)
  }

  @Test("other apps' texts and receipts have bounds of their own a day") func bounds() async throws {
    var scenario = try await Scenario()
    scenario.settings.quarantine.foreignPostsMax = 2
    scenario.settings.quarantine.receiptPostsMax = 1
    func foreign(_ number: Int) -> String { Self.purchase(number, bundleID: "com.other").jws }
    let isStored = { (outcomes: [PostQueue.Outcome]) in outcomes.map { $0 == .stored } }
    let posts = [foreign(1), foreign(1), foreign(2), foreign(3), Self.receipt(4), Self.receipt(5), Self.genuine(6), foreign(2)]
    #expect(isStored(try await scenario.post(posts, at: Self.received)) == [true, true, true, false, true, false, true, true])
    try await scenario.night(asOf: "2026-05-10T12:00:00Z")
    #expect(isStored(try await scenario.post([foreign(3), Self.receipt(5)], at: Self.received)) == [false, false])
    #expect(isStored(try await scenario.post([foreign(3), Self.receipt(5)], at: Self.clock)) == [true, true])
  }

  /// The database is slow, and more posts arrive than can be verified.
  @Test(arguments: [true, false]) func `every hostile post that is answered with 200 is counted`(isProved: Bool) async throws {
    let scenario = try await Scenario()
    let queue = try PostQueue(context: try scenario.context(asOf: Self.received)) { instant(Self.received) }
    #expect(await queue.store(Array((isProved ? Self.genuine(1) : "junk").utf8)) == .stored)
    let blocker = try await Session.open(scenario.connection)
    try await blocker.executeAlone("begin")
    try await blocker.executeAlone("lock table payrecon.refused_notifications in share mode")
    let outcomes = await withTaskGroup(of: PostQueue.Outcome.self) { group in
      for number in 0..<(PostQueue.quarantinedWaitingMax + 1000) {
        group.addTask { await queue.store(Array("junk \(number)".utf8)) }
      }
      return await group.reduce(into: [PostQueue.Outcome]()) { $0.append($1) }
    }
    // The waiting posts were refused in the end, and the others were answered at once.
    #expect(outcomes.contains(.stored) == isProved)
    try await blocker.executeAlone("rollback")
    await blocker.close()
    #expect(await queue.store(Array("junk".utf8)) == .stored)
    try await scenario.night(asOf: Self.clock)
    let stored = outcomes.count { $0 == .stored } + (isProved ? 1 : 2)
    let counted = try await Self.count("select sum(item_count) from payrecon.quarantine_counts", scenario)
    // A refused post may have been stored already.
    #expect(counted >= stored)
  }
}
