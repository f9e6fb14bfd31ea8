/// Two people are two accounts. The database records the acting account and requires two.
@Suite(.cleansUp) struct DecisionsNeedTwoAccountsTests {
  private static let at = "2026-05-12T12:00:00Z"

  /// A decision inserted by a user who knows the tables.
  private struct Row: Sendable {
    var step: String
    var by = "ann"
    var approvedBy: String?
    var action = "ban"
    /// Columns that a user may not set.
    var said: [String: String] = [:]

    var sql: String {
      let isProposal = step == "proposed"
      var cells = [
        "case_id": "'c'", "decision_id": "'d'", "step": "'\(step)'", "action": "'\(action)'", "outcome": "'confirmed'",
        "subject_kind": "'user'", "subject_id": "'U1'", "reason": "'why'", "decided_by": "'\(by)'",
        "at": "'\(DecisionsNeedTwoAccountsTests.at)'",
      ]
      if let approvedBy { cells["approved_by"] = "'\(approvedBy)'" }
      if isProposal {
        for (name, cell) in ["break_ids": "'{}'", "seen_as_of": "'{}'", "seen_attempts": "'{}'"] { cells[name] = cell }
      } else {
        cells["proposal_step"] = "'proposed'"
      }
      cells.merge(said) { $1 }
      let names = cells.keys.sorted()
      return "insert into payrecon.case_decisions (\(names.joined(separator: ", "))) values ("
        + names.map { cells[$0] ?? "" }.joined(separator: ", ") + ")"
    }
  }

  @Test(arguments: ["ban", "forced_match", "unmatch", "benign_duplicate", "write_off"]) func databaseRequiresTwoAccounts(_ action: String)
    async throws
  {
    let scenario = try await Scenario()
    let ann = try await scenario.session("ann")
    let bob = try await scenario.session("bob")
    func add(_ row: Row, _ session: Session) async throws {
      var row = row
      row.action = action
      try await session.executeAlone(row.sql)
    }
    func refused(_ row: Row, _ session: Session, _ why: String) async {
      await #expect(throws: PostgresError.self, "\(why)") { try await add(row, session) }
    }
    await refused(Row(step: "effective", said: ["proposal_step": "null", "break_ids": "'{}'"]), ann, "alone")
    await refused(Row(step: "effective", approvedBy: "bob"), bob, "without a proposal")
    // The stored account is that of the session, not the given one.
    try await add(Row(step: "proposed", said: ["account": "'test_bob'"]), ann)
    await refused(Row(step: "effective", approvedBy: "bob"), ann, "under another name")
    await refused(Row(step: "effective", approvedBy: "bob", said: ["account": "'test_bob'"]), ann, "under another's account")
    await refused(Row(step: "effective", approvedBy: "bob", said: ["proposal_account": "'test_bob'"]), ann, "saying that another proposed")
    await refused(Row(step: "rejected", approvedBy: "bob"), ann, "rejecting what is one's own")
    await refused(Row(step: "withdrawn", approvedBy: "bob"), bob, "withdrawing what another proposed")
    await refused(Row(step: "effective", by: "bob", approvedBy: "ann"), bob, "saying that another name proposed")
    await refused(Row(step: "effective", approvedBy: ""), bob, "as nobody")
    for statement in [
      "update payrecon.case_decisions set account = 'test_bob'", "update payrecon.case_decisions set step = 'effective'",
      "delete from payrecon.case_decisions", "alter table payrecon.case_decisions disable trigger all",
      "set session_replication_role = replica", "set session authorization test_bob",
    ] { await #expect(throws: PostgresError.self, "\(statement)") { try await ann.executeAlone(statement) } }
    // The same name under two accounts counts as two people.
    try await add(Row(step: "effective", approvedBy: "ann"), bob)
    await refused(Row(step: "rejected", approvedBy: "cid"), bob, "a second end")
    try await Self.expectAccounts(scenario, "proposed test_ann, effective test_bob")
  }

  private static let attacks = [
    "delete from payrecon.console_cases", "update payrecon.console_gathered set as_of = '2030-01-01'",
    "delete from payrecon.console_gathered", "delete from payrecon.console_changed",
    "insert into payrecon.audit_log (number, at, actor, login, act, subject, details, previous_hash, hash) "
      + "values (9999, now(), 'bob', 'test_bob', 'case_taken', 'c', '{}', '', 'h')",
    append("case_effective", #"{"decision":"d","account":"test_bob"}"#), append("case_effective", #"{"decision":"d"}"#),
    append("case_taken", "{}"), append("list_added", "{}"), append("consumption_answered", #"{"outcome":"sent"}"#),
    append("run_ended", #"{"run":"r"}"#), append("evidence_sealed", "{}"), append("migration_applied", "{}"),
    append("person_erased", "{}"), append("record_viewed", "no object"), append("record_viewed", "[]"),
    Row(step: "proposed", said: ["at": "'2026-05-12T11:59:59Z'"]).sql, Row(step: "proposed", said: ["at": "'2126-05-12T12:00:00Z'"]).sql,
    "update payrecon.case_leases set lease_until = '2020-01-01'", "delete from payrecon.case_leases",
  ]

  private static func append(_ act: String, _ details: String) -> String {
    "select payrecon.audit_append('\(at)', 'bob', '\(act)', 'c', '\(details)')"
  }

  @Test func `a reviewer's login cannot change the queue, and the chain names the account of every entry`() async throws {
    let scenario = try await SignalStatesTests.replay.load()
    try await scenario.decide(asOf: Self.at)
    let consoleCases = ConsoleCases(context: try scenario.context(asOf: Self.at))
    try await consoleCases.refresh()
    let queue = "select string_agg(kept::text, chr(10) order by kept.case_id) from payrecon.console_cases as kept"
    let whole = try await scenario.answer(queue)
    #expect(!whole.isEmpty)
    let bob = try await scenario.session("bob")
    try await bob.executeAlone(
      "insert into payrecon.case_leases (case_id, person, account, taken_at, lease_until) "
        + "values ('held', 'bob', '', now(), now() + interval '1 hour')")
    let ann = try await scenario.session("ann")
    for attack in Self.attacks {
      await #expect(throws: PostgresError.self, "\(attack)") { try await ann.executeAlone(attack) }
    }
    // No clock, list of cases or detection changes the queue.
    for clock in ["-infinity", "2020-01-01", Self.at, "2090-01-01"] {
      let cases = "array(select case_id from payrecon.console_cases)"
      try await ann.executeAlone("select payrecon.console_begin('\(clock)')")
      try await ann.executeAlone("select payrecon.console_list('\(clock)')")
      try await ann.executeAlone("select payrecon.console_gather('\(clock)', \(cases), payrecon.cases_rest_on('\(clock)'), 100000)")
      try await ann.executeAlone("select payrecon.console_forget_unseen()")
    }
    try await consoleCases.refresh()
    #expect(try await scenario.answer(queue) == whole)
    try await ann.executeAlone(Self.append("record_viewed", "{}"))
    #expect(try await scenario.answer("select login from payrecon.audit_log order by number desc limit 1") == "test_ann")
    #expect(try await scenario.auditFaults(asOf: Self.at) == [])
  }

  @Test(arguments: [
    "delete from payrecon.case_decisions", "update payrecon.case_decisions set account = 'test_ann'",
    "update payrecon.case_decisions set at = at - interval '1 day'", "update payrecon.case_decisions set outcome = 'suspected'",
  ])
  func `an entry without its confirming row is named, whether the row was removed or changed`(_ change: String) async throws {
    let scenario = try await BreakDecisionTests.world()
    let id = try await BreakDecisionTests.caseID(scenario)
    try await scenario.login("bob").cases(asOf: BreakDecisionTests.decided).take(
      id, deciding: CaseDecision(action: .accept, outcome: .confirmed, reason: "why"))
    #expect(try await scenario.auditFaults(asOf: BreakDecisionTests.decided) == [])
    try await scenario.execute("begin; alter table payrecon.case_decisions disable trigger stamp; \(change); commit")
    let faults = try await scenario.auditFaults(asOf: BreakDecisionTests.decided)
    #expect(faults.count == 1 && faults[0].contains("\"case_effective\" of \(id): no row of its table confirms it"), "\(faults)")
  }

  @Test func `a note, mark, attachment or batch that was written past the program has no entry, and is named`() async throws {
    let scenario = try await BreakDecisionTests.world()
    let clock = BreakDecisionTests.decided
    let bobs = try await scenario.login("bob").cases(asOf: clock)
    let id = try await BreakDecisionTests.caseID(scenario)
    try await bobs.note(id, "seen", by: Person())
    try await bobs.mark(id, .follow(true), by: Person())
    _ = try await bobs.attach(id, Array("a".utf8), name: "a.txt", by: Person())
    #expect(try await scenario.auditFaults(asOf: clock) == [])
    try await scenario.execute(
      """
      begin;
      set local session_replication_role = replica;
      insert into payrecon.case_notes values ('c', 'n', 'ann', 'ann', 'x', '\(Self.at)');
      insert into payrecon.case_marks (case_id, topic, is_set, assignee, person, account, reason, at)
      values ('c', 'assignment', true, 'ann', 'ann', 'ann', '', '\(Self.at)');
      insert into payrecon.case_attachments values ('c', 's', 'a.txt', 1, 'ann', 'ann', '\(Self.at)');
      insert into payrecon.case_batches values (repeat('a', 32), 'c', 'd', 'ann', '\(Self.at)');
      commit
      """)
    let faults = try await scenario.auditFaults(asOf: clock)
    let expected = [
      ("attachment c s", "was added"), ("batch \(String(repeating: "a", count: 32))", "contains decision d, which nobody made"),
      ("mark c 2", "was set"), ("note c n", "was added"),
    ]
    #expect(faults.count == expected.count, "\(faults)")
    for (fault, (subject, text)) in zip(faults, expected) { #expect(fault.hasPrefix("\(subject): \(text)"), "\(fault)") }
  }

  private static func expectAccounts(_ scenario: Scenario, _ expected: String) async throws {
    let kept = "select string_agg(step || ' ' || account, ', ' order by step = 'effective') from payrecon.case_decisions"
    #expect(try await scenario.answer(kept) == expected)
  }

  @Test func namesInOtherLetterCaseAreOnePerson() async throws {
    let scenario = try await Scenario()
    try? await scenario.execute("create role \"test_ANN\" login password 'test'")
    try await scenario.execute("grant payrecon_review, payrecon_report to \"test_ANN\"")
    let ann = try await scenario.session("ann")
    try await ann.executeAlone(Row(step: "proposed").sql)
    var settings = scenario.connection
    settings.conninfo += " user=test_ANN password=test"
    settings.role = "payrecon_review"
    let twin = try await Session.open(settings)
    for step in ["effective", "rejected"] {
      await #expect(throws: PostgresError.self, "\(step)") { try await twin.executeAlone(Row(step: step, approvedBy: "bob").sql) }
    }
    await twin.close()
    await #expect(throws: JobError.self) { try await DatabaseAccountJob(context: scenario.context(asOf: Self.at)).add("test_Ann") }
  }

  /// Not even the owner of the tables can change the author or the case by an update. An erasure may replace names in reasons.
  @Test func authorOfADecisionIsImmutable() async throws {
    let scenario = try await Scenario()
    let ann = try await scenario.session("ann")
    try await ann.executeAlone(Row(step: "proposed").sql)
    for change in ["account = 'test_bob'", "case_id = 'e', subject_id = 'erased'"] {
      await #expect(throws: PostgresError.self, "\(change)") {
        try await scenario.execute("update payrecon.case_decisions set \(change)")
      }
    }
    try await scenario.execute("update payrecon.case_decisions set reason = 'erased'")
    try await Self.expectAccounts(scenario, "proposed test_ann")
  }

  @Test func caseBelongsToTheAccount() async throws {
    let scenario = try await BreakDecisionTests.world()
    let id = try await BreakDecisionTests.caseID(scenario)
    let mine = try await scenario.login("ann").cases(asOf: BreakDecisionTests.decided)
    let theirs = try await scenario.login("bob").cases(asOf: BreakDecisionTests.decided)
    _ = try await mine.take(id, by: Person(name: "x"), leaseSeconds: 3600)
    await #expect(throws: JobError.self) { try await theirs.take(id, by: Person(name: "x"), leaseSeconds: 3600) }
    let decision = CaseDecision(action: .accept, outcome: .confirmed, reason: "why")
    await #expect(throws: JobError.self) { try await theirs.decide(id, decision, by: Person(name: "x")) }
    await #expect(throws: JobError.self) { try await theirs.release(id, by: Person(name: "x"), reason: "") }
    _ = try await mine.decide(id, decision, by: Person(name: "x"))
  }

  @Test func fourEyesNeedTwoAccounts() async throws {
    let scenario = try await Scenario()
    _ = try await scenario.login("ann")
    let eyes = try await DatabaseAccountJob(context: scenario.context(asOf: Self.at)).fourEyes()
    #expect(eyes.isEnforceable)
    // Another test may have created the login in capitals. Both are one person.
    #expect(eyes.accounts.contains { Person.isSame($0, "test_ann") } && eyes.accounts.contains("payrecon"))
    #expect(DatabaseAccountJob.FourEyes(accounts: ["payrecon"]).isEnforceable == false)
    #expect(DatabaseAccountJob.FourEyes(accounts: ["payrecon"]).text.contains("all share the login payrecon"))
    #expect(DatabaseAccountJob.FourEyes(accounts: []).isEnforceable == false)
  }

  @Test func invalidAccountNamesAreRefused() async throws {
    let accounts = DatabaseAccountJob(context: try await Scenario().context(asOf: Self.at))
    for name in ["", "pg_x", "payrecon_jobs", "a b", "a\"b", "public", String(repeating: "a", count: 64)] {
      await #expect(throws: JobError.self, "\(name)") { try await accounts.add(name) }
    }
  }
}
