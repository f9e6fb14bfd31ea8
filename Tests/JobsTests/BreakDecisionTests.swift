/// A decision on a case decides its breaks. They stop counting until the facts get worse.
@Suite(.cleansUp) struct BreakDecisionTests {
  static let night = "2026-05-12T12:00:00Z"
  static let decided = "2026-05-12T13:00:00Z"
  static let next = "2026-05-13T12:00:00Z"
  static let later = "2026-05-14T12:00:00Z"

  private let scenario: Scenario

  init() async throws { scenario = try await Self.world() }

  /// Returns a world where the price of PO-1 of U1 differs from Apple's charge (AMOUNT_DIFF). PO-2 of U1 has no payment
  /// (ORDER_NO_TX).
  static func world() async throws -> Scenario { try await base.copy() }
  private static let base = BaseWorld {
    let scenario = try await Scenario()
    try await scenario.decide(
      orders: [billed(5000), unpaid], evidence: [ApplePurchase("100", at: "2026-05-10T10:00:00Z").jws], asOf: night)
    return scenario
  }

  static func billed(_ price: Int64, updatedAt: String? = nil) -> TestOrder {
    TestOrder("PO-1", at: "2026-05-10T10:00:00Z", names: "100") { ($0.priceMilliunits, $0.updatedAt) = (price, updatedAt) }
  }

  private static let unpaid = TestOrder("PO-2", at: "2026-05-10T11:00:00Z", status: "paid")

  static func caseID(_ scenario: Scenario) async throws -> String { try await scenario.caseID(of: "U1", asOf: night) }

  static func decide(
    _ scenario: Scenario, _ action: CaseAction, at asOf: String = decided, _ change: (inout CaseDecision) -> Void = { _ in }
  ) async throws {
    var decision = CaseDecision(action: action, reason: "agreed with finance")
    change(&decision)
    try await scenario.cases(asOf: asOf).take(caseID(scenario), deciding: decision)
  }

  static func statuses(_ scenario: Scenario, _ asOf: String) async throws -> [String] {
    try await scenario.cells(.breaks, "class status", asOf: asOf).sorted()
  }

  static func verdict(_ scenario: Scenario, _ asOf: String) async throws -> Verdict {
    try await DecisionRun(context: try scenario.context(asOf: asOf)).detect(isDryRun: false).verdict(failAt: .low)
  }

  // MARK: Effects of actions

  @Test(arguments: [
    (CaseAction.accept, "accepted"), (.dismiss, "dismissed"), (.watch, "persisting"), (.contact, "persisting"),
    (.takeBack, "persisting"),
  ]) func onePersonDecides(_ action: CaseAction, _ status: String) async throws {
    #expect(try await Self.statuses(scenario, Self.night) == ["AMOUNT_DIFF new", "ORDER_NO_TX new"])
    try await Self.decide(scenario, action)
    try await scenario.decide(asOf: Self.next)
    #expect(try await Self.statuses(scenario, Self.next) == ["AMOUNT_DIFF \(status)", "ORDER_NO_TX \(status)"])
    #expect(try await Self.statuses(scenario, Self.night) == ["AMOUNT_DIFF new", "ORDER_NO_TX new"])
    #expect(try await Self.verdict(scenario, Self.next) == (status == "persisting" ? .breaks : .clean))
    let row = try #require(try await scenario.rows(.breaks, asOf: Self.next).first)
    #expect(row["reason"] == (status == "persisting" ? "" : "agreed with finance"))
    #expect((row["case_id"]?.isEmpty == false) == (status != "persisting"))
  }

  @Test(arguments: ["proposed", "approved", "rejected", "withdrawn"]) func aWriteOffTakesTwo(_ end: String) async throws {
    let id = try await Self.caseID(scenario)
    try await Self.decide(scenario, .writeOff)
    let bobs = try await scenario.login("bob")
    switch end {
    case "approved": try await bobs.cases(asOf: Self.decided).conclude(id, .approved, by: Person(), reason: "seen")
    case "rejected": try await bobs.cases(asOf: Self.decided).conclude(id, .rejected, by: Person(), reason: "no")
    case "withdrawn": try await scenario.cases(asOf: Self.decided).conclude(id, .withdrawn, by: Person(), reason: "oh")
    default: break
    }
    try await scenario.decide(asOf: Self.next)
    let status = end == "approved" ? "written_off" : "persisting"
    #expect(try await Self.statuses(scenario, Self.next) == ["AMOUNT_DIFF \(status)", "ORDER_NO_TX \(status)"])
    let row = try #require(try await scenario.rows(.breaks, asOf: Self.next).first)
    #expect([row["decided_by"], row["approved_by"]] == (end == "approved" ? ["payrecon", "test_bob"] : ["", ""]))
    let state = try await scenario.rows(.cases, asOf: Self.next).first { $0["case_id"] == id }?["status"]
    #expect(state == ["proposed": "waiting_approval", "approved": "closed"][end] ?? "open")
    #expect(try await scenario.auditFaults(asOf: Self.next) == [])
  }

  @Test func `an approval covers only the proposed difference of 1.00`() async throws {
    let id = try await Self.caseID(scenario)
    let bobs = try await scenario.login("bob")
    let grown = try #require(try await scenario.rows(.breaks, asOf: Self.decided).first { $0["class"] == "AMOUNT_DIFF" }?["break_id"])
    try await Self.decide(scenario, .writeOff) { $0.breakIDs = [grown] }
    try await scenario.orders([Self.billed(9000, updatedAt: "2026-05-13T10:00:00Z")], asOf: Self.next)
    try await scenario.decide(asOf: Self.next)
    let refused = await refusal { _ = try await bobs.cases(asOf: Self.next).conclude(id, .approved, by: Person(), reason: "small") }
    #expect(refused.contains("the approval would decide nothing: AMOUNT_DIFF changed \(Self.next)"), "\(refused)")
    #expect(try await Self.statuses(scenario, Self.next) == ["AMOUNT_DIFF persisting", "ORDER_NO_TX persisting"])
    try await bobs.cases(asOf: Self.next).conclude(id, .rejected, by: Person(), reason: "grew")
    // The other break did not change.
    try await Self.decide(scenario, .writeOff, at: Self.next)
    try await scenario.orders([Self.billed(9500, updatedAt: "2026-05-14T10:00:00Z")], asOf: Self.later)
    try await scenario.decide(asOf: Self.later)
    let late = try await bobs.cases(asOf: Self.later).conclude(id, .approved, by: Person(), reason: "small")
    #expect(late.map(\.id) == [grown])
    #expect(try await Self.statuses(scenario, Self.later) == ["AMOUNT_DIFF reopened", "ORDER_NO_TX written_off"])
  }

  /// By user, by order and by break; undone decisions are silent.
  @Test func lookupsTellWhatPeopleDecided() async throws {
    let id = try await Self.caseID(scenario)
    func lines(_ key: String) async throws -> [String] {
      try await ExplainJob(context: scenario.context(asOf: Self.next)).explain(key).split(separator: "\n")
        .map { $0.trimmingPrefix(#/ +/#) }.filter { $0.contains("case \(id)") }.map(String.init)
    }
    #expect(try await lines("U1") == ["case \(id): payrecon queue show \(id)"])
    try await Self.decide(scenario, .takeBack)
    let taken = "take the goods back, decided by payrecon on \(Self.decided) in case \(id): agreed with finance"
    #expect(try await lines("PO-1") == [taken])
    #expect(try await lines("U1") == ["case \(id): payrecon queue show \(id)", taken])
    try await Self.decide(scenario, .writeOff, at: Self.next)
    let proposed = "write off, proposed by payrecon on \(Self.next) in case \(id), waits for a second person: agreed with finance"
    #expect(try await lines("PO-2") == [taken, proposed])
    let unpaid = try #require(try await scenario.rows(.breaks, asOf: Self.next).first { $0["order_id"] == "PO-2" }?["break_id"])
    #expect(try await lines(unpaid) == [taken, proposed])
    let bobs = try await scenario.login("bob")
    try await bobs.cases(asOf: Self.next).conclude(id, .approved, by: Person(), reason: "seen")
    #expect(try await lines("PO-2").last == "written_off by payrecon and test_bob on \(Self.next) in case \(id): agreed with finance")
  }

  @Test func lookupsOmitUndoneDecisionsAndNameEnds() async throws {
    let job = try scenario.cases(asOf: Self.next)
    try await Self.decide(scenario, .contact)
    let scope = CaseJob.UndoScope(actor: "payrecon", cases: [try await Self.caseID(scenario)], since: instant(Self.decided))
    #expect(try await job.undo(scope, by: Person(), reason: "wrong", isDryRun: false).undoneCount == 1)
    func lookup(_ asOf: String) async throws -> String { try await ExplainJob(context: scenario.context(asOf: asOf)).explain("PO-1") }
    #expect(try await lookup(Self.next).contains("decided by") == false)
    let until = "2026-05-14T10:00:00Z"
    try await Self.decide(scenario, .accept, at: Self.next) { $0.until = instant(until) }
    #expect(try await lookup(Self.next).contains("until \(until): agreed with finance\n"))
    #expect(try await lookup(Self.later).contains("until \(until): agreed with finance; no longer since \(until)"))
  }

  /// With a shorter grace time the break opened earlier. Nothing else changed, so the case stays closed.
  @Test func anotherInstantOfOpeningIsNoNews() async throws {
    try await Self.decide(scenario, .watch)
    var hasty = scenario
    hasty.settings.breaks.graceSeconds = 12 * 3600
    try await hasty.decide(asOf: Self.next)
    let opened = try await hasty.rows(.breaks, asOf: Self.next).first { $0["order_id"] == "PO-2" }?["opened_on"]
    #expect(opened == "2026-05-10")
    #expect(try await hasty.rows(.cases, asOf: Self.next).map { $0["status"] } == ["closed"])
  }

  // MARK: Reopened breaks

  /// `Tests/oracle2` has cases of a larger difference, of goods that were handed out, and of another class.
  @Test func aSmallerDifferenceTheOtherWayReopensTheBreak() async throws {
    try await Self.decide(scenario, .accept)
    try await scenario.orders([Self.billed(6500, updatedAt: "2026-05-13T10:00:00Z")], asOf: Self.next)
    for (clock, status) in [(Self.next, "reopened"), (Self.later, "persisting")] {
      try await scenario.decide(asOf: clock)
      #expect(try await Self.statuses(scenario, clock) == ["AMOUNT_DIFF \(status)", "ORDER_NO_TX accepted"])
    }
    let again = "2026-05-14T13:00:00Z"
    try await Self.decide(scenario, .dismiss, at: again)
    #expect(try await Self.statuses(scenario, again).filter { $0.hasSuffix("dismissed") }.count == 1)
  }

  @Test func expiredDecisionReopensTheBreak() async throws {
    try await Self.decide(scenario, .accept) { $0.until = instant("2026-05-13T18:00:00Z") }
    try await scenario.decide(asOf: Self.next)
    #expect(try await Self.verdict(scenario, Self.next) == .clean)
    #expect(try await Self.statuses(scenario, "2026-05-13T17:59:59Z") == ["AMOUNT_DIFF accepted", "ORDER_NO_TX accepted"])
    #expect(try await Self.statuses(scenario, "2026-05-13T18:00:00Z") == ["AMOUNT_DIFF reopened", "ORDER_NO_TX reopened"])
    #expect(try await Self.verdict(scenario, Self.later) == .breaks)
    #expect(try await Self.statuses(scenario, Self.later) == ["AMOUNT_DIFF reopened", "ORDER_NO_TX reopened"])
    try await scenario.decide(asOf: "2026-05-15T12:00:00Z")
    #expect(try await Self.statuses(scenario, "2026-05-15T12:00:00Z") == ["AMOUNT_DIFF persisting", "ORDER_NO_TX persisting"])
    #expect(try await scenario.rows(.cases, asOf: Self.later).first?["status"] == "open")
  }

  @Test func reappearingBreaksAreUndecided() async throws {
    try await Self.decide(scenario, .dismiss)
    try await scenario.decide(orders: [Self.billed(6000, updatedAt: "2026-05-13T10:00:00Z")], asOf: Self.next)
    try await scenario.decide(orders: [Self.billed(5000, updatedAt: "2026-05-14T10:00:00Z")], asOf: Self.later)
    #expect(try await Self.statuses(scenario, Self.later) == ["AMOUNT_DIFF reopened", "ORDER_NO_TX dismissed"])
  }

  @Test(arguments: [CaseAction.writeOff, .watch]) func onlySinglePersonDecisionsExpire(_ action: CaseAction) async throws {
    await #expect(throws: JobError.self) {
      try await Self.decide(scenario, action) { $0.until = instant("2026-05-20T00:00:00Z") }
    }
    await #expect(throws: JobError.self) {
      try await Self.decide(scenario, .accept) { $0.until = instant("2026-05-01T00:00:00Z") }
    }
  }

  // MARK: Scope of a decision

  @Test func onlyNamedBreaksAreDecided() async throws {
    let amounts = try await scenario.rows(.breaks, asOf: Self.night).compactMap { Int64($0["amount_milliunits"] ?? "") }
    let whole = try await scenario.rows(.cases, asOf: Self.night).first { $0["user_id"] == "U1" }
    #expect(amounts.count == 2 && amounts.allSatisfy { $0 > 0 } && whole?["amount_milliunits"] == String(amounts.reduce(0, +)))
    try await Self.decide(scenario, .accept) { $0.orderID = "PO-2" }
    #expect(try await Self.statuses(scenario, Self.decided) == ["AMOUNT_DIFF new", "ORDER_NO_TX accepted"])
    let row = try #require(try await scenario.rows(.cases, asOf: Self.decided).first { $0["user_id"] == "U1" })
    #expect([row["status"], row["names"], row["severity"]] == ["open", "AMOUNT_DIFF", "medium"])
    let other = try #require(try await scenario.rows(.breaks, asOf: Self.decided).first { $0["class"] == "AMOUNT_DIFF" })
    await #expect(throws: JobError.self) { try await Self.decide(scenario, .dismiss) { $0.orderID = "PO-9" } }
    await #expect(throws: JobError.self) { try await Self.decide(scenario, .dismiss) { $0.breakIDs = ["x"] } }
    let id = try #require(other["break_id"])
    try await Self.decide(scenario, .dismiss, at: "2026-05-12T14:00:00Z") { $0.breakIDs = [id] }
    #expect(try await Self.statuses(scenario, "2026-05-12T14:00:00Z") == ["AMOUNT_DIFF dismissed", "ORDER_NO_TX accepted"])
    #expect(try await scenario.rows(.cases, asOf: "2026-05-12T14:00:00Z").map { $0["status"] } == ["closed"])
  }

  @Test func watchedBreaksCanBeDecided() async throws {
    try await Self.decide(scenario, .watch)
    #expect(try await scenario.rows(.cases, asOf: Self.decided).map { $0["status"] } == ["closed"])
    try await Self.decide(scenario, .accept, at: Self.next)
    #expect(try await Self.verdict(scenario, Self.next) == .clean)
  }

  struct Sight: NamedCase {
    var name = ""
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

  static let sights = Sight.table([
    "nothing came in": Sight(statuses: untouched),
    "a break came in": Sight(orders: [fresh], late: ["ORDER_NO_TX"], statuses: untouched + ["ORDER_NO_TX new"]),
    "a break came in and was seen": Sight(orders: [fresh], looksAgain: true, statuses: untouched + ["ORDER_NO_TX accepted"]),
    "a break came in and is named": Sight(
      orders: [fresh], named: ["PO-3"], statuses: ["AMOUNT_DIFF persisting", "ORDER_NO_TX accepted", "ORDER_NO_TX persisting"]),
    "more is at stake": Sight(
      orders: [billed(1000)], late: ["AMOUNT_DIFF"], statuses: ["AMOUNT_DIFF reopened", "ORDER_NO_TX accepted"]),
    "more is at stake and was seen": Sight(orders: [billed(1000)], looksAgain: true, statuses: untouched),
    "a write-off takes what its proposer saw": Sight(
      action: .writeOff, orders: [fresh], late: ["ORDER_NO_TX"],
      statuses: ["AMOUNT_DIFF written_off", "ORDER_NO_TX new", "ORDER_NO_TX written_off"]),
  ])

  /// The assignee sees findings when taking the case, and at the last view.
  @Test(arguments: sights) func decisionCoversTheSeenFindings(_ sight: Sight) async throws {
    let id = try await Self.caseID(scenario)
    _ = try await scenario.cases(asOf: Self.decided).take(id, by: Person(), leaseSeconds: 172_800)
    try await scenario.decide(orders: sight.orders, asOf: Self.next)
    let job = try scenario.cases(asOf: "2026-05-13T13:00:00Z")
    if sight.looksAgain { _ = try await job.show(id) }
    var decision = CaseDecision(action: sight.action, reason: "agreed with finance")
    decision.breakIDs = try await scenario.rows(.breaks, asOf: Self.next)
      .filter { sight.named.contains($0["order_id"] ?? "") }.compactMap { $0["break_id"] }
    let made = try await job.decide(id, decision, by: Person())
    #expect(made.late.map(\.breakClass) == sight.late)
    if made.needsSecondPerson {
      let second = try await scenario.login("bob")
      try await second.cases(asOf: "2026-05-13T14:00:00Z").conclude(id, .approved, by: Person(), reason: "seen")
    }
    let clock = "2026-05-13T15:00:00Z"
    #expect(try await Self.statuses(scenario, clock) == sight.statuses.sorted())
    let isOpen = sight.statuses.contains { !$0.hasSuffix("accepted") && !$0.hasSuffix("written_off") }
    let row = try await scenario.rows(.cases, asOf: clock).first { $0["case_id"] == id }
    #expect(row?["status"] == (isOpen ? "open" : "closed"))
    try await scenario.decide(asOf: Self.later)
    #expect(try await Self.statuses(scenario, clock) == sight.statuses.sorted())
  }

  // MARK: Erasure

  @Test func breaksOfErasedPeopleStayDecided() async throws {
    try await Self.decide(scenario, .accept)
    _ = try await EraseJob(context: try scenario.context(asOf: "2026-05-12T16:00:00Z")).run(
      userID: "U1", by: Person(name: "dana"), reason: "ticket 1", isDryRun: false)
    try await scenario.decide(asOf: Self.next)
    #expect(try await Self.statuses(scenario, Self.next) == ["AMOUNT_DIFF accepted", "ORDER_NO_TX accepted"])
    #expect(try await scenario.rows(.cases, asOf: Self.next).map { $0["status"] } == ["closed"])
    #expect(!String(decoding: try await scenario.export(.breaks, asOf: Self.next), as: UTF8.self).contains("U1"))
  }

  // MARK: Reports

  @Test func reportCountsUndecidedAndListsDecidedBreaks() async throws {
    let past = try await Past(scenario, clock: Self.night, lists: [])
    try await Self.decide(scenario, .accept) { $0.orderID = "PO-2" }
    try await scenario.decide(asOf: Self.next)
    let files = try await scenario.report(.all, asOf: Self.next)
    let identities = try files.text("identities.csv")
    #expect(identities.contains("open 2 = undecided 1 + decided 1"), "\(identities)")
    #expect(try files.failures("identities.csv") == [])
    let list = try files.text("breaks.csv").split(separator: "\n")
    #expect(list.count == 3 && list[1].contains("AMOUNT_DIFF") && list[2].contains(",accepted,"))
    let page = try files.text("report.html")
    #expect(page.contains("2 open, 1 decided"))
    #expect(page.contains("1,000") || page.contains("1.00"), "the amount at stake is that of AMOUNT_DIFF alone")
    #expect(try !files.text("top_exposure.csv").contains("ORDER_NO_TX"))
    #expect(try await past.differences(scenario) == [])
    #expect(try await scenario.auditFaults(asOf: Self.next) == [])
  }
}
