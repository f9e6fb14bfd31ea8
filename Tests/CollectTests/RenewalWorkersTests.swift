/// Several workers share one plan, and no subscription is requested twice.
@Suite(.serialized, .cleansUp) struct RenewalWorkersTests {
  /// Answers are slow enough for every worker to find work.
  @Test(arguments: [2, 4]) func workersShareThePlan(workers: Int) async throws {
    let subscribers = 64
    let setup = try await Self.setup(subscribers: subscribers)
    setup.store.script(
      Fault(
        .slowBody(bytes: 1 << 20, pause: 150), endpoint: .statuses, environment: .production, count: subscribers * 2))
    try await Self.poll(setup, workers: workers, inFlight: 1, subscribers)
  }

  @Test func `four workers could send far more requests, but Apple's counter refuses none`() async throws {
    let count = 280
    let setup = try await Self.setup(subscribers: count)
    // Apple's 50 a second in windows of four seconds. A larger burst would be refused.
    setup.store.countCalls(per: .seconds(4))
    setup.store.limit(.statuses, to: 200)
    try await Self.poll(setup, workers: 4, inFlight: 8, count)
    #expect(setup.store.counters["Production statuses refused"] == nil)
  }

  /// Returns a test environment where everybody renewed a day ago and no notification arrived.
  private static func setup(subscribers: Int) async throws -> RenewalSetup {
    let setup = try await RenewalSetup(start: "2026-02-01T00:00:00Z", lossPercent: 100)
    for number in 0..<subscribers {
      _ = try await setup.subscribe("C\(number)", .month, at: Moment("2026-02-01T00:00:00Z")! + .minutes(number))
    }
    await setup.store.deliver()
    try await setup.readMail()
    setup.mail.beginLosing()
    await setup.store.advance(to: Moment("2026-03-02T12:00:00Z")!)
    _ = try await RenewalPlanJob(context: try setup.scenario.context(asOf: setup.now)).run(day: nil)
    setup.store.resetCounters()
    return setup
  }

  /// Verifies that several workers request each due subscription once, and that every worker has a share.
  private static func poll(_ setup: RenewalSetup, workers: Int, inFlight: Int, _ count: Int) async throws {
    let jobs = try (1...workers).map { try setup.poller("worker \($0)") }
    var options = RenewalPollJob.Options()
    options.inFlight = inFlight
    let settings = options
    let outcomes = try await withThrowingTaskGroup(of: RenewalPollJob.Outcome.self) { group in
      for job in jobs { group.addTask { try await job.run(settings) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.allSatisfy { $0.askedCount > 0 && $0.verdict == .clean })
    #expect(outcomes.reduce(0) { $0 + $1.askedCount } == count)
    #expect(setup.calls == count)
    let slots = try await setup.scenario.answers(
      "select count(*) || ' ' || count(distinct original_transaction_id) || ' ' || count(distinct worker) from payrecon.polls")
    #expect(slots == ["\(count) \(count) \(workers)"])
    #expect(try await setup.poller("late").run().askedCount == 0)
  }
}
