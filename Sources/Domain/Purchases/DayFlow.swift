/// A pairing of units that we sold with units that Apple booked, along consecutive days. A unit sold near midnight may be booked on the
/// adjacent day.
///
/// A unit paired on the next day may displace a unit of that day, so a chain of days can move a surplus to a deficit. The result has the
/// most pairs and, among those, the fewest moves.
///
/// - Source: successive shortest augmenting paths (Ahuja, Magnanti, Orlin, "Network Flows", 1993), on a path of days.
public struct DayFlow: Sendable {
  /// The units of one product line on one day, or in one span of days that cannot be separated.
  public struct Day: Sendable {
    /// Days counted from any origin. Both are equal unless this is a span.
    public var first: Int64
    public var last: Int64
    public var sold: Int64 = 0
    /// Units sold so near the start of the first day that they may be booked on the day before.
    public var early: Int64 = 0
    /// Units sold so near the end of the last day that they may be booked on the day after.
    public var late: Int64 = 0
    /// Units booked, in the order in which they are paired: first on time, then by later report.
    public var booked: [Int64] = []

    public init(first: Int64, last: Int64) {
      self.first = first
      self.last = last
    }
  }

  /// Units sold on one day and booked on the same or an adjacent day; `part` is the index in `booked`.
  public struct Pair: Equatable, Sendable {
    public var sold: Int
    public var booked: Int
    public var part: Int
    public var units: Int64
  }

  private let days: [Day]
  /// Units that are not paired yet.
  private var sold: [Int64]
  private var booked: [[Int64]]
  /// Net units moved from each day to the next; negative if they moved back.
  private var moved: [Int64]
  private var found: [Pair] = []

  /// - Parameter days: days of one product line, in ascending order.
  private init(_ days: [Day]) {
    self.days = days
    sold = days.map(\.sold)
    booked = days.map(\.booked)
    moved = Array(repeating: 0, count: days.count)
  }

  /// Returns all pairs, including those of the same day and part 0.
  public static func pairs(_ days: [Day]) -> [Pair] {
    var flow = DayFlow(days)
    for day in days.indices { flow.pair(from: day, to: day, Int64.max) }
    while let path = flow.cheapestPath() { flow.move(path) }
    return flow.found
  }

  private struct Path {
    var from: Int
    var to: Int
    var cost: Int
  }

  /// Returns the path with the fewest moves from an unpaired unit to an unpaired booking; the earliest of several. nil if there is none.
  private func cheapestPath() -> Path? {
    let ahead = cheapestPath(in: Array(days.indices), step: 1)
    let back = cheapestPath(in: days.indices.reversed(), step: -1)
    guard let ahead, let back else { return ahead ?? back }
    return back.cost < ahead.cost ? back : ahead
  }

  /// Returns the path with the fewest moves in one direction; nil if there is none.
  private func cheapestPath(in order: [Int], step: Int) -> Path? {
    var best: Path?
    var current: Path?
    for day in order {
      if let path = current {
        let cost = path.cost + (undoesMove(from: path.to, step) ? -1 : 1)
        current = room(from: path.to, step) > 0 ? Path(from: path.from, to: day, cost: cost) : nil
      }
      if sold[day] > 0, (current?.cost ?? 1) > 0 { current = Path(from: day, to: day, cost: 0) }
      if let path = current, booked[day].contains(where: { $0 > 0 }), path.cost < best?.cost ?? Int.max { best = path }
    }
    return best
  }

  /// Returns the index of the boundary between a day and the adjacent one.
  private func boundary(_ day: Int, _ step: Int) -> Int { step > 0 ? day : day - 1 }

  /// Whether a move undoes one in the other direction.
  private func undoesMove(from day: Int, _ step: Int) -> Bool { moved[boundary(day, step)] * Int64(step) < 0 }

  /// Returns the number of units that may still move from a day to the adjacent one at equal cost.
  private func room(from day: Int, _ step: Int) -> Int64 {
    let edge = boundary(day, step)
    guard edge >= 0, edge + 1 < days.count, days[edge].last + 1 == days[edge + 1].first else { return 0 }
    if undoesMove(from: day, step) { return abs(moved[edge]) }
    return (step > 0 ? days[edge].late : days[edge + 1].early) - abs(moved[edge])
  }

  private mutating func move(_ path: Path) {
    let step = path.to > path.from ? 1 : -1
    let passed = Array(stride(from: path.from, to: path.to, by: step))
    let most = passed.map { room(from: $0, step) }.min() ?? 0
    let units = pair(from: path.from, to: path.to, most)
    for day in passed { moved[boundary(day, step)] += Int64(step) * units }
  }

  /// Pairs at most `most` units of two days and returns their number.
  @discardableResult private mutating func pair(from day: Int, to other: Int, _ most: Int64) -> Int64 {
    var paired: Int64 = 0
    for part in booked[other].indices {
      let units = min(sold[day], booked[other][part], most - paired)
      guard units > 0 else { continue }
      sold[day] -= units
      booked[other][part] -= units
      paired += units
      found.append(Pair(sold: day, booked: other, part: part, units: units))
    }
    return paired
  }
}
