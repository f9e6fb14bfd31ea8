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
/// A bucket holds one second's requests and is full at first. Apple counts by the hour: with 99 percent or
/// less of its limits, no hour sees more than it allows.
public actor RateLimiter {
  /// Why a request was not let through.
  public enum Refusal: Error, Sendable, Hashable {
    /// The bucket lets the next one through at this instant, which is after the deadline.
    case notBefore(Timestamp)
    case cancelled
  }

  private struct Bucket {
    /// Microseconds between two requests.
    let interval: Int64
    /// Microseconds by which requests may run ahead of the even pace.
    let ahead: Int64
    /// When the next request would be due at the even pace.
    var due = Timestamp(microseconds: .min)
    var pausedUntil = Timestamp(microseconds: .min)
    /// Counts pauses; who waited through the start of one queues anew.
    var pauses = 0
  }

  /// Share of Apple's limits that this process may use when nothing is said; the rest is for live traffic.
  public static let percentDefault = 70

  private let percent: Int
  private let clock: ServerClock
  private var buckets: [RateKey: Bucket] = [:]

  /// - Parameter percent: share of Apple's limits that may be used, 1...100.
  public init(percent: Int = RateLimiter.percentDefault, clock: ServerClock = .system) {
    self.percent = min(100, max(1, percent))
    self.clock = clock
  }

  /// Waits until a request may be sent.
  public func admit(_ key: RateKey, deadline: Timestamp) async throws(Refusal) {
    while true {
      let (at, pauses) = try reserve(key, deadline: deadline)
      var now = clock.now()
      while now < at {
        do { try await clock.sleep(.microseconds(at.microseconds - now.microseconds)) } catch {
          throw .cancelled
        }
        now = clock.now()
      }
      if bucket(key).pauses == pauses { return }
    }
  }

  /// Lets nothing of one bucket through before an instant; other buckets go on.
  public func pause(_ key: RateKey, until end: Timestamp) {
    var bucket = bucket(key)
    bucket.pauses += 1
    bucket.pausedUntil = max(bucket.pausedUntil, end)
    // After the pause the bucket fills from empty: Apple counts what was sent before it.
    bucket.due = max(Timestamp(microseconds: .min), bucket.pausedUntil.advanced(byMicroseconds: bucket.ahead))
    buckets[key] = bucket
  }

  /// When the bucket's pause is over; nil when it has none.
  public func pauseEnd(_ key: RateKey) -> Timestamp? {
    guard let end = buckets[key]?.pausedUntil, end > clock.now() else { return nil }
    return end
  }

  /// Takes the next free instant of a bucket, if it is not after the deadline.
  private func reserve(_ key: RateKey, deadline: Timestamp) throws(Refusal) -> (at: Timestamp, pauses: Int) {
    var bucket = bucket(key)
    let now = clock.now()
    let due = max(bucket.due, now)
    let at = max(bucket.pausedUntil, now, due.advanced(byMicroseconds: -bucket.ahead))
    guard at <= deadline else { throw .notBefore(at) }
    bucket.due = due.advanced(byMicroseconds: bucket.interval)
    buckets[key] = bucket
    return (at, bucket.pauses)
  }

  private func bucket(_ key: RateKey) -> Bucket {
    if let bucket = buckets[key] { return bucket }
    // Requests in 100,000 seconds, so that a tenth of one a second stays a whole number.
    let tenths = key.environment == .production ? 10 : 1
    let rate = max(1, Int64(key.endpoint.requestsPerSecond * tenths * percent * 100))
    let interval = (100_000 * 1_000_000 + rate - 1) / rate
    let burst = max(1, rate / 100_000)
    return Bucket(interval: interval, ahead: interval * (burst - 1))
  }
}
