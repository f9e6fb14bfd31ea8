extension Evaluation {
  /// Most rounds in which a match by token makes the next order the only one; time (M6) decides the rest.
  static let tokenRoundsMax = 64

  /// M2: exactly one open order speaks for the charge's token with that product, not created after the purchase. A paid or
  /// delivered order outranks carts. An order never gets a charge of a subscription that another user owns.
  ///
  /// A match takes its order out of the way of the user's next purchase, so the charges that it could affect are evaluated again.
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
    if waitsForPurchase(charge) { return nil }
    var fitting: [Int] = []
    for order in openOrders(byToken: charge) where !isRefusedStranger(order, to: charge) {
      fitting.append(order)
      // Two paid orders: nothing that follows makes one of them the only one.
      if fitting.count > 1, fitting.count(where: { self.order($0).standing == .paidOrDelivered }) > 1 { return nil }
    }
    let best = highestStanding(fitting)
    return best.count == 1 ? best.first : nil
  }

  /// Open orders to which the charge's token leads, by creation.
  func openOrders(byToken charge: Int) -> some Sequence<Int> {
    let latest = self.charge(charge).purchasedAt + index.settings.clockSkew
    return index.tokenOrders[self.charge(charge).token].lazy.prefix { order($0).createdAt <= latest }
      .filter { isOpen(order: $0) && reaches($0, byToken: charge) }
  }

  /// Whether the order cannot have the charge, because the subscription is another user's.
  func isRefusedStranger(_ order: Int, to charge: Int) -> Bool {
    isStranger(order, to: charge) || contradicted.contains(Pair(order: order, charge: charge))
  }

  /// Whether a family-shared copy leaves the order to an open purchase that carries the same token.
  func waitsForPurchase(_ charge: Int) -> Bool {
    let copy = self.charge(charge)
    return copy.isFamilyShared
      && index.chargesByToken[copy.token].contains {
        let paid = self.charge($0)
        return !paid.isFamilyShared && paid.productKey == copy.productKey && isOpen(charge: $0)
      }
  }

  /// Whether a token leads to an order that is of the charge's product and was created in time for it.
  func reaches(_ order: Int, byToken charge: Int) -> Bool {
    guard index.agree(order, charge), !index.unmatched.contains(Pair(order: order, charge: charge)) else { return false }
    // A token that was made for one order means that order, whatever else it names.
    guard index.isOneOrders(self.order(order).token) || !isDuplicate(order) && !isRefused(order, above: .appAccountToken)
    else { return false }
    // Apple repeats a subscription's token on every renewal.
    return untimeliness(order, byToken: charge) == nil
      && (!self.charge(charge).isRenewal
        || otherPeriod(order, than: charge, ignoresTransaction: namesOldPurchase(order)) == nil)
  }

  /// The barrier of an order that was created at a time that no token can mean; nil if it was created in time.
  func untimeliness(_ order: Int, byToken charge: Int) -> Barrier? {
    let (created, charged) = (self.order(order).createdAt, self.charge(charge))
    if created > charged.purchasedAt + index.settings.clockSkew { return .createdAfterPurchase }
    return charged.isRenewal && created < charged.purchasedAt - index.settings.window ? .createdLongBeforeRenewal : nil
  }

  /// Whether all that bars an order is an old purchase of another product that it names.
  func namesOldPurchase(_ order: Int) -> Bool {
    let unproven: Rung? = isRefused(order, above: .appAccountToken) ? .transactionID : nil
    return (claims.of(order: order).compactMap(refusedRung) + [unproven].compactMap { $0 }).min() == .appAccountToken
  }

  /// Whether another user owns the charge's subscription.
  func isStranger(_ order: Int, to charge: Int) -> Bool {
    let user = self.order(order).user
    return chainOwner(ofCharge: charge) ?? user != user
  }

  /// Open charges whose tokens speak for an order that was matched, or for one that names what was matched.
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
