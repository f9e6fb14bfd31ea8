/// The review queue: each case has one assignee, and severe actions need two people.
@Suite(.cleansUp) struct CaseDecisionRulesTests {
  static let asOf = "2026-05-12T12:00:00Z"

  /// Returns a night with U2's replay open, the id of its case, and the job for acts on it.
  private static func world() async throws -> (Scenario, String, CaseJob) {
    let scenario = try await base.copy()
    return (scenario, try await scenario.caseID(of: "U2", asOf: asOf), try job(scenario))
  }
  /// Returns the same night after two people banned U2, the id of the case, and the login of the second person.
  private static func bannedWorld() async throws -> (Scenario, String, Scenario) {
    let (scenario, id, job) = try await world()
    try await job.take(id, deciding: CaseDecision(action: .ban, reason: "third replay"), by: .ann)
    let approver = try await scenario.login("bob")
    try await Self.job(approver, "2026-05-12T14:00:00Z").conclude(id, .approved, by: .bob, reason: "seen")
    return (scenario, id, approver)
  }
  private static let base = BaseWorld {
    let scenario = try await SignalStatesTests.replay.load()
    try await scenario.decide(asOf: asOf)
    return scenario
  }

  private static func job(_ scenario: Scenario, _ asOf: String = asOf) throws -> CaseJob { try scenario.cases(asOf: asOf) }

  private static func row(_ scenario: Scenario, _ id: String, _ asOf: String = asOf) async throws -> [String: String] {
    try #require(try await scenario.rows(.cases, asOf: asOf).first { $0["case_id"] == id })
  }

  private static let exposure: [String: Value] = [
    "as_of": .timestamptz(microseconds: instant(asOf).microseconds), "inboxes": .textArray([]), "rows": .int8(9),
  ]

  private static func read(_ table: Listing, _ parameters: [String: Value], _ scenario: Scenario) async throws -> [[String?]] {
    try await Session.open(scenario.connection).use { session in
      try await session.executeAlone("set search_path = payrecon")
      let sql = try TestServer.sql()
      return try await session.transaction { tx in try ReportTable.read(table, parameters, files: sql, tx: &tx).rows }
    }
  }

  @Test func aCaseGathersSignalsAndBreaksOfOneUser() async throws {
    let (scenario, id, _) = try await Self.world()
    let row = try await Self.row(scenario, id)
    #expect([row].cells("status severity names amount_milliunits") == ["open critical R01 REPLAY_MULTI_USER 6000"])
    let text = try await Self.job(scenario).show(id)
    #expect(text.contains("signal "))
    #expect(text.contains("REPLAY_MULTI_USER"))
  }

  private static func soldTwice(
    _ rule: String, at time: String, _ change: (inout TestOrder) -> Void, _ stated: (ApplePurchase) -> ApplePurchase
  ) -> RuleCase {
    let ids = ["100", "101"]
    return RuleCase(
      rule: rule,
      orders: ids.map { id in
        var order = TestOrder("PO-\(id)", user: "U2", at: time, names: id)
        change(&order)
        return order
      }, evidence: ids.map { stated(ApplePurchase($0, at: "2026-05-10T10:00:00Z")).jws })
  }

  @Test(arguments: [
    soldTwice("R12", at: "2026-05-11T10:00:00Z", { ($0.status, $0.refundedAt) = ("refunded", "2026-05-11T12:00:00Z") }) {
      $0.refunded(at: "2026-05-10T12:00:00Z")
    },
    soldTwice("R04", at: "2026-05-10T10:00:00Z", { _ in }) { $0.with { $0.environment = "Sandbox" } },
  ]) func `two orders are at risk, whether only signals name them or breaks name them too`(_ world: RuleCase) async throws {
    let scenario = try await world.load()
    try await scenario.decide(asOf: Self.asOf)
    let rows = try await scenario.rows(.cases, asOf: Self.asOf)
    #expect(rows.map { $0["signal_count"] } == ["2"])
    #expect(rows.map { $0["amount_milliunits"] } == ["12000"])
  }

  /// A catalogue difference of a purchase is in its customer's case like a signal, through an order or a token.
  @Test(arguments: [true, false]) func chargeFindingsAreInTheCustomersCase(_ hasOrder: Bool) async throws {
    let scenario = try await RuleCase(
      rule: "R18",
      orders: hasOrder
        ? [TestOrder("PO-1", user: "U2", at: "2026-05-10T10:00:00Z", names: "100") { $0.priceMilliunits = 1000 }] : [],
      users: ["U2,\(Scenario.token1),CHN,false,,"], catalogue: ["com.acme.reader,coins60,consumable,,,CHN,CNY,6000,2026-01-01T00:00:00Z"],
      evidence: [ApplePurchase("100", at: "2026-05-10T10:00:00Z", token: Scenario.token1).with { $0.priceMilliunits = 1000 }.jws]
    ).load()
    try await scenario.decide(asOf: Self.asOf)
    let rows = try await scenario.rows(.cases, asOf: Self.asOf)
    #expect(rows.map { $0["user_id"] } == ["U2"])
    #expect(rows.map { $0["names"] } == ["PRICE_OFF_CATALOG R18" + (hasOrder ? "" : " TX_NO_ORDER")])
  }

  /// Each amount fits into 64 bits, but their sum does not.
  @Test func sumsPassWhat64BitsHold() async throws {
    let (scenario, id, _) = try await Self.world()
    for number in 1...2 {
      try await scenario.execute(
        """
        insert into payrecon.break_events
        select (jsonb_populate_record(events, jsonb_build_object(
            'break_id', md5('wide \(number)'), 'order_id', 'WIDE-\(number)', 'amount_milliunits', 9000000000000000000
        ))).*
        from payrecon.break_events as events
        where events.user_id = 'U2' and events.is_open
        limit 1
        """)
    }
    try await scenario.execute(
      """
      insert into payrecon.open_breaks (break_id, subject_id, attempt, as_of, class)
      select break_id, subject_id, attempt, as_of, class from payrecon.break_events where order_id like 'WIDE-%'
      """)
    try await scenario.execute("set search_path = payrecon; select console_gather_cases('\(Self.asOf)', null, array['\(id)'])")
    let sums =
      try await Self.read(ConsoleSQL.exposure, Self.exposure, scenario)
      + Self.read(ConsoleSQL.bulkSums, ["case_ids": .textArray([id])], scenario)
    #expect(sums.map { $0[2] } == Array(repeating: "18000000000000006.00 CNY", count: 2))
    let table = String(decoding: try await scenario.export(.cases, asOf: Self.asOf), as: UTF8.self)
    #expect(table.contains(",18000000000000006000,CNY,"))
  }

  @Test func `console and report show the same amount at risk: undecided, in Production`() async throws {
    let scenario = try await RuleCase(
      orders: [
        TestOrder("PO-1", at: "2026-05-10T10:00:00Z", names: "100") { $0.environment = "Sandbox" },
        TestOrder("PO-2", user: "U2", at: "2026-05-10T10:00:00Z", names: "101"),
        TestOrder("PO-3", user: "U3", at: "2026-05-10T10:00:00Z", names: "102"),
      ], evidence: [ApplePurchase("100", at: "2026-05-10T10:00:00Z").jws]
    ).load()
    try await scenario.decide(asOf: Self.asOf)
    try await Self.job(scenario).take(
      scenario.caseID(of: "U3", asOf: Self.asOf), deciding: CaseDecision(action: .accept, reason: "known"), by: .ann)
    let report = try await scenario.report(.breaks, asOf: Self.asOf)
    let stated = try report.rows("ageing.csv").reduce(0) { $0 + (Int($1["closing_amount_milliunits"] ?? "") ?? 0) }
    let exposure = try await Self.read(ConsoleSQL.exposure, Self.exposure, scenario)
    let breaks = try await scenario.rows(.breaks, asOf: Self.asOf)
    #expect(breaks.contains { $0["environment"] == "Sandbox" && $0["amount_milliunits"] == "6000" }, "\(breaks)")
    let undecided = breaks.filter { $0["environment"] == "Production" && $0["status"] != "accepted" }
    let stake = undecided.reduce(0) { $0 + (Int($1["amount_milliunits"] ?? "") ?? 0) }
    #expect(undecided.count + 2 == breaks.count && stated == stake && stake > 0, "\(stated) \(breaks)")
    #expect(exposure == [["CNY", "\(undecided.count)", "\(stake / 1000).00 CNY", "6.00 CNY", "6.00 CNY"]], "\(exposure)")
    let cases = try await scenario.rows(.cases, asOf: Self.asOf)
    #expect(cases.first { $0["user_id"] == "U1" }?["amount_milliunits"] ?? "" == "", "Sandbox carries no money")
  }

  @Test func caseIsLeasedToOneAccount() async throws {
    let (scenario, id, _) = try await Self.world()
    #expect(try await Self.job(scenario).take(nil, by: .ann, leaseSeconds: 3600) == id)
    #expect(try await Self.job(scenario).take(nil, by: .bob, leaseSeconds: 3600) == nil)
    let mine = try Self.job(scenario)
    await #expect(throws: JobError.self) { try await mine.take(id, by: .bob, leaseSeconds: 3600) }
    #expect(try await Self.row(scenario, id)["taken_by"] == "ann")
    let later = try Self.job(scenario, "2026-05-12T13:00:00Z")
    #expect(try await later.take(nil, by: .bob, leaseSeconds: 3600) == id)
    await #expect(throws: JobError.self) { try await later.release(id, by: .ann, reason: "") }
    try await later.release(id, by: .bob, reason: "lunch")
    #expect(try await Self.row(scenario, id, "2026-05-12T13:00:00Z")["status"] == "open")
    #expect(try await Self.row(scenario, id)["taken_by"] == "ann")
  }

  @Test func harmlessActionsNeedOnePerson() async throws {
    let (scenario, id, job) = try await Self.world()
    let decision = CaseDecision(action: .dismiss, outcome: .falsePositive, reason: "one person, two accounts")
    await #expect(throws: JobError.self) { try await job.decide(id, decision, by: .ann) }
    _ = try await job.take(id, by: .ann, leaseSeconds: 3600)
    #expect(try await job.decide(id, decision, by: .ann).needsSecondPerson == false)
    #expect(try await [Self.row(scenario, id)].cells("status outcome decided_by") == ["closed false_positive ann"])
    try await scenario.decide(asOf: "2026-05-13T12:00:00Z")
    #expect(try await Self.row(scenario, id, "2026-05-13T12:00:00Z")["status"] == "closed")
    try await scenario.decide(
      orders: [TestOrder("PO-3", user: "U2", at: "2026-05-10T10:09:00Z", names: "100")], asOf: "2026-05-14T12:00:00Z")
    #expect(try await Self.row(scenario, id, "2026-05-14T12:00:00Z")["status"] == "open")
  }

  @Test(arguments: [CaseAction.ban, .writeOff, .forcedMatch, .unmatch, .benignDuplicate]) func severeActionsNeedTwoPeople(
    _ action: CaseAction
  ) async throws {
    let (scenario, id, job) = try await Self.world()
    let decision = try await scenario.decision(action, "PO-2", "100", reason: "third replay", asOf: Self.asOf)
    #expect(try await job.take(id, deciding: decision, by: .ann).needsSecondPerson)
    #expect(try await Self.row(scenario, id)["status"] == "waiting_approval")
    // One login is one person, whichever name is given.
    for name in ["ann", "bob", nil] {
      await #expect(throws: JobError.self) { try await job.conclude(id, .approved, by: Person(name: name), reason: "me too") }
    }
    try await Self.job(try await scenario.login("bob"), "2026-05-12T14:00:00Z").conclude(id, .approved, by: .bob, reason: "seen")
    let row = try await Self.row(scenario, id, "2026-05-12T14:00:00Z")
    #expect([row].cells("status action decided_by approved_by") == ["closed \(action.rawValue) ann bob"])
    #expect(try await Self.row(scenario, id)["status"] == "waiting_approval")
  }

  @Test func nobodyAloneReplacesABan() async throws {
    let (scenario, id, _) = try await Self.bannedWorld()
    let later = try Self.job(scenario, "2026-05-12T15:00:00Z")
    for action in [CaseAction.dismiss, .accept, .watch] {
      let alone = CaseDecision(action: action, reason: "never mind")
      #expect(try await later.take(id, by: .ann, leaseSeconds: 3600) == id)
      let refused = await refusal { _ = try await later.decide(id, alone, by: .ann) }
      #expect(refused.contains("two people banned its subject"), "\(refused)")
      try await later.release(id, by: .ann, reason: "no")
      #expect(try await later.decideMany([id], alone, by: .ann).decidedCount == 0)
    }
    let row = try await Self.row(scenario, id, "2026-05-12T15:00:00Z")
    #expect([row].cells("status action decided_by approved_by") == ["closed ban ann bob"])
    let writeOff = CaseDecision(action: .writeOff, reason: "and the money")
    #expect(try await later.decideMany([id], writeOff, by: .ann).decidedCount == 1)
  }

  /// Adds a purchase of U2 whose order is a thousandth too dear, in a second night. Returns the id of its break.
  private static func addDifference(_ scenario: Scenario, asOf: String) async throws -> String? {
    let order = TestOrder("PO-9", user: "U2", at: "2026-05-11T10:00:00Z", names: "200") { $0.priceMilliunits = 6001 }
    try await scenario.decide(orders: [order], evidence: [ApplePurchase("200", at: "2026-05-11T10:00:10Z").jws], asOf: asOf)
    return try await scenario.rows(.breaks, asOf: asOf).first { $0["class"] == "AMOUNT_DIFF" }?["break_id"]
  }

  /// A new break reopens a decided case. The case then counts what a decision on it covers, and a later dismissal hides no ban.
  @Test(arguments: [
    (CaseAction.watch, "open critical AMOUNT_DIFF R01 REPLAY_MULTI_USER", "closed dismiss"),
    (.ban, "open medium AMOUNT_DIFF", "closed ban"),
  ]) func aReturningCaseCountsWhatADecisionCovers(_ action: CaseAction, returned: String, decided: String) async throws {
    let (scenario, id, job) = try await Self.world()
    try await job.take(id, deciding: CaseDecision(action: action, reason: "seen"), by: .ann)
    if action == .ban {
      try await Self.job(try await scenario.login("bob"), "2026-05-12T14:00:00Z").conclude(id, .approved, by: .bob, reason: "seen")
    }
    let later = "2026-05-13T12:00:00Z"
    #expect(try await Self.addDifference(scenario, asOf: later) != nil)
    #expect(try await [Self.row(scenario, id, later)].cells("status severity names") == [returned])
    let end = "2026-05-13T13:00:00Z"
    try await Self.job(scenario, end).take(id, deciding: CaseDecision(action: .dismiss, reason: "a thousandth"), by: .ann)
    #expect(try await [Self.row(scenario, id, end)].cells("status action") == [decided])
  }

  @Test func aWriteOffAfterABanCoversWhatTheCaseCounts() async throws {
    let (scenario, id, bob) = try await Self.bannedWorld()
    let later = "2026-05-13T12:00:00Z"
    _ = try await Self.addDifference(scenario, asOf: later)
    try await Self.job(scenario, later).take(id, deciding: CaseDecision(action: .writeOff, reason: "a thousandth"), by: .ann)
    try await Self.job(bob, "2026-05-13T14:00:00Z").conclude(id, .approved, by: .bob, reason: "seen")
    let breaks = try await scenario.cells(.breaks, "class status", asOf: "2026-05-13T14:00:00Z")
    #expect(breaks.sorted() == ["AMOUNT_DIFF written_off", "REPLAY_MULTI_USER persisting"])
  }

  @Test func aDecisionOnOneBreakIsNoVerdictOnTheCase() async throws {
    let (scenario, id, _) = try await Self.world()
    let later = "2026-05-13T12:00:00Z"
    var dismissal = CaseDecision(action: .dismiss, reason: "a thousandth")
    dismissal.breakIDs = [try #require(try await Self.addDifference(scenario, asOf: later))]
    try await Self.job(scenario, later).take(id, deciding: dismissal, by: .ann)
    #expect(try await [Self.row(scenario, id, later)].cells("status names action") == ["open R01 REPLAY_MULTI_USER "])
    let end = "2026-05-13T13:00:00Z"
    try await Self.job(scenario, end).take(id, deciding: CaseDecision(action: .watch, reason: "later"), by: .ann)
    #expect(try await [Self.row(scenario, id, end)].cells("status action") == ["closed watch"])
  }

  /// An explicit clock may be the same for all acts of a user.
  @Test func repeatedActsAtOneClockAreRecorded() async throws {
    let (scenario, id, job) = try await Self.world()
    let ban = CaseDecision(action: .ban, outcome: .confirmed, reason: "third replay")
    for _ in 0..<3 {
      #expect(try await job.take(id, by: .ann, leaseSeconds: 3600) == id)
      #expect(try await job.show(id, isFollowing: true).contains("taken by ann"))
      _ = try await job.decide(id, ban, by: .ann)
      try await job.conclude(id, .withdrawn, by: .ann, reason: "not yet")
    }
    for _ in 0..<2 {
      #expect(try await job.decideMany([id], ban, by: .ann).decidedCount == 1)
      try await job.conclude(id, .withdrawn, by: .ann, reason: "not yet")
    }
    #expect(try await scenario.auditFaults(asOf: Self.asOf) == [])
  }

  /// A dismissal confirms nothing, and a false positive permits no punishment or write-off. Every interface refuses both.
  @Test func contradictionsAreRefused() async throws {
    let (scenario, id, job) = try await Self.world()
    let charge = try await scenario.rows(.charges, asOf: Self.asOf).first?["charge_id"]
    for action in CaseAction.allCases {
      #expect(CaseDecision(action: action, reason: "x").outcome == (action == .dismiss ? .falsePositive : .confirmed))
      // The table of allowed outcomes begins with the default.
      #expect(action.outcomes.first == CaseDecision(action: action, reason: "x").outcome, "\(action)")
      #expect(Set(action.outcomes).count == action.outcomes.count, "\(action)")
      for outcome in CaseOutcome.allCases {
        let isRefused =
          (action == .dismiss && outcome == .confirmed)
          || ([.takeBack, .ban, .writeOff].contains(action) && outcome == .falsePositive)
        #expect(!isRefused || !action.outcomes.contains(outcome), "\(action) \(outcome)")
        var decision = CaseDecision(action: action, outcome: outcome, reason: "x")
        if action.isAboutPair { (decision.orderID, decision.chargeID) = ("PO-2", charge) }
        let made = decision
        for act in [
          { _ = try await job.decideMany([id], made, by: .ann, isDryRun: true) }, { _ = try await job.decide(id, made, by: .bob) },
          { _ = try await job.propose(made, by: .ann) },
        ] as [() async throws -> Void] {
          do { try await act() } catch let error as JobError {
            #expect(error.message.contains("contradicts the outcome") == isRefused, "\(action) \(outcome): \(error.message)")
            continue
          }
          #expect(!isRefused, "\(action) \(outcome)")
        }
      }
    }
  }

  @Test func skippedCasesOfABulkDecisionGetAReason() async throws {
    let (_, id, job) = try await Self.world()
    let dismissal = CaseDecision(action: .dismiss, outcome: .falsePositive, reason: "known")
    func reasons(_ person: Person) async throws -> [String] {
      try await job.decideMany([id, "none"], dismissal, by: person).left.map(\.reason)
    }
    _ = try await job.take(id, by: .bob, leaseSeconds: 3600)
    #expect(try await reasons(.ann) == ["bob has it until 2026-05-12T13:00:00Z", "there is no such case"])
    #expect(try await reasons(.bob) == ["there is no such case"])
    #expect(try await reasons(.ann) == ["decided already", "there is no such case"])
  }

  @Test(arguments: [CaseAction.ban, .writeOff]) func resolvedFindingsPermitNoPunishment(_ action: CaseAction) async throws {
    let (scenario, id, job) = try await Self.world()
    try await job.take(id, deciding: CaseDecision(action: action, outcome: .confirmed, reason: "third replay"), by: .ann)
    let later = "2026-05-13T12:00:00Z"
    let cancelled = TestOrder("PO-2", user: "U2", at: "2026-05-10T10:01:00Z") {
      ($0.status, $0.updatedAt) = ("cancelled", "2026-05-13T10:00:00Z")
    }
    try await scenario.decide(orders: [cancelled], asOf: later)
    let second = try Self.job(try await scenario.login("bob"), later)
    let error = await #expect(throws: JobError.self) { try await second.conclude(id, .approved, by: .bob, reason: "seen") }
    let stated = "nothing of it stands any more: R01 went \(later), REPLAY_MULTI_USER went \(later)"
    #expect(error?.description.contains(stated) == true, "\(error as Any)")
    try await second.conclude(id, .rejected, by: .bob, reason: "it was a slip")
  }
}
