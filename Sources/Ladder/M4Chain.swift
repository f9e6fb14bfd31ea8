extension Evaluation {
  /// M4: matches a renewal of a subscription with a known owner and an order that the owner booked for its period. A paid or delivered
  /// order outranks carts. Access that ends exactly with a period counts before the instant of creation.
  mutating func matchPeriods() {
    if !index.ordersByAccess.isEmpty {
      assign(bookedPairs().filter { accessPeriod(of: $0.order, near: $0.charge) == $0.charge }, on: .chain)
    }
    assign(bookedPairs(), on: .chain)
  }

  private func bookedPairs() -> [Pair] {
    index.charges.indices.filter { isOpen(charge: $0) }.flatMap { charge in
      bookedOrders(charge).map { Pair(order: $0, charge: charge) }
    }.filter { !contradicted.contains($0) && !index.unmatched.contains($0) }
  }

  /// Returns the owner's open orders booked for a renewal; carts only if none was paid or delivered.
  func bookedOrders(_ charge: Int) -> [Int] {
    guard self.charge(charge).isRenewal, let buyer = buyer(ofCharge: charge) else { return [] }
    let period = index.periods[charge]
    let inTime =
      period.bookedFrom < period.bookedBefore ? index.orders(of: buyer, createdIn: period.bookedFrom...(period.bookedBefore - 1)) : []
    let late = index.orders(of: buyer, accessUntil: self.charge(charge).expiresAt).filter { order in
      !isInTime(Pair(order: order, charge: charge)) && accessPeriod(of: order, near: charge) == charge
    }
    let booked = (inTime + late).filter { order in
      isOpen(order: order) && index.agree(order, charge) && !self.order(order).isCalledOff
        && bookedPeriod(order, insteadOf: charge) == nil && !isDuplicate(order)
    }
    return highestStanding(booked)
  }

  /// Returns the period of a charge's subscription with which the order's access ends exactly; nil if none or several do, or if the order
  /// names a purchase.
  func accessPeriod(of order: Int, near charge: Int) -> Int? {
    let named = self.order(order)
    guard let access = named.accessUntil, named.lineItem == nil, index.periodTransaction(of: order) == nil,
      let chain = self.charge(charge).chain
    else { return nil }
    let periods = index.chargesByChain[chain].filter { self.charge($0).expiresAt == access && index.agree(order, $0) }
    guard periods.count == 1, let period = periods.first, !index.unmatched.contains(Pair(order: order, charge: period)) else { return nil }
    return period
  }

  /// Returns the orders of the highest standing.
  func highestStanding(_ orders: [Int]) -> [Int] {
    let best = orders.map { order($0).standing.rawValue }.max()
    return orders.filter { order($0).standing.rawValue == best }
  }

  /// Returns the field by which an order shows that it is for another period than the charge's; nil if none does.
  func bookedPeriod(_ order: Int, insteadOf charge: Int) -> OtherPeriod? {
    if let other = otherPeriod(order, than: charge) { return other }
    let period = accessPeriod(of: order, near: charge)
    if period == charge { return nil }
    // A period that another order has is not the one that the order is for.
    if let period, orderOfCharge[period] ?? order == order { return .expiry }
    let isNext = index.periods[charge].isNext(self.order(order), naming: index.periodTransaction(of: order))
    return isNext ? .access : nil
  }

  /// Returns the field by which an order names another period than the charge's; nil if none does.
  ///
  /// - Parameter ignoresTransaction: whether the order's transaction is an old one of another product.
  func otherPeriod(_ order: Int, than charge: Int, ignoresTransaction: Bool = false) -> OtherPeriod? {
    let (named, charged) = (self.order(order), self.charge(charge))
    if let original = named.original, original != charged.original { return .subscription }
    if let lineItem = named.lineItem, lineItem != charged.lineItem { return .lineItem }
    guard !ignoresTransaction, let transaction = index.periodTransaction(of: order) else { return nil }
    return index.chargesByTransaction[transaction].contains(charge) ? nil : .transaction
  }
}
