package import Domain
internal import SystemCalls

/// The system clock. Results follow the clock of the run instead, `JobContext.asOf`.
package enum WallClock {
  package static func now() -> Timestamp { Timestamp(microseconds: Machine.microseconds) }
}
