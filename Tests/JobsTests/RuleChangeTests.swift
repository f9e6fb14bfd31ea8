/// Changes of rules: trials compute the signals of a changed rule for past nights, and two people decide the change.
@Suite(.cleansUp) struct RuleChangeTests {
  private static let nights = ["2026-05-12T12:00:00Z", "2026-05-13T12:00:00Z"]
  private static let asked = "2026-05-13T13:00:00Z"

  /// Returns a world for R21, which finds free orders by operators: one by op-7 and two by op-9 at first, one more by op-7 later.
  private static func world() async throws -> Scenario { try await base.copy() }
  private static let base = BaseWorld {
    let scenario = try await Scenario()
    func order(_ number: Int, _ operatorID: String) -> TestOrder {
      TestOrder("PO-\(number)", user: "U\(number)", at: "2026-05-10T10:00:00Z") { $0.operatorID = operatorID }
    }
    try await scenario.orders([order(1, "op-7"), order(2, "op-9"), order(3, "op-9")], asOf: "2026-05-11T10:00:00Z")
    _ = try await scenario.night(asOf: nights[0])
    try await scenario.orders([order(4, "op-7")], asOf: "2026-05-13T10:00:00Z")
    _ = try await scenario.night(asOf: nights[1])
    return scenario
  }

  private static func job(_ scenario: Scenario, _ asOf: String = asked) throws -> RuleChangeJob {
    RuleChangeJob(context: try scenario.context(asOf: asOf))
  }

  /// Starts a trial of R21 with a minimum number of orders, and runs it to its end if `works`. Returns its id.
  private static func trial(_ scenario: Scenario, ordersMin: String = "2", works: Bool = true) async throws -> String {
    let id = try await job(scenario.login("ann")).requestTrial("R21", changing: ["orders_min": ordersMin], by: Person())
    if works { try await RuleBackTest(context: try scenario.context(asOf: asked)).workDue() }
    return id
  }

  private static func propose(_ scenario: Scenario, _ trial: String?, state: RuleState = .live, by person: String = "ann") async throws {
    try await job(scenario.login(person)).propose("R21", state: state, trialID: trial, reason: "one is a gift", by: Person())
  }

  /// Confirms U2's case. Calls U3's case a false positive and undoes that.
  private static func judge(_ scenario: Scenario) async throws {
    let at = "2026-05-13T12:30:00Z"
    let job = try scenario.cases(asOf: at)
    for (user, action) in [("U2", CaseAction.accept), ("U3", .dismiss)] {
      try await job.take(
        scenario.caseID(of: user, asOf: asked), deciding: CaseDecision(action: action, reason: "seen"), by: .ann)
    }
    let undone = try await job.undo(
      .init(actor: nil, cases: [scenario.caseID(of: "U3", asOf: asked)], since: instant(at)), by: .ann, reason: "not so",
      isDryRun: false)
    #expect(undone.undoneCount == 1)
  }

  @Test func trialUsesPastKnowledgeAndVerdicts() async throws {
    let scenario = try await Self.world()
    try await Self.judge(scenario)
    let before = try await scenario.export(.signals, asOf: Self.asked)
    let id = try await Self.trial(scenario)
    let job = try Self.job(scenario)
    let found = try await job.trial(String(id.prefix(8)))
    func counts(_ names: [String]) throws -> [String] { try names.map { try found.text($0) } }
    #expect(try counts(["rule", "parameters", "status", "nights"]) == ["R21", "grace=86400s, orders_min=2", "finished", "2"])
    // PO-1 had a signal on the first night and would not have had one under the trial. The second night finds it, so it is not
    // gone.
    #expect(try counts(["signals", "new_signals", "gone_signals", "cases"]) == ["4", "0", "0", "4"])
    #expect(try counts(["confirmed", "suspected", "false_positive", "unjudged", "precision"]) == ["1", "0", "0", "3", "100 % of 1"])
    let nights = try await job.table(RuleChangesSQL.trialNights, ["trial_id": .text(id)]).records
    #expect(try nights.map { try $0.text("as_of") } == Self.nights.reversed())
    #expect(try nights.map { try $0.text("signals") } == ["4", "2"], "the order of the second day was not known at the first night")
    #expect(try nights.map { try "\($0.text("new_signals")) \($0.text("gone_signals"))" } == ["0 0", "0 1"])
    #expect(try await scenario.export(.signals, asOf: Self.asked) == before, "a trial raises nothing")
  }

  @Test func unknownRulesAndParametersAreRefused() async throws {
    let scenario = try await Scenario()
    let job = try Self.job(scenario)
    for (rule, changes) in [
      ("R99", [:]), ("R21", ["orders": "2"]), ("R21", ["orders_min": "many"]), ("R21", ["grace": "2"]), ("R10", ["amounts": "CNY"]),
    ] {
      await #expect(throws: JobError.self, "\(rule) \(changes)") { try await job.requestTrial(rule, changing: changes, by: Person()) }
    }
    // Without a complete night, the trial proves nothing.
    let id = try await Self.trial(scenario)
    #expect(try await job.trial(id).text("nights") == "0")
    try await Self.propose(scenario, id)
    await #expect(throws: JobError.self) {
      try await Self.job(scenario.login("bob")).conclude("R21", .approved, by: Person(), reason: "seen")
    }
  }

  @Test func aChangeTakesTwoPeopleAndAFinishedTrial() async throws {
    let scenario = try await Self.world()
    await #expect(throws: JobError.self, "live needs a trial") { try await Self.propose(scenario, nil) }
    let waits = try await Self.trial(scenario, works: false)
    try await Self.propose(scenario, waits)
    await #expect(throws: JobError.self, "one waits") { try await Self.propose(scenario, waits, by: "bob") }
    let (ann, bob) = (try await Self.job(scenario.login("ann")), try await Self.job(scenario.login("bob")))
    await #expect(throws: JobError.self, "the trial has not ended") {
      try await bob.conclude("R21", .approved, by: Person(), reason: "seen")
    }
    try await RuleBackTest(context: try scenario.context(asOf: Self.asked)).workDue()
    for conclusion in [RuleChangeJob.Conclusion.approved, .rejected] {
      await #expect(throws: JobError.self, "one's own") { try await ann.conclude("R21", conclusion, by: .bob, reason: "x") }
    }
    await #expect(throws: JobError.self) { try await bob.conclude("R21", .withdrawn, by: Person(), reason: "x") }
    try await bob.conclude("R21", .approved, by: Person(), reason: "seen")
    let steps = try await ann.changes(of: "R21").records.map { try "\($0.text("step")) \($0.text("account")) \($0.text("version"))" }
    #expect(steps == ["approved test_bob 2", "proposed test_ann 2"])
    #expect(try await scenario.auditFaults(asOf: Self.asked) == [])
  }

  @Test func databaseAppliesTheSameRules() async throws {
    let scenario = try await Self.world()
    let waits = try await Self.trial(scenario, works: false)
    try await Self.propose(scenario, waits)
    let (ann, bob) = (try await scenario.session("ann"), try await scenario.session("bob"))
    func settle(_ step: String, at: String = Self.asked, account: String = "'test_bob'") -> String {
      """
      insert into payrecon.rule_changes (
        change_id, step, rule, version, state, parameters, person, account, proposal_step, proposal_account, reason, at)
      select change_id, '\(step)', rule, version, 'live', 'orders_min=9', 'bob', \(account), 'proposed', 'test_zoe', 'x', '\(at)'
      from payrecon.rule_changes where step = 'proposed'
      """
    }
    func refused(_ sql: String, _ session: Session, _ why: String) async {
      await #expect(throws: PostgresError.self, "\(why)") { try await session.executeAlone(sql) }
    }
    await refused(settle("approved"), ann, "one's own, under another name")
    await refused(settle("approved"), bob, "its trial has not ended")
    await refused(
      "insert into payrecon.rule_trial_ends select trial_id, 'finished', null, 30, 0, 0, 0, 0, 0, 0, 0, '' from payrecon.rule_trials",
      bob, "jobs end trials")
    try await RuleBackTest(context: try scenario.context(asOf: Self.asked)).workDue()
    await refused(settle("approved"), ann, "one's own, tried to the end")
    await refused(settle("approved", at: Self.nights[1]), bob, "that night has decided")
    await refused("update payrecon.rule_changes set state = 'draft'", bob, "append-only")
    await refused("delete from payrecon.rule_changes", bob, "append-only")
    try await bob.executeAlone(settle("approved"))
    await refused(settle("rejected"), bob, "settled once")
    let approved = try await Self.job(scenario).changes(of: "R21").records.first
    #expect(try approved.map { try "\($0.text("account")) \($0.text("parameters"))" } == "test_bob grace=86400s, orders_min=2")
    #expect(try await scenario.auditFaults(asOf: Self.asked).contains { $0.contains("approved") }, "no entry states it")
  }

  @Test func approvedRuleAppliesLaterAndOldRunsReplay() async throws {
    let scenario = try await Self.world()
    func night(_ asOf: String) async throws -> NightlyJob.Outcome {
      let context = try scenario.context(asOf: asOf)
      return try await NightlyJob(context: context.withApprovedRules(at: context.asOf)).run(
        inbox: nil, reportDirectory: "\(scenario.directory)/\(asOf)")
    }
    try await scenario.orders(
      [TestOrder("PO-5", user: "U5", at: "2026-05-10T10:00:00Z") { $0.operatorID = "op-5" }], asOf: "2026-05-13T14:00:00Z")
    let before = try await night("2026-05-14T12:00:00Z")
    try await Self.propose(scenario, try await Self.trial(scenario))
    try await Self.job(scenario.login("bob"), "2026-05-14T13:00:00Z").conclude("R21", .approved, by: Person(), reason: "seen")
    let after = try await night("2026-05-15T12:00:00Z")
    func open(_ asOf: String) async throws -> [String] {
      try await scenario.rows(.signals, asOf: asOf).filter { $0["rule"] == "R21" && $0["status"] == "open" }
        .cells("order_id version").sorted()
    }
    #expect(try await open("2026-05-14T12:00:00Z") == (1...5).map { "PO-\($0) 1" })
    #expect(try await open("2026-05-15T12:00:00Z") == (1...4).map { "PO-\($0) 2" })
    #expect(after.reasons.map(\.english).contains { $0.contains("setting changed") && $0.contains("rules.R21") }, "\(after.reasons)")
    #expect(!after.reasons.contains { $0.english.contains("two people") }, "\(after.reasons)")
    for run in [before.runID, after.runID] {
      let replay = RunReplay(context: try scenario.context(asOf: "2026-05-16T12:00:00Z"))
      #expect(try await replay.run(run, directory: nil, out: nil).findings.map(\.text) == [], "\(run)")
    }
  }

  /// The settings file cannot replace the second person. Its change of a live rule is reported.
  @Test func ruleChangedByTheFileAloneIsNamed() async throws {
    var scenario = try await Self.world()
    #expect(scenario.settings.rules.unapproved == [])
    scenario.settings.rules.set("R08") { $0.state = .draft }
    #expect(scenario.settings.rules.unapproved == [], "it reached nobody before, nor does it now")
    scenario.settings.rules.set("R21") {
      $0.parameters["orders_min"] = .count(5); $0.version = 2
    }
    let filed = try #require(scenario.settings.rules.unapproved.first)
    #expect(filed.hasPrefix("rule R21: live as the settings file alone has it"))
    #expect(try await scenario.night(asOf: "2026-05-14T12:00:00Z").reasons.contains(.plain(filed)))
    let doctor = try await DoctorJob(context: try scenario.context(asOf: "2026-05-14T13:00:00Z")).run(now: instant("2026-05-14T13:00:00Z"))
    #expect(doctor.contains { $0.check == "rules" && $0.text == filed && $0.isNote })
    // After two people have set the rule, the file has no effect, and the version increases.
    try await Self.propose(scenario, try await Self.trial(scenario))
    try await Self.job(scenario.login("bob"), "2026-05-14T14:00:00Z").conclude("R21", .approved, by: Person(), reason: "seen")
    let context = try scenario.context(asOf: "2026-05-14T15:00:00Z")
    let ruled = try await context.withApprovedRules(at: context.asOf).settings.rules
    #expect(ruled.rules["R21"]?.parameters["orders_min"] == .count(2))
    #expect(ruled.rules["R21"]?.version == 3)
    #expect(ruled.unapproved.count == 1 && ruled.unapproved[0].contains("is not used"), "\(ruled.unapproved)")
  }
}
