public import Domain
internal import JobCore
internal import Postgres

/// Judges a run by its own past: too few or too many rows, too fast or too slow.
public enum RunGuards {
  /// Rows and seconds of one run.
  public struct Sample: Sendable, Hashable {
    /// Input rows; nil where a run counts none.
    public var rows: Int64?
    public var seconds: Int64

    public init(rows: Int64?, seconds: Int64) {
      self.rows = rows
      self.seconds = seconds
    }
  }

  /// Ends that somebody set; nil leaves an end open.
  public struct Limits: Sendable, Hashable {
    public var rowsMin: Int64?
    public var rowsMax: Int64?
    public var secondsMin: Int64?
    public var secondsMax: Int64?

    public init() {}
  }

  /// One thing that is out of the ordinary.
  public struct Finding: Sendable, Hashable {
    /// `incomplete` or `warnings`.
    public var verdict: Verdict
    public var reason: String
  }

  /// Same weekdays that the median is taken over.
  public static let samplesMax = 4
  /// Fewer say nothing.
  public static let samplesMin = 3
  /// Medians under these say nothing: a handful of rows or seconds varies by itself.
  private static let rowsFloor: Int64 = 20
  private static let secondsFloor: Int64 = 60

  /// Compares a run with the limits and with the median of the same weekdays before it.
  ///
  /// Half of the usual rows or fewer make it incomplete, twice as many or more a warning; a fifth of the usual time or
  /// three times as much a warning.
  /// - Parameter history: the latest runs of the same weekday, at most `samplesMax` are used.
  public static func judge(_ run: Sample, history: [Sample], limits: Limits = Limits()) -> [Finding] {
    judgeRows(run.rows, history: history.map(\.rows), limits: limits)
      + judgeSeconds(run.seconds, history: history.map(\.seconds), limits: limits)
  }

  /// What is out of the ordinary about the number of rows.
  static func judgeRows(_ rows: Int64?, history: [Int64?], limits: Limits) -> [Finding] {
    guard let rows else { return [] }
    var findings: [Finding] = []
    func find(_ verdict: Verdict, _ reason: String) { findings.append(Finding(verdict: verdict, reason: reason)) }
    if let low = limits.rowsMin, rows < low { find(.incomplete, "\(rows) rows, fewer than the least of \(low)") }
    if let high = limits.rowsMax, rows > high { find(.warnings, "\(rows) rows, more than the most of \(high)") }
    if let usual = median(history.compactMap { $0 }), usual >= rowsFloor {
      if rows * 2 <= usual { find(.incomplete, "\(rows) rows, where the same weekday usually has \(usual)") }
      if rows >= usual * 2 { find(.warnings, "\(rows) rows, where the same weekday usually has \(usual)") }
    }
    return findings
  }

  /// What is out of the ordinary about the time taken.
  static func judgeSeconds(_ seconds: Int64, history: [Int64], limits: Limits) -> [Finding] {
    var findings: [Finding] = []
    func find(_ reason: String) { findings.append(Finding(verdict: .warnings, reason: reason)) }
    if let low = limits.secondsMin, seconds < low { find("took \(seconds) s, less than the least of \(low) s") }
    if let high = limits.secondsMax, seconds > high { find("took \(seconds) s, more than the most of \(high) s") }
    if let usual = median(history), usual >= secondsFloor {
      if seconds * 5 <= usual { find("took \(seconds) s, where the same weekday usually takes \(usual) s") }
      if seconds >= usual * 3 { find("took \(seconds) s, where the same weekday usually takes \(usual) s") }
    }
    return findings
  }

  /// Median of the first `samplesMax` values; nil for fewer than `samplesMin`.
  static func median(_ values: [Int64]) -> Int64? {
    guard values.count >= samplesMin else { return nil }
    let sorted = values.prefix(samplesMax).sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}

extension RunLedger {
  /// What is out of the ordinary about the input rows of a run that is about to end, against what the job that started it
  /// asks for; what nights usually have is for the freshness of their input to judge.
  func rowFindings(rows: Int64) -> [RunGuards.Finding] {
    var limits = RunGuards.Limits()
    (limits.rowsMin, limits.rowsMax) = (context.limits.rowsMin, context.limits.rowsMax)
    return RunGuards.judgeRows(rows, history: [], limits: limits)
  }
}
