/// Two simultaneous acts on one case: one succeeds and the other is refused. No false record remains.
@Suite(.cleansUp) struct SimultaneousCaseActsTests {
  private static let night = "2026-05-12T12:00:00Z"
  /// Requests may arrive in another order than their clocks.
  private static let clocks = [("2026-05-12T14:00:00Z", "2026-05-12T14:00:01Z"), ("2026-05-12T14:00:01Z", "2026-05-12T14:00:00Z")]
  private static let dismissal = CaseDecision(action: .dismiss, outcome: .falsePositive, reason: "known")
  private static let writeOff = CaseDecision(action: .writeOff, outcome: .confirmed, reason: "small")

  enum Start: Sendable { case open, held, proposed, undoAsked }

  enum Act: String, Sendable {
    case take, release, dismiss, bulkDismiss, bulkWriteOff, approve, reject, withdraw, undo, aside

    func perform(_ job: CaseJob, _ id: String) async throws -> Bool {
      let person = Person()
      switch self {
      case .take: return try await job.take(id, by: person, leaseSeconds: 600) == id
      case .release: try await job.release(id, by: person, reason: "")
      case .dismiss: _ = try await job.decide(id, dismissal, by: person)
      case .bulkDismiss: return try await job.decideMany([id], dismissal, by: person).decidedCount == 1
      case .bulkWriteOff: return try await job.decideMany([id], writeOff, by: person).decidedCount == 1
      case .approve: try await job.conclude(id, .approved, by: person, reason: "seen")
      case .reject: try await job.conclude(id, .rejected, by: person, reason: "no")
      case .withdraw: try await job.conclude(id, .withdrawn, by: person, reason: "no")
      case .undo:
        let scope = CaseJob.UndoScope(actor: nil, cases: [id], since: instant("2026-05-12T12:00:00Z"))
        let outcome = try await job.undo(scope, by: person, reason: "no", isDryRun: false)
        return outcome.undoneCount + outcome.proposedCount == 1
      case .aside: try await job.mark(id, .snooze(until: instant("2026-05-20T00:00:00Z")), by: person, reason: "x")
      }
      return true
    }
  }

  struct Pair: Sendable, CustomTestStringConvertible {
    var start: Start
    var acts: [(who: String, act: Act)]
    var testDescription: String { "\(start): \(acts.map { "\($0.who) \($0.act)" }.joined(separator: ", "))" }

    init(_ start: Start, _ who: String, _ act: Act, _ other: String, _ otherAct: Act) {
      self.start = start
      acts = [(who, act), (other, otherAct)]
    }
  }

  static let pairs = [
    Pair(.open, "bob", .take, "cat", .take), Pair(.open, "bob", .take, "cat", .bulkDismiss),
    Pair(.open, "bob", .bulkDismiss, "cat", .bulkWriteOff), Pair(.open, "bob", .bulkWriteOff, "cat", .bulkWriteOff),
    Pair(.open, "bob", .bulkDismiss, "bob", .bulkDismiss), Pair(.held, "ann", .dismiss, "ann", .dismiss),
    Pair(.held, "ann", .dismiss, "ann", .release), Pair(.held, "ann", .dismiss, "ann", .bulkDismiss),
    Pair(.held, "ann", .dismiss, "ann", .aside), Pair(.proposed, "bob", .approve, "cat", .reject),
    Pair(.proposed, "bob", .approve, "cat", .approve), Pair(.proposed, "bob", .approve, "ann", .withdraw),
    Pair(.proposed, "bob", .reject, "ann", .withdraw), Pair(.undoAsked, "bob", .approve, "ann", .withdraw),
    Pair(.undoAsked, "bob", .approve, "cat", .reject), Pair(.undoAsked, "bob", .reject, "cat", .reject),
    Pair(.undoAsked, "ann", .undo, "bob", .approve),
  ]

  @Test(arguments: pairs) func simultaneousActsExcludeEachOther(_ pair: Pair) async throws {
    for (first, second) in Self.clocks {
      let (scenario, people, id) = try await Self.world()
      try await Self.begin(pair.start, id, people)
      let gate = Task { try await Self.holdBack(scenario, id) }
      try await Task.sleep(for: .milliseconds(150))
      let (who, otherWho) = (try #require(people[pair.acts[0].who]), try #require(people[pair.acts[1].who]))
      async let one = Self.attempt(pair.acts[0].act, id, who, first)
      async let other = Self.attempt(pair.acts[1].act, id, otherWho, second)
      let done = try await [one, other]
      try await gate.value
      #expect(done.filter { $0 == "done" }.count == 1, "\(pair) \(done)")
      #expect(!done.contains { $0.contains("SQLSTATE") }, "\(pair) \(done)")
      let later = "2026-05-12T15:00:00Z"
      let stands = try await scenario.rows(.cases, asOf: later).first { $0["case_id"] == id }?["status"]
      #expect(try await Self.boardStatus(scenario, id) == (stands == "taken" ? "open" : stands), "\(pair) \(done)")
      let twice = try await scenario.answer(
        "select count(*)::text from payrecon.case_decisions where case_id = '\(id)' and proposal_step is null")
      #expect(Int(twice) ?? 9 <= 1, "\(pair) \(twice)")
      #expect(try await scenario.auditFaults(asOf: later) == [])
    }
  }

  @Test func manyAtOnceAreDecidedOnce() async throws {
    let (scenario, people, _) = try await Self.world()
    let open = try await scenario.rows(.cases, asOf: Self.night).filter { $0["status"] == "open" }.compactMap { $0["case_id"] }
    try #require(open.count > 10)
    let (bob, cat) = (try #require(people["bob"]), try #require(people["cat"]))
    let gate = Task { try await Self.holdBack(scenario, open.sorted()[3]) }
    try await Task.sleep(for: .milliseconds(150))
    let (one, two) = (Array(open.prefix(8)), Array(open.dropFirst(2).reversed()))
    async let first = bob.cases(asOf: Self.clocks[0].0).decideMany(one, Self.dismissal, by: Person())
    async let second = cat.cases(asOf: Self.clocks[0].1).decideMany(two, Self.writeOff, by: Person())
    let outcomes = try await [first, second]
    try await gate.value
    #expect(outcomes.map(\.decidedCount).reduce(0, +) == open.count)
    #expect(outcomes.map(\.left.count).reduce(0, +) == one.count + two.count - open.count)
  }

  @Test func `an open finding in the case does not prevent the undo of a partial decision`() async throws {
    let scenario = try await SignalStatesTests.replay.load()
    let orders = (0..<2).map { TestOrder("N-\($0)", user: "V", at: "2026-05-10T1\($0):00:00Z") }
    try await scenario.decide(orders: orders, asOf: Self.night)
    let id = try await scenario.caseID(of: "V", asOf: Self.night)
    func decide(_ order: String?, _ at: String) async throws {
      var decision = Self.dismissal
      decision.orderID = order
      try await scenario.cases(asOf: at).take(id, deciding: decision)
    }
    func undo(_ at: String) async throws -> Int {
      let scope = CaseJob.UndoScope(actor: nil, cases: [id], since: instant(Self.night))
      return try await scenario.cases(asOf: at).undo(scope, by: Person(), reason: "no", isDryRun: false).undoneCount
    }
    try await decide("N-0", "2026-05-12T13:00:00Z")
    #expect(try await undo("2026-05-12T13:01:00Z") == 1)
    try await decide("N-0", "2026-05-12T13:02:00Z")
    try await decide(nil, "2026-05-12T13:03:00Z")
    // The newer decision is undone first, because it decided the case again.
    #expect(try await undo("2026-05-12T13:04:00Z") == 1)
    #expect(try await undo("2026-05-12T13:05:00Z") == 1)
    #expect(try await undo("2026-05-12T13:06:00Z") == 0)
  }

  @Test func `a proposal about a match without other findings appears in the console, and its card stays`() async throws {
    let (scenario, people, _) = try await Self.world()
    let decision = try await scenario.decision(.unmatch, "PO-1", "100", reason: "another customer's", asOf: Self.night)
    let steps = [("lapsed", "2026-05-12T13:00:00Z", "2026-05-12T14:00:00Z"), ("closed", "2026-05-12T15:00:00Z", "2026-05-12T16:00:00Z")]
    for (end, at, then) in steps {
      let id = try await scenario.cases(asOf: at).propose(decision, by: Person())
      try await ConsoleCases(context: scenario.context(asOf: at)).refresh()
      #expect(try await Self.boardStatus(scenario, id) == "waiting_approval")
      let bob = try #require(people["bob"]).cases(asOf: then)
      try await bob.conclude(id, end == "closed" ? .approved : .rejected, by: Person(), reason: "seen")
      try await ConsoleCases(context: scenario.context(asOf: then)).refresh()
      #expect(try await Self.boardStatus(scenario, id) == end)
    }
  }

  // MARK: Fixtures

  /// A replay, and a dozen orders of other users without a payment.
  private static let base = BaseWorld {
    let scenario = try await SignalStatesTests.replay.load()
    try await scenario.decide(orders: (0..<12).map { TestOrder("N-\($0)", user: "V\($0)", at: "2026-05-10T10:00:00Z") }, asOf: night)
    try await ConsoleCases(context: scenario.context(asOf: night)).refresh()
    return scenario
  }

  private static func world() async throws -> (Scenario, [String: Scenario], String) {
    let scenario = try await base.copy()
    let people = ["ann": scenario, "bob": try await scenario.login("bob"), "cat": try await scenario.login("cat")]
    return (scenario, people, try await scenario.caseID(of: "U2", asOf: night))
  }

  private static func begin(_ start: Start, _ id: String, _ people: [String: Scenario]) async throws {
    guard start != .open else { return }
    let (ann, bob) = (try #require(people["ann"]), try #require(people["bob"]))
    _ = try await ann.cases(asOf: "2026-05-12T13:00:00Z").take(id, by: Person(), leaseSeconds: 86_400)
    guard start != .held else { return }
    _ = try await ann.cases(asOf: "2026-05-12T13:01:00Z").decide(id, writeOff, by: Person())
    guard start != .proposed else { return }
    try await bob.cases(asOf: "2026-05-12T13:02:00Z").conclude(id, .approved, by: Person(), reason: "seen")
    let scope = CaseJob.UndoScope(actor: nil, cases: [id], since: instant(night))
    let asked = try await ann.cases(asOf: "2026-05-12T13:03:00Z").undo(scope, by: Person(), reason: "no", isDryRun: false)
    #expect(asked.proposedCount == 1)
  }

  /// Acts and gathers the case again as the console does.
  private static func attempt(_ act: Act, _ id: String, _ scenario: Scenario, _ asOf: String) async throws -> String {
    do {
      guard try await act.perform(scenario.cases(asOf: asOf), id) else { return "left" }
    } catch let error as JobError {
      return error.message
    } catch let error as PostgresError {
      return error.description
    }
    try await ConsoleCases(context: scenario.context(asOf: asOf)).refresh([id])
    return "done"
  }

  private static func holdBack(_ scenario: Scenario, _ id: String) async throws {
    try await scenario.execute(
      """
      do $$
      begin
        perform pg_advisory_xact_lock(payrecon.case_lock(), hashtext('\(id)'));
        for try in 1..60 loop
          exit when (
            select count(*) from pg_locks
            where locktype = 'advisory' and not granted and classid = payrecon.case_lock()
              and database = (select oid from pg_database where datname = current_database())
          ) >= 2;
          perform pg_sleep(0.05);
        end loop;
      end
      $$
      """)
  }

  private static func boardStatus(_ scenario: Scenario, _ id: String) async throws -> String {
    try await scenario.answer("select status from payrecon.console_cases where case_id = '\(id)'")
  }
}
