/// One budget for Apple's rate limits in a real database.
@Suite(.serialized, .cleansUp) struct SharedRateLimitTests {
  private static let key = RateKey(bundleID: "com.example.reader", environment: .production, endpoint: .subscriptionStatuses)
  /// 70 % of Apple's 50 requests per second.
  private static let perSecond = 35.0
  private static let farAway = Timestamp(microseconds: .max)
  private static let asOf = "2026-11-01T00:00:00Z"
  private static let now = instant("2026-11-01T10:00:00Z")
  private let scenario: Scenario
  init() async throws { scenario = try await Scenario() }

  private func makeBudget() throws -> SharedBudget { DatabaseBudget(context: try scenario.context(asOf: Self.asOf)).shared }

  private static func request(milliseconds: Int64, waitMax: Int64 = 300_000, now: Timestamp? = nil) -> SharedBudget.Request {
    SharedBudget.Request(
      key: key, spanMicroseconds: milliseconds * 1000, keepMicroseconds: 100_000, waitMaxMicroseconds: waitMax * 1000, now: now)
  }

  // MARK: Pace

  /// Four processes at full speed, a slow one, and one that dies while it has a reservation.
  @Test func manyProcessesKeepToOnePace() async throws {
    let begin = try #require(Moment("2026-11-01T10:00:00Z"))
    let time = WorldClock(begin)
    func passed() -> Int64 { time.microseconds - begin.milliseconds * 1000 }
    let limiters = try (0..<6).map { _ in RateLimiter(clock: time.server, shared: try makeBudget()) }
    let microseconds: Int64 = 8_000_000
    var instants: [Int64] = []
    var slowDue: Int64 = 0
    while passed() < microseconds {
      let isSlow = passed() >= slowDue
      if isSlow { slowDue = passed() + 700_000 }
      let turn = instants.count
      let limiter = isSlow ? limiters[4] : turn < 4 ? limiters[5] : limiters[turn * 7 % 4]
      try await limiter.admit(Self.key, deadline: Self.farAway)
      instants.append(passed())
    }
    let most = instants.indices.map { first in instants[first...].prefix { $0 < instants[first] + 1_000_000 }.count }.max() ?? 0
    let seconds = Double(microseconds) / 1_000_000
    #expect(Double(most) <= 2.5 * Self.perSecond)
    #expect(Double(instants.count) <= Self.perSecond * (seconds + 1.5))
    #expect(Double(instants.count) >= Self.perSecond * seconds / 2)
  }

  @Test func simultaneousReservationsDoNotOverlap() async throws {
    let budgets = try (0..<6).map { _ in try makeBudget() }
    let waits = try await withThrowingTaskGroup(of: Int64.self) { group in
      for turn in 0..<24 {
        group.addTask { try await budgets[turn % 6].reserve(Self.request(milliseconds: 250, now: Self.now)).waitMicroseconds }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(waits.sorted() == (0..<24).map { $0 * 250_000 })
  }

  // MARK: Stretches

  @Test func reservationsWaitNoLongerThanRequested() async throws {
    // A caller that reserves and then vanishes costs only its reserved time.
    #expect(try await makeBudget().reserve(Self.request(milliseconds: 1000, now: Self.now)).waitMicroseconds == 0)
    let budget = try makeBudget()
    // A reservation that would begin too late is refused.
    for _ in 0..<2 {
      let refused = try await budget.reserve(Self.request(milliseconds: 250, waitMax: 999, now: Self.now))
      #expect(refused == SharedBudget.Answer(waitMicroseconds: 1_000_000, isTaken: false))
    }
    // Unused time is kept for the requested tenth of a second, and no longer.
    let later = instant("2026-11-01T10:01:00Z")
    for wait in [0, 150_000] as [Int64] {
      let answer = try await budget.reserve(Self.request(milliseconds: 250, now: later))
      #expect(answer == SharedBudget.Answer(waitMicroseconds: wait, isTaken: true))
    }
    // Other budgets are untouched.
    var other = Self.request(milliseconds: 250, now: later)
    other.key.environment = .sandbox
    #expect(try await budget.reserve(other).waitMicroseconds == 0)
  }

  @Test func pauseAppliesToAllAndIsNeverShortened() async throws {
    let budget = try makeBudget()
    try await budget.pause(Self.key, 60_000_000, Self.now)
    try await budget.pause(Self.key, 20_000_000, Self.now)
    let other = try makeBudget()
    #expect(try await other.reserve(Self.request(milliseconds: 250, waitMax: 1000, now: Self.now)).isTaken == false)
    for wait in [60_000_000, 60_500_000] as [Int64] {
      #expect(try await other.reserve(Self.request(milliseconds: 500, now: Self.now)).waitMicroseconds == wait)
    }
    let metrics = try await MetricsFile(context: try scenario.context(asOf: Self.asOf)).text()
    let labels = #"{bundle_id="com.example.reader",environment="Production",endpoint="subscription statuses"}"#
    let paused = Self.now.advanced(bySeconds: 60).wholeSeconds
    #expect(metrics.contains("payrecon_apple_budget_paused_to_seconds\(labels) \(paused)\n"), "\(metrics)")
    #expect(metrics.contains("payrecon_apple_budget_taken_to_seconds\(labels) \(paused + 1)\n"))
  }

  @Test func `after the database clock was set back, callers do not wait for the old reservations`() async throws {
    let budget = try makeBudget()
    _ = try await budget.reserve(Self.request(milliseconds: 250, now: instant("2026-11-03T10:00:00Z")))
    for wait in [0, 150_000] as [Int64] {
      let answer = try await budget.reserve(Self.request(milliseconds: 250, now: Self.now))
      #expect(answer == SharedBudget.Answer(waitMicroseconds: wait, isTaken: true))
    }
  }

  // MARK: Faults

  @Test func lostConnectionIsOpenedAgain() async throws {
    let budget = try makeBudget()
    _ = try await budget.reserve(Self.request(milliseconds: 10))
    try await scenario.execute(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()")
    #expect(try await budget.reserve(Self.request(milliseconds: 10)).isTaken)
  }

  @Test func unreachableDatabaseSendsNoRequest() async throws {
    let setup = try await StoreSetup()
    try await setup.scenario.execute("revoke all on payrecon.api_budgets from payrecon_jobs")
    let outcome = try await setup.collect(.notifications)
    #expect(outcome.verdict == .incomplete)
    #expect(outcome.unfinished.allSatisfy { $0.contains("its rate limit cannot be kept, permission denied") })
    #expect(setup.store.counters.isEmpty, "\(setup.store.counters)")
  }
}
