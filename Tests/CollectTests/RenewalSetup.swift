import Synchronization

/// A database and an App Store with subscriptions of every length. A part of the notifications is lost.
struct RenewalSetup {
  static let bundleID = "com.example.reader"
  static let lengths: [Period] = [.week, .month, .twoMonths, .threeMonths, .sixMonths, .year]

  var scenario: Scenario
  let store: AppStoreSimulator
  let mail: Mail
  /// Clock for the requests and for Apple's rate limits.
  let clock: WorldClock?

  /// - Parameters:
  ///   - lossPercent: percentage of notifications that never arrive.
  ///   - notifications: receives the notifications instead of the mail.
  ///   - clock: replaces the system clock for requests and rate limits.
  init(
    start: String, lossPercent: UInt64, grace: GraceSetting = .threeDays, notifications: RenewalNotifications? = nil,
    clock: WorldClock? = nil
  ) async throws {
    var scenario = try await Scenario()
    let (keyFile, key) = try StoreSetup.key(in: scenario)
    let mail = Mail(lossPercent: lossPercent)
    self.mail = mail
    self.clock = clock
    var configuration = AppStoreSimulator.Configuration(
      app: SimulatedApp(grace: grace, products: Self.products), start: try #require(Moment(start)),
      keys: [key], receiver: { notification, body in notifications?.receive(notification, body) ?? mail.receive(notification, body) })
    if let clock { configuration.wallClock = { clock.milliseconds } }
    store = try await AppStoreSimulator.start(configuration)
    CleanUp.afterTest { [store] in await store.stop() }
    try scenario.write("roots/root.der", store.rootDER)
    var app = StoreSetup.app(keyFile)
    app.timeZone = "Asia/Shanghai"
    scenario.settings.apps = [app]
    self.scenario = scenario
  }

  /// A product of each length in a separate group, each with a cheaper one below it.
  static var products: [Product] {
    lengths.enumerated().flatMap { index, period in
      [
        Product(
          id: product(period), kind: .autoRenewable, price: Int64(9990 + 1000 * index), group: "group-\(index)", level: 1, period: period),
        Product(
          id: product(period) + ".small", kind: .autoRenewable, price: Int64(4990 + 1000 * index),
          group: "group-\(index)", level: 2, period: period),
      ]
    }
  }

  static func product(_ period: Period) -> String { "\(bundleID).\(period.rawValue.lowercased())" }

  var now: String { store.now.text }

  /// Buys a subscription at an instant, to which it advances the store's clock. Returns the original transaction id.
  ///
  /// - Parameter isSmall: whether to buy the cheaper product of that length.
  func subscribe(
    _ name: String, _ period: Period, at instant: Moment, storefront: String = "USA", isSmall: Bool = false
  ) async throws -> String {
    await store.advance(to: instant)
    return try store.change(.production) { store in
      _ = try store.addCustomer(name, storefront: storefront)
      return try store.buy(Self.product(period) + (isSmall ? ".small" : ""), for: name)
    }
  }

  /// Returns the subscriptions known at a clock, without users and appointments.
  static func states(_ scenario: Scenario, at clock: String) async throws -> [[String: String]] {
    try await scenario.rows(.subscriptions, asOf: clock).map { row in
      row.filter { !["user_id", "next_poll_at", "last_polled_at"].contains($0.key) }
    }
  }

  /// Ingests the notifications that arrived, as the notification endpoint would.
  func readMail() async throws {
    let lines = mail.take()
    guard !lines.isEmpty else { return }
    try await scenario.evidence(lines, asOf: now)
  }

  func poller(_ worker: String = "one", leaseClock: String? = nil) throws -> RenewalPollJob {
    let clock = instant(leaseClock ?? now)
    return RenewalPollJob(context: try scenario.context(asOf: now), access: try access(), worker: worker, now: { clock })
  }

  func access() throws -> StoreAccess {
    try StoreAccess(context: try scenario.context(asOf: now), addresses: StoreSetup.addresses(of: store), clock: clock?.server ?? .system)
  }

  /// Polls as a nightly run does: one additional request for each appointment within the next day.
  func pollForTheNight() async throws -> RenewalPollJob.Outcome {
    var options = RenewalPollJob.Options()
    options.aheadSeconds = 86_400
    return try await poller().run(options)
  }

  var calls: Int { store.counters["Production statuses"] ?? 0 }

  func truth(_ id: String) throws -> Subscription { try #require(store.change(.production) { $0.subscription(id) }) }
}

/// Apple's notifications: all of them for the test, the delivered ones for the program.
final class Mail: Sendable {
  private struct State {
    var isLossy = false
    /// Bodies that arrived and were not read yet, with the subscription of each.
    var waiting: [(originalID: String, body: String)] = []
    var read: [String] = []
    var notifications: [String: StoreNotification] = [:]
  }

  private let lossPercent: UInt64
  private let state = Mutex(State())

  init(lossPercent: UInt64) { self.lossPercent = lossPercent }

  func beginLosing() { state.withLock { $0.isLossy = true } }

  var notifications: [StoreNotification] { state.withLock { Array($0.notifications.values) } }

  /// All notifications that arrived and were read, in order.
  var arrived: [String] { state.withLock { $0.read } }

  func take() -> [String] {
    state.withLock { state in
      let bodies = state.waiting.map(\.body)
      state.waiting = []
      state.read += bodies
      return bodies
    }
  }

  /// Loses the waiting notifications of one subscription.
  func lose(_ originalID: String) { state.withLock { $0.waiting.removeAll { $0.originalID == originalID } } }

  /// Takes a notification, or loses it. Returns whether it arrived.
  func receive(_ notification: StoreNotification, _ body: () -> [UInt8]) -> Bool {
    let hash = notification.uuid.utf8.reduce(UInt64(5381)) { $0 &* 33 &+ UInt64($1) }
    let text = String(decoding: body(), as: UTF8.self)
    return state.withLock { state in
      state.notifications[notification.uuid] = notification
      if state.isLossy, (hash >> 7) % 100 < lossPercent { return false }
      state.waiting.append((notification.transaction.originalID, text))
      return true
    }
  }
}
