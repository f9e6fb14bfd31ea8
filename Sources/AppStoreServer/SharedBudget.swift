public import Domain

/// Budgets of Apple's limits that several processes share: each takes short stretches of time from them.
public struct SharedBudget: Sendable {
  /// A stretch that is asked for.
  public struct Wish: Sendable, Hashable {
    public var key: RateKey
    /// Time that the wanted requests take at the even pace.
    public var spanMicroseconds: Int64
    /// Time that nobody took is kept so long.
    public var keepMicroseconds: Int64
    /// Nothing is taken when the stretch begins later than this from now.
    public var waitMaxMicroseconds: Int64
    /// The process's clock where it is not the machine's; nil leaves it to the clock that all share.
    public var now: Timestamp?

    public init(
      key: RateKey, spanMicroseconds: Int64, keepMicroseconds: Int64, waitMaxMicroseconds: Int64, now: Timestamp?
    ) {
      self.key = key
      self.spanMicroseconds = spanMicroseconds
      self.keepMicroseconds = keepMicroseconds
      self.waitMaxMicroseconds = waitMaxMicroseconds
      self.now = now
    }
  }

  /// What became of a wish.
  public struct Answer: Sendable, Hashable {
    /// From now until the next free stretch begins.
    public var waitMicroseconds: Int64
    public var isTaken: Bool

    public init(waitMicroseconds: Int64, isTaken: Bool) {
      self.waitMicroseconds = waitMicroseconds
      self.isTaken = isTaken
    }
  }

  /// Takes the next free stretch, so that nobody else gets it.
  public var reserve: @Sendable (Wish) async throws -> Answer
  /// Lets nobody take a stretch that begins within so many microseconds.
  public var pause: @Sendable (_ key: RateKey, _ microseconds: Int64, _ now: Timestamp?) async throws -> Void

  public init(
    reserve: @escaping @Sendable (Wish) async throws -> Answer,
    pause: @escaping @Sendable (_ key: RateKey, _ microseconds: Int64, _ now: Timestamp?) async throws -> Void
  ) {
    self.reserve = reserve
    self.pause = pause
  }
}

/// How fast requests of one kind may follow each other.
struct RatePace: Sendable {
  /// Microseconds between two requests.
  let interval: Int64
  /// Requests of one second, at least one.
  let perSecond: Int64

  private static let second: Int64 = 1_000_000

  init(_ key: RateKey, percent: Int) {
    // Requests in 100,000 seconds, so that a tenth of one a second stays a whole number.
    let tenths = key.environment == .production ? 10 : 1
    let rate = max(1, Int64(key.endpoint.requestsPerSecond * tenths * percent * 100))
    interval = (100_000 * Self.second + rate - 1) / rate
    perSecond = max(1, rate / 100_000)
  }

  /// Microseconds by which requests may run ahead of the even pace.
  var ahead: Int64 { interval * (perSecond - 1) }

  /// Most requests of one stretch of a shared budget: a quarter of a second's.
  var stretchMax: Int64 { max(1, perSecond / 4) }

  /// For so long a stretch may be taken, and its requests sent, after its time: who is busy storing what came loses
  /// nothing by it.
  ///
  /// What is sent within any span is then at most what the span allows and one and a half second's requests: stretches
  /// lie side by side, and those whose requests may fall into the span begin before its end, and not earlier before its
  /// start than their own length and twice this. Where a stretch is a long one, for a single request, it is at most two
  /// requests more than the span allows.
  var grace: Int64 { interval * stretchMax <= Self.second / 2 ? Self.second / 2 : 0 }
}
