import AppStoreSimulator
import Dice
import Domain
import FoundationEssentials
import Glibc
import Testing
import TestSupport

/// A collection killed at any point and restarted stores every notification once. It repeats hardly any request.
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

  @Test func everyNotificationOnceAfterFiveKills() async throws {
    var setup = try await Setup()
    let store = try await Self.prepare(&setup)
    let asOf = Timestamp(milliseconds: store.now.milliseconds + 1000).rfc3339
    var dice = Dice(seed: Self.seed)
    var instants: [String] = []
    var repeatedMax = 0
    var peaksKiB: [Int] = []
    for range in Self.killPoints {
      let point = Int.random(in: range, using: &dice)
      let done = Self.calls(store)
      let stored = try await Self.stored(setup)
      let killed = try await Self.collect(setup, asOf, kill: .at(point: point))
      peaksKiB.append(killed.peakKiB)
      #expect(killed.signal == SIGKILL, "seed \(Self.seed): \(killed.complaint)")
      // The killed run loses at most the pages of one transaction and the page in progress.
      let gained = (try await Self.stored(setup) - stored) / Self.pageItems
      let lost = Self.calls(store) - done - gained
      #expect((0...Self.pagesPerTransaction + 1).contains(lost), "seed \(Self.seed), killed at point \(point)")
      repeatedMax += Self.pagesPerTransaction + 1
      instants.append("\(point):\(gained)")
    }
    let last = try await Self.collect(setup, asOf)
    #expect(last.status == 0, "\(last.complaint)")
    let peakKiB = (peaksKiB + [last.peakKiB]).max() ?? 0
    #expect((1..<Self.memoryKiBMax).contains(peakKiB))
    print("killed at points \(instants.joined(separator: " ")), \(Self.calls(store)) calls, \(peakKiB >> 10) MB")

    let pages = Self.notifications / Self.pageItems
    #expect((pages...(pages + repeatedMax)).contains(Self.calls(store)))
    #expect(store.counters["Sandbox notificationHistory"] == 1)
    try await Self.expectComplete(setup)
    // One more run finds only the overlap, without new items.
    let again = try await Self.collect(setup, asOf)
    #expect(again.status == 0, "\(again.complaint)")
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

  private static func calls(_ store: AppStoreSimulator) -> Int { store.counters["Production notificationHistory"] ?? 0 }

  private static func stored(_ setup: Setup) async throws -> Int { try await setup.count("evidence where kind = 'notification'") }

  private static func collect(_ setup: Setup, _ asOf: String, kill: Program.Kill = .never) async throws -> Execution {
    try await setup.patiently(["collect", "notifications"], asOf: asOf, kill: kill)
  }

  private static func prepare(_ setup: inout Setup) async throws -> AppStoreSimulator {
    let store = try await setup.openAppStore()
    try store.change(.production) {
      try $0.populate(purchases: Self.notifications, customers: 40, spacing: .seconds(30))
    }
    await store.advance(to: store.now)
    return store
  }
}
