@Suite(.cleansUp) struct BulkDecisionUndoTests {
  private static let night = "2026-05-12T12:00:00Z"
  private static let decided = "2026-05-12T13:00:00Z"
  private static let undone = "2026-05-13T14:00:00Z"
  private static let dismissal = CaseDecision(action: .dismiss, outcome: .falsePositive, reason: "load test")

  private static func order(_ number: Int, _ suffix: String = "") -> TestOrder {
    TestOrder("PO-\(number)\(suffix)", user: "U\(number)", at: "2026-05-09T10:00:00Z")
  }

  private static func statuses(_ scenario: Scenario, _ asOf: String) async throws -> [String: Int] {
    Dictionary(try await scenario.rows(.cases, asOf: asOf).map { ($0["status"] ?? "", 1) }, uniquingKeysWith: +)
  }

  private static func world(_ count: Int) async throws -> Scenario {
    let scenario = try await Scenario()
    try await scenario.decide(
      orders: (0..<count).map { order($0) }, evidence: [ApplePurchase("1", at: "2026-05-09T10:00:00Z").jws], asOf: night)
    return scenario
  }

  private static func ids(_ scenario: Scenario) async throws -> [String] {
    try await scenario.rows(.cases, asOf: night).filter { $0["user_id"] != "" }.compactMap { $0["case_id"] }
  }

  @Test func trap18BulkUndoSkipsReopenedCases() async throws {
    let scenario = try await Self.world(500)
    let ids = try await Self.ids(scenario)
    #expect(ids.count == 500)
    let made = try await scenario.cases(asOf: Self.decided).decideMany(ids, Self.dismissal, by: .ann)
    #expect(made.decidedCount == 500)
    #expect(made.left.isEmpty)
    #expect(try await Self.statuses(scenario, Self.decided)["closed"] == 500)
    // A new finding about one user reopens the case.
    try await scenario.decide(orders: [Self.order(7, "b")], asOf: "2026-05-13T12:00:00Z")
    let scope = CaseJob.UndoScope(actor: "ann", cases: [], since: instant(Self.decided))
    let job = try scenario.cases(asOf: Self.undone)
    #expect(try await job.undo(scope, by: .ann, reason: "wrong list", isDryRun: true).undoneCount == 499)
    #expect(try await Self.statuses(scenario, Self.undone)["closed"] == 499)
    let outcome = try await job.undo(scope, by: .ann, reason: "wrong list", isDryRun: false)
    #expect(outcome.undoneCount == 499)
    #expect(outcome.proposedCount == 0)
    #expect(outcome.left.map { "\($0.reason)" } == ["open again since, with something new"])
    let now = try await Self.statuses(scenario, Self.undone)
    #expect(now["closed"] == nil)
    #expect(now["open"] == 501)
    // Earlier results stay. A second undo finds only the reopened case.
    #expect(try await Self.statuses(scenario, Self.decided)["closed"] == 500)
    let again = try await job.undo(scope, by: .ann, reason: "wrong list", isDryRun: false)
    #expect(again.undoneCount == 0)
    #expect(again.left.count == 1)
    let text = try await job.show(try #require(ids.first { $0 != outcome.left[0].caseID }))
    #expect(text.contains("undo of dismiss effective by ann: wrong list"))
    #expect(try await scenario.auditFaults(asOf: Self.undone) == [])
  }

  @Test func `a break that grew after the preview is not decided with the others`() async throws {
    let scenario = try await Self.world(2)
    let ids = try await Self.ids(scenario)
    func decide(shown: String?, isDryRun: Bool = false, at asOf: String) async throws -> CaseJob.DecideOutcome {
      try await scenario.cases(asOf: asOf).decideMany(ids, Self.dismissal, by: .ann, isDryRun: isDryRun, shown: shown)
    }
    let preview = try await decide(shown: nil, isDryRun: true, at: Self.decided).preview
    #expect(try await decide(shown: preview, isDryRun: true, at: Self.decided).decidedCount == 2)
    let night = "2026-05-12T18:00:00Z"
    var grown = Self.order(0)
    (grown.priceMilliunits, grown.updatedAt) = (99_000, "2026-05-12T17:00:00Z")
    try await scenario.decide(orders: [grown], asOf: night)
    let refused = await refusal { _ = try await decide(shown: preview, at: night) }
    #expect(refused.contains("in 1 of these cases something came in or changed"), "\(refused)")
    #expect(try await Self.statuses(scenario, night)["closed"] == nil)
    let again = try await decide(shown: nil, isDryRun: true, at: night).preview
    #expect(again != preview)
    #expect(try await decide(shown: again, at: night).decidedCount == 2)
  }

  @Test func undoNeedsAsManyPeopleAsTheDecision() async throws {
    let scenario = try await Self.world(1)
    let id = try #require(try await Self.ids(scenario).first)
    func status(_ asOf: String) async throws -> String? {
      try await scenario.rows(.breaks, asOf: asOf).first { $0["order_id"] == "PO-0" }?["status"]
    }
    let writeOff = CaseDecision(action: .writeOff, outcome: .confirmed, reason: "third time")
    #expect(try await scenario.cases(asOf: Self.decided).take(id, deciding: writeOff, by: .ann).needsSecondPerson)
    let bobs = try await scenario.login("bob")
    try await bobs.cases(asOf: "2026-05-12T14:00:00Z").conclude(id, .approved, by: .bob, reason: "seen it")
    #expect(try await Self.statuses(scenario, "2026-05-12T14:00:00Z")["closed"] == 1)
    // Nor does SQL undo it as another action, or move it to another case.
    let alone = """
      insert into payrecon.case_undos (case_id, decision_id, undo_id, step, action, reason, asked_by, account, at)
      select case_id, decision_id, 'u', 'effective', 'accept', 'alone', 'bob', 'bob', at from payrecon.case_decisions limit 1
      """
    let moved = "update payrecon.case_decisions set case_id = payrecon.case_id_of('user', 'U9'), subject_id = 'U9'"
    #expect(await refusal { try await bobs.execute(alone) }.contains("there is no decision"))
    #expect(await refusal { try await scenario.execute(moved) }.contains("only to the case of an erased user"))
    let scope = CaseJob.UndoScope(actor: nil, cases: [id], since: instant(Self.night))
    let undo = try scenario.cases(asOf: Self.undone)
    #expect(try await undo.undo(scope, by: .ann, reason: "twin account", isDryRun: false).proposedCount == 1)
    #expect(try await Self.statuses(scenario, Self.undone)["waiting_approval"] == 1)
    await #expect(throws: JobError.self) { try await undo.conclude(id, .approved, by: Person(name: "Zoe"), reason: "mine") }
    await #expect(throws: JobError.self) { try await bobs.cases(asOf: Self.undone).conclude(id, .withdrawn, by: .bob, reason: "no") }
    #expect(try await undo.undo(scope, by: .ann, reason: "twin account", isDryRun: false).left.count == 1)
    let rejected = try bobs.cases(asOf: "2026-05-13T15:00:00Z")
    try await rejected.conclude(id, .rejected, by: .bob, reason: "no")
    #expect(try await Self.statuses(scenario, "2026-05-13T15:00:00Z")["closed"] == 1)
    // Another account of the same rights asks, withdraws, and asks again.
    let asked = try bobs.cases(asOf: "2026-05-13T16:00:00Z")
    #expect(try await asked.undo(scope, by: Person(), reason: "ticket 12", isDryRun: false).proposedCount == 1)
    try await asked.conclude(id, .withdrawn, by: Person(name: "whoever"), reason: "no, it was right")
    #expect(try await status("2026-05-13T16:00:00Z") == "written_off")
    let again = try bobs.cases(asOf: "2026-05-13T17:00:00Z")
    #expect(try await again.undo(scope, by: Person(), reason: "ticket 12", isDryRun: false).proposedCount == 1)
    try await scenario.cases(asOf: "2026-05-13T17:00:00Z").conclude(id, .approved, by: Person(), reason: "I see")
    #expect(try await status("2026-05-13T17:00:00Z") != "written_off")
    #expect(try await Self.statuses(scenario, "2026-05-13T17:00:00Z")["open"] != nil)
    #expect(try await Self.statuses(scenario, Self.undone)["waiting_approval"] == 1)
    #expect(try await scenario.auditFaults(asOf: "2026-05-13T17:00:00Z") == [])
  }
}
