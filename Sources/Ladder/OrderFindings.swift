extension Trace {
  /// Returns the findings of M1 to M6 for an order that none of them matched; empty if the order is a benign duplicate.
  public func findings(order: Int) -> [RungFinding] {
    guard evaluation.isConsidered(order) else { return [] }
    return findings(
      evaluation.transactionFinding(order), evaluation.tokenFinding(order), evaluation.purchaseFinding(order),
      evaluation.periodFinding(order), evaluation.evidenceFinding(order), evaluation.candidateFinding(order))
  }
}

extension Evaluation {
  /// Returns the finding about the invalid claims of an order on a rung; nil if the order claims nothing on it.
  private func claimFinding(_ order: Int, on rung: Rung) -> NameFinding? {
    let claims = claims.of(order: order).filter { $0.rung == rung }
    if claims.isEmpty { return nil }
    return claims.contains { objection($0) == .unmatched } ? .unmatchedClaim : .refusedClaim
  }

  fileprivate func transactionFinding(_ order: Int) -> NameFinding {
    if self.order(order).transaction == nil { return .noTransaction }
    let claim = claimFinding(order, on: .transactionID)
    if case .unmatchedClaim = claim { return .unmatchedClaim }
    return index.laterPeriodOrders.contains(order) ? .createdForLaterPeriod : claim ?? .unknownTransaction
  }

  fileprivate func tokenFinding(_ order: Int) -> TokenFinding {
    let (user, token) = (self.order(order).user, self.order(order).token)
    if token == nil {
      let held = index.component.tokenHolders.filter { $0.user == user }
      if held.isEmpty { return .noToken }
      if held.allSatisfy({ index.tokenOwner($0.token) == nil }) { return .sharedTokens }
    } else if let owner = index.tokenOwner(token), owner != user {
      return .barred(.tokenOwner(owner))
    }
    let nearest = index.charges.indices.map { Pair(order: order, charge: $0) }
      .filter { charge($0.charge).productKey.product == self.order(order).productKey.product && carriesToken($0) }
      .map { (pair: $0, reached: tokenBarrier(ofOrder: $0)) }
      .min { (-$0.reached.progress, distance($0.pair), $0.pair.charge) < (-$1.reached.progress, distance($1.pair), $1.pair.charge) }
    return nearest.map { .nearestCharge($0.pair.charge, $0.reached.barrier) } ?? .noChargeWithToken
  }

  /// Whether a charge carries the order's token. For an order without a token, any token counts that only its user held.
  private func carriesToken(_ pair: Pair) -> Bool {
    guard let token = charge(pair.charge).token else { return false }
    let order = order(pair.order)
    return order.token.map { $0 == token } ?? (!index.holders[token].isEmpty && index.tokenOwner(token) == order.user)
  }

  fileprivate func purchaseFinding(_ order: Int) -> NameFinding {
    let named = self.order(order)
    if named.lineItem == nil, named.original == nil { return .noPurchase }
    if let claim = claimFinding(order, on: .lineItem) { return claim }
    if named.lineItem != nil { return .unknownLineItem }
    return index.charges.contains { $0.original == named.original } ? .subscription : .unknownOriginal
  }

  fileprivate func periodFinding(_ order: Int) -> PeriodFinding {
    let period = index.charges.indices.first { isBookedPeriod(Pair(order: order, charge: $0)) }
    return period.map { .nearestPeriod($0, periodBarrier(Pair(order: order, charge: $0), isOfOrder: true)) } ?? .noPeriod
  }

  /// Whether the charge is a later period of a subscription of the order's user, and the order was created in its booking time.
  func isBookedPeriod(_ pair: Pair) -> Bool {
    let order = order(pair.order)
    return index.laterPeriods[pair.charge] && buyer(ofCharge: pair.charge) == order.user && index.agree(pair.order, pair.charge)
      && bookingTime(pair.charge).contains(order.createdAt)
  }

  fileprivate func evidenceFinding(_ order: Int) -> NameFinding {
    if case .unmatchedClaim = claimFinding(order, on: .evidence) { return .unmatchedClaim }
    return .noEvidence
  }

  fileprivate func candidateFinding(_ order: Int) -> CandidateFinding {
    if self.order(order).isCancelledUndelivered { return .barred(.cancelled) }
    if isDuplicate(order) { return .barred(.duplicate) }
    if isRefused(order, above: .singleCandidate) { return .barred(.refused) }
    let user = self.order(order).user
    let barriers = index.charges.indices.filter { charge in
      isOpen(charge: charge) && self.charge(charge).productKey.product == self.order(order).productKey.product
        && (buyer(ofCharge: charge) == user || carriesToken(Pair(order: order, charge: charge)))
    }.compactMap { misfit(order, $0) }
    return .noCharge(
      hasUnmatched: index.unmatched.contains { $0.order == order }, barriers.contains(.familyShared) ? .familyShared : nil)
  }
}
