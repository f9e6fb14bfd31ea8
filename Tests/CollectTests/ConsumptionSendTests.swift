import Foundation
import Review

/// Answers to consumption requests, sent to a simulated App Store that fails in between.
@Suite(.cleansUp) struct ConsumptionSendTests {
  private static let bundleID = "com.example.reader"

  /// A store with requests, and the orders behind them.
  private struct World {
    var setup: StoreSetup
    var ids: [String]
    var sandboxIDs: [String] = []

    /// - Parameters:
    ///   - order: what a request's order states, `consent,share`, by its number.
    ///   - sandboxCount: requests about purchases in the sandbox.
    static func make(_ count: Int, order: (Int) -> String, sandboxCount: Int = 0) async throws -> World {
      let setup = try await StoreSetup().changed { $0.consumption.isSending = true }
      let ids = try setup.store.change(.production) { store in
        try store.addCustomer("anna")
        return try (0..<count).map { _ in try store.buy(StoreSetup.coins, for: "anna") }
      }
      try setup.store.change(.production) { store in
        store.advance(to: store.now + .minutes(13 * 60))
        for id in ids { try store.requestRefund(of: id) }
      }
      var world = World(setup: setup, ids: ids)
      if sandboxCount > 0 {
        let now = setup.store.change(.production) { $0.now }
        world.sandboxIDs = try setup.store.change(.sandbox) { store in
          try store.addCustomer("tess")
          let ids = try (0..<sandboxCount).map { _ in try store.buy(StoreSetup.coins, for: "tess") }
          store.advance(to: now)
          for id in ids { try store.requestRefund(of: id) }
          return ids
        }
      }
      try await world.ingestOrders(order)
      _ = try await setup.collect(.notifications)
      try await setup.scenario.decide(asOf: setup.asOf)
      return world
    }

    func ingestOrders(_ order: (Int) -> String) async throws {
      let header =
        "order_id,bundle_id,product_id,user_id,status,created_at,environment,transaction_id,consumption_consent,"
        + "consumption_millipercent"
      let at = "2026-11-01T00:00:00Z"
      func rows(_ ids: [String], _ letter: String, _ environment: String) -> [String] {
        ids.enumerated().map {
          "\(letter)\($0),\(bundleID),\(StoreSetup.coins),U\($0),delivered,\(at),\(environment),\($1),\(order($0))"
        }
      }
      let rows = rows(ids, "O", "Production") + rows(sandboxIDs, "S", "Sandbox")
      try await setup.scenario.ingest(.orders, ([header] + rows).joined(separator: "\n") + "\n", asOf: setup.asOf)
    }

    /// Requests every refund again, ten minutes later.
    func askAgain() async throws {
      for (environment, ids) in [(StoreEnvironment.production, ids), (.sandbox, sandboxIDs)] {
        try setup.store.change(environment) { store in
          store.advance(to: store.now + .minutes(10))
          for id in ids { try store.requestRefund(of: id) }
        }
      }
      _ = try await setup.collect(.notifications)
    }

    /// Sends at the store's clock, or some minutes after it.
    ///
    /// - Parameter pause: called at each pause before a repetition.
    func send(
      after minutes: Int64 = 0, pause: @escaping @Sendable () async throws -> Void = {}
    ) async throws -> ConsumptionSendJob.Outcome {
      let now = instant(setup.asOf).advanced(bySeconds: minutes * 60)
      let context = try setup.scenario.context(asOf: now.rfc3339)
      // Pauses pass at once.
      let clock = ServerClock(
        now: { Timestamp(microseconds: Int64(Date.now.timeIntervalSince1970 * 1_000_000)) }, sleep: { _ in try await pause() })
      let access = try StoreAccess(context: context, addresses: setup.addresses, clock: clock)
      return try await ConsumptionSendJob(context: context, access: access, now: { now }).run()
    }

    /// Returns how often Apple got an answer about each purchase, and how many different ones.
    func received() -> [(reports: Int, answers: [String])] {
      setup.store.change(.production) { store in
        ids.map { id in (store.transaction(id)?.consumptionReports ?? 0, store.transaction(id)?.consumptionAnswers ?? []) }
      }
    }

    func outcomes() async throws -> [String: Int] {
      let query = "select outcome, count(*) from payrecon.consumption_outcomes group by outcome"
      let rows = try await setup.scenario.query(query, gives: .text, .int8).map { ($0.0, Int($0.1)) }
      return Dictionary(uniqueKeysWithValues: rows)
    }
  }

  @Test func aRecordedAnswerIsNotSentAfterConsentWasWithdrawn() async throws {
    let world = try await World.make(2, order: { _ in "true,1000" })
    world.setup.store.script(Fault(.status(503), endpoint: .consumption, count: 100))
    #expect(try await world.send().sentCount == 0)
    world.setup.store.clearFaults()
    // The first order's share changed; the recorded text is sent. The second customer withdrew.
    let users = "user_id,consumption_consent\nU1,false\n"
    try await world.setup.scenario.ingest(.users, users, name: "users", asOf: world.setup.asOf)
    try await world.ingestOrders { _ in "true,2000" }
    let again = try await world.send(after: 1)
    #expect(again.sentCount == 1, "\(again.text)")
    let answers = world.received().map(\.answers)
    #expect(answers[0].count == 1 && answers[0][0].contains("\"consumptionPercentage\":1000") && answers[1].isEmpty)
    #expect(try await world.send(after: 13 * 60).ended == ["unconfirmed": 1])
  }

  @Test func answeredAndRefusedRequestsAreLeft() async throws {
    let world = try await World.make(3, order: { _ in "true," })
    let context = try world.setup.scenario.context(asOf: world.setup.asOf)
    try await CaseJob(context: context).answered(world.ids[0], isSent: true, by: Person(name: "ann"), reason: "in our console")
    world.setup.store.script(Fault(.failure(code: 4_000_047), endpoint: .consumption, count: 1))
    let first = try await world.send()
    #expect(first.sentCount == 1 && first.refusedCount == 1 && first.verdict == .warnings, "\(first.text)")
    let second = try await world.send()
    #expect(second.sentCount == 0 && second.refusedCount == 0)
    #expect(world.received().map(\.reports).reduce(0, +) == 1)
    #expect(try await world.outcomes() == ["sent": 1, "refused": 1])
    let lookup = LookupJob(context: context, access: try world.setup.access())
    let texts = try await [lookup.run(world.ids[1]), lookup.run(world.ids[2])]
    #expect(texts.contains { $0.contains(": sent, {\"customerConsented\":true,\"deliveryStatus\":\"DELIVERED\",") }, "\(texts)")
    #expect(texts.contains { $0.contains(": refused, could not send consumption information to Apple") }, "\(texts)")
    // A new request of Apple's is answered again.
    try await world.askAgain()
    #expect(try await world.send().sentCount == 3)
  }

  /// A failure in one environment leaves the other one's requests and is reported; an unknown transaction is no failure of the store.
  @Test func eachAppStoreFailsAlone() async throws {
    let world = try await World.make(12, order: { _ in "true,1000" }, sandboxCount: 2)
    #expect(try await world.send().sentCount == 14)
    for (kind, calls) in [(Fault.Kind.status(503), nil), (.unauthenticated, nil), (.failure(code: 4_040_010), 12)] {
      try await world.askAgain()
      world.setup.store.script(Fault(kind, endpoint: .consumption, environment: .production, count: 10_000))
      let before = world.setup.store.counters["Production consumption"] ?? 0
      let failed = try await world.send()
      #expect(failed.sentCount == 2 && failed.openCount == 12 && failed.verdict == .incomplete, "\(kind): \(failed.text)")
      #expect(failed.unfinished.count == 1 && failed.unfinished[0].hasPrefix("consumption com.example.reader: "), "\(failed.unfinished)")
      if let calls { #expect((world.setup.store.counters["Production consumption"] ?? 0) - before == calls, "\(kind)") }
      world.setup.store.clearFaults()
      #expect(try await world.send().sentCount == 12, "\(kind)")
    }
  }

  @Test func `a consent that is withdrawn during a run stops every call that has not begun`() async throws {
    let world = try await World.make(40, order: { _ in "true,1000" })
    world.setup.store.script(Fault(.status(503), endpoint: .consumption, count: 1))
    let setup = world.setup
    let outcome = try await world.send { try await setup.scenario.execute("update payrecon.orders set consumption_consent = false") }
    #expect(outcome.sentCount <= 16 && outcome.sentCount > 0, "\(outcome.text)")
    #expect(world.received().count { $0.reports > 0 } == outcome.sentCount)
  }

  @Test func aClockThatWasSetBackSendsNothingAgain() async throws {
    let world = try await World.make(3, order: { _ in "true," })
    let later = try world.setup.scenario.context(asOf: instant(world.setup.asOf).advanced(bySeconds: 600).rfc3339)
    try await CaseJob(context: later).answered(world.ids[0], isSent: true, by: Person(name: "ann"), reason: "in our console")
    #expect(try await world.send(after: 20).sentCount == 2)
    let back = try await world.send()
    #expect(back.sentCount == 0 && back.openCount == 0, "\(back.text)")
    #expect(world.received().map(\.reports) == [0, 1, 1])
  }

  @Test func requestsOfAnAppWithoutKeyAreReported() async throws {
    var world = try await World.make(2, order: { _ in "true," })
    world.setup = world.setup.changed { $0.apps[0].api = nil }
    let outcome = try await world.send()
    #expect(outcome.verdict == .incomplete && outcome.sentCount == 0 && outcome.unasked == [], "\(outcome.text)")
    #expect(
      outcome.unfinished == [
        "consumption com.example.reader: 2 requests are not answered, because the app has no API key (apps.api.key_file)"
      ])
  }

  @Test func aRefundedPurchaseEndsItsRequest() async throws {
    let world = try await World.make(2, order: { _ in "true," })
    // Apple's transaction states the refund, and no notification of it arrived.
    try await world.setup.scenario.execute("update payrecon.charges set state = 'refunded' where '\(world.ids[0])' = any(transaction_ids)")
    let outcome = try await world.send()
    #expect(outcome.sentCount == 1 && outcome.ended == ["refunded": 1] && outcome.openCount == 0, "\(outcome.text)")
    #expect(try await world.outcomes() == ["refunded": 1, "sent": 1])
    #expect(try await world.setup.scenario.auditFaults(asOf: world.setup.asOf) == [])
  }

  @Test func nothingIsSentUnlessTheSettingsSaySo() async throws {
    var world = try await World.make(1, order: { _ in "true," })
    world.setup = world.setup.changed { $0.consumption.isSending = false }
    let outcome = try await world.send()
    #expect(outcome.sentCount == 0 && outcome.openCount == 1)
    #expect(try await world.send(after: 13 * 60).ended.isEmpty)
    #expect(world.setup.store.counters["Production consumption"] == nil)
    #expect(try await world.outcomes().isEmpty)
  }
}
