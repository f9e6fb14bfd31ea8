public import Domain

/// What one budget of Apple's is for.
public struct RateKey: Hashable, Sendable {
  public var bundleID: String
  public var environment: APIEnvironment
  public var endpoint: APIEndpoint

  public init(bundleID: String, environment: APIEnvironment, endpoint: APIEndpoint) {
    self.bundleID = bundleID
    self.environment = environment
    self.endpoint = endpoint
  }
}

/// A token bucket per app, App Store and endpoint; one limiter serves all clients of a process.
///
/// Alone, a bucket holds one second's requests and is full at first. With a shared budget requests are sent only within
/// stretches of it that were taken for them, so that all processes together keep to one pace, and run ahead of it by one
/// and a half second's requests at most. Apple counts by the hour: with 99 percent or less of its limits, no hour sees
/// more than it allows.
public actor RateLimiter {
  /// Why a request was not let through.
  public enum Refusal: Error, Sendable, Hashable {
    /// The bucket lets the next one through at this instant, which is after the deadline.
    case notBefore(Timestamp)
    /// Nothing can be taken from the shared budget; says why.
    case unreachable(String)
    case cancelled
  }

  private struct Bucket {
    let pace: RatePace
    /// When the next request would be due at the even pace.
    var due = Timestamp(microseconds: .min)
    var pausedUntil = Timestamp(microseconds: .min)
    /// Counts pauses; who waited through the start of one queues anew.
    var pauses = 0
    /// What is held of the shared budget.
    var share = BudgetShare()
  }

  /// Where a request may be sent.
  private struct Place {
    var at: Timestamp
    var end: Timestamp
    var pauses: Int
  }

  /// Share of Apple's limits that may be used when nothing is said; the rest is for live traffic.
  public static let percentDefault = 70
  /// A stretch that begins later than this is not taken, in microseconds; nor is one that is asked for ahead of need.
  private static let waitMax: Int64 = 300_000_000
  private static let aheadWaitMax: Int64 = 1_000_000
  /// Stretches in a row that come too late until the database counts as too slow.
  private static let lateMax = 5

  private let percent: Int
  private let clock: ServerClock
  private let shared: SharedBudget?
  private var buckets: [RateKey: Bucket] = [:]

  /// - Parameters:
  ///   - percent: share of Apple's limits that may be used, 1...100.
  ///   - shared: where the budget is shared with other processes; nil keeps it to this one.
  public init(percent: Int = RateLimiter.percentDefault, clock: ServerClock = .system, shared: SharedBudget? = nil) {
    self.percent = min(100, max(1, percent))
    self.clock = clock
    self.shared = shared
  }

  /// Waits until a request may be sent.
  public func admit(_ key: RateKey, deadline: Timestamp) async throws(Refusal) {
    while true {
      let place = if let shared { try await place(key, shared, deadline: deadline) } else { try place(key, deadline) }
      try await rest(until: place.at)
      if bucket(key).pauses == place.pauses, clock.now() < place.end { return }
    }
  }

  private func rest(until instant: Timestamp) async throws(Refusal) {
    var now = clock.now()
    while now < instant {
      do { try await clock.sleep(.microseconds(instant.microseconds(since: now))) } catch { throw .cancelled }
      now = clock.now()
    }
  }

  /// Lets nothing of one bucket through before an instant, in no process that shares it; other buckets go on.
  public func pause(_ key: RateKey, until end: Timestamp) async {
    var bucket = bucket(key)
    bucket.pauses += 1
    bucket.pausedUntil = max(bucket.pausedUntil, end)
    // After the pause the bucket fills from empty: Apple counts what was sent before it.
    bucket.due = max(
      Timestamp(microseconds: .min), bucket.pausedUntil.advanced(byMicroseconds: bucket.pace.ahead))
    bucket.share.drop()
    buckets[key] = bucket
    let now = clock.now()
    // Where this fails the others hear from Apple themselves.
    try? await shared?.pause(key, max(0, end.microseconds(since: now)), clock.isSystem ? nil : now)
  }

  /// When the bucket's pause is over; nil when it has none.
  public func pauseEnd(_ key: RateKey) -> Timestamp? {
    guard let end = buckets[key]?.pausedUntil, end > clock.now() else { return nil }
    return end
  }

  private func bucket(_ key: RateKey) -> Bucket {
    buckets[key] ?? Bucket(pace: RatePace(key, percent: percent))
  }

  // MARK: Alone

  /// Takes the next free instant of a bucket, if it is not after the deadline.
  private func place(_ key: RateKey, _ deadline: Timestamp) throws(Refusal) -> Place {
    var bucket = bucket(key)
    let now = clock.now()
    let due = max(bucket.due, now)
    let at = max(bucket.pausedUntil, now, due.advanced(byMicroseconds: -bucket.pace.ahead))
    guard at <= deadline else { throw .notBefore(at) }
    bucket.due = due.advanced(byMicroseconds: bucket.pace.interval)
    buckets[key] = bucket
    return Place(at: at, end: Timestamp(microseconds: .max), pauses: bucket.pauses)
  }

  // MARK: Shared

  /// Takes a place in what is held of the shared budget, and more of it when nothing is left.
  private func place(
    _ key: RateKey, _ shared: SharedBudget, deadline: Timestamp
  ) async throws(Refusal) -> Place {
    var waited = bucket(key)
    waited.share.waitingCount += 1
    buckets[key] = waited
    defer { buckets[key]?.share.waitingCount -= 1 }
    while true {
      if let place = try takePlace(key, deadline) {
        // Ahead of need, and of no interest when it fails: who needs a place then asks again.
        if bucket(key).share.isNearlyUsed { _ = reserve(key, shared, waitMax: Self.aheadWaitMax) }
        return place
      }
      guard let refusedUntil = try await reserved(key, shared, deadline: deadline) else { continue }
      guard refusedUntil <= deadline else { throw .notBefore(refusedUntil) }
      try await rest(until: refusedUntil.advanced(byMicroseconds: -Self.waitMax))
    }
  }

  /// Takes a free place, if one is held.
  private func takePlace(_ key: RateKey, _ deadline: Timestamp) throws(Refusal) -> Place? {
    var bucket = bucket(key)
    let now = clock.now()
    let earliest = max(bucket.pausedUntil, now)
    guard earliest <= deadline else { throw .notBefore(earliest) }
    guard let window = bucket.share.next(earliest) else { return nil }
    let at = max(window.begin, earliest)
    guard at <= deadline else { throw .notBefore(at) }
    bucket.share.take()
    buckets[key] = bucket
    return Place(at: at, end: window.end, pauses: bucket.pauses)
  }

  /// Waits for the reservation that is under way, or begins one.
  ///
  /// - Returns: when the next stretch begins if that is too late; nil when one was taken.
  private func reserved(
    _ key: RateKey, _ shared: SharedBudget, deadline: Timestamp
  ) async throws(Refusal) -> Timestamp? {
    let wait = min(Self.waitMax, deadline.microseconds(since: clock.now()))
    let reservation = bucket(key).share.reservation ?? reserve(key, shared, waitMax: wait)
    do {
      return try await withTaskCancellationHandler { try await reservation.value } onCancel: { reservation.cancel() }
    } catch {
      if Task.isCancelled { throw .cancelled }
      // Whoever began it was cancelled, which is nothing to those who wait with it.
      if reservation.isCancelled { return nil }
      throw .unreachable("\(error)")
    }
  }

  /// Begins a reservation of the next stretch.
  private func reserve(_ key: RateKey, _ shared: SharedBudget, waitMax: Int64) -> Task<Timestamp?, any Error> {
    var bucket = bucket(key)
    let now = clock.now()
    let count = bucket.share.wanted(bucket.pace, now)
    let wish = SharedBudget.Wish(
      key: key, spanMicroseconds: bucket.pace.interval * count, keepMicroseconds: bucket.pace.grace,
      waitMaxMicroseconds: waitMax, now: clock.isSystem ? nil : now)
    let pauses = bucket.pauses
    let task = Task { try await self.fetch(wish, count: count, shared, sent: now, pauses: pauses) }
    bucket.share.reservation = task
    buckets[key] = bucket
    return task
  }

  private func fetch(
    _ wish: SharedBudget.Wish, count: Int64, _ shared: SharedBudget, sent: Timestamp, pauses: Int
  ) async throws -> Timestamp? {
    defer { buckets[wish.key]?.share.reservation = nil }
    let answer = try await shared.reserve(wish)
    guard answer.isTaken else { return sent.advanced(byMicroseconds: answer.waitMicroseconds) }
    var bucket = bucket(wish.key)
    // A stretch from before a pause is of no use after it.
    guard bucket.pauses == pauses else { return nil }
    bucket.share.keep(answer, count: count, bucket.pace, sent: sent, now: clock.now())
    buckets[wish.key] = bucket
    guard bucket.share.lateCount < Self.lateMax else {
      throw BudgetTooLate(lateCount: bucket.share.lateCount)
    }
    return nil
  }
}

/// The shared budget answers, but never in time.
private struct BudgetTooLate: Error, CustomStringConvertible {
  var lateCount: Int

  var description: String { "the database answered \(lateCount) times only after the reserved time was over" }
}
