import AppStoreSimulator
import Collect
import Domain
import JobCore
import Jobs
import Reports
import Testing
import TestSupport

/// Transactions that orders name are requested. An id unknown to Apple is a suspicion, never a verdict on money.
@Suite(.cleansUp) struct TransactionTests {
  private static func order(_ id: String, names transaction: String, at: String) -> TestOrder {
    TestOrder(id, user: "U-\(id)", at: at, names: transaction) {
      ($0.bundleID, $0.productID, $0.priceMilliunits, $0.currency) = ("com.example.reader", StoreDesk.coins, nil, nil)
    }
  }

  @Test("T16 an id of the sandbox, one of production, and one that nobody knows") func cascade() async throws {
    let desk = try await StoreDesk()
    let production = try desk.buyCoins()[0]
    let sandbox = try desk.buyCoins(in: .sandbox)[0]
    let at = desk.asOf
    try await desk.scenario.orders(
      [
        Self.order("P", names: production, at: at), Self.order("S", names: sandbox, at: at),
        Self.order("G", names: "999999999999999", at: at),
      ], asOf: at)
    let outcome = try await desk.collect(.transactions)
    #expect(outcome.missedCount == 1)
    #expect(outcome.unfinished.isEmpty)
    try await desk.scenario.decide(asOf: desk.asOf)
    #expect(try await desk.scenario.matches(asOf: desk.asOf) == ["P \(production) M1"])
    #expect(try await desk.scenario.openBreaks(asOf: desk.asOf) == ["GHOST_TX G", "SANDBOX_IN_PROD S"])
  }

  /// Refusals by a proxy, or about the app or the account. None of them states that Apple does not know the id, nor that a retry
  /// helps.
  @Test(arguments: [Fault.Kind.status(403), .failure(code: 4_040_003), .failure(code: 4_040_001)])
  func refusalsUnrelatedToTheID(_ kind: Fault.Kind) async throws {
    let desk = try await StoreDesk()
    desk.store.script(Fault(kind, count: 1))
    let question = AppleQuestion(context: try desk.scenario.context(asOf: desk.asOf), access: try desk.access())
    let error = await #expect(throws: JobError.self) { try await question.ask("999999999999999") }
    #expect(error?.status == .error && error?.hint?.contains("gives the same answer") == true, "\(error?.description ?? "")")
    try await desk.scenario.orders([Self.order("G", names: "999999999999999", at: desk.asOf)], asOf: desk.asOf)
    desk.store.script(Fault(kind, count: 1))
    let refused = try await desk.collect(.transactions)
    #expect(refused.missedCount == 0 && refused.unfinished.count == 1 && refused.verdict == .incomplete)
    try await desk.scenario.decide(asOf: desk.asOf)
    #expect(try await desk.scenario.openBreaks(asOf: desk.asOf) == [])
    // The next run repeats the request.
    #expect(try await desk.collect(.transactions).missedCount == 1)
  }

  @Test("T16 what was confirmed once stays confirmed when Apple loses sight of it") func confirmedStays() async throws {
    let desk = try await StoreDesk()
    let id = try desk.buyCoins()[0]
    try await desk.scenario.orders([Self.order("P", names: id, at: desk.asOf)], asOf: desk.asOf)
    _ = try await desk.collect(.notifications)
    desk.store.script(Fault(.failure(code: 4_040_010), count: 50))
    _ = try await desk.collect(.transactions)
    try await desk.scenario.decide(asOf: desk.asOf)
    #expect(try await desk.scenario.matches(asOf: desk.asOf) == ["P \(id) M1"])
    #expect(try await desk.scenario.openBreaks(asOf: desk.asOf) == [])
  }

  @Test("T39 a history goes on from its revision; a refused revision reads it all again") func incrementalHistory() async throws {
    let desk = try await StoreDesk()
    let ids = try desk.buyCoins(45)
    try await desk.scenario.orders([Self.order("P", names: ids[0], at: desk.asOf)], asOf: desk.asOf)
    _ = try await desk.collect(.transactions)
    #expect(try await desk.scenario.rows(.charges, asOf: desk.asOf).count == 45)
    try desk.store.change(.production) { store in
      try store.buy(StoreDesk.coins, for: "anna")
      try store.refund(ids[3])
    }
    let more = try await desk.collect(.transactions)
    #expect(more.tally.accepted == 2)
    func states() async throws -> [String: Int] {
      try await desk.scenario.rows(.charges, asOf: desk.asOf).reduce(into: [:]) { $0[$1["state"] ?? "", default: 0] += 1 }
    }
    let after = try await states()
    #expect(after == ["charged": 45, "refunded": 1])
    desk.store.script(Fault(.refusedRevision, endpoint: .history, count: 1))
    let again = try await desk.collect(.transactions)
    #expect(again.unfinished.isEmpty)
    let resynced = try await states()
    #expect(resynced == ["charged": 45, "refunded": 1])
  }

  @Test(arguments: [true, false]) func customerHistoryIsRequestedOnce(_ statesAppTransaction: Bool) async throws {
    let desk = try await StoreDesk()
    for customer in ["anna", "ben"] { try desk.buyCoins(7, for: customer, statesAppTransaction: statesAppTransaction) }
    _ = try await desk.collect(.notifications)
    desk.store.resetCounters()
    let outcome = try await desk.collect(.transactions)
    #expect(desk.store.counters["Production history"] == 2)
    #expect(outcome.tally.input == 14)
    // Nothing is new: one request each, and no item.
    desk.store.resetCounters()
    let again = try await desk.collect(.transactions)
    #expect(desk.store.counters["Production history"] == 2)
    #expect(again.tally.input == 0)
    // The requested purchase now belongs to an order. The next request starts where the last answer ended.
    let first = try await desk.scenario.rows(.charges, asOf: desk.asOf).compactMap { $0["transaction_ids"] }.min() ?? ""
    try await desk.scenario.decide(orders: [Self.order("P", names: first, at: desk.asOf)], asOf: desk.asOf)
    desk.store.resetCounters()
    let later = try await desk.collect(.transactions)
    #expect(desk.store.counters["Production history"] == 2)
    #expect(later.tally.input == 0)
  }

  /// The second page of a history fails. The run that stored the first page counts its items.
  @Test func interruptedHistoryIsCounted() async throws {
    let desk = try await StoreDesk()
    let ids = try desk.buyCoins(30)
    try await desk.scenario.orders([Self.order("P", names: ids[0], at: desk.asOf)], asOf: desk.asOf)
    desk.store.script(Fault(.status(503), endpoint: .history, environment: .production, after: 1, count: 4))
    let cut = try await desk.collect(.transactions)
    #expect(cut.verdict == .incomplete && cut.tally.isBalanced)
    let stored = try await desk.scenario.rows(.evidence, asOf: desk.asOf).count
    #expect(stored > 1 && cut.tally.accepted == stored, "\(cut.tally.text)")
    desk.store.clearFaults()
    let rest = try await desk.collect(.transactions)
    #expect(rest.verdict == .clean)
    #expect(try await desk.scenario.rows(.evidence, asOf: desk.asOf).count == stored + rest.tally.accepted)
  }

  /// A failure that belongs to one customer leaves the others untouched, and an outage ends the run.
  @Test(arguments: [CollectKind.transactions, .refunds], [
    (Fault.Kind.status(500), 4, 1), (.malformedJSON, 4, 1), (.status(403), 1, 1), (.failure(code: 4_040_001), 1, 0),
    (.status(503), 1000, 8),
  ])
  func oneCustomerStopsNoOther(_ list: CollectKind, _ trouble: (Fault.Kind, Int, Int)) async throws {
    let (kind, count, failed) = trouble
    let desk = try await StoreDesk()
    let customers = 10
    for number in 0..<customers { try desk.buyCoins(for: "C\(number)") }
    _ = try await desk.collect(.notifications)
    let endpoint: Endpoint = list == .refunds ? .refundHistory : .history
    let name = "Production \(endpoint.rawValue)"
    desk.store.script(Fault(kind, endpoint: endpoint, environment: .production, count: count))
    let first = try await desk.collect(list)
    #expect(first.failedCount == failed && first.verdict == (failed == 0 ? .clean : .incomplete), "\(first.unfinished)")
    // An outage costs eight customers four attempts each.
    #expect(desk.store.counters[name] == (failed == 8 ? 8 * 4 : customers - 1 + count))
    // The next run asks about everybody.
    desk.store.clearFaults()
    desk.store.resetCounters()
    let rest = try await desk.collect(list)
    #expect(rest.verdict == .clean && rest.failedCount == 0)
    #expect(desk.store.counters[name] == customers)
  }

  /// Ten failures that are not eight in a row.
  @Test func someIDsStopNoOther() async throws {
    let desk = try await StoreDesk()
    let orders = (101...130).map { Self.order("P\($0)", names: "\($0)", at: desk.asOf) }
    try await desk.scenario.orders(orders, asOf: desk.asOf)
    for after in [0, 10] {
      desk.store.script(Fault(.status(403), endpoint: .transactionInfo, environment: .production, after: after, count: 5))
    }
    let first = try await desk.collect(.transactions)
    #expect(first.failedCount == 10 && first.missedCount == 20 && first.verdict == .incomplete)
  }

  @Test("T16 an id that production refuses as invalid is looked for in the sandbox, too") func invalidInProduction() async throws {
    let desk = try await StoreDesk()
    let id = try desk.buyCoins(in: .sandbox)[0]
    try await desk.scenario.orders([Self.order("S", names: id, at: desk.asOf)], asOf: desk.asOf)
    desk.store.script(Fault(.failure(code: 4_000_006), endpoint: .transactionInfo, environment: .production))
    let outcome = try await desk.collect(.transactions)
    #expect(outcome.missedCount == 0 && outcome.tally.accepted == 1)
  }

  @Test func refundsAreFoundByCustomer() async throws {
    let desk = try await StoreDesk()
    let ids = try desk.buyCoins(2) + desk.buyCoins(for: "ben")
    _ = try await desk.collect(.notifications)
    desk.store.resetCounters()
    try desk.store.change(.production) { try $0.refund(ids[1]) }
    let outcome = try await desk.collect(.refunds)
    #expect(outcome.tally.accepted == 1)
    #expect(desk.store.counters["Production refundHistory"] == 2)
    let refunded = try await desk.scenario.rows(.charges, asOf: desk.asOf).filter { $0["state"] == "refunded" }
    #expect(refunded.map { $0["transaction_ids"] } == [ids[1]])
  }

  @Test("T40 a customer's order number is normalised and looked up") func customerOrder() async throws {
    let desk = try await StoreDesk()
    let (first, second) = try desk.store.change(.production) { store in
      try store.addCustomer("anna")
      var terms = StoreState.Terms()
      terms.order = "MK5TT8XYZ1"
      return (try store.buy(StoreDesk.coins, for: "anna", terms), try store.buy("com.example.reader.lifetime", for: "anna", terms))
    }
    let lookup = LookupJob(context: try desk.scenario.context(asOf: desk.asOf), access: try desk.access())
    let text = try await lookup.run(" mk5tt8xyz1 ")
    #expect(text.contains(first))
    #expect(text.contains(second))
    await #expect(throws: JobError.self) { try await lookup.run("MK5TT8XYZ2") }
  }
}
