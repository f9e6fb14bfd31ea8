import Foundation

/// Every night, the state of every subscription in a large world is true, with as few requests as possible.
///
/// PAYRECON_RENEWAL_SUBSCRIPTIONS and PAYRECON_RENEWAL_DAYS set the size. The documented figures use 50000 and 120.
@Suite(.cleansUp) struct RenewalWorldTests {
  private static let variables = ProcessInfo.processInfo.environment
  private static let count = variables["PAYRECON_RENEWAL_SUBSCRIPTIONS"].flatMap(Int.init) ?? 400
  private static let nights = variables["PAYRECON_RENEWAL_DAYS"].flatMap(Int.init) ?? 40
  private static let lossPercent: UInt64 = 30
  /// Nights between two progress lines.
  private static let progressNights = 10

  @Test func everyNightIsTrue() async throws {
    var world = try await RenewalWorld(lossPercent: Self.lossPercent)
    let setup = world.setup
    try await world.populate(count: Self.count, nights: Self.nights)
    var perfect = 0
    var behind = 0
    var wrong: [String] = []
    for night in 1...Self.nights {
      let midnight = RenewalWorld.begin + .days(night)
      await setup.store.advance(to: midnight - .hours(12))
      try world.act(noon: midnight - .hours(12))
      await setup.store.advance(to: midnight)
      world.clock.move(to: midnight)
      try await world.readMail()
      perfect += world.perfect(night: midnight)
      #expect(try await setup.pollForTheNight().unfinished.isEmpty)
      let found = try await world.differences()
      wrong += found.wrong
      for line in found.wrong.prefix(3) { print(line) }
      behind += found.behind
      guard night % Self.progressNights == 0 || night == Self.nights else { continue }
      print("night \(night): \(setup.calls) calls, perfect \(perfect), wrong \(wrong.count)")
    }
    let notifications = world.notifications.counts
    print(
      "\(Self.count) subscriptions, \(Self.nights) nights, \(notifications.lost) of \(notifications.all) notifications lost, "
        + "\(setup.calls) calls, a perfect poller \(perfect); \(behind) subscription-nights between two questions of the schedule")
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(10).joined(separator: "\n"))")
    #expect(notifications.lost * 100 > notifications.all * 25)
    #expect(setup.calls * 10 <= perfect * 12, "\(setup.calls) calls, a perfect poller \(perfect)")
    #expect(setup.store.counters["Production statuses refused"] == nil)
    try await Self.expectQueueAsMadeAnew(setup)
  }

  /// Verifies that the queue updated each night equals one recreated from all facts.
  private static func expectQueueAsMadeAnew(_ setup: RenewalSetup) async throws {
    let queue = { () async throws in
      try await setup.scenario.answers(
        """
        select row(original_transaction_id, slot, currency, exposure_milliunits, opens_at, due_at)::text
        from payrecon.poll_queue
        order by original_transaction_id
        """)
    }
    let grown = try await queue()
    try await setup.scenario.execute("delete from payrecon.renewal_refreshes")
    let calls = setup.calls
    _ = try await setup.pollForTheNight()
    #expect(setup.calls == calls)
    let anew = try await queue()
    let differing = Set(grown).symmetricDifference(anew).sorted()
    #expect(differing.isEmpty, "\(differing.count): \(differing.prefix(6))")
    #expect(!anew.isEmpty)
  }
}
