/// The cases gathered one by one equal those gathered all at once.
@Suite(.cleansUp) struct IncrementalCaseGatheringTests {
  private static let nights = ["2026-05-12T12:00:00Z", "2026-05-13T12:00:00Z", "2026-05-16T12:00:00Z"]
  private static let cases =
    "select coalesce(string_agg(kept::text, chr(10) order by kept.case_id), '') from payrecon.console_cases as kept"
  private static let left = "select count(*)::text from payrecon.console_changed"

  private static func check(_ scenario: Scenario, _ asOf: String, _ step: String) async throws -> String {
    let consoleCases = ConsoleCases(context: try scenario.context(asOf: asOf))
    try await consoleCases.refresh()
    let gathered = try await scenario.answer(cases)
    #expect(try await scenario.answer(left) == "0", "\(step)")
    try await scenario.execute("delete from payrecon.console_gathered")
    try await consoleCases.refresh()
    let whole = try await scenario.answer(cases)
    #expect(gathered == whole, "\(step)")
    return whole
  }

  @Test func incrementalGatheringEqualsFullGathering() async throws {
    let scenario = try await SignalStatesTests.replay.load()
    let orders = (0..<24).map { TestOrder("N-\($0)", user: "V\($0)", at: "2026-05-10T10:00:00Z") }
    try await scenario.decide(orders: orders, asOf: Self.nights[0])
    // Before the first viewer, nothing is stored for the console.
    #expect(try await scenario.answer(Self.left) == "0")
    let first = try await Self.check(scenario, Self.nights[0], "first")
    let open = try await scenario.rows(.cases, asOf: Self.nights[0]).filter { $0["status"] == "open" }.compactMap { $0["case_id"] }
    try #require(open.count > 20)
    try await Self.work(on: open, scenario.cases(asOf: "2026-05-12T18:00:00Z"))
    let second = try await Self.check(scenario, "2026-05-12T18:00:00Z", "people")
    #expect(first != second)
    // One order is refunded, several users have another order, one snoozed among them. A dismissal has expired.
    let more =
      [
        TestOrder("N-2b", user: "V2", at: "2026-05-11T10:00:00Z"), TestOrder("N-30", user: "V30", at: "2026-05-11T10:00:00Z"),
        TestOrder("N-9", user: "V9", at: "2026-05-10T10:00:00Z", status: "cancelled") { $0.updatedAt = "2026-05-13T00:00:00Z" },
      ] + (0..<6).map { TestOrder("N-\($0)c", user: "V\($0)", at: "2026-05-11T11:00:00Z") }
    try await scenario.decide(orders: more, asOf: Self.nights[1])
    #expect(try await scenario.answer(Self.left) == "0")
    let isCurrent = "select (detected = payrecon.cases_rest_on(as_of))::text from payrecon.console_gathered"
    #expect(try await scenario.answer(isCurrent) == "true")
    let third = try await Self.check(scenario, Self.nights[1], "detection")
    #expect(second != third)
    #expect(try await Self.check(scenario, "2026-05-14T18:00:00Z", "the end of a dismissal") != third)
    try await scenario.decide(asOf: Self.nights[2])
    _ = try await Self.check(scenario, Self.nights[2], "a quiet night")
  }

  /// The order turns out to be another user's, so its break moves to the case of that user and leaves the first case empty.
  @Test func notesFollowABreakToItsNewCase() async throws {
    let scenario = try await Scenario()
    try await scenario.decide(orders: [TestOrder("PO-1", user: "U1", at: "2026-05-10T10:00:00Z")], asOf: Self.nights[0])
    let left = try await scenario.caseID(of: "U1", asOf: Self.nights[0])
    try await scenario.execute(
      """
      insert into payrecon.case_notes (case_id, note_id, person, account, note, at)
      values ('\(left)', 'n', 'ann', '', 'asked support', '\(Self.nights[0])')
      """)
    let moved = TestOrder("PO-1", user: "U2", at: "2026-05-10T10:00:00Z") { $0.updatedAt = "2026-05-13T00:00:00Z" }
    try await scenario.decide(orders: [moved], asOf: Self.nights[1])
    let context = try scenario.context(asOf: Self.nights[1])
    try await ConsoleCases(context: context).refresh()
    let id = try await scenario.caseID(of: "U2", asOf: Self.nights[1])
    let history = try await context.transaction(as: .review, .readOnlySnapshot) { tx in
      try ReportTable.read(
        ConsoleSQL.caseHistory, ["case_id": .text(id), "as_of": context.asOfValue, "rows": .int8(10)], files: context.sql, tx: &tx)
    }
    #expect(try history.records.map { try $0.text("reason") } == ["asked support"])
  }

  private static func work(on cases: [String], _ job: CaseJob) async throws {
    for (index, id) in cases.enumerated() {
      switch index % 6 {
      case 0:
        try await job.take(id, deciding: CaseDecision(action: .accept, reason: "x"), by: .ann)
      case 1:
        var decision = CaseDecision(action: .dismiss, outcome: .falsePositive, reason: "x")
        decision.until = instant("2026-05-14T12:00:00Z")
        try await job.take(id, deciding: decision, by: .ann)
      case 2: try await job.mark(id, .snooze(until: instant("2026-05-20T00:00:00Z")), by: .ann, reason: "x")
      case 3:
        try await job.mark(id, .follow(true), by: .ann)
        try await job.take(id, deciding: CaseDecision(action: .ban, outcome: .suspected, reason: "x"), by: .ann)
      case 4:
        try await job.take(id, deciding: CaseDecision(action: .watch, outcome: .suspected, reason: "x"), by: .ann)
      default: continue
      }
    }
    let scope = CaseJob.UndoScope(actor: "ann", cases: [cases[0], cases[6]], since: instant("2026-05-12T00:00:00Z"))
    #expect(try await job.undo(scope, by: .ann, reason: "x", isDryRun: false).undoneCount == 2)
  }
}
