/// Breaks and signals use the same rule for permitted sandbox orders.
@Suite(.cleansUp) struct SandboxHolderTests {
  private static let asOf = "2026-05-12T12:00:00Z"

  enum Way: String, CaseIterable, Sendable {
    case settings, users, list
    /// An entry that ended after the purchase, and one removed after it.
    case ended, removed

    var allowedBy: String { self == .ended || self == .removed ? "list" : rawValue }

    var sentence: String {
      switch self {
      case .settings: "allowed: in the settings, user U1 is a tester"
      case .users: "allowed: in the users file, user U1 is a tester"
      case .list, .ended, .removed: "allowed: user U1 was on the list of testers at the purchase"
      }
    }
  }

  @Test(arguments: Way.allCases) func aTesterIsATesterEverywhere(_ way: Way) async throws {
    var scenario = try await Self.sandboxed()
    // Before the first detect run, the report lists no allowed order.
    _ = try await DecisionRun(context: scenario.context(asOf: Self.asOf)).match(isDryRun: false)
    #expect(try await !scenario.report(.all, asOf: Self.asOf).contains { $0.name == "allowed_sandbox.csv" })
    for _ in 0..<2 { try await scenario.decide(asOf: Self.asOf) }
    #expect(try await scenario.cells(.breaks, "class severity order_id", asOf: Self.asOf) == ["SANDBOX_IN_PROD high PO-1"])
    switch way {
    case .settings: for index in scenario.settings.apps.indices { scenario.settings.apps[index].testers = ["U1"] }
    case .users: try await scenario.users(["U1,,CHN,true"], asOf: Self.asOf)
    case .list, .removed: try await Self.list("U1", in: scenario)
    case .ended: try await Self.list("U1", until: "2026-05-10T12:00:00Z", in: scenario)
    }
    if way == .removed { try await Self.remove(in: scenario) }
    try await scenario.decide(asOf: Self.asOf)
    #expect(try await scenario.openBreaks(asOf: Self.asOf) == [])
    let signals = try await scenario.rows(.signals, asOf: Self.asOf)
    #expect(!signals.contains { $0["rule"] == "R04" && $0["is_open"] == "true" })
    #expect(try await scenario.changesOfFullDetect(asOf: Self.asOf) == [])
    let report = try await scenario.report(.all, asOf: Self.asOf)
    let allowed = try report.text("allowed_sandbox.csv")
    #expect(
      allowed.split(separator: "\n").dropFirst() == ["com.acme.reader,U1,PO-1,coins60,1,2026-05-10T10:00:00Z,6000,CNY,\(way.allowedBy)"])
    let page = try report.text("report.html")
    #expect(page.contains("Allowed sandbox deliveries") && page.contains("PO-1"))
    // The page must not state that every booked amount was charged.
    #expect(page.contains("Clean: no difference between what Apple charged and what we booked needs a person."))
    // Booked without a charge, but not an order with a missing charge.
    let daily = try report.rows("daily.csv")
    let bridge = try #require(daily.first { Set($0.values).isSuperset(of: ["to_date", "Production"]) })
    #expect(bridge["bridge_open_orders_count"] == "0" && bridge["bridge_not_charged_milliunits"] == "-6000", "\(bridge)")
    let explanation = try await ExplainJob(context: scenario.context(asOf: Self.asOf)).explain("PO-1")
    #expect(explanation.contains(way.sentence), "\(explanation)")
  }

  private static func sandboxed() async throws -> Scenario {
    let scenario = try await Scenario()
    try await scenario.orders([TestOrder("PO-1", at: "2026-05-10T10:00:00Z", names: "1")], asOf: asOf)
    try await scenario.evidence([ApplePurchase("1", at: "2026-05-10T10:00:00Z").with { $0.environment = "Sandbox" }.jws], asOf: asOf)
    return scenario
  }

  private static func list(_ user: String, until: String = "2027-01-01T00:00:00Z", in scenario: Scenario) async throws {
    var entry = ListEntry(list: .tester, subject: .user, id: user, owner: "ann", reason: "tests", until: instant(until))
    entry.from = instant("2026-05-01T00:00:00Z")
    _ = try await ListJob(context: try scenario.context(asOf: asOf)).add(entry)
  }

  private static func remove(isMistake: Bool = false, in scenario: Scenario) async throws {
    let id = try #require(try await scenario.rows(.lists, asOf: asOf).first?["entry_id"])
    try await ListJob(context: try scenario.context(asOf: asOf)).remove(id, by: "ann", reason: "left", isMistake: isMistake)
  }

  /// An entry covers purchases within its time, and an entry removed as a mistake covers nothing.
  @Test(arguments: [("2026-05-10T10:00:00Z", false), ("2027-01-01T00:00:00Z", true)])
  func uncoveredPurchaseIsABreak(_ until: String, _ isMistake: Bool) async throws {
    let scenario = try await Self.sandboxed()
    try await Self.list("U1", until: until, in: scenario)
    try await scenario.decide(asOf: Self.asOf)
    #expect(try await scenario.openBreaks(asOf: Self.asOf) == (isMistake ? [] : ["SANDBOX_IN_PROD PO-1"]))
    if isMistake { try await Self.remove(isMistake: true, in: scenario) }
    try await scenario.decide(asOf: Self.asOf)
    #expect(try await scenario.openBreaks(asOf: Self.asOf) == ["SANDBOX_IN_PROD PO-1"])
  }

  /// After the undue access is revoked, as the runbook requires, nothing is left to do. Either of the two orders may be the undue
  /// one.
  @Test(arguments: ["revoked", "refunded"]) func revokedAccessIsNotABreak(_ status: String) async throws {
    let scenario = try await Scenario()
    let at = "2026-05-10T10:00:00Z"
    let orders = [("PO-1", "1"), ("PO-2", "2"), ("PO-3", "2")].map { id, transaction in
      TestOrder(id, at: at, names: transaction) { $0.updatedAt = at }
    }
    try await scenario.decide(
      orders: orders,
      evidence: [ApplePurchase("1", at: at).with { $0.environment = "Sandbox" }.jws, ApplePurchase("2", at: at).jws], asOf: Self.asOf)
    #expect(try await scenario.openBreaks(asOf: Self.asOf) == ["DUP_DELIVERY PO-3", "SANDBOX_IN_PROD PO-1"])
    let back = [orders[0], orders[2]].map { order in order.with { ($0.status, $0.updatedAt) = (status, "2026-05-11T10:00:00Z") } }
    try await scenario.decide(orders: back, asOf: Self.asOf)
    #expect(try await scenario.openBreaks(asOf: Self.asOf) == [])
    #expect(try await !scenario.report(.all, asOf: Self.asOf).contains { $0.name == "allowed_sandbox.csv" })
  }
}
