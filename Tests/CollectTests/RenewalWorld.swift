/// Subscriptions of every length over many nights. Most subscribers simply renew.
struct RenewalWorld {
  struct Subscriber: Sendable {
    var id: String
    /// Noon from which a failed charge works again; nil if it never does.
    var recoversAt: Moment?
    /// Instant of a recovery after the schedule has slowed to every third day.
    var lateRecoveryAt: Moment?
    /// End of the period whose fate is decided.
    var decidedEnd: Moment?
  }

  /// Fate of one period end, drawn in thousandths.
  private enum Fate {
    case renews, cancels, downgrades, recoversAfterDays(Int), recoversLate(Int), neverPays

    init(dice: UInt64) {
      self =
        switch dice % 1000 {
        case 0..<30: .cancels
        case 30..<50: .downgrades
        case 50..<75: .recoversAfterDays(1 + Int(dice >> 20 % 9))
        case 75..<80: .recoversLate(18 + Int(dice >> 20 % 35))
        case 80..<90: .neverPays
        default: .renews
        }
    }
  }

  static let begin = Moment("2026-03-01T00:00:00Z")!
  static let start = "2025-02-20T00:00:00Z"
  /// Days on which the schedule polls a failed charge: daily to day 10, then every third day.
  private static let retryDays = Set(Array(1...10) + Array(stride(from: 13, through: 61, by: 3)))

  let setup: RenewalSetup
  let notifications: RenewalNotifications
  let clock: WorldClock
  private(set) var subscribers: [Subscriber] = []

  init(lossPercent: UInt64) async throws {
    notifications = RenewalNotifications(lossPercent: lossPercent)
    clock = WorldClock(Self.begin)
    setup = try await RenewalSetup(start: Self.start, lossPercent: 0, grace: .sixteenDays, notifications: notifications, clock: clock)
  }

  // MARK: Life

  /// Sells subscriptions of all lengths. Their first periods end at any minute of the coming nights.
  mutating func populate(count: Int, nights: Int) async throws {
    var planned: [(at: Moment, period: Period)] = []
    for number in 0..<count {
      let period = RenewalSetup.lengths[number % RenewalSetup.lengths.count]
      let days = min(nights, Self.days(of: period) - 5)
      let dice = spreadHash("end \(number)")
      let end = Self.begin + .minutes(10 + Int(dice % UInt64(days * 1440 - 10)))
      planned.append((Self.start(of: period, endingAt: end), period))
    }
    for (number, plan) in planned.sorted(by: { $0.at < $1.at }).enumerated() {
      let id = try await setup.subscribe("C\(number)", plan.period, at: plan.at, storefront: number % 2 == 0 ? "USA" : "CHN")
      subscribers.append(Subscriber(id: id))
    }
    await setup.store.advance(to: Self.begin)
    try await readMail()
    notifications.beginLosing()
  }

  private static func days(of period: Period) -> Int {
    switch period {
    case .week: 7
    case .month: 28
    case .twoMonths: 59
    case .threeMonths: 90
    case .sixMonths: 181
    case .year: 365
    }
  }

  /// Returns a start from which a period ends near the wanted end.
  static func start(of period: Period, endingAt end: Moment) -> Moment {
    var at = end - .days(days(of: period))
    while period.end(from: at, count: 1) > end { at = at - .days(1) }
    return at
  }

  /// Simulates one noon. The fate of each period end is decided once, in the day before it.
  mutating func act(noon: Moment) throws {
    let known = subscribers
    subscribers = try setup.store.change(.production) { store in
      var list = known
      for place in list.indices { try Self.act(&list[place], noon, &store) }
      return list
    }
  }

  private static func act(_ one: inout Subscriber, _ noon: Moment, _ store: inout StoreState) throws {
    guard let truth = store.subscription(one.id) else { return }
    switch truth.status {
    case .active:
      guard truth.isRenewing, truth.renewsAt > noon, truth.renewsAt <= noon + .days(1), one.decidedEnd != truth.renewsAt
      else { return }
      one.decidedEnd = truth.renewsAt
      one.recoversAt = nil
      try begin(Fate(dice: spreadHash("\(one.id) \(truth.renewsAt.milliseconds)")), &one, truth, noon, &store)
    case .grace, .billingRetry:
      guard let at = one.recoversAt, noon >= at else { return }
      let isLate = truth.status == .billingRetry && noon - truth.expiresAt > .days(10)
      try store.recover(one.id)
      one.recoversAt = nil
      if isLate { one.lateRecoveryAt = noon }
    case .expired, .revoked: return
    }
  }

  private static func begin(
    _ fate: Fate, _ one: inout Subscriber, _ truth: Subscription, _ noon: Moment, _ store: inout StoreState
  ) throws {
    switch fate {
    case .renews: return
    case .cancels: try store.setRenewing(one.id, false)
    case .downgrades:
      guard !truth.productID.hasSuffix(".small"), truth.renewalProductID == truth.productID else { return }
      try store.changePlan(one.id, to: truth.productID + ".small")
    case .recoversAfterDays(let days), .recoversLate(let days):
      try store.setBilling(one.id, fails: true)
      one.recoversAt = noon + .days(days)
    case .neverPays: try store.setBilling(one.id, fails: true)
    }
  }

  private static let mailLines = 5000

  func readMail() async throws {
    var lines = notifications.take()[...]
    while !lines.isEmpty {
      try await setup.scenario.evidence(Array(lines.prefix(Self.mailLines)), asOf: setup.now)
      lines = lines.dropFirst(Self.mailLines)
    }
  }

  // MARK: Truth

  /// Returns the number of requests an ideal poller makes this night under the schedule. It knows everything but the coming
  /// recoveries.
  func perfect(night: Moment) -> Int {
    let last = notifications.last
    let subscribers = subscribers
    return setup.store.change(.production) { store in
      subscribers.reduce(0) { count, one in
        guard let truth = store.subscription(one.id) else { return count }
        return count + (Self.isAsked(truth, last[one.id], night) ? 1 : 0)
      }
    }
  }

  private static func isAsked(_ truth: Subscription, _ last: RenewalNotifications.Last?, _ night: Moment) -> Bool {
    let reportedAt = last?.reportedAt
    if truth.status == .active, truth.isRenewing, truth.renewsAt > night, truth.renewsAt <= night + .days(1) {
      return reportedAt.map { $0 < truth.renewsAt - .days(1) } ?? true
    }
    if let last, last.newestAt > night - .days(1), last.isNewestLost { return true }
    guard truth.status == .grace || truth.status == .billingRetry else { return false }
    let halfDays = (night - truth.expiresAt).components.seconds / 43_200
    let day = (halfDays + 1) / 2
    guard day > 0, truth.status == .grace || retryDays.contains(Int(day)) else { return false }
    let opens = truth.expiresAt + .hours(24 * Int(day) - 12)
    return reportedAt.map { $0 < opens } ?? true
  }

  private static let words: [Subscription.Status: String] = [
    .active: "active", .expired: "expired", .billingRetry: "billing_retry", .grace: "grace", .revoked: "revoked",
  ]

  /// Returns the differences between the exports and the store. `behind` counts subscriptions that await the next request of the
  /// schedule, made every third day.
  func differences() async throws -> (wrong: [String], behind: Int) {
    let known = try await states()
    let subscribers = subscribers
    let night = setup.store.now
    let (wrong, behind) = setup.store.change(.production) { store in
      var wrong: [String] = []
      var behind: [String] = []
      for one in subscribers {
        guard let truth = store.subscription(one.id) else { continue }
        let stated = known[one.id] ?? "-"
        let real = "\(Self.words[truth.status] ?? "") \(truth.expiresAt.text) \(truth.productID)"
        if stated == real { continue }
        if let late = one.lateRecoveryAt, night - late < .days(3), stated.hasPrefix("billing_retry") {
          behind.append(truth.transactionID)
        } else {
          wrong.append("\(night.text) \(one.id): \(stated), really \(real)")
        }
      }
      return (wrong, behind)
    }
    let real = notifications.renewals.subtracting(behind)
    let booked = try await booked()
    let count = notifications.renewals.count - behind.count
    if booked.count != count || Set(booked) != real {
      let odd = Set(booked).symmetricDifference(real).sorted().prefix(5).joined(separator: " ")
      return (wrong + ["\(night.text) to book \(booked.count), really \(count): \(odd)"], behind.count)
    }
    return (wrong, behind.count)
  }

  /// Returns the exported `status end product` by original transaction id.
  private func states() async throws -> [String: String] {
    var states: [String: String] = [:]
    states.reserveCapacity(subscribers.count)
    let bytes = try await setup.scenario.export(.subscriptions, asOf: setup.now)
    for line in bytes.split(separator: 0x0A).dropFirst() {
      let cells = line.split(separator: 0x2C, maxSplits: 7, omittingEmptySubsequences: false)
      let text = [cells[5], cells[6], cells[3]].map { String(decoding: $0, as: UTF8.self) }
      states[String(decoding: cells[2], as: UTF8.self)] = text.joined(separator: " ")
    }
    return states
  }

  /// Returns the exported transaction ids of the renewals to book.
  private func booked() async throws -> [String] {
    let bytes = try await setup.scenario.export(.renewalsToBook, asOf: setup.now)
    return bytes.split(separator: 0x0A).dropFirst().map { line in
      let cells = line.split(separator: 0x2C, maxSplits: 4, omittingEmptySubsequences: false)
      return String(decoding: cells[3], as: UTF8.self)
    }
  }
}
