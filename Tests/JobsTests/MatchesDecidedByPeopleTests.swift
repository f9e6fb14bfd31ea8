/// The ladder honours a decision by two people about an order and a charge.
///
/// `Tests/oracle2/cases_decisions.py` has the proposals of one person, and decisions that two people take back.
@Suite(.cleansUp) struct MatchesDecidedByPeopleTests {
  private static let asOf = "2026-05-25T12:00:00Z"

  struct Case: Sendable, CustomTestStringConvertible {
    var action: CaseAction
    var orders: [TestOrder]
    var evidence: [String]
    var opened: String
    var order: String
    var before: (matches: [String], breaks: [String])
    var after: (matches: [String], breaks: [String])
    var explanation: String
    /// Detail of the order's break afterwards; nil if it is not compared.
    var detail: String?
    var testDescription: String { action.rawValue }
  }

  static let cases: [Case] = [
    Case(
      action: .forcedMatch, orders: [TestOrder("PO-1", at: "2026-05-20T10:00:00Z", names: "1")],
      evidence: [ApplePurchase("1", at: "2026-05-10T10:00:00Z").jws], opened: "TX_NO_ORDER", order: "PO-1",
      before: ([], ["LATE_VERIFICATION PO-1", "TX_NO_ORDER"]), after: (["PO-1 1 M0"], []), explanation: "matched by M0 with charge"),
    Case(
      action: .unmatch,
      orders: [TestOrder("PO-1", at: "2026-05-10T09:59:30Z", names: "1", status: "paid")],
      evidence: [ApplePurchase("1", at: "2026-05-10T10:00:00Z").jws], opened: "PAID_NOT_DELIVERED", order: "PO-1",
      before: (["PO-1 1 M1"], ["PAID_NOT_DELIVERED PO-1"]), after: ([], ["ORDER_NO_TX PO-1", "TX_NO_ORDER"]),
      explanation: "unmatch", detail: "names transaction 1, which it was not given"),
    Case(
      action: .benignDuplicate,
      orders: [
        TestOrder("PO-1", at: "2026-05-10T09:59:30Z", names: "1"), TestOrder("PO-2", at: "2026-05-10T10:05:00Z", names: "1"),
      ],
      evidence: [ApplePurchase("1", at: "2026-05-10T10:00:00Z").jws], opened: "DUP_DELIVERY", order: "PO-2",
      before: (["PO-1 1 M1"], ["DUP_DELIVERY PO-2"]), after: (["PO-1 1 M1"], []), explanation: "benign_duplicate"),
  ]

  /// A wrong match without other findings has no case. Two people can separate it all the same.
  @Test func cleanMatchIsSeparatedWithoutACase() async throws {
    let scenario = try await Scenario()
    try await scenario.decide(
      orders: [TestOrder("PO-1", at: "2026-05-10T09:59:30Z", names: "1")],
      evidence: [ApplePurchase("1", at: "2026-05-10T10:00:00Z").jws], asOf: Self.asOf)
    try await expect((["PO-1 1 M1"], []), scenario, Self.asOf)
    #expect(try await scenario.rows(.cases, asOf: Self.asOf).isEmpty)
    let decision = try await scenario.decision(.unmatch, "PO-1", "1", reason: "another customer's", asOf: Self.asOf)
    let id = try await scenario.cases(asOf: Self.asOf).propose(decision, by: .ann)
    let cases = try await scenario.rows(.cases, asOf: Self.asOf)
    #expect(cases.map { [$0["case_id"], $0["status"]] } == [[id, "waiting_approval"]])
    let approved = "2026-05-25T14:00:00Z"
    let bob = try await scenario.login("bob").cases(asOf: approved)
    try await bob.conclude(id, .approved, by: .bob, reason: "seen")
    try await scenario.decide(asOf: approved)
    try await expect(([], ["ORDER_NO_TX PO-1", "TX_NO_ORDER"]), scenario, approved)
    // The match now has a case and is decided there.
    await #expect(throws: JobError.self) { try await bob.propose(decision, by: .bob) }
  }

  @Test(arguments: cases) func decisionIsHonouredAndExplained(_ test: Case) async throws {
    let scenario = try await Scenario()
    try await scenario.decide(orders: test.orders, evidence: test.evidence, asOf: Self.asOf)
    try await scenario.decide(asOf: Self.asOf)
    try await expect(test.before, scenario, Self.asOf)
    let row = try await scenario.rows(.cases, asOf: Self.asOf).first { $0["names"]?.contains(test.opened) == true }
    let id = try #require(row?["case_id"])
    let decision = try await scenario.decision(
      test.action, test.order, "1", outcome: .falsePositive, reason: "the customer called", asOf: Self.asOf)
    #expect(try await scenario.cases(asOf: Self.asOf).take(id, deciding: decision, by: .ann).needsSecondPerson)
    let approved = "2026-05-25T14:00:00Z"
    try await scenario.login("bob").cases(asOf: approved).conclude(id, .approved, by: .bob, reason: "seen")
    try await scenario.decide(asOf: approved)
    try await expect(test.after, scenario, approved)
    if let detail = test.detail {
      let breaks = try await scenario.rows(.breaks, asOf: approved).filter { $0["order_id"] == test.order && $0["status"] == "new" }
      #expect(breaks.map { $0["detail"] } == [detail])
    }
    #expect(try await scenario.changesOfFullRuns(asOf: approved) == [])
    #expect(try await ExplainJob(context: scenario.context(asOf: approved)).explain(test.order).contains(test.explanation))
    try await expect(test.before, scenario, Self.asOf)
    let again = test.orders.filter { $0.orderID == test.order }.map { order in
      order.with { ($0.updatedAt, $0.deviceID) = ("2026-05-24T10:00:00Z", "D9") }
    }
    try await scenario.decide(orders: again, asOf: approved)
    try await expect(test.after, scenario, approved)
  }

  private func expect(_ outcome: (matches: [String], breaks: [String]), _ scenario: Scenario, _ asOf: String) async throws {
    #expect(try await scenario.matches(asOf: asOf) == outcome.matches, "\(asOf)")
    #expect(try await scenario.openBreaks(asOf: asOf) == outcome.breaks.sorted(), "\(asOf)")
  }

  @Test func impossibleDecisionsAreRefused() async throws {
    let scenario = try await Scenario()
    try await scenario.decide(
      orders: [TestOrder("PO-1", at: "2026-05-10T10:00:00Z")],
      evidence: [ApplePurchase("1", at: "2026-05-10T10:00:00Z").with { $0.environment = "Sandbox" }.jws], asOf: Self.asOf)
    let id = try #require(try await scenario.rows(.cases, asOf: Self.asOf).first?["case_id"])
    let job = try scenario.cases(asOf: Self.asOf)
    _ = try await job.take(id, by: .ann, leaseSeconds: 3600)
    let sandbox = try await scenario.rows(.charges, asOf: Self.asOf).first?["charge_id"]
    for (order, charge) in [("PO-1", sandbox), ("PO-1", "nothing"), ("nobody's", sandbox), ("PO-1", nil)] {
      var decision = CaseDecision(action: .forcedMatch, outcome: .confirmed, reason: "why")
      decision.orderID = order
      decision.chargeID = charge
      let made = decision
      await #expect(throws: JobError.self) { try await job.decide(id, made, by: .ann) }
    }
  }
}
