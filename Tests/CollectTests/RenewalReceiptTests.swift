/// Apps without an API key are polled with their stored receipts on the same schedule.
@Suite(.cleansUp) struct RenewalReceiptTests {
  private let setup: ReceiptSetup

  init() async throws { setup = try await ReceiptSetup() }

  @Test func storedReceiptRevealsTheRenewal() async throws {
    let (_, end) = try await subscribe()
    await setup.store.advance(to: end - .days(2))
    #expect(try await poll().askedCount == 0)
    // The poll runs between two hours before the end and the end, regardless of the other collector.
    await setup.store.advance(to: end - .minutes(10))
    #expect(try await poll().askedCount == 1)
    #expect(try await poll().askedCount == 0)
    #expect(try await setup.charges() == 1)
    await setup.store.advance(to: end + .hours(1))
    #expect(try await poll().askedCount == 1)
    #expect(setup.store.counters["Production verifyReceipt"] == 2)
    #expect(setup.store.counters["Production statuses"] == nil)
    #expect(try await setup.scenario.cells(.subscriptions, "status", asOf: setup.asOf).first == "active")
    #expect(try await setup.scenario.rows(.renewalsToBook, asOf: setup.asOf).count == 1)
    await setup.store.advance(to: end + .days(2))
    #expect(try await poll().askedCount == 0)
  }

  /// Apple may collect the payment on the last day of the billing retry.
  @Test func receiptIsSentOnTheLastDay() async throws {
    let (id, end) = try await subscribe()
    try setup.store.change(.production) { try $0.setBilling(id, fails: true) }
    await setup.store.advance(to: end + .days(61) + .hours(2))
    #expect(try await poll().askedCount == 1)
    #expect(setup.store.counters["Production verifyReceipt"] == 1)
  }

  /// Buys a subscription and stores its receipt. Returns its id and its end.
  private func subscribe() async throws -> (id: String, end: Moment) {
    let id = try setup.buy(StoreSetup.gold, .production)
    _ = try await setup.collect(.notifications)
    try await setup.keep(setup.store.receipt(of: "anna", .production), chain: id)
    return (id, try #require(setup.store.change(.production) { $0.subscription(id)?.expiresAt }))
  }

  /// Polls as an app that has only a shared secret.
  private func poll() async throws -> RenewalPollJob.Outcome {
    var scenario = setup.scenario
    scenario.settings.apps[0].api?.keyFile = nil
    let access = try StoreAccess(context: try scenario.context(asOf: setup.asOf), addresses: setup.addresses)
    let clock = instant(setup.asOf)
    return try await RenewalPollJob(context: try scenario.context(asOf: setup.asOf), access: access, worker: "one", now: { clock }).run()
  }
}
