extension Evaluation {
  /// M4: matches a renewal of a subscription with a known owner and an order that the owner booked for its period. A paid or delivered
  /// order outranks carts.
  mutating func matchPeriods() {
    let pairs = index.charges.indices.filter { isOpen(charge: $0) }.flatMap { charge in
      bookedOrders(charge).map { Pair(order: $0, charge: charge) }
    }
    assign(pairs.filter { !contradicted.contains($0) && !index.unmatched.contains($0) }, on: .chain)
  }

  /// Returns the owner's open orders booked for a renewal; carts only if none was paid or delivered.
  func bookedOrders(_ charge: Int) -> [Int] {
    guard self.charge(charge).isRenewal, let buyer = buyer(ofCharge: charge) else { return [] }
    let period = index.periods[charge]
    guard period.bookedFrom < period.bookedBefore else { return [] }
    let booked = index.orders(of: buyer, createdIn: period.bookedFrom...(period.bookedBefore - 1)).filter { order in
      isOpen(order: order) && index.agree(order, charge) && !self.order(order).isCancelledUndelivered
        && periodDifference(order, from: charge) == nil && !isDuplicate(order)
    }
    return highestStanding(booked)
  }

  /// Returns the orders of the highest standing.
  func highestStanding(_ orders: [Int]) -> [Int] {
    let best = orders.map { order($0).standing.rawValue }.max()
    return orders.filter { order($0).standing.rawValue == best }
  }

  /// Returns the field by which an order shows that it is for another period than the charge's; nil if none does.
  func periodDifference(_ order: Int, from charge: Int) -> PeriodDifference? {
    if let other = namedPeriodDifference(order, from: charge) { return other }
    // Evidence of the first purchase, which many renewal orders carry, names the subscription alone.
    let shown = index.shownCharges[order].filter { index.agree(order, $0) && self.charge($0).isRenewal }
    if !shown.isEmpty, !shown.contains(charge) { return .evidence }
    let isNext = index.periods[charge].isNext(self.order(order), naming: index.periodTransactions[order])
    return isNext ? .access : nil
  }

  /// Returns the field by which an order names another period than the charge's; nil if none does.
  ///
  /// - Parameter ignoresTransaction: whether the order's transaction is an old one of another product.
  func namedPeriodDifference(_ order: Int, from charge: Int, ignoresTransaction: Bool = false) -> PeriodDifference? {
    let (named, charged) = (self.order(order), self.charge(charge))
    if let original = named.original, original != charged.original { return .subscription }
    if let lineItem = named.lineItem, lineItem != charged.lineItem { return .lineItem }
    guard !ignoresTransaction, let transaction = index.periodTransactions[order] else { return nil }
    return index.chargesByTransaction[transaction].contains(charge) ? nil : .transaction
  }
}
