import Synchronization
import Wording

/// A shared budget in memory that answers like the database and records its requests.
final class ScriptedBudget: Sendable {
  struct Failure: Error, CustomStringConvertible { var description: String { "nobody is there" } }

  private struct State {
    /// Ends of the reservations of other processes, and of the limiters by key, in microseconds.
    var othersTo: Int64 = 0
    var takenTo: [RateKey: Int64] = [:]
    var pausedTo: [RateKey: Int64] = [:]
    var requests: [SharedBudget.Request] = []
    var pauses: [Int64] = []
    var isDown = false
    /// Delay of each answer in seconds.
    var delay: Int64 = 0
  }

  private let time: ManualClock
  private let state = Mutex(State())

  init(_ time: ManualClock) { self.time = time }

  var requests: [SharedBudget.Request] { state.withLock { $0.requests } }
  var pauses: [Int64] { state.withLock { $0.pauses } }

  func setDown(_ isDown: Bool) { state.withLock { $0.isDown = isDown } }
  func setDelay(seconds: Int64) { state.withLock { $0.delay = seconds } }
  /// Lets other processes reserve this many seconds after the existing reservations.
  func take(seconds: Int64) {
    let now = time.now.microseconds
    state.withLock { $0.othersTo = max($0.othersTo, $0.takenTo.values.max() ?? 0, now) + seconds * 1_000_000 }
  }

  var shared: SharedBudget {
    SharedBudget(
      reserve: { request in
        let answer = try self.reserve(request)
        self.time.advance(seconds: self.state.withLock { $0.delay })
        return answer
      },
      pause: { key, microseconds, now in
        self.state.withLock { state in
          state.pauses.append(microseconds)
          state.pausedTo[key] = max(state.pausedTo[key] ?? 0, (now?.microseconds ?? 0) + microseconds)
        }
      })
  }

  private func reserve(_ request: SharedBudget.Request) throws -> SharedBudget.Answer {
    try state.withLock { state in
      state.requests.append(request)
      if state.isDown { throw Failure() }
      let now = request.now?.microseconds ?? 0
      let begin = max(
        state.othersTo, state.takenTo[request.key] ?? 0, state.pausedTo[request.key] ?? 0, now - request.keepMicroseconds)
      let isTaken = begin - now <= request.waitMaxMicroseconds
      if isTaken { state.takenTo[request.key] = begin + request.spanMicroseconds }
      return SharedBudget.Answer(waitMicroseconds: max(0, begin - now), isTaken: isTaken)
    }
  }
}

@Suite("Shared budget") struct SharedBudgetTests {
  static func setup(percent: Int = 100) -> (time: ManualClock, budget: ScriptedBudget, limiter: RateLimiter) {
    let time = ManualClock()
    let budget = ScriptedBudget(time)
    return (time, budget, RateLimiter(percent: percent, clock: time.clock, shared: budget.shared))
  }

  @Test(
    "one process alone keeps the pace of its endpoint",
    arguments: [
      // Endpoint, App Store, percent, request count, duration in milliseconds at an even pace.
      (APIEndpoint.transactionInfo, APIEnvironment.production, 100, 500, 10_000),
      (.subscriptionStatuses, .production, 70, 350, 10_000),
      (.refundHistory, .production, 70, 70, 10_000),
      (.reports, .production, 100, 10, 10_000),
      (.transactionInfo, .sandbox, 70, 35, 10_000),
      (.reports, .sandbox, 70, 7, 100_000),
    ]) func pace(endpoint: APIEndpoint, environment: APIEnvironment, percent: Int, requests: Int, milliseconds: Int64) async throws
  {
    let (time, _, limiter) = Self.setup(percent: percent)
    let start = time.now
    for _ in 0..<requests { try await limiter.admit(key(endpoint, environment), deadline: .farAway) }
    let took = (time.now.microseconds - start.microseconds) / 1000
    // The requests of the first second may run ahead of the pace. The limiter does not wait for the rest of the last stretch.
    #expect((milliseconds - 1000 - milliseconds / Int64(requests)...milliseconds).contains(took), "\(took) ms")
  }

  @Test("in no second more is sent than a second allows and one and a half second's requests, however many processes ask")
  func sum() async throws {
    let time = ManualClock()
    let budget = ScriptedBudget(time)
    let limiters = (0..<4).map { _ in RateLimiter(clock: time.clock, shared: budget.shared) }
    var sent: [Int64] = []
    for number in 0..<700 {
      try await limiters[number * 7 % 4].admit(key(.subscriptionStatuses), deadline: .farAway)
      sent.append(time.now.microseconds)
      // Every hundredth request is followed by two idle seconds.
      if number % 100 == 99 { time.advance(seconds: 2) }
    }
    let most = sent.indices.map { first in sent[first...].prefix { $0 < sent[first] + 1_000_000 }.count }.max() ?? 0
    #expect(most <= 87, "\(most) in one second")
    let seconds = Double((sent.last ?? 0) - sent[0]) / 1_000_000
    #expect((20...36).contains(seconds), "\(seconds) s")
  }

  @Test func `requests are sent within what was taken, and share it`() async throws {
    let (time, budget, limiter) = Self.setup()
    let start = time.now
    budget.take(seconds: 3)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<12 {
        group.addTask { try await limiter.admit(key(.transactionInfo), deadline: .farAway) }
      }
      try await group.waitForAll()
    }
    #expect(time.now.microseconds - start.microseconds >= 3_000_000)
    #expect(budget.requests.count <= 4, "\(budget.requests.map(\.spanMicroseconds))")
  }

  @Test func `more is asked for ahead when little is left, and only where much is asked`() async throws {
    let (_, budget, limiter) = Self.setup()
    // The first stretch covers one request. The second one covers a quarter of a second, which is 12 requests.
    for _ in 0..<9 { try await limiter.admit(key(.transactionInfo), deadline: .farAway) }
    for _ in 0..<20 { await Task.yield() }
    #expect(budget.requests.map { $0.spanMicroseconds / 20_000 } == [1, 12])
    try await limiter.admit(key(.transactionInfo), deadline: .farAway)
    for _ in 0..<1000 where budget.requests.count < 3 { await Task.yield() }
    #expect(budget.requests.count == 3)
    for _ in 0..<2 { try await limiter.admit(key(.reports, .sandbox), deadline: .farAway) }
    for _ in 0..<20 { await Task.yield() }
    #expect(budget.requests.count == 5)
  }

  @Test func `who sends little takes little`() async throws {
    let (time, budget, limiter) = Self.setup()
    for _ in 0..<20 {
      try await limiter.admit(key(.transactionInfo), deadline: .farAway)
      time.advance(seconds: 1)
    }
    #expect(budget.requests.count == 20)
    #expect(budget.requests.allSatisfy { $0.spanMicroseconds == 20_000 })
  }

  @Test func `what begins after the deadline is not taken`() async throws {
    let (time, budget, limiter) = Self.setup()
    budget.take(seconds: 100)
    let begin = time.now.advanced(bySeconds: 100)
    await #expect(throws: RateLimiter.Refusal.notBefore(begin)) {
      try await limiter.admit(key(.transactionInfo), deadline: time.now.advanced(bySeconds: 60))
    }
    #expect(time.slept.isEmpty)
    // The budget is still free, also for callers that wait longer than the reservation limit.
    budget.take(seconds: 500)
    try await limiter.admit(key(.transactionInfo), deadline: .farAway)
    #expect(time.now == begin.advanced(bySeconds: 500))
  }

  @Test func `a pause holds all who share the budget`() async throws {
    let (time, budget, first) = Self.setup(percent: RateLimiter.percentDefault)
    let second = RateLimiter(clock: time.clock, shared: budget.shared)
    try await first.admit(key(.subscriptionStatuses), deadline: .farAway)
    let end = time.now.advanced(bySeconds: 90)
    await first.pause(key(.subscriptionStatuses), until: end)
    #expect(budget.pauses == [90_000_000])
    for limiter in [first, second] {
      await #expect(throws: RateLimiter.Refusal.notBefore(end)) {
        try await limiter.admit(key(.subscriptionStatuses), deadline: end.advanced(bySeconds: -1))
      }
    }
    try await second.admit(key(.subscriptionStatuses), deadline: end)
    #expect(time.now == end)
  }

  @Test func `without the shared budget nothing is sent, and with it again everything`() async throws {
    let (time, budget, limiter) = Self.setup(percent: RateLimiter.percentDefault)
    let bench = try Bench(time: time, shared: budget.shared)
    budget.setDown(true)
    let refused = await fault { try await bench.client.transactionInfo("1", in: .production) }
    #expect(refused?.cause == .budgetUnreachable(.plain("nobody is there")))
    #expect(refused?.retry == .retry)
    #expect(refused?.attempts == 0)
    #expect(refused.map { "\($0)" }?.contains("its rate limit cannot be kept, nobody is there") == true)
    #expect(try await bench.log().isEmpty)
    budget.setDown(false)
    try await limiter.admit(key(.transactionInfo), deadline: .farAway)
  }

  @Test func `a budget that answers only when its time is over counts as unreachable`() async throws {
    let (_, budget, limiter) = Self.setup(percent: RateLimiter.percentDefault)
    budget.setDelay(seconds: 3)
    do throws(RateLimiter.Refusal) {
      try await limiter.admit(key(.subscriptionStatuses), deadline: .farAway)
      Issue.record("nothing was in time")
    } catch {
      guard case .unreachable = error else { throw error }
    }
    #expect(budget.requests.count == 5)
  }

  @Test func `a cancelled wait ends, and those who wait with it go on`() async throws {
    let asked = AsyncStream.makeStream(of: Void.self)
    let count = Mutex(0)
    let shared = SharedBudget(
      reserve: { _ in
        let number = count.withLock { value in
          value += 1
          return value
        }
        asked.continuation.yield()
        if number == 1 { try await Task.sleep(for: .seconds(3600)) }
        return SharedBudget.Answer(waitMicroseconds: 0, isTaken: true)
      }, pause: { _, _, _ in })
    let limiter = RateLimiter(clock: .system, shared: shared)
    let first = Task { try await limiter.admit(key(.subscriptionStatuses), deadline: .farAway) }
    for await _ in asked.stream { break }
    let second = Task { try await limiter.admit(key(.subscriptionStatuses), deadline: .farAway) }
    for _ in 0..<100 { await Task.yield() }
    first.cancel()
    await #expect(throws: RateLimiter.Refusal.cancelled) { try await first.value }
    try await second.value
    #expect(count.withLock { $0 } == 2)
  }
}
