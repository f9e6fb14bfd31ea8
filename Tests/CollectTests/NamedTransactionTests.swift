/// Transactions that orders name are requested. An id unknown to Apple is a suspicion, never a verdict on money.
@Suite(.cleansUp) struct NamedTransactionTests {
  private let setup: StoreSetup

  init() async throws { setup = try await StoreSetup() }

  @Test("T16 an id of the sandbox, one of production, and one that nobody knows") func cascade() async throws {
    let production = try setup.buyCoins()[0]
    let sandbox = try setup.buyCoins(in: .sandbox)[0]
    let at = setup.asOf
    try await setup.scenario.orders(
      [
        StoreSetup.order("P", names: production, at: at), StoreSetup.order("S", names: sandbox, at: at),
        StoreSetup.order("G", names: "999999999999999", at: at),
      ], asOf: at)
    let outcome = try await setup.collect(.transactions)
    #expect(outcome.missedCount == 1)
    #expect(outcome.unfinished.isEmpty)
    try await setup.scenario.decide(asOf: setup.asOf)
    #expect(try await setup.scenario.matches(asOf: setup.asOf) == ["P \(production) M1"])
    #expect(try await setup.scenario.openBreaks(asOf: setup.asOf) == ["GHOST_TX G", "SANDBOX_IN_PROD S"])
  }

  /// Returns the store with a second app, whose evidence the tests sign.
  private func twoApps() throws -> StoreSetup {
    try setup.scenario.write("roots/other.der", Scenario.authority.rootDER)
    return setup.changed { $0.apps.append(AppSettings(bundleID: "com.acme.kids")) }
  }

  /// Another app's purchase, or one of the sandbox, has the number that an order names.
  @Test(arguments: [("com.acme.kids", "Production"), ("com.example.reader", "Sandbox")])
  func numbersOfOtherAppsAndEnvironmentsAreRequested(_ bundleID: String, _ environment: String) async throws {
    let id = try setup.buyCoins()[0]
    let twoApps = try twoApps()
    let other = ApplePurchase(id, at: "2026-10-01T10:00:00Z", product: StoreSetup.coins).with {
      ($0.bundleID, $0.environment) = (bundleID, environment)
    }
    try await twoApps.scenario.evidence([other.jws], asOf: twoApps.asOf)
    try await twoApps.scenario.orders([StoreSetup.order("P", names: id, at: twoApps.asOf)], asOf: twoApps.asOf)
    #expect(try await twoApps.collect(.transactions).missedCount == 0)
    try await twoApps.scenario.decide(asOf: twoApps.asOf)
    #expect(try await twoApps.scenario.matches(asOf: twoApps.asOf) == ["P \(id) M1"])
  }

  /// Apple does not know the id in the order's app. The order still claims the other app's purchase.
  @Test func purchaseOfAnotherAppIsNotUnknown() async throws {
    let twoApps = try twoApps()
    let other = ApplePurchase("500", at: "2026-11-01T10:00:00Z", product: StoreSetup.coins).with { $0.bundleID = "com.acme.kids" }
    try await twoApps.scenario.evidence([other.jws], asOf: twoApps.asOf)
    try await twoApps.scenario.orders([StoreSetup.order("P", names: "500", at: twoApps.asOf)], asOf: twoApps.asOf)
    #expect(try await twoApps.collect(.transactions).missedCount == 1)
    try await twoApps.scenario.decide(asOf: twoApps.asOf)
    #expect(try await !twoApps.scenario.openBreaks(asOf: twoApps.asOf).contains("GHOST_TX P"))
  }

  /// Refusals by a proxy, or about the app or the account. None of them states that Apple does not know the id, nor that a retry
  /// helps.
  @Test(arguments: [Fault.Kind.status(403), .failure(code: 4_040_003), .failure(code: 4_040_001)])
  func refusalsUnrelatedToTheID(_ kind: Fault.Kind) async throws {
    setup.store.script(Fault(kind, count: 1))
    let question = AppleQuestion(context: try setup.scenario.context(asOf: setup.asOf), access: try setup.access())
    let error = await #expect(throws: JobError.self) { try await question.ask("999999999999999") }
    #expect(error?.status == .error && error?.hint?.contains("gives the same answer") == true, "\(error?.description ?? "")")
    try await setup.scenario.orders([StoreSetup.order("G", names: "999999999999999", at: setup.asOf)], asOf: setup.asOf)
    setup.store.script(Fault(kind, count: 1))
    let refused = try await setup.collect(.transactions)
    #expect(refused.missedCount == 0 && refused.unfinished.count == 1 && refused.verdict == .incomplete)
    try await setup.scenario.decide(asOf: setup.asOf)
    #expect(try await setup.scenario.openBreaks(asOf: setup.asOf) == [])
    // The next run repeats the request.
    #expect(try await setup.collect(.transactions).missedCount == 1)
  }

  @Test("T16 what was confirmed once stays confirmed when Apple loses sight of it") func confirmedStays() async throws {
    let id = try setup.buyCoins()[0]
    try await setup.scenario.orders([StoreSetup.order("P", names: id, at: setup.asOf)], asOf: setup.asOf)
    _ = try await setup.collect(.notifications)
    setup.store.script(Fault(.failure(code: 4_040_010), count: 50))
    _ = try await setup.collect(.transactions)
    try await setup.scenario.decide(asOf: setup.asOf)
    #expect(try await setup.scenario.matches(asOf: setup.asOf) == ["P \(id) M1"])
    #expect(try await setup.scenario.openBreaks(asOf: setup.asOf) == [])
  }

  @Test("T39 a history goes on from its revision; a refused revision reads it all again") func incrementalHistory() async throws {
    let ids = try setup.buyCoins(45)
    try await setup.scenario.orders([StoreSetup.order("P", names: ids[0], at: setup.asOf)], asOf: setup.asOf)
    _ = try await setup.collect(.transactions)
    #expect(try await setup.scenario.rows(.charges, asOf: setup.asOf).count == 45)
    try setup.store.change(.production) { store in
      try store.buy(StoreSetup.coins, for: "anna")
      try store.refund(ids[3])
    }
    #expect(try await setup.collect(.transactions).tally.accepted == 2)
    func states() async throws -> [String: Int] {
      Dictionary(grouping: try await setup.scenario.rows(.charges, asOf: setup.asOf)) { $0["state"] ?? "" }.mapValues(\.count)
    }
    #expect(try await states() == ["charged": 45, "refunded": 1])
    setup.store.script(Fault(.refusedRevision, endpoint: .history, count: 1))
    #expect(try await setup.collect(.transactions).unfinished.isEmpty)
    #expect(try await states() == ["charged": 45, "refunded": 1])
  }

  @Test(arguments: [true, false]) func customerHistoryIsRequestedOnce(_ statesAppTransaction: Bool) async throws {
    for customer in ["anna", "ben"] { try setup.buyCoins(7, for: customer, statesAppTransaction: statesAppTransaction) }
    _ = try await setup.collect(.notifications)
    /// Expects one request for each customer, and this many items.
    func expectOneRequestEach(items: Int) async throws {
      setup.store.resetCounters()
      #expect(try await setup.collect(.transactions).tally.input == items)
      #expect(setup.store.counters["Production history"] == 2)
    }
    try await expectOneRequestEach(items: 14)
    // Nothing is new.
    try await expectOneRequestEach(items: 0)
    // The requested purchase now belongs to an order. The next request starts where the last answer ended.
    let first = try await setup.scenario.rows(.charges, asOf: setup.asOf).compactMap { $0["transaction_ids"] }.min() ?? ""
    try await setup.scenario.decide(orders: [StoreSetup.order("P", names: first, at: setup.asOf)], asOf: setup.asOf)
    try await expectOneRequestEach(items: 0)
  }

  /// The second page of a history fails. The run that stored the first page counts its items.
  @Test func interruptedHistoryIsCounted() async throws {
    let ids = try setup.buyCoins(30)
    try await setup.scenario.orders([StoreSetup.order("P", names: ids[0], at: setup.asOf)], asOf: setup.asOf)
    setup.store.script(Fault(.status(503), endpoint: .history, environment: .production, after: 1, count: 4))
    let cut = try await setup.collect(.transactions)
    #expect(cut.verdict == .incomplete && cut.tally.isBalanced)
    let stored = try await setup.scenario.rows(.evidence, asOf: setup.asOf).count
    #expect(stored > 1 && cut.tally.accepted == stored, "\(cut.tally.text)")
    setup.store.clearFaults()
    let rest = try await setup.collect(.transactions)
    #expect(rest.verdict == .clean)
    #expect(try await setup.scenario.rows(.evidence, asOf: setup.asOf).count == stored + rest.tally.accepted)
  }

  /// A failure that belongs to one customer leaves the others untouched, and an outage ends the run.
  @Test(
    arguments: [CollectKind.transactions, .refunds],
    [
      (Fault.Kind.status(500), 4, 1), (.malformedJSON, 4, 1), (.status(403), 1, 1), (.failure(code: 4_040_001), 1, 0),
      (.status(503), 1000, 8),
    ])
  func oneCustomerStopsNoOther(_ list: CollectKind, _ trouble: (Fault.Kind, Int, Int)) async throws {
    let (kind, count, failed) = trouble
    let customers = 10
    for number in 0..<customers { try setup.buyCoins(for: "C\(number)") }
    _ = try await setup.collect(.notifications)
    let endpoint: Endpoint = list == .refunds ? .refundHistory : .history
    let name = "Production \(endpoint.rawValue)"
    setup.store.script(Fault(kind, endpoint: endpoint, environment: .production, count: count))
    let first = try await setup.collect(list)
    #expect(first.failedCount == failed && first.verdict == (failed == 0 ? .clean : .incomplete), "\(first.unfinished)")
    // An outage costs eight customers four attempts each.
    #expect(setup.store.counters[name] == (failed == 8 ? 8 * 4 : customers - 1 + count))
    // The next run asks about everybody.
    setup.store.clearFaults()
    setup.store.resetCounters()
    let rest = try await setup.collect(list)
    #expect(rest.verdict == .clean && rest.failedCount == 0)
    #expect(setup.store.counters[name] == customers)
  }

  /// Each of two runs answers four of fifteen customers. The second one begins with those whom the first did not reach.
  @Test func nextRunContinuesAfterAnOutage() async throws {
    for number in 0..<15 { try setup.buyCoins(for: "C\(number)") }
    _ = try await setup.collect(.notifications)
    for _ in 0..<2 {
      setup.store.script(Fault(.status(503), endpoint: .refundHistory, environment: .production, after: 4, count: 1000))
      #expect(try await setup.collect(.refunds).failedCount == 8)
      setup.store.clearFaults()
    }
    let answered = "select count(*)::text from payrecon.collections where job = 'refunds' and subject <> ''"
    #expect(try await setup.scenario.answers(answered) == ["7"])
  }

  /// A run that continues an interrupted one asks about the purchases before its start at the end, and about no later one again.
  @Test func continuedRunEndsWhereItBegan() async throws {
    let ids = try setup.buyCoins(3).sorted()
    _ = try await setup.collect(.notifications)
    let parameters: [String: Value] = [
      "bundle_id": .text("com.example.reader"), "environment": .text("Production"), "after_id": .text(""), "until_id": .text(ids[1]),
      "since": .timestamptz(microseconds: 0), "row_max": .int8(500),
    ]
    for statement in [CollectSQL.wantedRefunds, CollectSQL.wantedHistories] {
      let wanted = try await setup.scenario.context(asOf: setup.asOf).rows(statement, parameters, as: .jobs)
      #expect(wanted.map(\.0) == Array(ids.prefix(2)))
    }
  }

  /// Ten failures that are not eight in a row.
  @Test func someIDsStopNoOther() async throws {
    let orders = (101...130).map { StoreSetup.order("P\($0)", names: "\($0)", at: setup.asOf) }
    try await setup.scenario.orders(orders, asOf: setup.asOf)
    for after in [0, 10] {
      setup.store.script(Fault(.status(403), endpoint: .transactionInfo, environment: .production, after: after, count: 5))
    }
    let first = try await setup.collect(.transactions)
    #expect(first.failedCount == 10 && first.missedCount == 20 && first.verdict == .incomplete)
  }

  @Test("T16 an id that production refuses as invalid is looked for in the sandbox, too") func invalidInProduction() async throws {
    let id = try setup.buyCoins(in: .sandbox)[0]
    try await setup.scenario.orders([StoreSetup.order("S", names: id, at: setup.asOf)], asOf: setup.asOf)
    setup.store.script(Fault(.failure(code: 4_000_006), endpoint: .transactionInfo, environment: .production))
    let outcome = try await setup.collect(.transactions)
    #expect(outcome.missedCount == 0 && outcome.tally.accepted == 1)
  }

  @Test func refundsAreFoundByCustomer() async throws {
    let ids = try setup.buyCoins(2) + setup.buyCoins(for: "ben")
    _ = try await setup.collect(.notifications)
    setup.store.resetCounters()
    try setup.store.change(.production) { try $0.refund(ids[1]) }
    #expect(try await setup.collect(.refunds).tally.accepted == 1)
    #expect(setup.store.counters["Production refundHistory"] == 2)
    let refunded = try await setup.scenario.rows(.charges, asOf: setup.asOf).filter { $0["state"] == "refunded" }
    #expect(refunded.map { $0["transaction_ids"] } == [ids[1]])
  }

  /// A period older than the window states the customer of the two purchases in it.
  @Test func refundsOfACustomerAreRequestedOnce() async throws {
    try setup.scenario.write("roots/other.der", Scenario.authority.rootDER)
    let named = #","appTransactionId":"7001""#
    let purchases = [
      ApplePurchase.month("801", at: "2026-05-01T10:00:00Z", until: "2026-06-01T10:00:00Z").with { $0.more = named },
      .month("802", original: "801", at: "2026-10-20T10:00:00Z", until: "2026-11-20T10:00:00Z", isRenewal: true),
      ApplePurchase("803", at: "2026-10-21T10:00:00Z").with { $0.more = named },
    ]
    try await setup.scenario.evidence(purchases.map { $0.with { $0.bundleID = "com.example.reader" }.jws }, asOf: setup.asOf)
    _ = try await setup.collect(.refunds)
    #expect(setup.store.counters["Production refundHistory"] == 1)
  }

  @Test(arguments: [[""], [#","revision":"r_1""#, #","revision":"r_2""#, #","revision":"r_1""#]], ["true", #""true""#])
  func endlessHistoryIsIncomplete(_ revisions: [String], _ more: String) async throws {
    let id = try setup.buyCoins()[0]
    _ = try await setup.collect(.notifications)
    for revision in revisions {
      let page = #"{"hasMore":\#(more),"signedTransactions":[]\#(revision)}"#
      setup.store.script(Fault(.answer(page), endpoint: .history, environment: .production))
    }
    let outcome = try await setup.collect(.transactions)
    #expect(outcome.verdict == .incomplete)
    #expect(outcome.unfinished.map { $0.hasSuffix("the list of transaction \(id) does not end") } == [true], "\(outcome.unfinished)")
  }

  /// An answer without its list states nothing. The next run asks from the same revision.
  @Test(arguments: [CollectKind.transactions, .refunds]) func answerWithoutItsListIsIncomplete(_ kind: CollectKind) async throws {
    let id = try setup.buyCoins()[0]
    _ = try await setup.collect(.notifications)
    try setup.store.change(.production) { try $0.refund(id) }
    let endpoint: Endpoint = kind == .refunds ? .refundHistory : .history
    let page = Fault.Kind.answer(#"{"hasMore":false,"revision":"r_1"}"#)
    setup.store.script(Fault(page, endpoint: endpoint, environment: .production, count: 4))
    let outcome = try await setup.collect(kind)
    #expect(outcome.verdict == .incomplete && outcome.failedCount == 1, "\(outcome.unfinished)")
    setup.store.clearFaults()
    #expect(try await setup.collect(kind).tally.accepted == 1)
  }

  /// One person may have our token on two Apple accounts.
  @Test func refundsOfBothAccountsOfATokenAreFound() async throws {
    let terms = StoreState.Terms(appAccountToken: "11111111-2222-4333-8444-555555555555")
    let ids = try setup.store.change(.production) { store in
      try ["anna", "ben"].map { customer in
        try store.addCustomer(customer, statesAppTransaction: false)
        return try store.buy(StoreSetup.coins, for: customer, terms)
      }
    }
    _ = try await setup.collect(.notifications)
    try setup.store.change(.production) { store in for id in ids { try store.refund(id) } }
    #expect(try await setup.collect(.refunds).tally.accepted == 2)
  }

  /// The notification of the second purchase was lost, and no order names it.
  @Test func historyOfAKnownUserExplainsAnOpenOrder() async throws {
    func order(_ id: String, names transaction: String? = nil) -> TestOrder {
      StoreSetup.order(id, names: transaction, at: setup.asOf) { $0.userID = "U1" }
    }
    let first = try setup.buyCoins()[0]
    _ = try await setup.collect(.notifications)
    try await setup.scenario.decide(orders: [order("P1", names: first)], asOf: setup.asOf)
    #expect(try await setup.collect(.transactions).tally.input == 0)
    try setup.store.change(.production) { _ = try $0.buy(StoreSetup.coins, for: "anna") }
    try await setup.scenario.orders([order("P2")], asOf: setup.asOf)
    #expect(try await setup.collect(.transactions).tally.accepted == 1)
    #expect(try await setup.scenario.rows(.charges, asOf: setup.asOf).count == 2)
  }

  /// The refused key of another app stops no lookup.
  @Test(arguments: [false, true]) func `T40 a customer's order number is normalised and looked up`(_ isOtherKeyRefused: Bool) async throws {
    let (first, second) = try setup.store.change(.production) { store in
      try store.addCustomer("anna")
      var terms = StoreState.Terms()
      terms.order = "MK5TT8XYZ1"
      return (try store.buy(StoreSetup.coins, for: "anna", terms), try store.buy("com.example.reader.lifetime", for: "anna", terms))
    }
    var other = setup.scenario.settings.apps[0]
    other.bundleID = "com.acme.kids"
    let apps = (isOtherKeyRefused ? [other] : []) + setup.scenario.settings.apps
    let asking = setup.changed { $0.apps = apps }
    let lookup = LookupJob(context: try asking.scenario.context(asOf: setup.asOf), access: try asking.access())
    let text = try await lookup.run(" mk5tt8xyz1 ")
    #expect(text.contains(first))
    #expect(text.contains(second))
    await #expect(throws: JobError.self) { try await lookup.run("MK5TT8XYZ2") }
  }
}
