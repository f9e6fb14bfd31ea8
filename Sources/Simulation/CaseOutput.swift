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

/// Counts of a world's objects.
struct Counts: Sendable {
  var orders = 0
  var users = 0
  var evidence = 0
  var charges = 0
  var rungs: [String: Int] = [:]
  var breaks: [String: Int] = [:]
  var pending: [String: Int] = [:]

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
