public import Domain
internal import Synchronization
internal import SystemCalls

/// Time as the client sees it; tests give one that they move themselves.
public struct ServerClock: Sendable {
  public var now: @Sendable () -> Timestamp
  /// Waits for a span; throws `CancellationError`.
  public var sleep: @Sendable (Duration) async throws -> Void
  /// Whether it is the machine's own, which other machines have too.
  public private(set) var isSystem = false

  public init(
    now: @escaping @Sendable () -> Timestamp, sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.now = now
    self.sleep = sleep
  }

  /// The machine's own.
  public static let system: ServerClock = {
    var clock = ServerClock(
      now: { Timestamp(microseconds: Machine.microseconds) }, sleep: { try await Task.sleep(for: $0) })
    clock.isSystem = true
    return clock
  }()
}

/// Growing pauses between attempts, with jitter from a seed.
final class Backoff: Sendable {
  static let microsecondsMax: Int64 = 30_000_000

  private let firstMicroseconds: Int64
  private let state: Mutex<UInt64>

  /// - Parameter first: span of the first pause.
  init(seed: UInt64, first: Duration) {
    firstMicroseconds = min(Self.microsecondsMax, max(1, first.microseconds))
    state = Mutex(seed)
  }

  /// The pause after a number of attempts (1 or more): between half and all of a doubling span.
  func pause(after attempts: Int) -> Int64 {
    let doublings = min(16, max(0, attempts - 1))
    let span = min(Self.microsecondsMax, firstMicroseconds << Int64(doublings))
    return span / 2 + Int64(next() % UInt64(span / 2 + 1))
  }

  /// - Source: S. Vigna, SplitMix64.
  private func next() -> UInt64 {
    state.withLock { state in
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }
}

extension Timestamp {
  /// The instant that many microseconds later; one beyond the range becomes its end.
  func advanced(byMicroseconds span: Int64) -> Timestamp {
    let (sum, hasOverflow) = microseconds.addingReportingOverflow(span)
    return Timestamp(microseconds: hasOverflow ? (span < 0 ? .min : .max) : sum)
  }

  /// Microseconds from another instant to this one; a span beyond the range becomes its end.
  func microseconds(since other: Timestamp) -> Int64 {
    let (span, hasOverflow) = microseconds.subtractingReportingOverflow(other.microseconds)
    return hasOverflow ? (other.microseconds < 0 ? .max : .min) : span
  }

  /// Milliseconds since 1970, cut towards the past.
  var milliseconds: Int64 { microseconds / 1000 - (microseconds % 1000 < 0 ? 1 : 0) }
}

extension Duration {
  /// Whole microseconds; a span beyond the range becomes its end.
  var microseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, hasOverflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    return hasOverflow ? (seconds < 0 ? .min : .max) : product &+ attoseconds / 1_000_000_000_000
  }
}
