/// Scenarios that orders, users, catalogue and signed evidence decide. `Tests/oracle2/cases.py` states most of T01 to T33 of the domain.
@Suite(.cleansUp) struct ScenarioTests {
  static let (tokenA1, tokenA2) = (Scenario.token1, Scenario.token2)
  static let userOne = ["U1,\(tokenA1),CHN,false"]
  static let bothUsers = userOne + ["U2,\(tokenA2),CHN,false"]

  typealias Check = @Sendable (Scenario, String) async throws -> Void

  struct Case: NamedCase {
    var name = ""
    var asOf = "2026-05-12T12:00:00Z"
    var orders: [TestOrder] = []
    var users: [String] = []
    var evidence: [String] = []
    /// Changes the settings; nil for the usual ones.
    var settings: (@Sendable (inout JobSettings) -> Void)?
    /// `order transaction rung`.
    var matches: [String] = []
    /// `CLASS order`, open at the clock.
    var breaks: [String] = []
    /// Further nights, of which the facts, matches and breaks count.
    var later: [Case] = []
    /// Further expectations, at the clock of the last step.
    var check: Check = { _, _ in }
  }

  /// Cases whose results do not depend on the order of ingestion.
  private static let tables = [claims, refunds, policy, renewals, words, ranks, named, history]

  @Test(arguments: Array(tables.joined()) + changes) func scenario(_ test: Case) async throws { try await Self.expect(test) }

  /// Decides the facts of a case at once, then those of its further nights, and compares matches and open breaks after each.
  static func expect(_ test: Case) async throws {
    var scenario = try await Scenario()
    test.settings?(&scenario.settings)
    for step in [test] + test.later {
      try await scenario.decide(users: step.users, orders: step.orders, evidence: step.evidence, asOf: step.asOf)
      #expect(try await scenario.matches(asOf: step.asOf) == step.matches.sorted(), "at \(step.asOf)")
      #expect(try await scenario.openBreaks(asOf: step.asOf) == step.breaks.sorted(), "at \(step.asOf)")
    }
    try await test.check(scenario, test.later.last?.asOf ?? test.asOf)
  }

  /// Facts ingested one by one, with a decision after each, have the same result as all at once.
  @Test(arguments: Array(tables.joined())) func ingestedInParts(_ test: Case) async throws {
    var scenario = try await test.settings == nil ? Self.decided.copy() : Scenario()
    if let change = test.settings {
      change(&scenario.settings)
      try await Self.decideNothing(scenario)
    }
    for item in test.evidence.reversed() { try await scenario.decide(evidence: [item], asOf: test.asOf) }
    for order in test.orders.reversed() { try await scenario.decide(orders: [order], asOf: test.asOf) }
    if !test.users.isEmpty { try await scenario.decide(users: test.users, asOf: test.asOf) }
    #expect(try await scenario.matches(asOf: test.asOf) == test.matches.sorted())
    #expect(try await scenario.openBreaks(asOf: test.asOf) == test.breaks.sorted())
    #expect(try await scenario.changesOfFullMatch(asOf: test.asOf) == [])
  }

  /// A database in which a first run decided everything, and a second one linked everything.
  private static let decided = BaseWorld {
    let scenario = try await Scenario()
    try await decideNothing(scenario)
    return scenario
  }

  private static func decideNothing(_ scenario: Scenario) async throws {
    for _ in 0..<2 { try await scenario.decide(asOf: "2026-01-01T00:00:00Z") }
  }

  /// Returns a check that a list has these cells in any order.
  static func expect(_ list: ExportList, _ columns: String, _ cells: String...) -> Check {
    { scenario, asOf in
      let found = try await scenario.cells(list, columns, asOf: asOf)
      #expect(found.sorted() == cells.sorted())
    }
  }

  static func ordered(
    _ id: String, _ transaction: String? = nil, at: String = "2026-05-10T10:00:00Z", _ change: (inout TestOrder) -> Void = { _ in }
  ) -> TestOrder { TestOrder(id, at: at, names: transaction, change) }

  static func signed(
    _ id: String, at: String = "2026-05-10T10:00:20Z", token: String? = nil, _ change: (inout ApplePurchase) -> Void = { _ in }
  ) -> String { ApplePurchase(id, at: at, token: token).with(change).jws }

  static let claims = Case.table([
    "T06 replay to another account": Case(
      orders: [ordered("PO-1"), ordered("PO-6", "1", at: "2026-05-10T11:00:00Z") { ($0.userID, $0.status) = ("U2", "created") }],
      users: bothUsers, evidence: [signed("1", token: tokenA1)], matches: ["PO-1 1 M2"], breaks: ["REPLAY_MULTI_USER PO-6"],
      check: expect(.breaks, "user_id detail", "U2 claims the charge of order PO-1 of user U1")),
    "T15 App Review inside its window, and after it with nothing delivered": Case(
      orders: [
        ordered("RV-1", "151", at: "2026-05-04T10:00:00Z") { $0.userID = "REV-1" },
        ordered("RV-2", "152", at: "2026-05-09T10:00:00Z") { ($0.userID, $0.status) = ("REV-1", "created") },
      ],
      evidence: [("151", "2026-05-04T10:00:20Z"), ("152", "2026-05-09T10:00:20Z")].map { id, at in
        signed(id, at: at) { $0.environment = "Sandbox" }
      },
      settings: {
        $0.apps[0].reviewWindows = [
          ReviewWindow(from: instant("2026-05-01T00:00:00Z"), to: instant("2026-05-08T00:00:00Z"), users: ["REV-1"])
        ]
      }),
    "T26 the same notification three times": Case(
      orders: [ordered("PO-26", "260")],
      evidence: Array(
        repeating: Scenario.notification(
          "ONE_TIME_CHARGE", uuid: "n-26", ApplePurchase("260", at: "2026-05-10T10:00:20Z"), signedAt: "2026-05-10T10:00:25Z"), count: 3),
      matches: ["PO-26 260 M1"]
    ) { scenario, asOf in
      try await expect(.evidence, "kind", "notification", "transaction")(scenario, asOf)
      for list in [ExportList.signals, .cases] { #expect(try await scenario.rows(list, asOf: asOf).isEmpty) }
    },
  ])
}
