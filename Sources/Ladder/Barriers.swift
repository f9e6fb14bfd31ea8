extension Evaluation {
  /// Returns the first barrier between an order and a charge that could be matched; `.passedBy` if none is known.
  func obstacle(_ pair: Pair) -> Barrier {
    let barriers: [Barrier?] = [
      isUnmatched(pair),
      matchOfCharge(pair).flatMap { $0.order == pair.order ? nil : .chargeHas(order: $0.order, $0.rung) },
      matchOfOrder(pair).flatMap { $0.charge == pair.charge ? nil : .orderHas(charge: $0.charge, $0.rung) },
      wasDuplicate(pair.order) ? .duplicate : nil, isRefused(pair.order, above: .singleCandidate) ? .refused : nil,
    ]
    return barriers.lazy.compactMap { $0 }.first ?? .passedBy
  }

  /// Returns the barrier against a claim; nil if the claim was matched.
  func barrier(_ claim: Claim) -> Barrier? {
    let pair = claim.pair
    if rung(of: pair) == claim.rung { return nil }
    switch objection(claim) {
    case .createdForLaterPeriod: return .createdForLaterPeriod
    case .reason(.productDiff): return .difference(.product)
    case .reason(.lateVerification): return .lateVerification
    case .reason(.userDiff):
      if let owner = index.tokenOwner(charge(pair.charge).token) { return .tokenOwner(owner) }
      return chainOwner(ofCharge: pair.charge).map { .chainOwner($0) } ?? obstacle(pair)
    case .reason: return difference(pair) ?? obstacle(pair)
    case nil, .unmatched: return obstacle(pair)
    }
  }

  /// Returns the first M2 barrier between an order and a charge, and the number of checks that the pair passed before it.
  func tokenBarrier(ofOrder pair: Pair) -> (barrier: Barrier, progress: Int) {
    let rivals = rivals(pair.charge).map(\.order)
      .filter { $0 != pair.order && order($0).standing.rawValue >= order(pair.order).standing.rawValue }
    let barriers =
      [
        difference(pair), otherOwner(pair), timeBarrier(pair, .createdAfterPurchase), timeBarrier(pair, .createdLongBeforeRenewal),
        tokenPeriodDifference(pair), isUnmatched(pair), matchOfCharge(pair).map { .chargeHas(order: $0.order, $0.rung) },
      ] + exclusions(pair) + [rivals.isEmpty ? nil : .rivals(rivals)]
    let progress = barriers.firstIndex { $0 != nil }
    return (progress.flatMap { barriers[$0] } ?? .passedBy, progress ?? barriers.count)
  }

  /// Returns the first M2 barrier between a charge and an order; nil if there is none.
  func tokenBarrier(ofCharge pair: Pair) -> Barrier? {
    let otherMatch = matchOfOrder(pair).flatMap { $0.rung <= .appAccountToken ? Barrier.orderHas(charge: $0.charge, $0.rung) : nil }
    let barriers =
      [
        difference(pair), timeBarrier(pair, .createdAfterPurchase), timeBarrier(pair, .createdLongBeforeRenewal),
        tokenPeriodDifference(pair), otherOwner(pair), isUnmatched(pair), otherMatch,
      ] + exclusions(pair)
    return barriers.lazy.compactMap { $0 }.first
  }

  /// Returns the first M4 barrier between a later period and an order that its owner created in the period's booking time.
  ///
  /// - Parameter isOfOrder: whether the finding is about the order. If so, another match of the charge is a barrier; otherwise another
  ///   match of the order is.
  func periodBarrier(_ pair: Pair, isOfOrder: Bool) -> Barrier {
    let otherMatch: Barrier? =
      isOfOrder
      ? matchOfCharge(pair).map { .chargeHas(order: $0.order, $0.rung) } : matchOfOrder(pair).map { .orderHas(charge: $0.charge, $0.rung) }
    let barriers: [Barrier?] = [
      order(pair.order).isCancelledUndelivered ? .cancelled : nil, lateness(pair),
      periodDifference(pair.order, from: pair.charge).map { .periodDifference($0) }, isUnmatched(pair), otherMatch,
      wasDuplicate(pair.order) ? .duplicate : nil,
    ]
    return barriers.lazy.compactMap { $0 }.first ?? .passedBy
  }

  func rung(of pair: Pair) -> Rung? { chargeOfOrder[pair.order] == pair.charge ? rungOfCharge[pair.charge] : nil }

  func difference(_ pair: Pair) -> Barrier? { index.difference(pair.order, pair.charge).map { .difference($0) } }

  func otherOwner(_ pair: Pair) -> Barrier? {
    differsFromOwner(pair.order, of: pair.charge) ? chainOwner(ofCharge: pair.charge).map { .chainOwner($0) } : nil
  }

  /// Returns the barrier that another user owns the charge's subscription or token; nil if no other user does.
  func otherBuyer(_ pair: Pair) -> Barrier? {
    guard let buyer = buyer(ofCharge: pair.charge), buyer != order(pair.order).user else { return nil }
    return chainOwner(ofCharge: pair.charge) == nil ? .tokenOwner(buyer) : .chainOwner(buyer)
  }

  /// Returns the barrier that the charge was purchased long before the order; nil if it was not.
  func lateness(_ pair: Pair) -> Barrier? { isTooOld(pair.charge, for: pair.order) ? .lateVerification : nil }

  /// Returns the barrier that an order is for another period than a charge with its token; nil if it is not.
  func tokenPeriodDifference(_ pair: Pair) -> Barrier? {
    tokenPeriodDifference(pair.order, from: pair.charge).map { .periodDifference($0) }
  }

  private func timeBarrier(_ pair: Pair, _ barrier: Barrier) -> Barrier? {
    timeBarrier(pair.order, byToken: pair.charge) == barrier ? barrier : nil
  }

  private func exclusions(_ pair: Pair) -> [Barrier?] {
    [wasDuplicate(pair.order) ? .duplicate : nil, isRefused(pair.order, above: .appAccountToken) ? .refused : nil]
  }

  private func isUnmatched(_ pair: Pair) -> Barrier? { index.unmatched.contains(pair) ? .unmatched : nil }

  /// Returns the order that is matched with the pair's charge, and the rung of the match; nil if none is.
  private func matchOfCharge(_ pair: Pair) -> (order: Int, rung: Rung)? {
    guard let order = orderOfCharge[pair.charge], let rung = rungOfCharge[pair.charge] else { return nil }
    return (order, rung)
  }

  /// Returns the charge that is matched with the pair's order, and the rung of the match; nil if none is.
  private func matchOfOrder(_ pair: Pair) -> (charge: Int, rung: Rung)? {
    guard let charge = chargeOfOrder[pair.order], let rung = rungOfCharge[charge] else { return nil }
    return (charge, rung)
  }
}
