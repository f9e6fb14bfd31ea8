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
      let single = pending.compactMap { charge in onlyOrder(ofToken: charge).map { Pair(order: $0, charge: charge) } }
      let matched = assign(single, on: .appAccountToken)
      pending = affected(by: matched)
    }
  }

  private func onlyOrder(ofToken charge: Int) -> Int? {
    if waitsForPurchase(charge) { return nil }
    var fitting: [Int] = []
    for order in index.tokenOrders[self.charge(charge).token] {
      if self.order(order).createdAt > self.charge(charge).purchasedAt + index.settings.clockSkew { break }
      guard isOpen(order: order), reaches(order, byToken: charge), !isStranger(order, to: charge),
        !contradicted.contains(Pair(order: order, charge: charge))
      else { continue }
      fitting.append(order)
      // Two paid orders: nothing that follows makes one of them the only one.
      if fitting.count > 1, fitting.count(where: { self.order($0).standing == .paidOrDelivered }) > 1 { return nil }
    }
    let best = highestStanding(fitting)
    return best.count == 1 ? best.first : nil
  }

  /// Whether a family-shared copy leaves the order to an open purchase that carries the same token.
  private func waitsForPurchase(_ charge: Int) -> Bool {
    let copy = self.charge(charge)
    return copy.isFamilyShared
      && index.chargesByToken[copy.token].contains {
        let paid = self.charge($0)
        return !paid.isFamilyShared && paid.productKey == copy.productKey && isOpen(charge: $0)
      }
  }

  /// Whether a token leads to an order that is of the charge's product and was created in time for it.
  func reaches(_ order: Int, byToken charge: Int) -> Bool {
    let settings = index.settings
    guard index.agree(order, charge), !index.unmatched.contains(Pair(order: order, charge: charge)) else { return false }
    // A token that was made for one order means that order, whatever else it names.
    guard index.isOneOrders(self.order(order).token) || !isDuplicate(order) && !isRefused(order, above: .appAccountToken)
    else { return false }
    let (created, purchased) = (self.order(order).createdAt, self.charge(charge).purchasedAt)
    guard created <= purchased + settings.clockSkew else { return false }
    // Apple repeats a subscription's token on every renewal.
    return !self.charge(charge).isRenewal
      || created >= purchased - settings.window && !namesOther(order, than: charge, ignoresTransaction: namesOldPurchase(order))
  }

  /// Whether all that bars an order is an old purchase of another product that it names.
  private func namesOldPurchase(_ order: Int) -> Bool {
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
