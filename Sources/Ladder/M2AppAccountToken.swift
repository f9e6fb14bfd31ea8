extension Evaluation {
  /// Maximum number of iterations in which a match by token makes another order unique. M6 decides the rest by time.
  static let tokenRoundsMax = 64

  /// M2: matches a charge if its token leads to exactly one open order of the product, created before the purchase. A paid or delivered
  /// order outranks carts. An order is never matched with a charge of another user's subscription.
  ///
  /// A match removes its order from the candidates of the user's next purchase. Charges that this could affect are evaluated again.
  mutating func matchTokens(_ charges: [Int]) {
    var pending = charges.filter { isOpen(charge: $0) && charge($0).token != nil }
    for _ in 0..<Self.tokenRoundsMax where !pending.isEmpty {
      noteRivals(of: pending)
      let single = pending.compactMap { charge in onlyOrder(ofToken: charge).map { Pair(order: $0, charge: charge) } }
      let matched = assign(single, on: .appAccountToken)
      pending = affected(by: matched)
    }
    noteRivals(of: charges)
  }

  private func onlyOrder(ofToken charge: Int) -> Int? {
    if yieldsToPurchase(charge) { return nil }
    var fitting: [Int] = []
    for order in index.tokenOrders[self.charge(charge).token] {
      // Orders are sorted by creation.
      if timeBarrier(order, byToken: charge) == .createdAfterPurchase { break }
      guard isOpen(order: order), reaches(order, byToken: charge), !isExcludedByOwner(order, of: charge) else { continue }
      fitting.append(order)
      // With two paid orders, no later match makes either of them unique.
      if fitting.count > 1, fitting.count(where: { self.order($0).standing == .paidOrDelivered }) > 1 { return nil }
    }
    let best = highestStanding(fitting)
    return best.count == 1 ? best.first : nil
  }

  /// Returns the open orders to which the charge's token leads, by creation.
  func openOrders(byToken charge: Int) -> [Int] {
    index.tokenOrders[self.charge(charge).token].filter { isOpen(order: $0) && reaches($0, byToken: charge) }
  }

  /// Whether the order is excluded because another user owns the subscription.
  func isExcludedByOwner(_ order: Int, of charge: Int) -> Bool {
    differsFromOwner(order, of: charge) || contradicted.contains(Pair(order: order, charge: charge))
  }

  /// Whether the charge is a family-shared copy, and an open purchase with the same token takes precedence over it.
  func yieldsToPurchase(_ charge: Int) -> Bool {
    let copy = self.charge(charge)
    return copy.isFamilyShared
      && index.chargesByToken[copy.token].contains {
        let paid = self.charge($0)
        return !paid.isFamilyShared && paid.productKey == copy.productKey && isOpen(charge: $0)
      }
  }

  /// Whether the charge's token can mean the order: same product and created in time for the purchase.
  func reaches(_ order: Int, byToken charge: Int) -> Bool {
    guard index.agree(order, charge), !index.unmatched.contains(Pair(order: order, charge: charge)) else { return false }
    // A token that was made for one order means that order, regardless of its other claims.
    guard index.isTokenOfOneOrder(self.order(order).token) || !isDuplicate(order) && !isRefused(order, above: .appAccountToken)
    else { return false }
    return timeBarrier(order, byToken: charge) == nil && tokenPeriodDifference(order, from: charge) == nil
  }

  /// Returns the field by which an order shows that it is for another period than a charge with its token; nil if none does.
  ///
  /// Apple repeats a subscription's token on every period.
  func tokenPeriodDifference(_ order: Int, from charge: Int) -> PeriodDifference? {
    if isBookedForOtherPeriod(order, than: charge) { return .creation }
    guard index.laterPeriods[charge] else { return nil }
    return namedPeriodDifference(order, from: charge, ignoresTransaction: namesOldPurchase(order))
  }

  /// Returns the barrier that the order was created too late or too early for the token; nil if it was created in time.
  func timeBarrier(_ order: Int, byToken charge: Int) -> Barrier? {
    let (created, charged) = (self.order(order).createdAt, self.charge(charge))
    if created > charged.purchasedAt + index.settings.clockSkew { return .createdAfterPurchase }
    return charged.isRenewal && created < charged.purchasedAt - index.settings.window ? .createdLongBeforeRenewal : nil
  }

  /// Whether the order names an old purchase of another product, and no claim excludes it from M2.
  func namesOldPurchase(_ order: Int) -> Bool {
    !isRefused(order, above: .appAccountToken) && claims.of(order: order).compactMap(refusedRung).min() == .appAccountToken
  }

  /// Whether another user owns the charge's subscription.
  func differsFromOwner(_ order: Int, of charge: Int) -> Bool {
    let user = self.order(order).user
    return chainOwner(ofCharge: charge) ?? user != user
  }

  /// Returns open charges whose tokens lead to a matched order or to an order that names a matched charge.
  private func affected(by matched: [Pair]) -> [Int] {
    var orders: Set<Int> = []
    for pair in matched {
      orders.insert(pair.order)
      for claim in claims.of(charge: pair.charge) { orders.insert(claim.pair.order) }
    }
    let charges = Set(orders.flatMap { order in index.tokensOfOrder[order].flatMap { index.chargesByToken[$0] } })
    return charges.filter { isOpen(charge: $0) }.sorted()
  }
}
