import JobCore
import Review
import Testing
import TestSupport

/// A decision covers the findings that the assignee could see: when taking the case, or at the last view.
@Suite(.cleansUp) struct DecisionCoversSeenFindingsTests {
  private typealias World = BreakDecisionTests

  struct Sight: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var action = CaseAction.accept
    /// Orders ingested between taking and deciding.
    var orders: [TestOrder] = []
    var looksAgain = false
    /// Orders whose breaks the decision names.
    var named: [String] = []
    /// Classes named in the answer.
    var late: [String] = []
    /// Final breaks as `CLASS status`.
    var statuses: [String]
  }

  private static let fresh = TestOrder("PO-3", at: "2026-05-11T11:00:00Z", status: "paid")
  private static let untouched = ["AMOUNT_DIFF accepted", "ORDER_NO_TX accepted"]

  static let sights = [
    Sight(testDescription: "nothing came in", statuses: untouched),
    Sight(testDescription: "a break came in", orders: [fresh], late: ["ORDER_NO_TX"], statuses: untouched + ["ORDER_NO_TX new"]),
    Sight(
      testDescription: "a break came in and was seen", orders: [fresh], looksAgain: true, statuses: untouched + ["ORDER_NO_TX accepted"]),
    Sight(
      testDescription: "a break came in and is named", orders: [fresh], named: ["PO-3"],
      statuses: ["AMOUNT_DIFF persisting", "ORDER_NO_TX accepted", "ORDER_NO_TX persisting"]),
    Sight(
      testDescription: "more is at stake", orders: [BreakDecisionTests.billed(1000)], late: ["AMOUNT_DIFF"],
      statuses: ["AMOUNT_DIFF reopened", "ORDER_NO_TX accepted"]),
    Sight(
      testDescription: "more is at stake and was seen", orders: [BreakDecisionTests.billed(1000)], looksAgain: true, statuses: untouched),
    Sight(
      testDescription: "a write-off takes what its proposer saw", action: .writeOff, orders: [fresh], late: ["ORDER_NO_TX"],
      statuses: ["AMOUNT_DIFF written_off", "ORDER_NO_TX new", "ORDER_NO_TX written_off"]),
  ]

  @Test(arguments: sights) func decisionCoversTheSeenFindings(_ sight: Sight) async throws {
    let scenario = try await World.world()
    let id = try await World.caseID(scenario)
    _ = try await scenario.cases(asOf: World.decided).take(id, by: Person(), leaseSeconds: 172_800)
    try await scenario.decide(orders: sight.orders, asOf: World.next)
    let job = try scenario.cases(asOf: "2026-05-13T13:00:00Z")
    if sight.looksAgain { _ = try await job.show(id) }
    var decision = CaseDecision(action: sight.action, reason: "agreed with finance")
    decision.breakIDs = try await scenario.rows(.breaks, asOf: World.next)
      .filter { sight.named.contains($0["order_id"] ?? "") }.compactMap { $0["break_id"] }
    let made = try await job.decide(id, decision, by: Person())
    #expect(made.late.map(\.breakClass) == sight.late)
    if made.needsSecondPerson {
      let second = try await scenario.login("bob")
      try await second.cases(asOf: "2026-05-13T14:00:00Z").conclude(id, .approved, by: Person(), reason: "seen")
    }
    let clock = "2026-05-13T15:00:00Z"
    #expect(try await World.statuses(scenario, clock) == sight.statuses.sorted())
    let isOpen = sight.statuses.contains { !$0.hasSuffix("accepted") && !$0.hasSuffix("written_off") }
    let row = try await scenario.rows(.cases, asOf: clock).first { $0["case_id"] == id }
    #expect(row?["status"] == (isOpen ? "open" : "closed"))
    // A night without news changes nothing of it.
    try await scenario.decide(asOf: World.later)
    #expect(try await World.statuses(scenario, clock) == sight.statuses.sorted())
  }
}
