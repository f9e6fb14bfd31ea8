extension Evaluation {
  /// M4: matches a later period of a subscription with a known owner and an order that the owner booked for it. A paid or delivered order
  /// outranks carts.
  mutating func matchPeriods() {
    let pairs = index.charges.indices.filter { isOpen(charge: $0) }.flatMap { charge in
      bookedOrders(charge).map { Pair(order: $0, charge: charge) }
    }
    assign(pairs.filter { !contradicted.contains($0) && !index.unmatched.contains($0) }, on: .chain)
  }

  /// Returns the owner's open orders booked for a later period; carts only if none was paid or delivered.
  func bookedOrders(_ charge: Int) -> [Int] {
    guard index.laterPeriods[charge], let buyer = buyer(ofCharge: charge) else { return [] }
    let time = bookingTime(charge)
    if time.isEmpty { return [] }
    let booked = index.orders(of: buyer, createdIn: ClosedRange(time)).filter { order in
      isOpen(order: order) && index.agree(order, charge) && !self.order(order).isCancelledUndelivered && !isTooOld(charge, for: order)
        && periodDifference(order, from: charge) == nil && !isDuplicate(order)
    }
    return highestStanding(booked)
  }

  /// Returns the span of time in which orders are booked for a later period. Only a renewal is booked ahead: an order that precedes an
  /// upgrade or a resubscription is the user's, and M2 or M6 matches it.
  func bookingTime(_ charge: Int) -> Range<Microseconds> {
    let (period, charged) = (index.periods[charge], self.charge(charge))
    let from = charged.isRenewal ? period.bookedFrom : charged.purchasedAt
    return from..<max(from, period.bookedBefore)
  }

  /// Returns the orders of the highest standing.
  func highestStanding(_ orders: [Int]) -> [Int] {
    let best = orders.map { order($0).standing.rawValue }.max()
    return orders.filter { order($0).standing.rawValue == best }
  }

  /// Returns the field by which an order shows that it is for another period than the charge's; nil if none does.
  func periodDifference(_ order: Int, from charge: Int) -> PeriodDifference? {
    if let other = namedPeriodDifference(order, from: charge) { return other }
    let shown = index.shownCharges[order].filter { index.agree(order, $0) && self.charge($0).chain != nil }
    let periods = shown.filter { index.laterPeriods[$0] }
    // Evidence of the first purchase, which many renewal orders carry, names the subscription alone.
    let isShown = periods.isEmpty ? shown.contains { self.charge($0).chain == self.charge(charge).chain } : periods.contains(charge)
    if !shown.isEmpty, !isShown { return .evidence }
    let isNext = index.periods[charge].isNext(self.order(order), naming: index.periodTransactions[order])
    return isNext ? .access : nil
  }

  /// Whether an order was booked for another period, and paid or delivered before this charge was purchased. The period is of the same
  /// subscription, or of the one that the order names.
  func isBookedForOtherPeriod(_ order: Int, than charge: Int) -> Bool {
    let (booked, charged) = (self.order(order), self.charge(charge))
    guard charged.chain != nil, let settledAt = booked.settledAt, settledAt < charged.purchasedAt - index.settings.clockSkew else {
      return false
    }
    func isBooked(_ other: Int) -> Bool {
      // The order of a first purchase precedes it.
      let isInTime =
        index.laterPeriods[other] ? bookingTime(other).contains(booked.createdAt) : index.periods[other].isBooked(at: booked.createdAt)
      return other != charge && isInTime && index.agree(order, other) && periodDifference(order, from: other) == nil
        && !index.unmatched.contains(Pair(order: order, charge: other))
    }
    return index.chargesByChain[charged.chain].contains(where: isBooked)
      || index.periodsByOriginal[index.namedOriginal(of: order)].contains(where: isBooked)
  }

  /// Returns the field by which an order names another period than the charge's; nil if none does.
  ///
  /// - Parameter ignoresTransaction: whether the order's transaction is an old one of another product.
  func namedPeriodDifference(_ order: Int, from charge: Int, ignoresTransaction: Bool = false) -> PeriodDifference? {
    let (named, charged) = (self.order(order), self.charge(charge))
    if let original = index.namedOriginal(of: order), original != charged.original { return .subscription }
    if let lineItem = named.lineItem, lineItem != charged.lineItem { return .lineItem }
    guard !ignoresTransaction, let transaction = index.periodTransactions[order] else { return nil }
    return index.chargesByTransaction[transaction].contains(charge) ? nil : .transaction
  }
}
