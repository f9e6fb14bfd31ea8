internal import Domain

/// The part of a shared budget that one process has reserved.
struct BudgetShare {
  /// A reserved part of the budget: the number of requests that may be sent between two instants.
  struct Stretch {
    var begin: Timestamp
    var end: Timestamp
    var count: Int64
    var left: Int64
  }

  /// Reserved stretches in the order of their windows.
  private var stretches: [Stretch] = []
  /// The reservation in progress; its value is the start of the next stretch if that is too late.
  var reservation: Task<Timestamp?, any Error>?
  /// Number of requests that wait for a slot.
  var waitingCount: Int64 = 0
  /// Number of consecutive stretches that arrived after the end of their window.
  private(set) var lateCount = 0
  /// Number of slots used since the last reservation was requested.
  private var usedCount: Int64 = 0
  private var askedAt: Timestamp?

  /// Minimum size of a stretch that triggers a reservation in advance, in requests.
  private static let aheadMin: Int64 = 4

  /// Returns the window of the first free slot; nil when there is none.
  mutating func next(_ now: Timestamp) -> (begin: Timestamp, end: Timestamp)? {
    stretches.removeAll { $0.left == 0 || $0.end <= now }
    return stretches.first.map { ($0.begin, $0.end) }
  }

  /// Uses the first free slot.
  mutating func take() {
    stretches[0].left -= 1
    usedCount += 1
  }

  /// Whether most reserved slots are used, and the last stretch was large enough to reserve in advance.
  var isNearlyUsed: Bool {
    guard reservation == nil, let last = stretches.last, last.count >= Self.aheadMin else { return false }
    return stretches.reduce(0) { $0 + $1.left } <= last.count / 4
  }

  mutating func drop() { stretches = [] }

  /// Returns the number of requests to reserve: those waiting, or as many as the recent pace fills a stretch with.
  mutating func wanted(_ pace: RatePace, _ now: Timestamp) -> Int64 {
    let span = askedAt.map { max(1, now.microseconds(since: $0)) }
    let usual = span.map { (usedCount * pace.interval * pace.stretchMax + $0 - 1) / $0 } ?? 1
    askedAt = now
    usedCount = 0
    return min(pace.stretchMax, max(1, waitingCount, usual))
  }

  /// Adds a stretch, unless its window is over.
  ///
  /// - Parameters:
  ///   - sent: instant of the request; the budget's clock was read between `sent` and `now`.
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
