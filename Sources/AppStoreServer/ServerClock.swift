public import Domain
internal import SystemCalls

/// The client's clock; tests pass one that they control.
public struct ServerClock: Sendable {
  public var now: @Sendable () -> Timestamp
  /// Waits for a duration. Throws `CancellationError`.
  public var sleep: @Sendable (Duration) async throws -> Void
  /// Whether this is the system clock, whose time other processes share.
  public private(set) var isSystem = false

  public init(now: @escaping @Sendable () -> Timestamp, sleep: @escaping @Sendable (Duration) async throws -> Void) {
    self.now = now
    self.sleep = sleep
  }

  public static let system: ServerClock = {
    var clock = ServerClock(now: { Timestamp(microseconds: Machine.microseconds) }, sleep: { try await Task.sleep(for: $0) })
    clock.isSystem = true
    return clock
  }()
}

/// Growing pauses between attempts, with jitter.
struct Backoff: Sendable {
  static let microsecondsMax: Int64 = 30_000_000

  private let firstMicroseconds: Int64

  init(first: Duration) { firstMicroseconds = min(Self.microsecondsMax, max(1, first.microseconds)) }

  /// Returns the pause after a number of attempts (1 or more): between half and all of a doubling duration, in microseconds.
  func pause(after attempts: Int) -> Int64 {
    let doublings = min(16, max(0, attempts - 1))
    let span = min(Self.microsecondsMax, firstMicroseconds << Int64(doublings))
    return Int64.random(in: span / 2...span)
  }
}

extension Timestamp {
  /// Returns the instant `span` microseconds later, clamped to the valid range.
  func advanced(byMicroseconds span: Int64) -> Timestamp {
    let (sum, hasOverflow) = microseconds.addingReportingOverflow(span)
    return Timestamp(microseconds: hasOverflow ? (span < 0 ? .min : .max) : sum)
  }

  /// Returns the microseconds from another instant to this one, clamped to the valid range.
  func microseconds(since other: Timestamp) -> Int64 {
    let (span, hasOverflow) = microseconds.subtractingReportingOverflow(other.microseconds)
    return hasOverflow ? (other.microseconds < 0 ? .max : .min) : span
  }

  /// Milliseconds since 1970, rounded down.
  var milliseconds: Int64 { microseconds.flooredQuotientAndRemainder(1000).0 }
}

extension Duration {
  /// Whole microseconds, clamped to the valid range.
  var microseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, hasOverflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    return hasOverflow ? (seconds < 0 ? .min : .max) : product &+ attoseconds / 1_000_000_000_000
  }
}
