@Suite("Units that move along consecutive days") struct DayFlowTests {
  typealias Day = DayFlow.Day

  /// Returns a day of a line: its units, those near its beginning and end, and the units booked on time and later.
  private static func day(
    _ first: Int64, sold: Int64, early: Int64 = 0, late: Int64 = 0, booked: [Int64], until last: Int64? = nil
  ) -> Day {
    var day = Day(first: first, last: last ?? first)
    (day.sold, day.early, day.late, day.booked) = (sold, early, late, booked)
    return day
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var days: [Day]
    /// `day of the sale>day of the booking.part x units`
    var found: [String]
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(
      name: "a unit in the evening is booked on the day after",
      days: [day(1, sold: 1, late: 1, booked: [0]), day(2, sold: 0, booked: [1])],
      found: ["0>1.0 x1"]),
    Case(name: "a unit at noon is not", days: [day(1, sold: 1, booked: [0]), day(2, sold: 0, booked: [1])], found: []),
    Case(
      name: "a chain of evenings joins its ends",
      days: [
        day(1, sold: 1, late: 1, booked: [0]), day(2, sold: 1, late: 1, booked: [1]), day(3, sold: 1, late: 1, booked: [1]),
        day(4, sold: 0, booked: [1]),
      ], found: ["0>3.0 x1", "1>1.0 x1", "2>2.0 x1"]),
    Case(
      name: "a chain of mornings, too",
      days: [day(1, sold: 0, booked: [2]), day(2, sold: 3, early: 2, booked: [3]), day(3, sold: 2, early: 2, booked: [0])],
      found: ["1>1.0 x3", "2>0.0 x2"]),
    Case(
      name: "a day without sale near its end breaks the chain",
      days: [day(1, sold: 1, late: 1, booked: [0]), day(2, sold: 1, booked: [1]), day(3, sold: 0, booked: [1])], found: ["1>1.0 x1"]),
    Case(
      name: "days that are not consecutive are none",
      days: [day(1, sold: 1, late: 1, booked: [0]), day(3, sold: 0, booked: [1])], found: []),
    Case(
      name: "what is equal stays where it is: a booking too many on the day before moves nothing",
      days: [day(1, sold: 0, booked: [1]), day(2, sold: 2, early: 1, booked: [2])], found: ["1>1.0 x2"]),
    Case(
      name: "a unit that has one place leaves the other to its neighbour",
      days: [day(1, sold: 2, late: 2, booked: [1, 1]), day(2, sold: 1, booked: [1]), day(3, sold: 1, early: 1, booked: [0])],
      found: ["0>0.0 x1", "0>0.1 x1", "1>1.0 x1"]),
    Case(
      name: "settled later on its own day, and on the day after",
      days: [day(1, sold: 2, late: 1, booked: [0, 1]), day(2, sold: 0, booked: [0, 1])], found: ["0>0.1 x1", "0>1.1 x1"]),
    Case(
      name: "spans of days meet at their ends",
      days: [day(1, sold: 0, booked: [1], until: 28), day(29, sold: 1, early: 1, booked: [0], until: 56)], found: ["1>0.0 x1"]),
  ]

  @Test(arguments: cases) func pairs(_ test: Case) {
    let found = DayFlow.pairs(test.days).map { "\($0.sold)>\($0.booked).\($0.part) x\($0.units)" }
    #expect(found.sorted() == test.found.sorted())
  }

  @Test func `on random days, the result has as many pairs and as few moves as the best of all assignments`() {
    var random = Dice(seed: 1)
    for _ in 0..<500 {
      var first: Int64 = 0
      let days = (0..<2 + random.below(4)).map { _ in
        first += random.below(6) == 0 ? 2 : 1
        let (early, late) = (Int64(random.below(2)), Int64(random.below(2)))
        let booked = random.below(3) == 0 ? [random.below(2), random.below(2)] : [random.below(4)]
        return Self.day(first, sold: early + late + Int64(random.below(2)), early: early, late: late, booked: booked.map(Int64.init))
      }
      let found = DayFlow.pairs(days)
      var net = Array(repeating: Int64(0), count: days.count)
      for pair in found {
        let sign: Int64 = pair.sold < pair.booked ? 1 : -1
        for day in min(pair.sold, pair.booked)..<max(pair.sold, pair.booked) { net[day] += sign * pair.units }
      }
      let best = Best(days).find()
      #expect(found.reduce(0) { $0 + $1.units } == best.pairs && net.reduce(0) { $0 + abs($1) } == best.moves, "\(days)")
    }
  }

  private struct Best {
    /// Possible days of each unit, its own day first.
    var units: [[Int]] = []
    var left: [Int64]
    var best: (pairs: Int64, moves: Int64) = (0, 0)

    init(_ days: [Day]) {
      left = days.map { $0.booked.reduce(0, +) }
      for (index, day) in days.enumerated() {
        for unit in 0..<day.sold {
          let other = unit < day.early ? index - 1 : unit < day.early + day.late ? index + 1 : index
          let isBeside = other != index && days.indices.contains(other) && days[max(index, other)].first == days[min(index, other)].last + 1
          units.append(isBeside ? [index, other] : [index])
        }
      }
    }

    func find() -> (pairs: Int64, moves: Int64) {
      var copy = self
      copy.assign(0, 0, 0)
      return copy.best
    }

    private mutating func assign(_ unit: Int, _ pairs: Int64, _ moves: Int64) {
      guard unit < units.count else {
        if pairs > best.pairs || pairs == best.pairs && moves < best.moves { best = (pairs, moves) }
        return
      }
      for (place, day) in units[unit].enumerated() where left[day] > 0 {
        left[day] -= 1
        assign(unit + 1, pairs + 1, moves + Int64(place))
        left[day] += 1
      }
      assign(unit + 1, pairs, moves)
    }
  }
}
