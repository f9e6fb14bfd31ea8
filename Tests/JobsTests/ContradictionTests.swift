import Domain
import FoundationEssentials
import JobCore
import Jobs
import Postgres
import Review
import Testing
import TestSupport

/// A decision about an order and a charge holds until it is taken back: another one that contradicts it is refused.
@Suite struct ContradictionTests {
  private static let night = "2026-05-12T12:00:00Z"
  private typealias Word = (action: CaseAction, order: Int, charge: Int)

  struct Case: Sendable, CustomTestStringConvertible {
    /// What two people decided, and what is to be decided then: an action, an order and a charge.
    var standing: (action: CaseAction, order: Int, charge: Int)
    var then: (action: CaseAction, order: Int, charge: Int)
    var isRefused: Bool
    var testDescription: String {
      "\(standing.action) PO-\(standing.order) \(standing.charge), then \(then.action) PO-\(then.order) \(then.charge)"
    }

    init(_ standing: (CaseAction, Int, Int), _ then: (CaseAction, Int, Int), refused: Bool) {
      (self.standing, self.then, isRefused) = (standing, then, refused)
    }
  }

  static let cases = [
    // An order has one charge, a charge one order, and a pair is one or is none.
    Case((.forcedMatch, 1, 1), (.forcedMatch, 1, 2), refused: true), Case((.forcedMatch, 1, 1), (.forcedMatch, 2, 1), refused: true),
    Case((.forcedMatch, 1, 1), (.unmatch, 1, 1), refused: true), Case((.unmatch, 1, 1), (.forcedMatch, 1, 1), refused: true),
    Case((.forcedMatch, 1, 1), (.benignDuplicate, 1, 1), refused: true),
    Case((.forcedMatch, 1, 1), (.benignDuplicate, 1, 2), refused: true),
    Case((.benignDuplicate, 1, 1), (.forcedMatch, 1, 2), refused: true),
    Case((.benignDuplicate, 1, 1), (.benignDuplicate, 1, 2), refused: true),
    Case((.unmatch, 1, 1), (.benignDuplicate, 1, 1), refused: true),
    // What says the same again, of another pair, or of a duplicate of the same charge.
    Case((.forcedMatch, 1, 1), (.forcedMatch, 1, 1), refused: false), Case((.forcedMatch, 1, 1), (.forcedMatch, 2, 2), refused: false),
    Case((.unmatch, 1, 1), (.forcedMatch, 1, 2), refused: false), Case((.forcedMatch, 1, 1), (.unmatch, 1, 2), refused: false),
    Case((.forcedMatch, 1, 1), (.benignDuplicate, 2, 1), refused: false),
    Case((.benignDuplicate, 1, 1), (.benignDuplicate, 2, 1), refused: false),
  ]

  @Test(arguments: cases) func itIsRefusedWhereItIsProposed(_ test: Case) async throws {
    let world = try await World()
    try await world.propose(test.standing, in: 0, at: "2026-05-12T13:00:00Z")
    try await world.approve(0, at: "2026-05-12T13:01:00Z")
    try await world.expect(test.isRefused, test.standing) { try await world.propose(test.then, in: 1, at: "2026-05-12T13:02:00Z") }
    // On many cases at once, too, and at a clock before.
    let many = CaseJob(context: try world.scenario.context(asOf: "2026-05-12T12:30:00Z"))
    try await world.expect(test.isRefused, test.standing) {
      _ = try await many.decideMany([world.ids[2]], world.decision(test.then), by: Person())
    }
    // What was taken back stands against nothing.
    guard test.isRefused else { return await world.scenario.end() }
    try await world.undo(0, at: "2026-05-12T13:03:00Z")
    try await world.expect(true, test.standing) { try await world.propose(test.then, in: 1, at: "2026-05-12T13:04:00Z") }
    try await world.approve(0, at: "2026-05-12T13:05:00Z")
    try await world.propose(test.then, in: 1, at: "2026-05-12T13:06:00Z")
    await world.scenario.end()
  }

  @Test(arguments: cases) func ofTwoProposalsOneTakesEffect(_ test: Case) async throws {
    let world = try await World()
    try await world.propose(test.standing, in: 0, at: "2026-05-12T13:00:00Z")
    try await world.propose(test.then, in: 1, at: "2026-05-12T13:01:00Z")
    try await world.approve(0, at: "2026-05-12T13:02:00Z")
    try await world.expect(test.isRefused, test.standing) { try await world.approve(1, at: "2026-05-12T13:03:00Z") }
    #expect(try await (world.status(1) == "waiting_approval") == test.isRefused)
    await world.scenario.end()
  }

  /// Two who approve at the same moment, each another case: both would find that nothing stands against it.
  @Test func ofTwoApprovalsAtOnceOneTakesEffect() async throws {
    let world = try await World()
    try await world.propose((.forcedMatch, 1, 1), in: 0, at: "2026-05-12T13:00:00Z")
    try await world.propose((.forcedMatch, 2, 1), in: 1, at: "2026-05-12T13:01:00Z")
    let cat = try await world.scenario.login("cat")
    let gate = Task { try await world.holdAudit() }
    try await Task.sleep(for: .milliseconds(150))
    @Sendable func attempt(_ who: Scenario, _ place: Int) async -> String {
      do {
        try await CaseJob(context: who.context(asOf: "2026-05-12T13:02:00Z"))
          .conclude(world.ids[place], .approved, by: Person(), reason: "seen")
        return "done"
      } catch { return "\(error)" }
    }
    async let first = attempt(world.bob, 0)
    async let second = attempt(cat, 1)
    let outcomes = await [first, second]
    try await gate.value
    #expect(outcomes.filter { $0 == "done" }.count == 1, "\(outcomes)")
    #expect(outcomes.contains { $0.contains("holds until it is taken back by payrecon queue undo") }, "\(outcomes)")
    await world.scenario.end()
  }

  /// What a database has of them from before counts as it did, and is named.
  @Test func whatStandsContradictedIsNamed() async throws {
    let world = try await World()
    func contradictions() async throws -> DoctorFinding? {
      let doctor = DoctorJob(context: try world.scenario.context(asOf: "2026-05-12T15:00:00Z"))
      return try await doctor.run(now: instant("2026-05-12T15:00:00Z")).first { $0.check == "contradictions" }
    }
    try await world.propose((.forcedMatch, 1, 1), in: 0, at: "2026-05-12T13:00:00Z")
    try await world.approve(0, at: "2026-05-12T13:02:00Z")
    #expect(try await contradictions()?.isNote == false)
    try await world.propose((.unmatch, 3, 3), in: 1, at: "2026-05-12T13:03:00Z")
    try await world.approve(1, at: "2026-05-12T13:04:00Z")
    #expect(try await contradictions()?.isNote == false)
    try await world.turnIntoContradiction(1, order: "PO-1", charge: world.charges[1])
    let found = try #require(try await contradictions())
    #expect(found.isNote && found.text.hasPrefix("1 times"), "\(found)")
    for part in ["forced_match of order \"PO-1\" and charge \"\(world.charges[1])\" in case \"\(world.ids[1])\"", world.ids[0]] {
      #expect(found.text.contains(part), "\(found.text)")
    }
    try await world.scenario.decide(asOf: "2026-05-12T16:00:00Z")
    #expect(try await world.scenario.matches(asOf: "2026-05-12T16:00:00Z") == ["PO-1 2 M0"])
    await world.scenario.end()
  }

  /// Three orders without a charge and three charges without an order, and a case of each order's customer.
  private struct World: Sendable {
    var scenario: Scenario
    var bob: Scenario
    var ids: [String]
    var charges: [String]

    init() async throws {
      scenario = try await Scenario()
      try await scenario.orders((1...3).map { TestOrder("PO-\($0)", user: "U\($0)", at: "2026-05-09T10:00:00Z") }, asOf: night)
      try await scenario.evidence((1...3).map { Scenario.sign(ApplePurchase("\($0)", at: "2026-05-10T1\($0):00:00Z")) }, asOf: night)
      try await scenario.decide(asOf: night)
      bob = try await scenario.login("bob")
      ids = try await scenario.rows(.cases, asOf: night).filter { $0["user_id"] != "" }
        .sorted { $0["user_id"] ?? "" < $1["user_id"] ?? "" }.compactMap { $0["case_id"] }
      charges = try await scenario.rows(.charges, asOf: night)
        .sorted { $0["transaction_ids"] ?? "" < $1["transaction_ids"] ?? "" }.compactMap { $0["charge_id"] }
      try #require(ids.count == 3 && charges.count == 3)
    }

    func decision(_ word: (action: CaseAction, order: Int, charge: Int)) -> CaseDecision {
      var decision = CaseDecision(action: word.action, outcome: .confirmed, reason: "the customer called")
      decision.orderID = "PO-\(word.order)"
      decision.chargeID = charges[word.charge - 1]
      return decision
    }

    func propose(_ word: (action: CaseAction, order: Int, charge: Int), in place: Int, at clock: String) async throws {
      let job = CaseJob(context: try scenario.context(asOf: clock))
      _ = try await job.take(ids[place], by: Person(), leaseSeconds: 60)
      _ = try await job.decide(ids[place], decision(word), by: Person())
    }

    func approve(_ place: Int, at clock: String) async throws {
      try await CaseJob(context: bob.context(asOf: clock)).conclude(ids[place], .approved, by: Person(), reason: "seen")
    }

    func undo(_ place: Int, at clock: String) async throws {
      let scope = CaseJob.UndoScope(actor: nil, cases: [ids[place]], since: instant(night))
      let job = CaseJob(context: try scenario.context(asOf: clock))
      #expect(try await job.undo(scope, by: Person(), reason: "no", isDryRun: false).proposedCount == 1)
    }

    func status(_ place: Int) async throws -> String? {
      try await scenario.rows(.cases, asOf: "2026-05-12T14:00:00Z").first { $0["case_id"] == ids[place] }?["status"]
    }

    /// Who is refused is told what stands, who decided it, and how it is taken back.
    func expect(
      _ isRefused: Bool, _ standing: (action: CaseAction, order: Int, charge: Int), _ act: () async throws -> Void
    ) async throws {
      do {
        try await act()
        #expect(!isRefused)
      } catch let error as JobError {
        #expect(isRefused, "\(error)")
        let what = "\(standing.action.rawValue) of order \"PO-\(standing.order)\" and charge \"\(charges[standing.charge - 1])\""
        for part in [what, " and test_bob decided in case \"\(ids[0])\"", "payrecon queue undo \(ids[0])"] {
          #expect(error.message.contains(part), "\(error)")
        }
      }
    }

    /// Holds the audit chain until two wait, for it or for each other.
    func holdAudit() async throws {
      try await execute(
        """
        do $$
        begin
          perform pg_advisory_xact_lock(1885434753);
          for try in 1..60 loop
            exit when (
              select count(*) from pg_locks
              where locktype = 'advisory' and not granted
                and database = (select oid from pg_database where datname = current_database())
            ) >= 2;
            perform pg_sleep(0.05);
          end loop;
        end
        $$
        """)
    }

    /// Makes of what was decided on a case what a database may hold from before it was refused.
    func turnIntoContradiction(_ place: Int, order: String, charge: String) async throws {
      try await execute(
        """
        alter table payrecon.case_decisions disable trigger user;
        alter table payrecon.case_decisions drop constraint case_decisions_proposal;
        update payrecon.case_decisions set action = 'forced_match', order_id = '\(order)', charge_id = '\(charge)'
        where case_id = '\(ids[place])';
        alter table payrecon.case_decisions enable trigger user
        """)
    }

    private func execute(_ text: String) async throws {
      let session = try await Session.open(scenario.connection)
      try await session.executeAlone(text)
      await session.close()
    }
  }
}
