/// Choices of the rungs that the final matches do not show.
struct Considerations: Sendable {
  /// By charge: the orders between which M2 had to choose when it last evaluated the charge, by creation.
  var rivals: [Int: [Rival]] = [:]
  /// Orders that M2 excluded because the charge that they claim is matched with another order.
  var excludedDuplicates: Set<Int> = []
  /// By evaluation of M6: orders and charges between which it searched for the assignment with the least total time distance.
  var contests: [Contests] = []
}

/// An order to which a charge's token leads.
struct Rival: Sendable {
  var order: Int
  /// Whether the order is excluded because another user owns the subscription.
  var isExcludedByOwner: Bool
}

extension Evaluation {
  /// Records the orders between which M2 has to choose, if an explanation is requested.
  mutating func noteRivals(of charges: [Int]) {
    guard considerations != nil else { return }
    for charge in charges where isOpen(charge: charge) && !yieldsToPurchase(charge) {
      let rivals = openOrders(byToken: charge).map { Rival(order: $0, isExcludedByOwner: isExcludedByOwner($0, of: charge)) }
      considerations?.rivals[charge] = rivals
    }
    let duplicates = index.orders.indices.filter(isDuplicate)
    considerations?.excludedDuplicates.formUnion(duplicates)
  }

  /// Whether rungs evaluate the order at all. A benign duplicate is never matched.
  func isConsidered(_ order: Int) -> Bool { !index.benignDuplicates.contains(order) }

  func rivals(_ charge: Int) -> [Rival] { considerations?.rivals[charge] ?? [] }

  /// Whether the charge that the order claims is matched with another order, or was when M2 evaluated the order.
  func wasDuplicate(_ order: Int) -> Bool { isDuplicate(order) || considerations?.excludedDuplicates.contains(order) ?? false }
}
