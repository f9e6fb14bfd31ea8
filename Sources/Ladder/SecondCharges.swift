extension Evaluation {
  /// Returns open charges that pay an order again: the order names them, or they carry the token that was made for it. A list of the
  /// user's purchases names none of them. A family's copy of a purchase costs nothing, so nothing pays again beside it.
  func secondCharges() -> [SecondCharge] {
    index.charges.indices.filter { isOpen(charge: $0) && !charge($0).isFamilyShared }.compactMap { charge in
      let orders = claimsNaming(charge).map(\.pair.order) + orderOfToken(charge)
      return orders.filter { order in chargeOfOrder[order].map { !self.charge($0).isFamilyShared } ?? false }.min()
        .map { SecondCharge(charge: charge, order: $0) }
    }
  }

  /// Returns the valid claims on a charge, without those of lists.
  func claimsNaming(_ charge: Int) -> [Claim] { claims.of(charge: charge).filter { !$0.isListed && objection($0) == nil } }

  /// Returns the order that the charge's token was made for.
  ///
  /// If the purchase precedes the order, its token belongs to the user, not to the order. A later period of the same subscription does
  /// not pay the order again.
  private func orderOfToken(_ charge: Int) -> [Int] {
    let charged = self.charge(charge)
    guard index.isTokenOfOneOrder(charged.token), !charged.isRenewal else { return [] }
    return index.ordersByToken[charged.token].filter { order in
      guard index.agree(order, charge), !index.unmatched.contains(Pair(order: order, charge: charge)),
        timeBarrier(order, byToken: charge) != .createdAfterPurchase
      else { return false }
      guard charged.chain != nil, let own = chargeOfOrder[order] else { return true }
      return self.charge(own).original != charged.original
    }
  }
}
