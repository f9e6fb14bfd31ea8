/// Pairs units sold with units booked along consecutive days, where a unit sold near an end of its day may be booked a day beside it.
///
/// A unit that takes its place on the next day may move a unit of that day on, so that a chain of days joins what both its ends lack. As
/// many units are paired as possible, and of all ways to do so one that moves the fewest.
///
/// - Source: successive shortest augmenting paths (Ahuja, Magnanti, Orlin, "Network Flows", 1993), on a path of days.
public struct DayFlow: Sendable {
  /// What one line of products has on one day, or in one span of days that nobody told apart.
  public struct Day: Sendable {
    /// Days counted from any origin; equal unless it is a span.
    public var first: Int64
    public var last: Int64
    public var sold: Int64 = 0
    /// Units sold so near the beginning of the first day that the day before may have them.
    public var early: Int64 = 0
    /// Units sold so near the end of the last day that the day after may have them.
    public var late: Int64 = 0
    /// Units booked, by the order in which they are paired: those on time, then those of each later report.
    public var booked: [Int64] = []

    public init(first: Int64, last: Int64) {
      self.first = first
      self.last = last
    }
  }

  /// Units sold on one day and booked on the same or another one; `part` is the index in `booked`.
  public struct Pair: Equatable, Sendable {
    public var sold: Int
    public var booked: Int
    public var part: Int
    public var units: Int64

    public init(sold: Int, booked: Int, part: Int, units: Int64) {
      self.sold = sold
      self.booked = booked
      self.part = part
      self.units = units
    }
  }

  private let days: [Day]
  /// Units that nothing is paired with yet.
  private var sold: [Int64]
  private var booked: [[Int64]]
  /// Units that moved from each day to the next one; negative where they moved back.
  private var moved: [Int64]
  private var found: [Pair] = []

  /// - Parameter days: of one line, in ascending order.
  private init(_ days: [Day]) {
    self.days = days
    sold = days.map(\.sold)
    booked = days.map(\.booked)
    moved = Array(repeating: 0, count: days.count)
  }

  /// Returns all pairs, those of the same day and part 0 included.
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

  /// The path by which a unit that is left reaches a booking that is left, with the fewest moves; the earliest of several.
  private func cheapestPath() -> Path? {
    let ahead = cheapestPath(in: Array(days.indices), step: 1)
    let back = cheapestPath(in: days.indices.reversed(), step: -1)
    guard let ahead, let back else { return ahead ?? back }
    return back.cost < ahead.cost ? back : ahead
  }

  /// The same where units move in one direction only.
  private func cheapestPath(in order: [Int], step: Int) -> Path? {
    var best: Path?
    var current: Path?
    for day in order {
      if let path = current {
        let cost = path.cost + (takesBack(from: path.to, step) ? -1 : 1)
        current = room(from: path.to, step) > 0 ? Path(from: path.from, to: day, cost: cost) : nil
      }
      if sold[day] > 0, (current?.cost ?? 1) > 0 { current = Path(from: day, to: day, cost: 0) }
      if let path = current, booked[day].contains(where: { $0 > 0 }), path.cost < best?.cost ?? Int.max { best = path }
    }
    return best
  }

  /// Index of the boundary between a day and the one beside it.
  private func boundary(_ day: Int, _ step: Int) -> Int { step > 0 ? day : day - 1 }

  /// Whether a move undoes one in the other direction.
  private func takesBack(from day: Int, _ step: Int) -> Bool { moved[boundary(day, step)] * Int64(step) < 0 }

  /// Units that may still move from a day to the one beside it, at the same cost each.
  private func room(from day: Int, _ step: Int) -> Int64 {
    let edge = boundary(day, step)
    guard edge >= 0, edge + 1 < days.count, days[edge].last + 1 == days[edge + 1].first else { return 0 }
    if takesBack(from: day, step) { return abs(moved[edge]) }
    return (step > 0 ? days[edge].late : days[edge + 1].early) - abs(moved[edge])
  }

  private mutating func move(_ path: Path) {
    let step = path.to > path.from ? 1 : -1
    let passed = Array(stride(from: path.from, to: path.to, by: step))
    let most = passed.map { room(from: $0, step) }.min() ?? 0
    let units = pair(from: path.from, to: path.to, most)
    for day in passed { moved[boundary(day, step)] += Int64(step) * units }
  }

  /// Pairs at most so many units of two days, and returns how many.
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
