@Suite(.cleansUp) struct SignalStatesTests {
  static let asOf = "2026-05-12T12:00:00Z"

  /// Two users claim one purchase, so R01 finds PO-2.
  static let replay = RuleCase(
    rule: "R01",
    orders: ["U1", "U2"].enumerated().map { index, user in
      TestOrder("PO-\(index + 1)", user: user, at: "2026-05-10T10:0\(index):00Z", names: "100")
    },
    evidence: [ApplePurchase("100", at: "2026-05-10T10:00:00Z").jws])

  private static func night(_ scenario: Scenario, state: RuleState, asOf: String = asOf) async throws -> Verdict {
    var scenario = scenario
    scenario.settings.rules.set("R01") { $0.state = state }
    let run = DecisionRun(context: try scenario.context(asOf: asOf))
    _ = try await run.match(isDryRun: false)
    return try await run.detect(isDryRun: false).verdict(failAt: .critical)
  }

  private static func states(_ scenario: Scenario, asOf: String = asOf) async throws -> [String] {
    try await scenario.cells(.signals, "rule state status", asOf: asOf)
  }

  @Test func shadowSignalsStaySeparate() async throws {
    let order = TestOrder("PO-1", at: "2026-05-10T10:00:00Z") { $0.operatorID = "op-7" }
    var scenario = try await RuleCase(rule: "R21", orders: [order]).load()
    scenario.settings.rules.set("R21") { $0.state = .shadow }
    // The order's break must not influence the decision.
    scenario.settings.breaks.graceSeconds = 30 * 86400
    let run = DecisionRun(context: try scenario.context(asOf: Self.asOf))
    _ = try await run.match(isDryRun: false)
    #expect(try await run.detect(isDryRun: false).verdict(failAt: .critical) == .pending)
    #expect(try await Self.states(scenario) == ["R21 shadow open"])
    #expect(try await scenario.rows(.cases, asOf: Self.asOf).isEmpty)

    scenario.settings.rules.set("R21") { $0.state = .live }
    let later = "2026-05-13T12:00:00Z"
    let live = DecisionRun(context: try scenario.context(asOf: later))
    #expect(try await live.detect(isDryRun: false).verdict(failAt: .critical) == .warnings)
    #expect(try await Self.states(scenario, asOf: later) == ["R21 live open"])
    #expect(try await Self.states(scenario, asOf: Self.asOf) == ["R21 shadow open"])
    // The case is due 48 hours after the day on which reviewers see it first.
    #expect(try await scenario.cells(.cases, "status due_at", asOf: later) == ["open 2026-05-15T12:00:00Z"])
  }

  /// A group that loses a member keeps its case with the decision or the note, and so do merged accounts of which one is erased.
  @Test(arguments: [("R07", false, true), ("R07", true, true), ("R06", true, true), ("R07", false, false), ("R07", true, false)])
  func aReviewOutlivesAMember(_ rule: String, isErased: Bool, isDecided: Bool) async throws {
    let isGroup = rule == "R07"
    let sales = (0..<4).map { index in
      RulePatternCases.Sale("60\(index)", "U\(isGroup ? index : index % 2)", at: "2026-05-0\(1 + index)T10:00:00Z", device: "D1").refunded()
    }
    let token = "11111111-2222-3333-4444-555555555555"
    let scenario = try await RuleCase(
      rule: rule, orders: sales.map(\.order), users: isGroup ? [] : ["U0", "U1"].map { "\($0),\(token),CHN,false,," },
      evidence: sales.map(\.purchase.jws)
    ).load()
    func cases(_ asOf: String) async throws -> [[String: String]] {
      try await scenario.rows(.cases, asOf: asOf).filter { $0["names"]?.contains(rule) == true }
    }
    try await scenario.decide(asOf: Self.asOf)
    let decided = try await cases(Self.asOf)
    let job = try scenario.cases(asOf: "2026-05-12T13:00:00Z")
    let ids = decided.compactMap { $0["case_id"] }
    if isDecided {
      let dismissal = CaseDecision(action: .dismiss, outcome: .falsePositive, reason: "a net café")
      _ = try await job.decideMany(ids, dismissal, by: Person())
    } else {
      for id in ids { try await job.note(id, "a net café?", by: Person()) }
    }
    let first = try await scenario.answers(
      "select orders.user_id from payrecon.matches inner join payrecon.orders using (order_id) order by matches.charge_id limit 1")[0]
    let context = try scenario.context(asOf: "2026-05-12T14:00:00Z")
    if isErased {
      _ = try await EraseJob(context: context).run(userID: isGroup ? first : "U0", by: .ann, reason: "ticket 1", isDryRun: false)
    } else {
      _ = try await ListJob(context: context).add(.test(.tester, .user, first))
    }
    try await scenario.decide(asOf: "2026-05-13T12:00:00Z")
    let kept = try await cases("2026-05-13T12:00:00Z")
    // The id of a user's case is a hash of the user.
    #expect(ids.count == 1 && (!isGroup || kept.map { $0["case_id"] } == ids))
    #expect(kept.map { $0["status"] } == [isDecided ? "closed" : "open"])
  }

  @Test func signalContainsItsFacts() async throws {
    let scenario = try await Self.replay.load()
    _ = try await Self.night(scenario, state: .live)
    let signal = try #require(try await scenario.rows(.signals, asOf: Self.asOf).first)
    let columns = "rule version user_id order_id amount_milliunits currency raised_at happened_at detail"
    let cells = "R01 1 U2 PO-2 6000 CNY \(Self.asOf) 2026-05-10T10:01:00Z claims the purchase of user U1; 1 such claims on it"
    #expect([signal].cells(columns) == [cells])
    let inputs = try #require(signal["inputs"])
    #expect(inputs.contains("\"transaction_ids\" : [\"100\"]"), "\(inputs)")
    #expect(inputs.contains("\"holder_order\" : \"PO-1\""), "\(inputs)")
    // The explanation of the order that holds the purchase names the order that the signal is about.
    let explained = try await ExplainJob(context: scenario.context(asOf: Self.asOf)).explain("PO-1")
    #expect(explained.contains(", order PO-2: claims the purchase"), "\(explained)")
    #expect(explained.contains("order created\n  2026-05-10T10:00:00Z  order paid\n  2026-05-10T10:00:00Z  order delivered"))
  }

  @Test func newRuleVersionIsRecorded() async throws {
    var scenario = try await #require(RuleClaimCases.all.first { $0.rule == "R02" }).load()
    try await scenario.decide(asOf: Self.asOf)
    scenario.settings.rules.set("R02") { ($0.version, $0.parameters["users_max"]) = (2, .count(2)) }
    try await scenario.decide(asOf: "2026-05-13T12:00:00Z")
    let before = try #require(try await scenario.rows(.signals, asOf: Self.asOf).first)
    let after = try #require(try await scenario.rows(.signals, asOf: "2026-05-13T12:00:00Z").first)
    #expect(before["version"] == "1")
    #expect(after["version"] == "2")
    #expect(after["parameters"]?.contains("users_max=2") == true)
    #expect(after["raised_at"] == before["raised_at"])
  }

  @Test func aSignalLapsesWithItsFacts() async throws {
    let scenario = try await Self.replay.load()
    _ = try await Self.night(scenario, state: .live)
    let cancelled = Self.replay.orders[1].with { ($0.status, $0.updatedAt) = ("cancelled", "2026-05-13T10:00:00Z") }
    try await scenario.orders([cancelled], asOf: "2026-05-13T12:00:00Z")
    let foreseen = try await scenario.changesOfFullDetect(asOf: "2026-05-13T12:00:00Z")
    #expect(foreseen.contains { $0.hasPrefix("lapsed R01 PO-2 ") }, "\(foreseen)")
    _ = try await Self.night(scenario, state: .live, asOf: "2026-05-13T12:00:00Z")
    #expect(try await Self.states(scenario, asOf: "2026-05-13T12:00:00Z") == ["R01 live lapsed"])
    #expect(try await Self.states(scenario) == ["R01 live open"])
  }

  @Test(arguments: [false, true]) func allowedSignalIsRecordedUntilTheEntryEnds(_ isRemoved: Bool) async throws {
    let scenario = try await Self.replay.load()
    var entry = ListEntry.test(.allow, .user, "U2", rule: isRemoved ? nil : "R01")
    if !isRemoved { entry.until = instant("2026-05-14T00:00:00Z") }
    let lists = ListJob(context: try scenario.context(asOf: Self.asOf))
    #expect(try await lists.add(entry))
    #expect(try await lists.add(entry) == false)
    _ = try await Self.night(scenario, state: .live)
    #expect(try await Self.states(scenario) == ["R01 allowed open"])
    let earlier = ListJob(context: try scenario.context(asOf: "2026-05-12T11:00:00Z"))
    await #expect(throws: JobError.self) { try await earlier.add(.test(.allow, .user, "U9")) }
    let later = "2026-05-14T12:00:00Z"
    if isRemoved {
      let id = try #require(try await scenario.rows(.lists, asOf: Self.asOf).first?["entry_id"])
      try await ListJob(context: try scenario.context(asOf: later)).remove(id, by: "bob", reason: "left the company")
    }
    _ = try await Self.night(scenario, state: .live, asOf: later)
    #expect(try await Self.states(scenario, asOf: later) == ["R01 live open"])
    let ended = try await scenario.cells(.lists, "status owner removed_by", asOf: later)
    #expect(ended == [isRemoved ? "removed ann bob" : "expired ann "])
    #expect(try await scenario.cells(.lists, "status", asOf: Self.asOf) == ["active"])
  }

  /// The original transaction of a purchase without subscription is a chain of one.
  @Test(arguments: [RuleSubject.chain, .order, .device, .user]) func signalIsAllowedByAnySubject(_ subject: RuleSubject) async throws {
    var world = Self.replay
    world.orders[1].deviceID = "D1"
    let scenario = try await world.load()
    let ids: [RuleSubject: String] = [.chain: "100", .order: "PO-2", .device: "D1", .user: "U2"]
    _ = try await ListJob(context: try scenario.context(asOf: Self.asOf)).add(.test(.allow, subject, ids[subject] ?? "", rule: "R01"))
    _ = try await Self.night(scenario, state: .live)
    #expect(try await Self.states(scenario) == ["R01 allowed open"])
  }

  /// The line item of a period becomes known after the allowance of its charge. The signal keeps its id and stays allowed.
  @Test func allowedSignalOfAPeriodStaysAllowed() async throws {
    let period = ApplePurchase.month("300", lineItem: "30", at: "2026-05-01T10:00:00Z", until: "2026-06-01T10:00:00Z").with {
      $0.ownership = "FAMILY_SHARED"
    }
    let catalogue = "com.acme.reader,vip.month,auto_renewable,vip,false,,CNY,25000,2026-01-01T00:00:00Z"
    let scenario = try await RuleCase(
      rule: "R17", catalogue: [catalogue], evidence: [period.with { $0.webOrderLineItemID = nil }.jws]
    ).load()
    try await scenario.decide(asOf: Self.asOf)
    let signal = try #require(try await scenario.rows(.signals, asOf: Self.asOf).first)
    _ = try await ListJob(context: try scenario.context(asOf: Self.asOf)).add(.test(.allow, .charge, signal["charge_id"] ?? ""))
    let later = "2026-05-13T12:00:00Z"
    try await scenario.decide(evidence: [period.with { $0.signedAt = instant("2026-05-02T10:00:00Z") }.jws], asOf: later)
    let renamed = try #require(try await scenario.rows(.signals, asOf: later).first)
    #expect(renamed["charge_id"] != signal["charge_id"])
    #expect(renamed["signal_id"] == signal["signal_id"])
    #expect(try await Self.states(scenario, asOf: later) == ["R17 allowed open"])
  }

  @Test func `a decision on a case decides its signals and its break`() async throws {
    let scenario = try await Self.replay.load()
    try await scenario.decide(asOf: Self.asOf)
    let ids = try await scenario.rows(.cases, asOf: Self.asOf).compactMap { $0["case_id"] }
    let outcome = try await scenario.cases(asOf: "2026-05-12T13:00:00Z").decideMany(
      ids, CaseDecision(action: .dismiss, outcome: .falsePositive, reason: "a test purchase"), by: Person())
    #expect(outcome.decidedCount == ids.count)
    #expect(try await BreakDecisionTests.verdict(scenario, "2026-05-13T12:00:00Z") == .clean)
    // A further replay makes the break worse.
    let later = "2026-05-14T12:00:00Z"
    try await scenario.decide(orders: [TestOrder("PO-3", user: "U2", at: "2026-05-10T10:09:00Z", names: "100")], asOf: later)
    #expect(try await BreakDecisionTests.verdict(scenario, later) == .breaks)
  }

  @Test func listEntriesMustBeWhole() async throws {
    let scenario = try await Scenario()
    let job = ListJob(context: try scenario.context(asOf: Self.asOf))
    var family = ListEntry.test(.family, .user, "U1")
    await #expect(throws: JobError.self) { try await job.add(family) }
    family.family = "F1"
    family.reason = ""
    let unexplained = family
    await #expect(throws: JobError.self) { try await job.add(unexplained) }
    let wrong: [ListEntry] = [.test(.allow, .user, "U1", rule: "R99"), .test(.tester, .device, "D1"), .test(.block, .order, "PO-1")]
    for entry in wrong { await #expect(throws: JobError.self) { try await job.add(entry) } }
    await #expect(throws: JobError.self) { try await job.remove("nothing", by: "bob", reason: "why") }
  }

  @Test func aTrialShowsAndLeavesLiveSignalsAlone() async throws {
    let scenario = try await Self.replay.load()
    _ = try await Self.night(scenario, state: .live)
    let context = try scenario.context(asOf: Self.asOf)
    let outcome = try await RuleTrial(context: context, rules: ["R01", "R14"], isShadow: true).run(isDryRun: false)
    #expect(outcome.found.map(\.rule) == ["R01"])
    #expect(outcome.changedCount == 0)
    #expect(try await Self.states(scenario) == ["R01 live open"])
  }

  @Test func aTrialOfADraftKeepsAShadow() async throws {
    let scenario = try await Self.replay.load()
    _ = try await Self.night(scenario, state: .draft)
    #expect(try await Self.states(scenario) == [])
    let context = try scenario.context(asOf: Self.asOf)
    let trial = try RuleTrial(context: context, rules: ["R01"], isShadow: true)
    #expect(try await trial.run(isDryRun: true).found.count == 1)
    #expect(try await Self.states(scenario) == [])
    _ = try await trial.run(isDryRun: false)
    #expect(try await Self.states(scenario) == ["R01 shadow open"])
    #expect(throws: JobError.self) { try RuleTrial(context: context, rules: ["R77"], isShadow: true) }
  }
}
