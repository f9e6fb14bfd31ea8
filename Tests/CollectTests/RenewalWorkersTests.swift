import AppStoreSimulator
import Domain
import Jobs
import Testing
import TestSupport

/// Several workers share one plan: they are done sooner, and nobody is asked about twice.
@Suite(.serialized) struct RenewalWorkersTests {
  private static let subscribers = 128
  /// What Apple takes for an answer, in milliseconds.
  private static let latency = 150
  /// 70 % of Apple's 50 a second.
  private static let perSecond = 35.0

  /// One question in flight at 150 ms makes less than 7 a second, so that four workers stay below the budget.
  @Test func twoAndFourWorkersAreDoneSooner() async throws {
    var seconds: [Int: Double] = [:]
    for workers in [1, 2, 4] {
      let desk = try await Self.desk(subscribers: Self.subscribers)
      desk.store.script(
        Fault(
          .slowBody(bytes: 1 << 20, pause: Self.latency), endpoint: .statuses, environment: .production,
          count: Self.subscribers * 2))
      seconds[workers] = try await Self.poll(desk, workers: workers, inFlight: 1, Self.subscribers)
      await desk.end()
    }
    let one = seconds[1] ?? 0
    let parts = seconds.sorted { $0.key < $1.key }.map { workers, wall in
      "\(workers) workers \(Self.tenths(wall)) s (\(Self.tenths(one / wall)) x)"
    }
    print("\(Self.subscribers) questions of \(Self.latency) ms: \(parts.joined(separator: ", "))")
    #expect(one / (seconds[2] ?? .infinity) > 1.6)
    #expect(one / (seconds[4] ?? .infinity) > 2.6)
  }

  /// Four workers that could ask far more: Apple, who counts, refuses nothing, and all takes what the budget allows.
  @Test func eagerWorkersShareOneBudget() async throws {
    let count = 280
    let desk = try await Self.desk(subscribers: count)
    // Apple's 50 a second, counted so closely that more than a burst ahead of the share would be refused.
    desk.store.countCalls(per: .seconds(4))
    desk.store.limit(.statuses, to: 200)
    let wall = try await Self.poll(desk, workers: 4, inFlight: 8, count)
    #expect(desk.store.counters["Production statuses refused"] == nil)
    let even = Double(count) / Self.perSecond
    print("\(count) questions of four eager workers: \(Self.tenths(wall)) s, at the even pace \(Self.tenths(even)) s")
    #expect((even - 1...even * 1.3 + 1).contains(wall))
    await desk.end()
  }

  private static func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }

  /// A desk at which everybody was renewed a day ago, and nobody told.
  private static func desk(subscribers: Int) async throws -> RenewalDesk {
    let desk = try await RenewalDesk(start: "2026-02-01T00:00:00Z", lossPercent: 100)
    for number in 0..<subscribers {
      _ = try await desk.subscribe("C\(number)", .month, at: Moment("2026-02-01T00:00:00Z")! + .minutes(number))
    }
    await desk.store.deliver()
    try await desk.readMail()
    desk.mail.beginLosing()
    await desk.store.advance(to: Moment("2026-03-02T12:00:00Z")!)
    _ = try await RenewalPlanJob(context: try desk.scenario.context(asOf: desk.now)).run(day: nil)
    desk.store.resetCounters()
    return desk
  }

  /// Seconds that so many workers take for all that is due.
  private static func poll(_ desk: RenewalDesk, workers: Int, inFlight: Int, _ count: Int) async throws -> Double {
    let jobs = try (1...workers).map { try desk.poller("worker \($0)") }
    var options = RenewalPollJob.Options()
    options.inFlight = inFlight
    let settings = options
    let begin = ContinuousClock.now
    let outcomes = try await withThrowingTaskGroup(of: RenewalPollJob.Outcome.self) { group in
      for job in jobs { group.addTask { try await job.run(settings) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let wall = (ContinuousClock.now - begin) / .seconds(1)
    #expect(outcomes.allSatisfy { $0.askedCount > 0 && $0.verdict == .clean })
    #expect(outcomes.reduce(0) { $0 + $1.askedCount } == count)
    #expect(desk.calls == count)
    let slots = try await desk.column(
      "select count(*) || ' ' || count(distinct original_transaction_id) || ' ' || count(distinct worker) from payrecon.polls")
    #expect(slots == ["\(count) \(count) \(workers)"])
    #expect(try await desk.poller("late").run().askedCount == 0)
    return wall
  }
}
