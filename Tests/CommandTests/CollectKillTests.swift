import Glibc

/// Jobs that ask Apple, killed and started again, lose nothing and repeat hardly any request.
@Suite(.cleansUp) struct CollectKillTests {
  private static let notifications = 4000
  /// Items per page of Apple's answer.
  private static let pageItems = 20
  /// Pages stored per transaction of the collector.
  private static let pagesPerTransaction = 50
  private static let memoryKiBMax = 300 << 10
  /// Seed of the kill points: `PAYRECON_TEST_SEED`, else a constant.
  private static let seed = Program.variable("PAYRECON_TEST_SEED").flatMap(UInt64.init) ?? 20_261_121
  /// Points at which a collection is killed, most of them API calls: within the first transaction, after it, and near the end.
  private static let killPoints = [1...60, 75...110, 65...80, 2...60, 65...85]

  private static let subscribers = 150
  /// Appointments leased by one worker at a time. Those of a killed worker are requested again.
  private static let heldMax = 32

  /// A second after the present of a store.
  private static func clock(_ store: AppStoreSimulator) -> String { Timestamp(milliseconds: store.now.milliseconds + 1000).rfc3339 }

  private static func calls(_ store: AppStoreSimulator, _ endpoint: String = "notificationHistory") -> Int {
    store.counters["Production \(endpoint)"] ?? 0
  }

  // MARK: Collections

  @Test func everyNotificationOnceAfterFiveKills() async throws {
    var setup = try await Setup()
    let store = try await setup.openAppStore()
    try store.change(.production) { try $0.populate(purchases: Self.notifications, customers: 40, spacing: .seconds(30)) }
    await store.advance(to: store.now)
    let (words, asOf) = (["collect", "notifications"], Self.clock(store))
    var dice = Dice(seed: Self.seed)
    var repeatedMax = 0
    var peaksKiB: [Int] = []
    for range in Self.killPoints {
      let point = Int.random(in: range, using: &dice)
      let done = Self.calls(store)
      let stored = try await Self.stored(setup)
      let killed = try await setup.patiently(words, asOf: asOf, kill: .at(point: point))
      peaksKiB.append(killed.peakKiB)
      #expect(killed.signal == SIGKILL, "seed \(Self.seed): \(killed.complaint)")
      // The killed run loses at most the pages of one transaction and the page in progress.
      let gained = (try await Self.stored(setup) - stored) / Self.pageItems
      let lost = Self.calls(store) - done - gained
      #expect((0...Self.pagesPerTransaction + 1).contains(lost), "seed \(Self.seed), killed at point \(point)")
      repeatedMax += Self.pagesPerTransaction + 1
    }
    let last = try await setup.patiently(words, asOf: asOf, exits: 0)
    let peakKiB = (peaksKiB + [last.peakKiB]).max() ?? 0
    #expect((1..<Self.memoryKiBMax).contains(peakKiB))

    let pages = Self.notifications / Self.pageItems
    #expect((pages...(pages + repeatedMax)).contains(Self.calls(store)))
    #expect(store.counters["Sandbox notificationHistory"] == 1)
    try await Self.expectComplete(setup)
    // One more run finds only the overlap, without new items.
    try await setup.patiently(words, asOf: asOf, exits: 0)
    try await Self.expectComplete(setup)
  }

  /// Verifies that every notification is stored exactly once, with its transaction and its charge.
  private static func expectComplete(_ setup: Setup) async throws {
    let counts = try await setup.query(
      """
      select (select count(*) from payrecon.evidence where kind = 'notification' and verdict = 'genuine')
        || ' ' || (select count(*) from payrecon.evidence where kind = 'transaction' and verdict = 'genuine')
        || ' ' || (select count(*) from payrecon.evidence)
        || ' ' || (select count(distinct notification_uuid) from payrecon.notifications)
        || ' ' || (select count(*) from payrecon.notifications)
        || ' ' || (select count(*) from payrecon.charges)
        || ' ' || (select sum(accepted_count) from payrecon.batches)
        || ' ' || (select count(*) from payrecon.parked_items)
      """)
    let n = notifications
    #expect(counts == "\(n) \(n) \(2 * n) \(n) \(n) \(n) \(n) 0", "seed \(seed)")
    #expect(try await setup.count("collections where window_to is not null or cursor is not null") == 0)
  }

  private static func stored(_ setup: Setup) async throws -> Int { try await setup.count("evidence where kind = 'notification'") }

  // MARK: Polls

  @Test func leasesOfKilledWorkersExpire() async throws {
    var setup = try await Setup()
    let store = try await Self.prepare(&setup)
    let asOf = Self.clock(store)
    try await Self.ingest(setup, store, asOf)
    let words = ["renewals", "poll", "--as-of", asOf, "--lease", "1m", "--worker"]
    let killed = [("one", 20), ("two", 30)]
    for (worker, calls) in killed {
      let before = Self.calls(store, "statuses")
      try await setup.program.run([Program.path] + words + [worker], kill: .when { Self.calls(store, "statuses") >= before + calls })
    }
    // Leased appointments of dead workers are skipped until the leases expire.
    try await setup.program.run([Program.path] + words + ["three"], exits: 0)
    let held = try await setup.count("poll_queue where lease_until is not null")
    #expect((1...(killed.count * Self.heldMax)).contains(held))
    #expect(try await setup.count("polls") == Self.subscribers - held)
    _ = try await setup.query("update payrecon.poll_queue set lease_until = lease_until - interval '2 minutes'")
    try await setup.program.run([Program.path] + words + ["four"], exits: 0, prints: "renewals poll: \(held) asked, 0 failed")
    #expect(try await setup.count("polls") == Self.subscribers)
    #expect(Self.calls(store, "statuses") <= Self.subscribers + killed.count * Self.heldMax)
    #expect(try await setup.count("subscriptions_at('\(asOf)') where status = 'active'") == Self.subscribers)
    try await setup.program.run([Program.path] + words + ["five"], prints: "renewals poll: 0 asked, 0 failed")
  }

  /// Ingests the first purchases, but no notification of a renewal.
  private static func ingest(_ setup: Setup, _ store: AppStoreSimulator, _ asOf: String) async throws {
    let posts = store.change(.production) { $0.notifications.filter { $0.type == "SUBSCRIBED" } }
    let lines = posts.map { String(decoding: store.body(of: $0, .production), as: UTF8.self) }
    try await setup.ingest("apple", lines.joined(separator: "\n") + "\n", asOf: asOf)
  }

  private static func prepare(_ setup: inout Setup) async throws -> AppStoreSimulator {
    let store = try await setup.openAppStore()
    try store.change(.production) { store in
      for number in 0..<subscribers {
        try store.buy("com.example.reader.gold.monthly", for: try store.addCustomer("C\(number)"))
        store.advance(to: store.now + .minutes(1))
      }
    }
    // A month and half a day later, every first period has ended and was renewed.
    await store.advance(to: store.now + .days(31))
    store.script(Fault(.slowBody(bytes: 1500, pause: 20), endpoint: .statuses, environment: .production, count: 5000))
    return store
  }
}
