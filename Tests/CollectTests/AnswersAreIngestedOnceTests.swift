import Foundation

/// Apple's answers are ingested once, whatever fails on the way.
@Suite(.cleansUp) struct AnswersAreIngestedOnceTests {
  @Test func notificationsOfBothStoresArriveOnce() async throws {
    let setup = try await StoreSetup(purchases: 95, customers: 7)
    try setup.store.change(.sandbox) { try $0.populate(purchases: 15, customers: 2, spacing: .minutes(1)) }
    await setup.store.advance(to: setup.store.now)
    let first = try await setup.collect(.notifications)
    #expect(first.unfinished.isEmpty)
    #expect(first.tally.accepted == 110)
    #expect(try await setup.genuine("notification") == 110)
    #expect(try await setup.genuine("transaction") == 110)
    #expect(try await setup.collect(.notifications).tally.accepted == 0)
    #expect(try await setup.genuine("notification") == 110)
  }

  @Test func interruptedCollectionResumes() async throws {
    let setup = try await StoreSetup(purchases: 90, customers: 7)
    // The third page and every retry of it fail.
    setup.store.script(Fault(.status(503), endpoint: .notificationHistory, environment: .production, after: 2, count: 4))
    let cut = try await setup.collect(.notifications)
    #expect(cut.unfinished.count == 1)
    #expect(cut.verdict == .incomplete)
    // The outcome counts the stored items.
    #expect(cut.tally == Tally(input: 40, accepted: 40))
    #expect(try await setup.genuine("notification") == 40)
    setup.store.clearFaults()
    setup.store.resetCounters()
    let rest = try await setup.collect(.notifications)
    #expect(rest.unfinished.isEmpty)
    #expect(rest.tally == Tally(input: 50, accepted: 50))
    #expect(try await setup.genuine("notification") == 90)
    #expect(setup.store.counters["Production notificationHistory"] == 3)
  }

  /// The first window begins where Apple's list does, so a day later it is refused and begins a day later, too.
  @Test(arguments: [true, false]) func resumedCollectionReadsUpToItsClock(_ isFirst: Bool) async throws {
    let setup = try await StoreSetup(purchases: isFirst ? 90 : 1, customers: 7)
    if !isFirst {
      _ = try await setup.collect(.notifications)
      await setup.store.advance(to: setup.store.now + .days(1))
      try setup.buyCoins(89)
      await setup.store.advance(to: setup.store.now)
    }
    setup.store.script(Fault(.status(503), endpoint: .notificationHistory, environment: .production, after: 2, count: 4))
    #expect(try await setup.collect(.notifications).verdict == .incomplete)
    setup.store.clearFaults()
    await setup.store.advance(to: setup.store.now + .days(1))
    try setup.buyCoins(3, for: "zoe")
    await setup.store.advance(to: setup.store.now)
    #expect(try await setup.collect(.notifications).unfinished == [])
    #expect(try await setup.genuine("notification") == 93)
  }

  @Test(arguments: [
    Fault.Kind.pageOverlap(items: 5), .duplicated, .reordered, .unrecognizedValues, .cutConnection(after: 700),
    .malformedJSON, .slowBody(bytes: 2000, pause: 1), .status(500), .refusedRevision,
  ]) func faultsLoseNoNotification(_ kind: Fault.Kind) async throws {
    let setup = try await StoreSetup(purchases: 60, customers: 3)
    setup.store.script(Fault(kind, endpoint: .notificationHistory, environment: .production, after: 1))
    _ = try await setup.collect(.notifications)
    setup.store.clearFaults()
    _ = try await setup.collect(.notifications)
    #expect(try await setup.scenario.rows(.charges, asOf: setup.asOf).count == 60, "\(kind)")
  }

  @Test func `T25 a notification that never arrived is fetched, counted once, and settled by a late delivery`() async throws {
    let setup = try await StoreSetup()
    setup.store.scriptDeliveries(["TIMED_OUT"], .production)
    try setup.buyCoins()
    await setup.store.deliver()
    _ = try await setup.collect(.notifications)
    _ = try await setup.collect(.notifications)
    try await setup.scenario.decide(asOf: setup.asOf)
    #expect(try await setup.scenario.openBreaks(asOf: setup.asOf) == ["MISSED_NOTIFICATION"])
    #expect(try await setup.scenario.rows(.charges, asOf: setup.asOf).count == 1)
    let late = setup.store.change(.production) { $0.notifications[0] }
    let queue = try PostQueue(context: try setup.scenario.context(asOf: setup.asOf), now: { instant("2026-11-02T01:00:00Z") })
    #expect(await queue.store(setup.store.body(of: late, .production)) == .stored)
    _ = try await NightlyJob(context: try setup.scenario.context(asOf: setup.asOf)).run(
      inbox: nil, reportDirectory: "\(setup.scenario.directory)/report")
    #expect(try await setup.scenario.openBreaks(asOf: setup.asOf) == [])
    #expect(try await setup.scenario.rows(.charges, asOf: setup.asOf).count == 1)
  }

  @Test("a history of notifications that comes as a file states the missed ones") func missedInAFile() async throws {
    let scenario = try await Scenario()
    func history(_ number: Int, _ results: [String]) throws -> String {
      let body = Scenario.notification(
        "ONE_TIME_CHARGE", uuid: "m-\(number)", ApplePurchase("\(500 + number)", at: "2026-05-10T10:00:20Z"),
        signedAt: "2026-05-10T10:00:25Z")
      let signed = try #require(body.split(separator: "\"").dropFirst(3).first)
      let attempts = results.map { "{\"attemptDate\":1778407200000,\"sendAttemptResult\":\"\($0)\"}" }
      return "{\"signedPayload\":\"\(signed)\",\"sendAttempts\":[\(attempts.joined(separator: ","))]}"
    }
    let items = try [history(1, ["TIMED_OUT", "NO_RESPONSE"]), history(2, ["SUCCESS"]), history(3, ["TIMED_OUT"])]
    let asOf = "2026-05-11T00:00:00Z"
    let file = "{\"hasMore\":false,\"notificationHistory\":[\(items.joined(separator: ","))]}"
    try await scenario.decide(evidence: [file], asOf: asOf)
    let missed = { try await scenario.openBreaks(asOf: $0).filter { $0 == "MISSED_NOTIFICATION" }.count }
    #expect(try await missed(asOf) == 2)
    // One of the missed notifications arrives after all.
    let late = try #require(items[2].split(separator: "\"").dropFirst(3).first)
    #expect(try await scenario.post(["{\"signedPayload\":\"\(late)\"}"], at: asOf) == [.stored])
    try await scenario.night(asOf: "2026-05-11T06:00:00Z")
    #expect(try await missed("2026-05-11T06:00:00Z") == 1)
    // Apple delivered the other one at its third attempt. The answer from before that, read again, changes nothing.
    let delivered = try history(1, ["TIMED_OUT", "NO_RESPONSE", "SUCCESS"])
    for (hour, item) in [("07", delivered), ("08", items[0])] {
      let clock = "2026-05-11T\(hour):00:00Z"
      try await scenario.decide(evidence: ["{\"hasMore\":false,\"notificationHistory\":[\(item)]}"], asOf: clock)
      #expect(try await missed(clock) == 0)
    }
  }

  /// Apple signs an answer after the clock of the run that requests it. A night of that clock decides by the answer, so it is input.
  @Test(arguments: [false, true]) func answersSignedAfterTheClockAreInput(_ isRefunded: Bool) async throws {
    let setup = try await StoreSetup().changed { $0.inputs[.apple].maxAgeSeconds = 30 * 3600 }
    let id = try setup.buyCoins()[0]
    if isRefunded { try setup.store.change(.production) { try $0.refund(id) } }
    let asOf = setup.asOf
    try await setup.scenario.orders([StoreSetup.order("P", names: id, at: asOf)], asOf: asOf)
    await setup.store.advance(to: setup.store.now + .minutes(20))
    let job = CollectJob(context: try setup.scenario.context(asOf: asOf), access: try setup.access())
    #expect(try await job.run(.transactions).tally.accepted > 0)
    let night = try await setup.scenario.night(asOf: asOf)
    #expect(night.verdict != .incomplete, "\(night.reasons)")
    #expect(try await setup.scenario.matches(asOf: asOf) == ["P \(id) M1"])
  }

  @Test("an app without a key is named beside those that were asked about") func unkeyed() async throws {
    let setup = try await StoreSetup().changed { $0.apps.append(AppSettings(bundleID: "com.acme.kids")) }
    let message = "com.acme.kids was not asked about: it has no API key (apps.api.key_file)"
    let outcome = try await setup.collect(.notifications)
    #expect(outcome.unasked == [message])
    // The run is clean because it collected all that was requested. Its message names the app without a key.
    #expect(outcome.verdict == .clean)
    #expect(try await setup.scenario.rows(.runs, asOf: setup.asOf).compactMap { $0["message"] } == [message])
  }

  @Test("T38 a rate limit pauses one endpoint and marks nothing as failed") func rateLimit() async throws {
    let setup = try await StoreSetup(purchases: 30, customers: 3)
    setup.store.script(Fault(.rateLimited(milliseconds: 600_000), endpoint: .notificationHistory, environment: .production))
    let refused = try await setup.collect(.notifications)
    #expect(refused.verdict == .incomplete)
    #expect(refused.unfinished.first?.contains("Production") == true)
    #expect(setup.store.counters["Sandbox notificationHistory"] == 1)
    // Another process makes no request before the pause is over either.
    #expect(try await setup.collect(.notifications).verdict == .incomplete)
    #expect(setup.store.counters["Production notificationHistory"] == 1)
    #expect(setup.store.counters["Sandbox notificationHistory"] == 2)
    try await setup.scenario.execute("update payrecon.api_budgets set paused_to = requested_at where paused_to is not null")
    #expect(try await setup.collect(.notifications).verdict == .clean)
    #expect(try await setup.scenario.rows(.charges, asOf: setup.asOf).count == 30)
  }

  @Test("what Apple answers and does not verify is a wrong setting, never a forgery", arguments: CollectKind.allCases)
  func wrongRoots(_ kind: CollectKind) async throws {
    guard kind != .receipts else { return }
    let setup = try await StoreSetup(purchases: 5, customers: 2)
    // A purchase to ask about.
    let id = try setup.buyCoins(for: "zoe")[0]
    try await setup.scenario.orders([StoreSetup.order("PO-1", names: id, at: setup.asOf)], asOf: setup.asOf)
    if kind == .refunds {
      // The refund history is requested for the known customers.
      _ = try await setup.collect(.transactions)
      try setup.store.change(.production) { try $0.refund(id) }
    }
    let known = try await setup.scenario.rows(.evidence, asOf: setup.asOf).count
    try setup.scenario.trust(Scenario.stranger)
    let error = try await #require(throws: JobError.self) { try await setup.collect(kind) }
    #expect(error.status == .error)
    #expect(error.hint?.contains("PAYRECON_APPLE_ROOTS") == true)
    #expect(try await setup.scenario.rows(.evidence, asOf: setup.asOf).count == known)
    // The stored position was not moved.
    try setup.scenario.write("roots/root.der", setup.store.rootDER)
    _ = try await setup.collect(kind)
    #expect(try await setup.scenario.rows(.evidence, asOf: setup.asOf).count > known)
  }

  @Test("an item of Apple's answer that is unsigned or does not verify stops no other item") func unreadableItems() async throws {
    let setup = try await StoreSetup(purchases: 2, customers: 1)
    let bodies = setup.store.change(.production) { $0.notifications }.map { setup.store.body(of: $0, .production) }
    let signed = try bodies.map { try #require(String(decoding: $0, as: UTF8.self).split(separator: "\"").dropFirst(3).first) }
    let items = [signed[0], signed[1].dropLast(20) + String(repeating: "A", count: 20)].map { #"{"signedPayload":"\#($0)"}"# }
    let unsigned = #"{"sendAttempts":[{"attemptDate":1793318400000,"sendAttemptResult":"SUCCESS"}]}"#
    let page = #"{"notificationHistory":[\#((items + [unsigned]).joined(separator: ","))],"hasMore":false}"#
    setup.store.script(Fault(.answer(page), endpoint: .notificationHistory, environment: .production))
    let outcome = try await setup.collect(.notifications)
    #expect(outcome.unfinished.isEmpty)
    #expect(outcome.tally == Tally(input: 3, accepted: 2, parked: 1))
    #expect(try await setup.genuine("notification") == 1)
    let parked = try await setup.scenario.rows(.parked, asOf: setup.asOf)
    #expect(parked.map { $0["file"] } == ["notifications com.example.reader Production"])
    #expect(parked.map { $0["line"] } == ["3"])
  }

  @Test("an app whose key cannot be read stops no other app") func unreadableKey() async throws {
    let setup = try await StoreSetup(purchases: 3)
    let both = setup.changed {
      $0.apps.insert(StoreSetup.app("\(setup.scenario.directory)/missing.p8"), at: 0)
      $0.apps[0].bundleID = "com.acme.kids"
    }
    let error = try await #require(throws: JobError.self) { try await both.collect(.notifications) }
    #expect("\(error)".contains("missing.p8") && "\(error)".contains("com.acme.kids"), "\(error)")
    #expect(try await setup.genuine("notification") == 3)
  }

  /// The simulator refuses every token of another app.
  @Test(
    "an app whose key is refused, or whose answers do not verify, stops no other app",
    arguments: [CollectKind.notifications, .transactions], [true, false])
  func otherAppsGoOn(_ kind: CollectKind, _ isRefusedFirst: Bool) async throws {
    let setup = try await StoreSetup()
    let id = try setup.buyCoins()[0]
    var other = setup.scenario.settings.apps[0]
    other.bundleID = "com.acme.kids"
    let both = setup.changed { $0.apps.insert(other, at: isRefusedFirst ? 0 : 1) }
    let orders = both.scenario.settings.apps.map { app in
      TestOrder(app.bundleID, user: "U1", at: setup.asOf) { ($0.bundleID, $0.transactionID) = (app.bundleID, id) }
    }
    try await both.scenario.orders(orders, asOf: setup.asOf)
    if !isRefusedFirst { try both.scenario.trust(Scenario.stranger) }
    let error = try await #require(throws: JobError.self) { try await both.collect(kind) }
    #expect(error.status == .error && error.hint?.contains("PAYRECON_APPLE_ROOTS") == !isRefusedFirst, "\(error)")
    let endpoint: Endpoint = kind == .notifications ? .notificationHistory : .transactionInfo
    #expect(setup.store.counters["Production \(endpoint.rawValue)"] == 2)
    #expect(try await both.scenario.rows(.evidence, asOf: setup.asOf).isEmpty != isRefusedFirst)
  }

  /// Production refuses the key of an app that was never released.
  @Test func refusalByProductionStopsNoSandbox() async throws {
    let setup = try await StoreSetup()
    try setup.buyCoins(in: .sandbox)
    setup.store.script(Fault(.unauthenticated, environment: .production, count: 10))
    await #expect(throws: JobError.self) { try await setup.collect(.notifications) }
    #expect(try await setup.genuine("notification") == 1)
  }

  /// Nobody knows the first id, and without production it is no ghost.
  @Test func sandboxOfAnUnreleasedAppAnswersAboutTransactions() async throws {
    let setup = try await StoreSetup()
    let id = try setup.buyCoins(in: .sandbox)[0]
    let orders = ["1", id].map { (id: String) in StoreSetup.order("P\(id)", names: id, at: setup.asOf) }
    try await setup.scenario.orders(orders, asOf: setup.asOf)
    setup.store.script(Fault(.unauthenticated, environment: .production, count: 10))
    let outcome = try await setup.collect(.transactions)
    #expect(outcome.missedCount == 0 && outcome.failedCount == 1 && outcome.verdict == .incomplete, "\(outcome.unfinished)")
    #expect(try await setup.genuine("transaction") >= 1)
  }

  @Test("a refused key stops the job and touches nothing") func refusedKey() async throws {
    let setup = try await StoreSetup(purchases: 5, customers: 1)
    setup.store.script(Fault(.unauthenticated, count: 10))
    await #expect(throws: JobError.self) { try await setup.collect(.notifications) }
    #expect(try await setup.scenario.rows(.evidence, asOf: setup.asOf).isEmpty)
    setup.store.clearFaults()
    #expect(try await setup.collect(.notifications).tally.accepted == 5)
  }
}
