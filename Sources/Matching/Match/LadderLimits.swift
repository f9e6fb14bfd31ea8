internal import JobCore
internal import Postgres

/// The spans of time by which the ladder compares, as parameters of its statements.
struct LadderLimits {
  let window: Value
  let askToBuyWindow: Value
  let skew: Value
  let late: Value

  init(_ settings: JobSettings) {
    window = interval(seconds: settings.match.windowSeconds)
    askToBuyWindow = interval(seconds: settings.match.askToBuyWindowSeconds)
    skew = interval(seconds: settings.match.clockSkewSeconds)
    late = interval(seconds: settings.breaks.lateVerificationSeconds)
  }

  /// Those by which an order and a charge are near each other, by the names of the parameters.
  var ofPairs: [String: Value] { ["window": window, "ask_to_buy_window": askToBuyWindow, "skew": skew] }

  /// All of them, for rungs that somebody added.
  var all: [String: Value] { ofPairs.merging(["late": late]) { one, _ in one } }

  /// Those by which a token or a renewal leads to an order.
  var ofTokens: [String: Value] { ["window": window, "skew": skew] }
}
