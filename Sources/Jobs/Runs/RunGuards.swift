public import Domain
public import Wording

/// Compares a run with its history: too few or too many rows, too fast or too slow.
public enum RunGuards {
  public struct Sample: Sendable, Hashable {
    /// Input rows; nil if the run counts none.
    public var rows: Int64?
    public var seconds: Int64

    public init(rows: Int64?, seconds: Int64) {
      self.rows = rows
      self.seconds = seconds
    }
  }

  /// Smallest and largest expected number; nil for no limit.
  public typealias Bounds = (min: Int64?, max: Int64?)

  public struct Finding: Sendable, Hashable {
    public var verdict: Verdict
    public var reason: Phrase
  }

  public static let samplesMax = 4
  public static let samplesMin = 3
  /// Medians below these are ignored, because small numbers vary by themselves.
  private static let rowsFloor: Int64 = 20
  private static let secondsFloor: Int64 = 60

  /// Compares a run with the limits and with the median of earlier runs on the same weekday.
  ///
  /// At most half of the usual rows make the run incomplete, at least twice as many a warning. At most a fifth of the usual time, or at
  /// least three times as much, is a warning.
  /// - Parameter history: the latest runs on the same weekday, of which at most `samplesMax` are used.
  public static func judge(_ run: Sample, history: [Sample], rows: Bounds = (nil, nil), seconds: Bounds = (nil, nil)) -> [Finding] {
    judgeRows(run.rows, history: history.map(\.rows), bounds: rows)
      + judgeSeconds(run.seconds, history: history.map(\.seconds), bounds: seconds)
  }

  static func judgeRows(_ rows: Int64?, history: [Int64?], bounds: Bounds) -> [Finding] {
    guard let rows else { return [] }
    var findings: [Finding] = []
    func find(_ verdict: Verdict, _ reason: Phrase) { findings.append(Finding(verdict: verdict, reason: reason)) }
    if let low = bounds.min, rows < low { find(.incomplete, Phrase("night.rows_fewer", ["count": .plain(rows), "least": .plain(low)])) }
    if let high = bounds.max, rows > high { find(.warnings, Phrase("night.rows_more", ["count": .plain(rows), "most": .plain(high)])) }
    if let usual = median(history.compactMap { $0 }), usual >= rowsFloor {
      if rows * 2 <= usual { find(.incomplete, .plain("\(rows) rows, where the same weekday usually has \(usual)")) }
      if rows >= usual * 2 { find(.warnings, .plain("\(rows) rows, where the same weekday usually has \(usual)")) }
    }
    return findings
  }

  static func judgeSeconds(_ seconds: Int64, history: [Int64], bounds: Bounds) -> [Finding] {
    var findings: [Finding] = []
    func find(_ reason: String) { findings.append(Finding(verdict: .warnings, reason: .plain(reason))) }
    if let low = bounds.min, seconds < low { find("took \(seconds) s, less than the least of \(low) s") }
    if let high = bounds.max, seconds > high { find("took \(seconds) s, more than the most of \(high) s") }
    if let usual = median(history), usual >= secondsFloor, seconds * 5 <= usual || seconds >= usual * 3 {
      find("took \(seconds) s, where the same weekday usually takes \(usual) s")
    }
    return findings
  }

  /// Returns the median of the first `samplesMax` values; nil for fewer than `samplesMin`.
  static func median(_ values: [Int64]) -> Int64? {
    guard values.count >= samplesMin else { return nil }
    let sorted = values.prefix(samplesMax).sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
