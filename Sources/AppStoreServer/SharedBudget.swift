public import Domain

/// The budgets of Apple's limits that several processes share. Each process reserves short stretches of time.
public struct SharedBudget: Sendable {
  public struct Request: Sendable, Hashable {
    public var key: RateKey
    /// Duration of the wanted requests at the even pace.
    public var spanMicroseconds: Int64
    /// How long unused time stays available.
    public var keepMicroseconds: Int64
    /// Maximum wait until the stretch begins; a later stretch is not reserved.
    public var waitMaxMicroseconds: Int64
    /// The process's clock where it is not the system clock; nil uses the clock of the shared budget.
    public var now: Timestamp?

    public init(key: RateKey, spanMicroseconds: Int64, keepMicroseconds: Int64, waitMaxMicroseconds: Int64, now: Timestamp?) {
      self.key = key
      self.spanMicroseconds = spanMicroseconds
      self.keepMicroseconds = keepMicroseconds
      self.waitMaxMicroseconds = waitMaxMicroseconds
      self.now = now
    }
  }

  public struct Answer: Sendable, Hashable {
    /// Time from now until the next free stretch begins.
    public var waitMicroseconds: Int64
    public var isTaken: Bool

    public init(waitMicroseconds: Int64, isTaken: Bool) {
      self.waitMicroseconds = waitMicroseconds
      self.isTaken = isTaken
    }
  }

  /// Reserves the next free stretch exclusively.
  public var reserve: @Sendable (Request) async throws -> Answer
  /// Blocks all stretches that begin within this many microseconds.
  public var pause: @Sendable (_ key: RateKey, _ microseconds: Int64, _ now: Timestamp?) async throws -> Void

  public init(
    reserve: @escaping @Sendable (Request) async throws -> Answer,
    pause: @escaping @Sendable (_ key: RateKey, _ microseconds: Int64, _ now: Timestamp?) async throws -> Void
  ) {
    self.reserve = reserve
    self.pause = pause
  }
}

/// The pace of requests of one kind.
struct RatePace: Sendable {
  /// Microseconds between two requests.
  let interval: Int64
  /// Maximum number of requests in one stretch of the budget: those of a quarter of a second, at least one.
  let stretchMax: Int64

  private static let second: Int64 = 1_000_000

  init(_ key: RateKey, percent: Int) {
    // Requests per 100,000 seconds, so that a rate of 0.1 per second stays an integer.
    let tenths = key.environment == .production ? 10 : 1
    let rate = max(1, Int64(key.endpoint.requestsPerSecond * tenths * percent * 100))
    interval = (100_000 * Self.second + rate - 1) / rate
    stretchMax = max(1, rate / 100_000 / 4)
  }

  /// Microseconds after its time during which a stretch may still be reserved and used. A process that is busy storing answers therefore
  /// loses no requests.
  ///
  /// The requests sent within any interval are at most those of the interval plus those of one and a half seconds. The reason: stretches do
  /// not overlap. Those with requests in the interval begin before its end, and at most their length plus twice the grace before its start.
  /// A stretch longer than half a second has a single request and no grace; it exceeds the interval's requests by at most two.
  var grace: Int64 { interval * stretchMax <= Self.second / 2 ? Self.second / 2 : 0 }
}
