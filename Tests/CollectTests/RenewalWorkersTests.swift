import AppStoreSimulator
import Domain
import Jobs
import Testing
import TestSupport

/// Several workers share one plan: they are done sooner, and nobody is asked about twice.
@Suite(.serialized) struct RenewalWorkersTests {
  private static let subscribers = 240
  /// What Apple takes for an answer, in milliseconds.
  private static let latency = 150

  @Test func twoAndFourWorkersShareOnePlan() async throws {
    var seconds: [Int: Double] = [:]
    for workers in [1, 2, 4] { seconds[workers] = try await Self.poll(workers: workers) }
    let one = seconds[1] ?? 0
    let parts = seconds.sorted { $0.key < $1.key }.map { workers, wall in
      "\(workers) workers \(Self.tenths(wall)) s (\(Self.tenths(one / wall)) x)"
    }
    print("\(Self.subscribers) questions of \(Self.latency) ms: \(parts.joined(separator: ", "))")
  }

  private static func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }

  /// Seconds that so many workers take for the same work.
  private static func poll(workers: Int) async throws -> Double {
    let desk = try await RenewalDesk(start: "2026-02-01T00:00:00Z", lossPercent: 100)
    for number in 0..<subscribers {
      _ = try await desk.subscribe("C\(number)", .month, at: Moment("2026-02-01T00:00:00Z")! + .minutes(number))
    }
    await desk.store.deliver()
    try await desk.readMail()
    desk.mail.beginLosing()
    // Everybody was renewed a day ago, and nobody told.
    await desk.store.advance(to: Moment("2026-03-02T12:00:00Z")!)
    _ = try await RenewalPlanJob(context: try desk.scenario.context(asOf: desk.now)).run(day: nil)
    desk.store.resetCounters()
    desk.store.script(
      Fault(
        .slowBody(bytes: 1 << 20, pause: latency), endpoint: .statuses, environment: .production,
        count: subscribers * 2))
    let jobs = try (1...workers).map { try desk.poller("worker \($0)") }
    let begin = ContinuousClock.now
    let outcomes = try await withThrowingTaskGroup(of: RenewalPollJob.Outcome.self) { group in
      for job in jobs { group.addTask { try await job.run() } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let wall = (ContinuousClock.now - begin) / .seconds(1)
    #expect(outcomes.allSatisfy { $0.askedCount > 0 && $0.verdict == .clean })
    #expect(outcomes.reduce(0) { $0 + $1.askedCount } == subscribers)
    #expect(desk.calls == subscribers)
    let slots = try await desk.column(
      "select count(*) || ' ' || count(distinct original_transaction_id) || ' ' || count(distinct worker) from payrecon.polls")
    #expect(slots == ["\(subscribers) \(subscribers) \(workers)"])
    #expect(try await desk.poller("late").run().askedCount == 0)
    await desk.end()
    return wall
  }
}
