/// The rows that a chunk of cases adds to the world's files.
struct CaseOutput: Sendable {
  var orders = TextBuffer()
  var users = TextBuffer()
  /// Lines of the evidence file, not yet shuffled.
  var evidence: [[UInt8]] = []
  var matches = TextBuffer()
  var breaks = TextBuffer()
  var pending = TextBuffer()
  var counts = Counts()
}

/// Counts of a world's objects, and of the expected results.
public struct Counts: Sendable {
  public var orders = 0
  public var users = 0
  /// Number of lines in `inbox/apple.ndjson`.
  public var evidence = 0
  /// Number of Apple's charges, including those with forged and foreign evidence.
  public var charges = 0
  /// True matches by rung, `M1` to `M6`.
  public var rungs: [String: Int] = [:]
  /// True open breaks by class.
  public var breaks: [String: Int] = [:]
  /// Differences within their grace time, by class.
  public var pending: [String: Int] = [:]

  mutating func add(_ other: Counts) {
    orders += other.orders
    users += other.users
    evidence += other.evidence
    charges += other.charges
    rungs.merge(other.rungs, uniquingKeysWith: +)
    breaks.merge(other.breaks, uniquingKeysWith: +)
    pending.merge(other.pending, uniquingKeysWith: +)
  }
}
