internal import JobCore
internal import Ladder

extension LadderSettings {
  /// Reads the spans from the settings file and converts them from seconds.
  init(_ settings: JobSettings) {
    self.init(
      window: Microseconds(settings.match.windowSeconds) * 1_000_000,
      askToBuyWindow: Microseconds(settings.match.askToBuyWindowSeconds) * 1_000_000,
      clockSkew: Microseconds(settings.match.clockSkewSeconds) * 1_000_000,
      lateVerificationAfter: Microseconds(settings.breaks.lateVerificationSeconds) * 1_000_000)
  }
}
