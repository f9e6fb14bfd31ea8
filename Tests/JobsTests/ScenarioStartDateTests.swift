extension ScenarioTests {
  private static let before = "2026-04-20T10:00:00Z"
  private static let after = "2026-05-09T10:00:00Z"

  private static func started(
    orders: [TestOrder] = [], users: [String] = [], evidence: [String], matches: [String] = [], breaks: [String] = [],
    check: @escaping Check = { _, _ in }
  ) -> Case {
    Case(
      orders: orders, users: users, evidence: evidence,
      settings: { $0.apps[0].reconcileFrom = instant("2026-05-01T00:00:00Z") }, matches: matches, breaks: breaks, check: check)
  }

  private static func month(_ id: String, at: String, until: String, token: String? = nil) -> String {
    ApplePurchase.month(id, original: "600", at: at, until: until, isRenewal: id != "600", token: token).jws
  }

  private static func expectIdentities(_ scenario: Scenario, _ asOf: String) async throws {
    #expect(try await scenario.report(.daily, asOf: asOf).failures("identities.csv") == [])
  }

  /// Verifies that a night after the signing instant includes the held evidence. Earlier results stay.
  private static func expectHeld(_ scenario: Scenario, _ asOf: String) async throws {
    let verdicts = try await scenario.rows(.evidence, asOf: asOf).filter { $0["verdict"] == "pending" }
    #expect(verdicts.allSatisfy { $0["reason"] == "signed after the clock" } && !verdicts.isEmpty)
    let known = try await scenario.export(.charges, asOf: asOf)
    try await scenario.night(asOf: "2026-05-11T07:00:00Z")
    #expect(try await scenario.rows(.evidence, asOf: "2026-05-11T07:00:00Z").contains { $0["verdict"] == "pending" })
    let next = "2026-05-13T12:00:00Z"
    try await scenario.night(asOf: next)
    #expect(try await scenario.matches(asOf: next) == ["PO-1 1 M1"])
    #expect(try await scenario.openBreaks(asOf: next).filter { !$0.hasPrefix("STALE") } == ["REFUND_NOT_APPLIED PO-1"])
    #expect(try await scenario.rows(.evidence, asOf: next).allSatisfy { $0["verdict"] == "genuine" })
    #expect(try await scenario.export(.charges, asOf: asOf) == known)
    #expect(try await scenario.changesOfFullMatch(asOf: next) == [])
  }

  /// The history before an app's start date, and evidence signed after the clock.
  static let history = Case.table([
    "a purchase from before the start date needs no order": started(
      evidence: [signed("1", at: before), signed("2", at: after)], breaks: ["TX_NO_ORDER"], check: expectIdentities),
    "another app has no start date": Case(
      evidence: [signed("1", at: before), signed("2", at: before) { $0.bundleID = "com.acme.kids" }],
      settings: { $0.apps[0].reconcileFrom = instant("2026-05-01T00:00:00Z") }, breaks: ["TX_NO_ORDER"]),
    "a renewal before it needs no order; the owner known from history has the next one": started(
      orders: [TestOrder.month("PO-1", at: "2026-05-10T12:00:00Z")], users: ["U1,\(tokenA1),CHN,false"],
      evidence: [
        month("600", at: "2026-03-10T10:00:00Z", until: "2026-04-10T10:00:00Z", token: tokenA1),
        month("601", at: "2026-04-10T10:00:00Z", until: "2026-05-10T10:00:00Z"),
        month("602", at: "2026-05-10T10:00:00Z", until: "2026-06-10T10:00:00Z"),
      ], matches: ["PO-1 602 M4"]),
    "a refund before it needs no order, one since then does": started(
      evidence: [("1", "2026-04-25T10:00:00Z"), ("2", after)].map { ApplePurchase($0, at: before).refunded(at: $1).jws },
      breaks: ["REFUND_NO_ORDER"], check: expectIdentities),
    "an order booked before it needs no charge, one since then does": started(
      orders: [ordered("PO-1", "1", at: before), ordered("PO-2", "2", at: after)], evidence: [], breaks: ["ORDER_NO_TX PO-2"]),
    "what was due to renew before it": started(
      evidence: [
        month("600", at: "2026-03-10T10:00:00Z", until: "2026-04-10T10:00:00Z"),
        Scenario.sign(Scenario.renewalInfo("600", signedAt: "2026-03-10T10:00:06Z")),
      ]),
    "a difference between two known sides is a break as usual": started(
      orders: [ordered("PO-1", "1", at: "2026-04-20T09:59:30Z") { $0.priceMilliunits = 5000 }], evidence: [signed("1", at: before)],
      matches: ["PO-1 1 M1"], breaks: ["AMOUNT_DIFF PO-1"]),
    "an old purchase that an order shows since then": started(
      orders: [ordered("PO-1", "1", at: after)], evidence: [signed("1", at: before)], breaks: ["LATE_VERIFICATION PO-1"]),
    "a notification of a refund is held until its signing time, and so is the transaction in it": Case(
      asOf: "2026-05-10T12:00:00Z", orders: [ordered("PO-1", "1", at: "2026-05-10T09:59:30Z")],
      evidence: [
        signed("1", at: "2026-05-10T10:00:00Z"),
        Scenario.notification(
          "REFUND", uuid: "n-held",
          ApplePurchase("1", at: "2026-05-10T10:00:00Z").refunded(at: "2026-05-10T11:00:00Z", signedAt: "2026-05-10T11:00:05Z"),
          signedAt: "2026-05-11T08:00:00Z"),
      ], matches: ["PO-1 1 M1"], check: expectHeld),
  ])
}
