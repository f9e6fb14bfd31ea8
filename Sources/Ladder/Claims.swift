/// A charge that an order names on one rung.
struct Claim: Sendable {
  var rung: Rung
  var pair: Pair
  /// The evidence by which the order names the charge on M5; nil on other rungs and for evidence uploaded for the order.
  var evidence: ID?
  /// Whether a receipt or an answer of the order lists the charge among others, which it need not have been made for.
  var isListed = false
}

/// Claims with look-ups by order and by charge.
struct ClaimList: Sendable {
  let all: [Claim]
  private let byOrder: Grouping
  private let byCharge: Grouping

  init(_ all: [Claim], orderCount: Int, chargeCount: Int) {
    self.all = all
    byOrder = Grouping(keyCount: orderCount, pairs: all.indices.map { (all[$0].pair.order, $0) })
    byCharge = Grouping(keyCount: chargeCount, pairs: all.indices.map { (all[$0].pair.charge, $0) })
  }

  /// Collects the claims of M1, M3 and M5, without receipts and answers that list several charges.
  init(named index: ComponentIndex) {
    var all: [Claim] = []
    for order in index.orders.indices where !index.benignDuplicates.contains(order) {
      all += Claim.byTransaction(ofOrder: order, index) + Claim.byPurchase(ofOrder: order, index)
    }
    all += Claim.byEvidence(index)
    self.init(all, orderCount: index.orders.count, chargeCount: index.charges.count)
  }

  func adding(_ more: [Claim], to index: ComponentIndex) -> ClaimList {
    more.isEmpty ? self : ClaimList(all + more, orderCount: index.orders.count, chargeCount: index.charges.count)
  }

  func of(order: Int) -> some Sequence<Claim> { byOrder[order].lazy.map { all[$0] } }
  func of(charge: Int) -> some Sequence<Claim> { byCharge[charge].lazy.map { all[$0] } }
}

/// The reason why an order cannot be matched with a charge that it names.
enum Objection: Equatable {
  /// Two reviewers unmatched the pair. This alone makes no break.
  case unmatched
  /// The order names the first transaction of its user's subscription for a later period. M4 matches such an order.
  case createdForLaterPeriod
  case reason(RefusalClass)
}

extension Evaluation {
  /// Returns the reason why a claim cannot be matched; nil if it can. A renewal of the user's own subscription is never too late.
  func objection(_ claim: Claim) -> Objection? {
    let (pair, user) = (claim.pair, order(claim.pair.order).user)
    if claim.rung == .transactionID, index.laterPeriodOrders.contains(pair.order), owner(ofCharge: pair.charge) ?? user == user,
      !index.unmatched.contains(pair)
    {
      return .createdForLaterPeriod
    }
    return objection(pair)
  }

  private func objection(_ pair: Pair) -> Objection? {
    if index.unmatched.contains(pair) { return .unmatched }
    let (order, charge) = (order(pair.order), charge(pair.charge))
    if charge.productKey.app != order.productKey.app { return .reason(.bundleDiff) }
    if charge.productKey.environment != order.productKey.environment {
      return .reason(charge.productKey.environment == .production ? .prodInSandbox : .sandboxInProd)
    }
    let owner = owner(ofCharge: pair.charge)
    if owner ?? order.user != order.user || contradicted.contains(pair) { return .reason(.userDiff) }
    if charge.productKey.product != order.productKey.product { return .reason(.productDiff) }
    return isTooOld(pair.charge, for: pair.order) ? .reason(.lateVerification) : nil
  }

  /// Whether the charge was purchased long before the order. A renewal of a subscription with a known owner is never too old.
  func isTooOld(_ charge: Int, for order: Int) -> Bool {
    let isLate = self.charge(charge).purchasedAt < self.order(order).createdAt - index.settings.lateVerificationAfter
    return isLate && !(self.charge(charge).isRenewal && owner(ofCharge: charge) != nil)
  }

  /// Whether an open order names a charge that is matched with another order: a second delivery or a replay. Such an order does not
  /// compete for its user's next purchase.
  func isDuplicate(_ order: Int) -> Bool {
    guard isOpen(order: order) else { return false }
    return claims.of(order: order).contains { claim in
      guard let holder = orderOfCharge[claim.pair.charge] else { return false }
      return repeats(claim, of: holder)
    }
  }

  /// Whether a claim repeats the order that is matched with its charge. A claim with another fault, such as another app, repeats nothing.
  private func repeats(_ claim: Claim, of holder: Int) -> Bool {
    let isOwn = order(holder).user == order(claim.pair.order).user
    return switch objection(claim) {
    case nil, .reason(.lateVerification): true
    case .reason(.userDiff), .reason(.productDiff): !isOwn
    default: false
    }
  }

  /// Whether an open order names, above `limit`, a charge that it cannot have or evidence that proves no purchase of ours. Such an order
  /// competes for no other charge, because it was delivered for the named one.
  func isRefused(_ order: Int, above limit: Rung) -> Bool {
    guard isOpen(order: order) else { return false }
    return claims.of(order: order).contains { claim in
      refusedRung(claim).map { $0 < limit } ?? false
    } || provesNothing(order, above: limit)
  }

  /// Returns the rung below which a refused claim excludes its order; nil if the claim is not refused. An old purchase of another product
  /// does not contradict a token, so it excludes the order only below M2.
  func refusedRung(_ claim: Claim) -> Rung? {
    guard case .reason(let reason) = objection(claim) else { return nil }
    let isOld = charge(claim.pair.charge).purchasedAt < order(claim.pair.order).createdAt - index.settings.clockSkew
    return reason == .productDiff && isOld ? max(claim.rung, .appAccountToken) : claim.rung
  }

  private func provesNothing(_ order: Int, above limit: Rung) -> Bool {
    index.unproven[order].contains { number in
      switch index.component.unproven[number].way {
      case .evidence: limit > .evidence
      case .transaction: limit > .transactionID && !claims.of(order: order).contains { $0.rung == .transactionID }
      }
    }
  }
}
