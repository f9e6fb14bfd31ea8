/// Lists, reports and explanations of a past instant, requested after newer knowledge arrived.
@Suite(.cleansUp) struct PastReportsStayTests {
  private static let token2 = "f2000000-0000-4000-8000-000000000002"
  private static let first = "2026-05-12T12:00:00Z"
  private static let second = "2026-05-13T12:00:00Z"
  private static let bought = ApplePurchase("470001000000280", at: "2026-05-09T10:00:00Z")
  private static let tokened = ApplePurchase("470001000000281", at: "2026-05-09T11:00:00Z").with { $0.token = Scenario.token1 }
  private static let twin = ApplePurchase("470001000000282", at: "2026-05-09T12:00:20Z")
  private static let month = ApplePurchase.month(
    "600", at: "2026-04-20T10:00:00Z", until: "2026-05-20T10:00:00Z", price: 28_000)

  private static func catalogue(_ price: Int, shareable: Bool) -> String {
    """
    bundle_id,product_id,type,subscription_group,period,family_shareable,storefront,currency,price_milliunits,valid_from
    com.acme.reader,coins60,consumable,,,\(shareable),,CNY,\(price),
    com.acme.reader,vip.month,auto_renewable,vip,P1M,false,,CNY,28000,

    """
  }

  private func dayOne(_ scenario: Scenario) async throws {
    // A renewal that is due on this day was planned the day before.
    let before = "2026-05-11T12:00:00Z"
    let due = ApplePurchase.month("610", at: "2026-04-12T08:00:00Z", until: "2026-05-12T08:00:00Z")
    try await scenario.evidence([due.jws], asOf: before)
    let plans = try await RenewalPlanJob(context: scenario.context(asOf: before)).run(day: "2026-05-12")
    #expect(plans.contains { $0.memberCount == 1 })
    // Both orders of U5 fit one purchase, so that none is matched.
    let contested = ["PO-5", "PO-6"].map { TestOrder($0, user: "U5", at: "2026-05-09T12:00:00Z") }
    try await scenario.ingest(.catalogue, Self.catalogue(6000, shareable: false), name: "catalogue1", asOf: Self.first)
    try await scenario.decide(
      users: ["U1,\(Scenario.token1),CHN,false", "U2,,CHN,false", "U5,,CHN,false"],
      orders: [
        TestOrder("PO-1", at: "2026-05-09T09:59:00Z", names: "470001000000280"), TestOrder("PO-2", at: "2026-05-09T10:59:00Z"),
        TestOrder("PO-3", user: "U2", at: "2026-05-10T09:59:00Z", names: "470001000000280"),
        TestOrder("PO-4", user: "U2", at: "2026-05-10T09:59:00Z", names: "470001000000999"),
      ] + contested,
      evidence: [
        Self.bought.jws, Self.tokened.jws, Self.month.jws,
        Scenario.upload(Self.twin.jws, user: "U5", at: "2026-05-09T12:00:30Z"),
      ], asOf: Self.first)
    _ = try await RenewalSettleJob(context: scenario.context(asOf: Self.first)).run()
  }

  /// Ingests refunds, new signatures of old charges, an earlier upload, new prices, moved tokens, changed and new orders.
  private func dayTwo(_ scenario: Scenario) async throws {
    let refunded = Self.bought.refunded(at: "2026-05-13T08:00:00Z", signedAt: "2026-05-13T08:00:10Z")
    let resigned = Self.tokened.with { ($0.signedAt, $0.priceMilliunits) = (instant("2026-05-13T09:00:00Z"), 7000) }
    try await scenario.ingest(.catalogue, Self.catalogue(9000, shareable: true), name: "catalogue2", asOf: Self.second)
    try await scenario.decide(
      users: ["U1,\(Self.token2),USA,false", "U2,\(Scenario.token1),CHN,true"],
      orders: [
        TestOrder("PO-2", at: "2026-05-09T10:59:00Z") {
          ($0.updatedAt, $0.status, $0.refundedAt) = ("2026-05-13T10:00:00Z", "refunded", "2026-05-13T10:00:00Z")
        },
        TestOrder("PO-6", user: "U5", at: "2026-05-09T12:00:00Z", names: "470001000000282") { $0.updatedAt = "2026-05-13T10:00:00Z" },
        TestOrder("PO-7", user: "U7", at: "2026-05-13T10:00:00Z"),
      ],
      evidence: [
        Scenario.notification("REFUND", uuid: "n-1", refunded, signedAt: "2026-05-13T08:00:20Z"),
        resigned.jws, ApplePurchase("470001000000999", at: "2026-05-10T10:00:00Z").jws,
        Scenario.upload(Self.bought.jws, user: "U9", device: "D9", at: "2026-05-09T10:00:05Z"),
        ApplePurchase.month("601", original: "600", at: "2026-05-13T10:00:00Z", until: "2026-06-13T10:00:00Z", price: 30_000).with {
          $0.reason = "RENEWAL"
        }.jws,
        ApplePurchase.month("611", original: "610", at: "2026-05-12T08:00:00Z", until: "2026-06-12T08:00:00Z", isRenewal: true).jws,
      ], asOf: Self.second)
    let settled = try await RenewalSettleJob(context: scenario.context(asOf: Self.second)).run()
    #expect(settled.counts.contains { $0.outcome == "renewed_on_time" })
  }

  @Test func everyListReportAndExplanationStaysAsItWas() async throws {
    let scenario = try await Scenario()
    try await dayOne(scenario)
    let past = try await Past(
      scenario, clock: Self.first, lists: ExportList.allCases, kinds: ReportKind.allCases,
      ids: ["PO-1", "PO-2", "PO-3", "PO-4", "PO-5", "470001000000280", "470001000000282", "600"])
    #expect(past.texts.filter { $0.key.hasPrefix("explain ") && $0.value.isEmpty }.keys.sorted() == [])
    #expect(past.texts["breaks"]?.contains("AMBIGUOUS_MATCH") == true)
    #expect(past.texts["breaks"]?.contains("REPLAY_MULTI_USER") == true)
    try await dayTwo(scenario)
    #expect(try await past.differences(scenario) == [])
    // The second day did change the knowledge.
    #expect(try await scenario.export(.charges, asOf: Self.second) != scenario.export(.charges, asOf: Self.first))
    #expect(try await scenario.rows(.charges, asOf: Self.second).contains { $0["state"] == "refunded" })
    await #expect(throws: JobError.self) { try await ExplainJob(context: scenario.context(asOf: Self.first)).explain("PO-7") }
    #expect(try await ExplainJob(context: scenario.context(asOf: Self.second)).explain("PO-7").contains("order PO-7"))
  }
}
