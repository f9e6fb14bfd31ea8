import AppStoreSimulator
import Domain
import FoundationEssentials
import Testing
import TestSupport

/// Workers killed during renewal polling leave nothing undone, and hardly any request is repeated.
@Suite(.cleansUp) struct RenewalKillTests {
  private static let subscribers = 150
  /// Appointments leased by one worker at a time. Those of a killed worker are requested again.
  private static let heldMax = 32

  @Test func leasesOfKilledWorkersExpire() async throws {
    var setup = try await Setup()
    let store = try await Self.prepare(&setup)
    let asOf = Timestamp(milliseconds: store.now.milliseconds + 1000).rfc3339
    try await Self.ingest(setup, store, asOf)
    let words = ["renewals", "poll", "--as-of", asOf, "--lease", "1m", "--worker"]
    let killed = [("one", 20), ("two", 30)]
    for (worker, calls) in killed {
      let before = Self.calls(store)
      try await setup.program.run([Program.path] + words + [worker], kill: .when { Self.calls(store) >= before + calls })
    }
    // Leased appointments of dead workers are skipped until the leases expire.
    try await setup.program.run([Program.path] + words + ["three"], exits: 0)
    let held = try await setup.count("poll_queue where lease_until is not null")
    #expect((1...(killed.count * Self.heldMax)).contains(held))
    #expect(try await setup.count("polls") == Self.subscribers - held)
    _ = try await setup.query("update payrecon.poll_queue set lease_until = lease_until - interval '2 minutes'")
    try await setup.program.run([Program.path] + words + ["four"], exits: 0, prints: "renewals poll: \(held) asked, 0 failed")
    #expect(try await setup.count("polls") == Self.subscribers)
    #expect(Self.calls(store) <= Self.subscribers + killed.count * Self.heldMax)
    #expect(try await setup.count("subscriptions_at('\(asOf)') where status = 'active'") == Self.subscribers)
    try await setup.program.run([Program.path] + words + ["five"], prints: "renewals poll: 0 asked, 0 failed")
  }

  private static func calls(_ store: AppStoreSimulator) -> Int { store.counters["Production statuses"] ?? 0 }

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
