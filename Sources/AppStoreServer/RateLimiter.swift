public import Domain
public import Wording

/// The app, App Store and endpoint of one of Apple's budgets.
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

/// Paces the requests of each app, App Store and endpoint. All clients of a process share one limiter.
///
/// A process reserves stretches of a budget that all processes share, and sends requests only within them. Together they exceed the pace
/// by at most the requests of 1.5 seconds. At 99 percent or less of Apple's hourly limit, no hour exceeds that limit.
public actor RateLimiter {
  /// The reason why a request was not admitted.
  public enum Refusal: Error, Sendable, Hashable {
    /// The bucket admits the next request at this instant, which is after the deadline.
    case notBefore(Timestamp)
    /// The shared budget cannot be reached; with the reason.
    case unreachable(Phrase)
    case cancelled
  }

  private struct Bucket {
    let pace: RatePace
    var pausedUntil = Timestamp(microseconds: .min)
    /// Number of pauses; a request that waited when one started queues again.
    var pauses = 0
    /// The reserved part of the shared budget.
    var share = BudgetShare()
  }

  /// An admitted time slot for one request.
  private struct Slot {
    var at: Timestamp
    var end: Timestamp
    var pauses: Int
  }

  /// Default share of Apple's limits; the rest is for live traffic.
  public static let percentDefault = 70
  /// Maximum wait for the start of a stretch, in microseconds; a stretch reserved in advance has the shorter `aheadWaitMax`.
  private static let waitMax: Int64 = 300_000_000
  private static let aheadWaitMax: Int64 = 1_000_000
  /// Number of consecutive late stretches after which the database counts as too slow.
  private static let lateMax = 5

  private let percent: Int
  private let clock: ServerClock
  private let shared: SharedBudget
  private var buckets: [RateKey: Bucket] = [:]

  /// - Parameters:
  ///   - percent: share of Apple's limits that may be used, 1...100.
  ///   - shared: the budget shared with other processes.
  public init(percent: Int = RateLimiter.percentDefault, clock: ServerClock = .system, shared: SharedBudget) {
    self.percent = min(100, max(1, percent))
    self.clock = clock
    self.shared = shared
  }

  /// Waits until a request may be sent.
  public func admit(_ key: RateKey, deadline: Timestamp) async throws(Refusal) {
    while true {
      let slot = try await slot(key, deadline: deadline)
      try await wait(until: slot.at)
      if bucket(key).pauses == slot.pauses, clock.now() < slot.end { return }
    }
  }

  private func wait(until instant: Timestamp) async throws(Refusal) {
    var now = clock.now()
    while now < instant {
      do { try await clock.sleep(.microseconds(instant.microseconds(since: now))) } catch { throw .cancelled }
      now = clock.now()
    }
  }

  /// Blocks one bucket until an instant, in all processes that share it. Other buckets are not affected.
  public func pause(_ key: RateKey, until end: Timestamp) async {
    var bucket = bucket(key)
    bucket.pauses += 1
    bucket.pausedUntil = max(bucket.pausedUntil, end)
    bucket.share.drop()
    buckets[key] = bucket
    let now = clock.now()
    // If this fails, Apple also answers 429 to the other processes.
    try? await shared.pause(key, max(0, end.microseconds(since: now)), clock.isSystem ? nil : now)
  }

  private func bucket(_ key: RateKey) -> Bucket { buckets[key] ?? Bucket(pace: RatePace(key, percent: percent)) }

  /// Takes a slot in the reserved stretches, and reserves another stretch when none is free.
  private func slot(_ key: RateKey, deadline: Timestamp) async throws(Refusal) -> Slot {
    var waited = bucket(key)
    waited.share.waitingCount += 1
    buckets[key] = waited
    defer { buckets[key]?.share.waitingCount -= 1 }
    while true {
      if let slot = try takeSlot(key, deadline) {
        // A failed reservation in advance is ignored: the next request without a slot reserves again.
        if bucket(key).share.isNearlyUsed { _ = reserve(key, waitMax: Self.aheadWaitMax) }
        return slot
      }
      guard let refusedUntil = try await reserved(key, deadline: deadline) else { continue }
      guard refusedUntil <= deadline else { throw .notBefore(refusedUntil) }
      try await wait(until: refusedUntil.advanced(byMicroseconds: -Self.waitMax))
    }
  }

  /// Takes a free slot; returns nil when none is reserved.
  private func takeSlot(_ key: RateKey, _ deadline: Timestamp) throws(Refusal) -> Slot? {
    var bucket = bucket(key)
    let now = clock.now()
    let earliest = max(bucket.pausedUntil, now)
    guard earliest <= deadline else { throw .notBefore(earliest) }
    guard let window = bucket.share.next(earliest) else { return nil }
    let at = max(window.begin, earliest)
    guard at <= deadline else { throw .notBefore(at) }
    bucket.share.take()
    buckets[key] = bucket
    return Slot(at: at, end: window.end, pauses: bucket.pauses)
  }

  /// Waits for the reservation in progress, or starts one.
  ///
  /// - Returns: the start of the next stretch if that is too late; nil when a stretch was reserved.
  private func reserved(_ key: RateKey, deadline: Timestamp) async throws(Refusal) -> Timestamp? {
    let wait = min(Self.waitMax, deadline.microseconds(since: clock.now()))
    let reservation = bucket(key).share.reservation ?? reserve(key, waitMax: wait)
    do {
      return try await withTaskCancellationHandler {
        try await reservation.value
      } onCancel: {
        reservation.cancel()
      }
    } catch {
      if Task.isCancelled { throw .cancelled }
      // The request that started the reservation was cancelled; the others start another one.
      if reservation.isCancelled { return nil }
      throw .unreachable((error as? BudgetTooLate)?.phrase ?? .plain("\(error)"))
    }
  }

  /// Starts a reservation of the next stretch.
  private func reserve(_ key: RateKey, waitMax: Int64) -> Task<Timestamp?, any Error> {
    var bucket = bucket(key)
    let now = clock.now()
    let count = bucket.share.wanted(bucket.pace, now)
    let request = SharedBudget.Request(
      key: key, spanMicroseconds: bucket.pace.interval * count, keepMicroseconds: bucket.pace.grace,
      waitMaxMicroseconds: waitMax, now: clock.isSystem ? nil : now)
    let pauses = bucket.pauses
    let task = Task { try await self.fetch(request, count: count, sent: now, pauses: pauses) }
    bucket.share.reservation = task
    buckets[key] = bucket
    return task
  }

  private func fetch(_ request: SharedBudget.Request, count: Int64, sent: Timestamp, pauses: Int) async throws -> Timestamp? {
    defer { buckets[request.key]?.share.reservation = nil }
    let answer = try await shared.reserve(request)
    guard answer.isTaken else { return sent.advanced(byMicroseconds: answer.waitMicroseconds) }
    var bucket = bucket(request.key)
    // A stretch reserved before a pause cannot be used after it.
    guard bucket.pauses == pauses else { return nil }
    bucket.share.keep(answer, count: count, bucket.pace, sent: sent, now: clock.now())
    buckets[request.key] = bucket
    guard bucket.share.lateCount < Self.lateMax else { throw BudgetTooLate(lateCount: bucket.share.lateCount) }
    return nil
  }
}

/// The shared budget answers, but always too late.
private struct BudgetTooLate: Error {
  var lateCount: Int

  var phrase: Phrase { Phrase("api_fault.budget_slow", ["count": .plain("\(lateCount)")]) }
}
