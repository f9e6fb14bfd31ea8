/// Among contradictory decisions about an order and a charge, the newest counts until it is withdrawn.
@Suite(.cleansUp) struct ReplacedDecisionTests {
  private static let night = "2026-05-12T12:00:00Z"

  struct Case: Sendable, CustomTestStringConvertible {
    /// The effective decision and the next one: an action, an order and a charge.
    var standing: (action: CaseAction, order: Int, charge: Int)
    var then: (action: CaseAction, order: Int, charge: Int)
    var isOtherwise: Bool
    var testDescription: String {
      "\(standing.action) PO-\(standing.order) \(standing.charge), then \(then.action) PO-\(then.order) \(then.charge)"
    }

    init(_ standing: (CaseAction, Int, Int), _ then: (CaseAction, Int, Int), otherwise: Bool) {
      (self.standing, self.then, isOtherwise) = (standing, then, otherwise)
    }
  }

  static let cases = [
    // Contradictions: an order has one charge, a charge has one order, and a pair is either matched or not.
    Case((.forcedMatch, 1, 1), (.forcedMatch, 1, 2), otherwise: true), Case((.forcedMatch, 1, 1), (.forcedMatch, 2, 1), otherwise: true),
    Case((.forcedMatch, 1, 1), (.unmatch, 1, 1), otherwise: true), Case((.unmatch, 1, 1), (.forcedMatch, 1, 1), otherwise: true),
    Case((.forcedMatch, 1, 1), (.benignDuplicate, 1, 1), otherwise: true),
    Case((.forcedMatch, 1, 1), (.benignDuplicate, 1, 2), otherwise: true),
    Case((.benignDuplicate, 1, 1), (.forcedMatch, 1, 2), otherwise: true),
    Case((.benignDuplicate, 1, 1), (.benignDuplicate, 1, 2), otherwise: true),
    Case((.unmatch, 1, 1), (.benignDuplicate, 1, 1), otherwise: true),
    // No contradiction: the same decision again, another pair, or a duplicate of the same charge.
    Case((.forcedMatch, 1, 1), (.forcedMatch, 1, 1), otherwise: false), Case((.forcedMatch, 1, 1), (.forcedMatch, 2, 2), otherwise: false),
    Case((.unmatch, 1, 1), (.forcedMatch, 1, 2), otherwise: false), Case((.forcedMatch, 1, 1), (.unmatch, 1, 2), otherwise: false),
    Case((.forcedMatch, 1, 1), (.benignDuplicate, 2, 1), otherwise: false),
    Case((.benignDuplicate, 1, 1), (.benignDuplicate, 2, 1), otherwise: false),
  ]

  @Test(arguments: cases) func newestDecisionCounts(_ test: Case) async throws {
    let world = try await World()
    try await world.propose(test.standing, in: 0, at: "2026-05-12T13:00:00Z")
    try await world.approve(0, at: "2026-05-12T13:01:00Z")
    try await world.propose(test.then, in: 1, at: "2026-05-12T13:02:00Z")
    // A proposal by one person replaces nothing.
    #expect(try await world.decided(at: "2026-05-12T13:02:30Z") == world.pairs([test.standing]))
    #expect(try await world.replaced(by: test.then) == (test.isOtherwise ? [test.standing.action.rawValue] : []))
    try await world.approve(1, at: "2026-05-12T13:03:00Z")
    let now = test.isOtherwise ? [test.then] : [test.standing, test.then]
    #expect(try await world.decided(at: "2026-05-12T13:03:30Z") == world.pairs(now))
    // When the newer decision is undone, the older one counts again.
    guard test.isOtherwise else { return }
    try await world.undo(1, at: "2026-05-12T13:04:00Z")
    try await world.approve(1, at: "2026-05-12T13:05:00Z")
    #expect(try await world.decided(at: "2026-05-12T13:05:30Z") == world.pairs([test.standing]))
  }

  /// The later approval counts of two decisions at one clock, as its proposer and approver were shown.
  @Test(arguments: [(1, 2), (2, 1)]) func laterApprovalCounts(_ first: Int, _ second: Int) async throws {
    let world = try await World()
    let clock = "2026-05-12T13:00:00Z"
    for order in [first, second] {
      try await world.propose((.forcedMatch, order, 1), in: order - 1, at: clock)
      try await world.approve(order - 1, at: clock)
    }
    #expect(try await world.decided(at: clock) == ["PO-\(second) 1 M0"])
  }

  /// Three orders without a charge, three charges without an order, and a case of each order's customer.
  private struct World: Sendable {
    var scenario: Scenario
    var bob: Scenario
    var ids: [String]

    private static let base = BaseWorld {
      let scenario = try await Scenario()
      try await scenario.decide(
        orders: (1...3).map { TestOrder("PO-\($0)", user: "U\($0)", at: "2026-05-09T10:00:00Z") },
        evidence: (1...3).map { ApplePurchase("\($0)", at: "2026-05-10T1\($0):00:00Z").jws }, asOf: night)
      return scenario
    }

    init() async throws {
      scenario = try await Self.base.copy()
      bob = try await scenario.login("bob")
      ids = try await scenario.rows(.cases, asOf: night).filter { $0["user_id"] != "" }
        .sorted { $0["user_id"] ?? "" < $1["user_id"] ?? "" }.compactMap { $0["case_id"] }
      try #require(ids.count == 3)
    }

    func decision(_ word: (action: CaseAction, order: Int, charge: Int)) async throws -> CaseDecision {
      try await scenario.decision(word.action, "PO-\(word.order)", "\(word.charge)", reason: "the customer called", asOf: night)
    }

    func propose(_ word: (action: CaseAction, order: Int, charge: Int), in place: Int, at clock: String) async throws {
      try await scenario.cases(asOf: clock).take(ids[place], deciding: decision(word))
    }

    func approve(_ place: Int, at clock: String) async throws {
      try await bob.cases(asOf: clock).conclude(ids[place], .approved, by: Person(), reason: "seen")
    }

    func undo(_ place: Int, at clock: String) async throws {
      let scope = CaseJob.UndoScope(actor: nil, cases: [ids[place]], since: instant(night))
      #expect(try await scenario.cases(asOf: clock).undo(scope, by: Person(), reason: "no", isDryRun: false).proposedCount == 1)
    }

    /// Returns the pairs that a match run creates from these decisions.
    func pairs(_ words: [(action: CaseAction, order: Int, charge: Int)]) -> Set<String> {
      Set(words.filter { $0.action == .forcedMatch }.map { "PO-\($0.order) \($0.charge) M0" })
    }

    func decided(at clock: String) async throws -> Set<String> {
      try await scenario.decide(asOf: clock)
      return try await Set(scenario.matches(asOf: clock).filter { $0.hasSuffix(" M0") })
    }

    /// Returns the actions that the decision would replace, as shown to its proposer and approver.
    func replaced(by word: (action: CaseAction, order: Int, charge: Int)) async throws -> [String] {
      let decision = try await decision(word)
      let said: [String: Value] = [
        "order_id": .text(decision.orderID ?? ""), "charge_id": .text(decision.chargeID ?? ""), "action": .text(word.action.rawValue),
      ]
      let context = try scenario.context(asOf: night)
      return try await context.withSession { session in
        try await session.transaction { tx in try tx.rows(context.sql(QueueSQL.replaced), said).map { $0.0 } }
      }
    }
  }
}
