internal import Synchronization
internal import SystemCalls

/// A rate limit that admits one caller per time span.
final class ProgressClock: Sendable {
  private let last = Mutex<UInt64>(0)

  func mayDraw(every nanoseconds: UInt64) -> Bool {
    let now = Machine.steadyNanoseconds
    return last.withLock { last in
      guard now &- last >= nanoseconds else { return false }
      last = now
      return true
    }
  }
}
