@Suite("Rate limiter") struct RateLimiterTests {
  @Test func `an hour of asking without a break stays under Apple's quota`() async throws {
    let (time, _, limiter) = SharedBudgetTests.setup(percent: 99)
    let end = time.now.advanced(bySeconds: 3600)
    var count = 0
    while true {
      do { try await limiter.admit(key(.refundHistory), deadline: end) } catch { break }
      count += 1
    }
    #expect((35_600...36_000).contains(count))
  }

  @Test func `a pause holds its own bucket only, and afterwards it fills from empty`() async throws {
    let (time, _, limiter) = SharedBudgetTests.setup()
    let end = time.now.advanced(bySeconds: 600)
    await limiter.pause(key(.transactionHistory), until: end)
    let others = [key(.transactionInfo), key(.transactionHistory, .sandbox), key(.transactionHistory, .production, "com.other")]
    for other in others { try await limiter.admit(other, deadline: time.now) }
    #expect(time.slept.isEmpty)
    await #expect(throws: RateLimiter.Refusal.notBefore(end)) {
      try await limiter.admit(key(.transactionHistory), deadline: end.advanced(bySeconds: -1))
    }
    try await limiter.admit(key(.transactionHistory), deadline: end)
    #expect(time.now == end)
    try await limiter.admit(key(.transactionHistory), deadline: .farAway)
    #expect(time.now.microseconds - end.microseconds == 20_000)
  }

  @Test func `who waits when a pause begins waits for its end`() async throws {
    let time = ManualClock()
    let waiting = key(.reports)
    let end = time.now.advanced(bySeconds: 50)
    let started = AsyncStream.makeStream(of: Void.self)
    let goOn = AsyncStream.makeStream(of: Void.self)
    // The first sleep blocks until the pause has begun.
    let held = ServerClock(
      now: time.clock.now,
      sleep: { span in
        if time.slept.isEmpty {
          started.continuation.yield()
          for await _ in goOn.stream { break }
        }
        try await time.clock.sleep(span)
      })
    let slow = RateLimiter(percent: 100, clock: held, shared: ScriptedBudget(time).shared)
    try await slow.admit(waiting, deadline: .farAway)
    async let second: Void = slow.admit(waiting, deadline: .farAway)
    for await _ in started.stream { break }
    await slow.pause(waiting, until: end)
    goOn.continuation.yield()
    try await second
    #expect(time.now == end)
  }

  @Test func `a cancelled wait ends`() async throws {
    let limiter = RateLimiter(percent: 100, clock: .system, shared: ScriptedBudget(ManualClock()).shared)
    let slow = key(.reports, .sandbox)
    try await limiter.admit(slow, deadline: .farAway)
    let waiting = Task { try await limiter.admit(slow, deadline: .farAway) }
    waiting.cancel()
    await #expect(throws: RateLimiter.Refusal.cancelled) { try await waiting.value }
  }
}
