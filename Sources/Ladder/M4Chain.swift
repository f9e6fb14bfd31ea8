extension Evaluation {
  /// M4: a renewal of a subscription whose owner is known, and an order of that owner booked for that period. A paid or delivered
  /// order outranks carts.
  mutating func matchPeriods() {
    let pairs = index.charges.indices.filter { isOpen(charge: $0) }.flatMap { charge in
      bookedOrders(charge).map { Pair(order: $0, charge: charge) }
    }
    assign(pairs.filter { !contradicted.contains($0) && !index.unmatched.contains($0) }, on: .chain)
  }

  /// Open orders of the owner booked for a renewal; carts only if no order was paid or delivered.
  func bookedOrders(_ charge: Int) -> [Int] {
    guard self.charge(charge).isRenewal, let buyer = buyer(ofCharge: charge) else { return [] }
    let period = index.periods[charge]
    guard period.bookedFrom < period.bookedBefore else { return [] }
    let booked = index.orders(of: buyer, createdIn: period.bookedFrom...(period.bookedBefore - 1)).filter { order in
      isOpen(order: order) && index.agree(order, charge) && self.order(order).status != .cancelled
        && !namesOther(order, than: charge) && !period.isNext(self.order(order), naming: index.periodTransaction(of: order))
        && !isDuplicate(order)
    }
    return highestStanding(booked)
  }

  /// The orders that no other one outranks.
  func highestStanding(_ orders: [Int]) -> [Int] {
    let best = orders.map { order($0).standing.rawValue }.max()
    return orders.filter { order($0).standing.rawValue == best }
  }

  /// Whether an order names another subscription, line item or transaction than the charge's.
  ///
  /// - Parameter ignoresTransaction: the order's transaction is an old one of another product.
  func namesOther(_ order: Int, than charge: Int, ignoresTransaction: Bool = false) -> Bool {
    let (named, charged) = (self.order(order), self.charge(charge))
    if let original = named.original, original != charged.original { return true }
    if let lineItem = named.lineItem, lineItem != charged.lineItem { return true }
    guard !ignoresTransaction, let transaction = index.periodTransaction(of: order) else { return false }
    return !index.chargesByTransaction[transaction].contains(charge)
  }
}
