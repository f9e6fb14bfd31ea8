/// A claim of an order without a match, and the class for which it was refused.
private struct RefusedClaim {
  var refusal: Refusal
  var purchasedAt: Microseconds
}

extension Evaluation {
  /// Returns one refusal for each order that claims something and has no match.
  func refusals() -> [Refusal] {
    let byToken = Dictionary(grouping: tokenRefusals(), by: \.refusal.order)
    let byPeriod = Dictionary(grouping: periodRefusals() + subscriptionRefusals(), by: \.refusal.order)
    return index.orders.indices.filter { isOpen(order: $0) }.compactMap { order in
      let named = claims.of(order: order).compactMap(refused)
      var all = named + (byToken[order] ?? []) + (byPeriod[order] ?? [])
      // Unproven evidence says less than the refusal of the genuine purchase that the order names. An order that names only its
      // subscription names no purchase.
      let objections = claims.of(order: order).map { objection($0) }
      if named.isEmpty, !objections.contains(.unmatched) { all += unprovenRefusals(order) }
      let isShown = objections.contains { makesNoBreak($0) } || named.contains { !isOneOfList($0) }
      return all.min { rank($0, isShown).lexicographicallyPrecedes(rank($1, isShown)) }?.refusal
    }
  }

  private func refused(_ claim: Claim) -> RefusedClaim? {
    let holder = orderOfCharge[claim.pair.charge]
    return reason(claim, holder).map { refusedClaim($0, claim.rung, claim.pair, evidence: claim.evidence, isExplicit: true) }
  }

  /// Returns the class of a refused claim; nil if the claim is no break.
  private func reason(_ claim: Claim, _ holder: Int?) -> RefusalClass? {
    let objection = objection(claim)
    switch objection {
    case nil, .reason(.userDiff), .reason(.productDiff), .reason(.lateVerification):
      if isContended(claim.pair) { return .replayMultiUser }
    default: break
    }
    switch objection {
    case nil: return holder.flatMap { repeated(claim.pair.order, of: $0, otherwise: nil) }
    case .reason(.lateVerification):
      return holder.map { repeated(claim.pair.order, of: $0, otherwise: .lateVerification) } ?? .lateVerification
    case .reason(let reason): return reason
    case .unmatched, .createdForLaterPeriod: return nil
    }
  }

  /// Whether an order of another user is matched with the charge, or claims it if it is not matched.
  ///
  /// Two users compete only for charges that they name. An order that names only its subscription names no charge.
  private func isContended(_ pair: Pair) -> Bool {
    let user = order(pair.order).user
    if let holder = orderOfCharge[pair.charge] { return order(holder).user != user }
    return claims.of(charge: pair.charge).contains { order($0.pair.order).user != user && objection($0) != .createdForLaterPeriod }
  }

  /// Returns the class of an order whose charge is matched with another order of the same user. It is a double delivery only if both were
  /// delivered. A cart is no break; any other order has no charge.
  private func repeated(_ order: Int, of holder: Int, otherwise reason: RefusalClass?) -> RefusalClass? {
    if self.order(order).isDelivered, self.order(holder).isDelivered { return .dupDelivery }
    return self.order(order).standing == .paidOrDelivered ? reason ?? .orderNoTransaction : nil
  }

  /// Whether an objection alone makes no break.
  private func makesNoBreak(_ objection: Objection?) -> Bool { objection == .unmatched || objection == .createdForLaterPeriod }

  private func refusedClaim(
    _ reason: RefusalClass, _ rung: Rung, _ pair: Pair, evidence: ID? = nil, isExplicit: Bool
  ) -> RefusedClaim {
    RefusedClaim(
      refusal: Refusal(
        order: pair.order, reason: reason, rung: rung, charge: pair.charge, evidence: evidence, holder: orderOfCharge[pair.charge],
        isExplicit: isExplicit),
      purchasedAt: charge(pair.charge).purchasedAt)
  }

  private func isOneOfList(_ claim: RefusedClaim) -> Bool {
    claim.refusal.rung == .evidence
      && index.component.evidence.contains { $0.isListed && $0.order == claim.refusal.order && $0.charge == claim.refusal.charge }
  }

  /// Returns the sort key of a refused claim; the smallest is reported. A sandbox purchase without delivery comes last, unless a tester
  /// made it. A period, and a sandbox purchase to which only the token leads, come after the purchase that the order shows.
  private func rank(_ claim: RefusedClaim, _ isShown: Bool) -> [Int] {
    let refusal = claim.refusal
    let order = order(refusal.order)
    let isHarmless = refusal.reason == .sandboxInProd && !order.isDelivered && !order.isTester
    let isGuess = refusal.rung == .chain || refusal.reason == .sandboxInProd && !refusal.isExplicit
    return [
      isHarmless ? 1 : 0, isGuess && isShown ? 1 : 0, refusal.reason.priority, refusal.rung.rawValue,
      Int(claim.purchasedAt), refusal.charge ?? .max, refusal.evidence.map(Int.init) ?? .max, refusal.holder ?? .max,
    ]
  }
}

extension Evaluation {
  /// Returns the refusals of orders whose token leads to a charge that they cannot have.
  private func tokenRefusals() -> [RefusedClaim] {
    let pairs = index.charges.indices.flatMap { charge in
      index.tokenOrders[self.charge(charge).token].map { Pair(order: $0, charge: charge) }
    }.filter(isWithinWindow)
    return ownerRefusals() + sandboxRefusals(pairs) + productRefusals(pairs)
  }

  /// Returns the refusals of orders whose token leads to a subscription of another user.
  private func ownerRefusals() -> [RefusedClaim] {
    let charges = index.charges.indices.filter { charge in
      chainOwner(ofCharge: charge) != nil && rungOfCharge[charge] ?? .appAccountToken >= .appAccountToken
    }
    return charges.flatMap { charge in
      index.tokenOrders[self.charge(charge).token]
        .filter { isOpen(order: $0) && differsFromOwner($0, of: charge) && reaches($0, byToken: charge) }
        .map { refusedClaim(.userDiff, .appAccountToken, Pair(order: $0, charge: charge), isExplicit: false) }
    }
  }

  /// Returns the refusals of Production orders whose token leads to a sandbox purchase of their product.
  private func sandboxRefusals(_ pairs: [Pair]) -> [RefusedClaim] {
    pairs.filter { charge($0.charge).productKey.environment != .production && isSameProduct($0) }
      .map { refusedClaim(.sandboxInProd, .appAccountToken, $0, isExplicit: false) }
  }

  /// Returns the refusals of paid or delivered orders whose own token leads only to a Production purchase of another product.
  private func productRefusals(_ pairs: [Pair]) -> [RefusedClaim] {
    let pairs = pairs.filter { charge($0.charge).productKey.environment == .production }
    let perOrder = Dictionary(grouping: pairs, by: \.order)
    let perCharge = Dictionary(grouping: pairs, by: \.charge)
    return pairs.filter { pair in
      let order = order(pair.order)
      let isAlone = perOrder[pair.order]?.count == 1 && perCharge[pair.charge]?.count == 1
      let isOwnToken = charge(pair.charge).token == order.token && index.holders[order.token].isEmpty
      return !isSameProduct(pair) && isAlone && isOwnToken && (order.status == .paid || order.status == .delivered)
    }.map { refusedClaim(.productDiff, .appAccountToken, $0, isExplicit: false) }
  }

  private func isSameProduct(_ pair: Pair) -> Bool {
    charge(pair.charge).productKey.product == order(pair.order).productKey.product
  }

  /// Whether an open Production order precedes an open purchase of its app within the window.
  private func isWithinWindow(_ pair: Pair) -> Bool {
    let (order, charge) = (order(pair.order), charge(pair.charge))
    return isOpen(order: pair.order) && isOpen(charge: pair.charge) && order.productKey.environment == .production
      && order.productKey.app == charge.productKey.app && !charge.isRenewal && !charge.isFamilyShared
      && charge.purchasedAt >= order.createdAt - index.settings.clockSkew
      && charge.purchasedAt <= order.createdAt + index.settings.window
  }

  /// Returns the refusals of a subscription owner's orders for a period that is matched with another order.
  private func periodRefusals() -> [RefusedClaim] {
    index.charges.indices.filter { !isOpen(charge: $0) }.flatMap { charge in
      bookedOrders(charge).map { Pair(order: $0, charge: charge) }
        .filter { !index.unmatched.contains($0) }
        .compactMap { pair in
          guard let holder = orderOfCharge[charge], order(holder).user == order(pair.order).user else { return nil }
          return repeated(pair.order, of: holder, otherwise: nil).map { refusedClaim($0, .chain, pair, isExplicit: false) }
        }
    }
  }

  /// Returns the refusals of orders that name another user's subscription by its original transaction id.
  private func subscriptionRefusals() -> [RefusedClaim] {
    index.orders.indices.filter { isOpen(order: $0) && order($0).isPaidOrDelivered }.compactMap { order in
      let periods = index.namedSubscription(of: order)
      guard let charge = period(at: order, among: periods), differsFromOwner(order, of: charge) else { return nil }
      let pair = Pair(order: order, charge: charge)
      guard !index.unmatched.contains(pair) else { return nil }
      return refusedClaim(isClaimedByOthers(pair) ? .replayMultiUser : .userDiff, .chain, pair, isExplicit: false)
    }
  }

  /// Returns the last of some periods in which the order was created; without any, the last purchase before the order, or the first.
  private func period(at order: Int, among periods: [Int]) -> Int? {
    let created = self.order(order).createdAt
    return periods.last { index.periods[$0].isBooked(at: created) } ?? periods.last { charge($0).purchasedAt <= created } ?? periods.first
  }

  /// Whether the order was created in the charge's period, and another user's order has or claims the charge.
  private func isClaimedByOthers(_ pair: Pair) -> Bool {
    index.periods[pair.charge].isBooked(at: order(pair.order).createdAt) && namedPeriodDifference(pair.order, from: pair.charge) == nil
      && isContended(pair)
  }

  /// Returns the refusals of evidence that proves no purchase. A purchase that Apple signed for another app takes precedence over a
  /// forgery.
  private func unprovenRefusals(_ order: Int) -> [RefusedClaim] {
    let shown = index.unproven[order].map { index.component.unproven[$0] }.filter { claim in
      claim.way == .evidence || !claims.of(order: order).contains { $0.rung == .transactionID }
    }
    let isSignedElsewhere = shown.contains { $0.reason == .otherApp || $0.reason == .otherAppleID }
    return shown.compactMap { claim in
      let reason: RefusalClass? =
        switch claim.reason {
        case .forged: isSignedElsewhere ? nil : .forgedSignature
        case .wrongEnvironment: self.order(order).productKey.environment == .production ? .sandboxInProd : nil
        case .otherAppleID: .appIDDiff
        case .otherApp: .bundleDiff
        case .unknownTransaction: nil
        }
      return reason.map {
        RefusedClaim(
          refusal: Refusal(order: order, reason: $0, rung: .evidence, charge: nil, evidence: claim.evidence, holder: nil, isExplicit: true),
          purchasedAt: .max)
      }
    }
  }
}
