internal import Domain

/// What one process holds of a shared budget.
struct BudgetShare {
  /// Requests that may be sent within a window.
  struct Stretch {
    var begin: Timestamp
    var end: Timestamp
    var count: Int64
    var left: Int64
  }

  /// In the order of their windows.
  private var stretches: [Stretch] = []
  /// What is asked for; the instant at which the next stretch begins when that is too late.
  var reservation: Task<Timestamp?, any Error>?
  /// Requests that have no place yet.
  var waitingCount: Int64 = 0
  /// Stretches in a row whose window was over when they came.
  private(set) var lateCount = 0
  /// Places given since something was asked for.
  private var usedCount: Int64 = 0
  private var askedAt: Timestamp?

  /// A stretch from which the next one is asked for ahead has so many requests at least.
  private static let aheadMin: Int64 = 4

  /// The window of the first free place; nil when there is none.
  mutating func next(_ now: Timestamp) -> (begin: Timestamp, end: Timestamp)? {
    stretches.removeAll { $0.left == 0 || $0.end <= now }
    return stretches.first.map { ($0.begin, $0.end) }
  }

  /// Takes the first free place.
  mutating func take() {
    stretches[0].left -= 1
    usedCount += 1
  }

  /// Whether little is left of what is held, and enough is asked to make it worth while to ask ahead.
  var isNearlyUsed: Bool {
    guard reservation == nil, let last = stretches.last, last.count >= Self.aheadMin else { return false }
    return stretches.reduce(0) { $0 + $1.left } <= last.count / 4
  }

  mutating func drop() { stretches = [] }

  /// Requests to ask for: those that wait, or as many as a stretch takes at the pace since the last time.
  mutating func wanted(_ pace: RatePace, _ now: Timestamp) -> Int64 {
    let span = askedAt.map { max(1, now.microseconds(since: $0)) }
    let usual = span.map { (usedCount * pace.interval * pace.stretchMax + $0 - 1) / $0 } ?? 1
    askedAt = now
    usedCount = 0
    return min(pace.stretchMax, max(1, waitingCount, usual))
  }

  /// Keeps a stretch, unless its window is over.
  ///
  /// - Parameters:
  ///   - sent: when it was asked for: the clock of the budget was read between then and now.
  mutating func keep(_ answer: SharedBudget.Answer, count: Int64, _ pace: RatePace, sent: Timestamp, now: Timestamp) {
    let begin = now.advanced(byMicroseconds: answer.waitMicroseconds)
    let end = sent.advanced(byMicroseconds: answer.waitMicroseconds + pace.interval * count + pace.grace)
    guard begin < end else {
      lateCount += 1
      return
    }
    lateCount = 0
    stretches.append(Stretch(begin: begin, end: end, count: count, left: count))
  }
}
