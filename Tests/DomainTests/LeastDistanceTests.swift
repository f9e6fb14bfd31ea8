@Suite("Assignment of the least total distance") struct LeastDistanceTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var orders: [Int64]
    var charges: [Int64]
    /// Maximum distance of a charge before and after its order, in seconds.
    var before: Int64 = 300
    var after: Int64 = 86_400
    var expected: [Int?]?
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(name: "one each", orders: [0], charges: [20], expected: [0]),
    Case(name: "two purchases in one minute, by turns", orders: [0, 30], charges: [20, 50], expected: [0, 1]),
    Case(name: "both orders before both charges: a tie", orders: [0, 10], charges: [20, 30], expected: [nil, nil]),
    Case(name: "orders told backwards", orders: [30, 0], charges: [20, 50], expected: [1, 0]),
    Case(
      name: "a tie at noon does not make the evening uncertain", orders: [0, 10, 1000], charges: [20, 30, 1020], expected: [nil, nil, 2]),
    Case(name: "somebody is left over", orders: [0, 1000], charges: [-200, -100], expected: nil),
    Case(name: "the first order reaches the second charge only", orders: [0, 400], charges: [500, 100], after: 200, expected: [1, 0]),
  ]

  @Test(arguments: cases) func assigns(_ test: Case) { #expect(certain(test) == test.expected) }

  private func certain(_ test: Case) -> [Int?]? {
    var assignment = LeastDistance(count: test.orders.count)
    for (order, created) in test.orders.enumerated() {
      for (charge, purchased) in test.charges.enumerated()
      where purchased >= created - test.before && purchased <= created + test.after {
        assignment.allow(order: order, charge: charge, distance: abs(purchased - created))
      }
    }
    return assignment.certainPairs()
  }

  @Test("agrees with every way tried out", arguments: 1...400 as ClosedRange<UInt64>) func bruteForce(seed: UInt64) {
    var dice = Dice(seed: seed)
    func roll(_ bound: Int) -> Int64 { Int64(dice.below(bound)) }
    let count = Int(roll(6)) + 1
    let test = Case(
      name: "", orders: (0..<count).map { _ in roll(30) * 10 }, charges: (0..<count).map { _ in roll(30) * 10 },
      before: roll(10) * 10, after: roll(40) * 10)
    #expect(certain(test) == tried(test))
  }

  private func tried(_ test: Case) -> [Int?]? {
    let count = test.orders.count
    var best = Int64.max
    var common: [Int?]?
    func go(_ taken: [Int], _ total: Int64) {
      if taken.count == count {
        if total > best { return }
        common = total < best ? taken : zip(common ?? [], taken).map { $0 == $1 ? $1 : nil }
        best = total
        return
      }
      for charge in 0..<count where !taken.contains(charge) {
        let distance = test.charges[charge] - test.orders[taken.count]
        if distance >= -test.before && distance <= test.after { go(taken + [charge], total + abs(distance)) }
      }
    }
    go([], 0)
    return common
  }

  @Test func theLargestOne() throws {
    let count = LeastDistance.countMax
    var assignment = LeastDistance(count: count)
    for order in 0..<count {
      for charge in 0..<count {
        assignment.allow(order: order, charge: charge, distance: Int64(abs(charge * 100 + 20 - order * 100)) * 1_000_000)
      }
    }
    #expect(assignment.certainPairs() == Array(0..<count))
  }
}
