internal import JobCore
internal import Postgres

extension JobSettings {
  /// The spans of time by which the ladder compares, by the names of its statements' parameters.
  var ladderSpans: [String: Value] {
    [
      "window": interval(seconds: match.windowSeconds),
      "ask_to_buy_window": interval(seconds: match.askToBuyWindowSeconds),
      "skew": interval(seconds: match.clockSkewSeconds), "late": interval(seconds: breaks.lateVerificationSeconds),
    ]
  }
}
