internal import Glibc
internal import Synchronization

/// Lets one caller through per span of time.
final class ProgressClock: Sendable {
  private let last = Mutex<UInt64>(0)

  func mayDraw(every nanoseconds: UInt64) -> Bool {
    let now = ProgressClock.monotonicNanoseconds()
    return last.withLock { last in
      guard now &- last >= nanoseconds else { return false }
      last = now
      return true
    }
  }

  static func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
