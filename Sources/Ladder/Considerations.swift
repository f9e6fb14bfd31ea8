/// Choices of the rungs that the final matches do not show.
struct Considerations: Sendable {
  /// By charge: the orders among which M2 had to choose when it last considered the charge, by creation.
  var rivals: [Int: [Rival]] = [:]
  /// Orders that M2 left out, because another order has the charge that they claim.
  var leftOut: Set<Int> = []
  /// Orders and charges among which M6 looked for the assignment of the least total time distance.
  var contests: [[Candidate]] = []
}

/// An order to which a charge's token leads.
struct Rival: Sendable {
  var order: Int
  /// Whether the order cannot have the charge, because the subscription is another user's.
  var isStranger: Bool
}

extension Evaluation {
  /// Keeps the orders among which M2 has to choose.
  mutating func noteRivals(of charges: [Int]) {
    guard considerations != nil else { return }
    for charge in charges where isOpen(charge: charge) && !waitsForPurchase(charge) {
      let rivals = openOrders(byToken: charge).map { Rival(order: $0, isStranger: isRefusedStranger($0, to: charge)) }
      considerations?.rivals[charge] = rivals
    }
    let duplicates = index.orders.indices.filter(isDuplicate)
    considerations?.leftOut.formUnion(duplicates)
  }

  /// Whether rungs consider the order at all: a benign duplicate gets nothing.
  func isConsidered(_ order: Int) -> Bool { !index.benignDuplicates.contains(order) }

  func rivals(_ charge: Int) -> [Rival] { considerations?.rivals[charge] ?? [] }

  /// Whether another order has, or had when M2 considered the order, the charge that it claims.
  func wasDuplicate(_ order: Int) -> Bool { isDuplicate(order) || considerations?.leftOut.contains(order) ?? false }
}
