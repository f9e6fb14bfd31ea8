/// An assignment of orders to charges with the least total distance, which identifies the pairs that are certain.
///
/// - Source: Kuhn, "The Hungarian method for the assignment problem" (1955), in its form with potentials, O(n³).
public struct LeastDistance: Sendable {
  /// Maximum number of orders, and of charges, in one assignment: the bits of a word.
  public static let countMax = 64
  /// A distance greater than the sum of all distances of an assignment.
  private static let forbidden: Int64 = 1 << 53

  private let count: Int
  /// By order, then charge; `forbidden` for a pair that does not fit.
  private var distances: [Int64]
  private var orderPotential: [Int64]
  private var chargePotential: [Int64]
  /// By charge, from 1: its order, from 1; 0 if it has none.
  private var orderOfCharge: [Int]

  /// - Parameter count: number of orders and of charges, from 1 to `countMax`.
  public init(count: Int) {
    precondition((1...Self.countMax).contains(count), "an assignment pairs 1 to \(Self.countMax) orders")
    self.count = count
    distances = Array(repeating: Self.forbidden, count: count * count)
    orderPotential = Array(repeating: 0, count: count + 1)
    chargePotential = Array(repeating: 0, count: count + 1)
    orderOfCharge = Array(repeating: 0, count: count + 1)
  }

  public mutating func allow(order: Int, charge: Int, distance: Int64) { distances[order * count + charge] = distance }

  /// Finds the pairs that all assignments with the least total have in common.
  ///
  /// - Returns: by order its charge, nil if another assignment is as good. nil if an order or a charge would be left over.
  public mutating func certainPairs() -> [Int?]? {
    for order in 1...count { insert(order) }
    var chargeOfOrder = Array(repeating: 0, count: count)
    for charge in 1...count { chargeOfOrder[orderOfCharge[charge] - 1] = charge - 1 }
    guard (0..<count).allSatisfy({ distances[$0 * count + chargeOfOrder[$0]] < Self.forbidden }) else { return nil }
    let swapping = ordersThatCanSwap(chargeOfOrder)
    return chargeOfOrder.enumerated().map { swapping & (1 << UInt64($0.offset)) == 0 ? $0.element : nil }
  }

  /// Returns the cost of a pair beyond its potentials; 0 for pairs of every best assignment.
  private func slack(_ order: Int, _ charge: Int) -> Int64 {
    distances[(order - 1) * count + charge - 1] - orderPotential[order] - chargePotential[charge]
  }

  /// Adds an order along the shortest augmenting path.
  private mutating func insert(_ order: Int) {
    orderOfCharge[0] = order
    var charge = 0
    var least = Array(repeating: Int64.max, count: count + 1)
    var before = Array(repeating: 0, count: count + 1)
    var isReached = Array(repeating: false, count: count + 1)
    repeat {
      isReached[charge] = true
      let current = orderOfCharge[charge]
      var step = Int64.max
      var next = 0
      for other in 1...count where !isReached[other] {
        let slack = slack(current, other)
        if slack < least[other] { (least[other], before[other]) = (slack, charge) }
        if least[other] < step { (step, next) = (least[other], other) }
      }
      shift(by: step, reached: isReached, least: &least)
      charge = next
    } while orderOfCharge[charge] != 0
    while charge != 0 {
      orderOfCharge[charge] = orderOfCharge[before[charge]]
      charge = before[charge]
    }
  }

  private mutating func shift(by step: Int64, reached: [Bool], least: inout [Int64]) {
    for charge in 0...count {
      if reached[charge] {
        orderPotential[orderOfCharge[charge]] += step
        chargePotential[charge] -= step
      } else if least[charge] != .max {
        least[charge] -= step
      }
    }
  }

  /// Returns the orders on a cycle in which each can take the next one's charge at the same total.
  private func ordersThatCanSwap(_ chargeOfOrder: [Int]) -> UInt64 {
    var reaches = (0..<count).map { order in
      (0..<count).reduce(UInt64(0)) { bits, other in
        let charge = chargeOfOrder[other]
        let isFree = other != order && distances[order * count + charge] < Self.forbidden
        return isFree && slack(order + 1, charge + 1) == 0 ? bits | 1 << UInt64(other) : bits
      }
    }
    for middle in 0..<count {
      for order in 0..<count where reaches[order] & (1 << UInt64(middle)) != 0 { reaches[order] |= reaches[middle] }
    }
    return (0..<count).reduce(0) { bits, order in bits | reaches[order] & (1 << UInt64(order)) }
  }
}
