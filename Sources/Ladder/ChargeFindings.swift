extension Trace {
  /// Returns the findings of M1 to M6 for a charge that none of them matched.
  public func findings(charge: Int) -> [RungFinding] {
    findings(
      evaluation.namingFinding(charge, on: .transactionID), evaluation.tokenFinding(charge),
      evaluation.namingFinding(charge, on: .lineItem), evaluation.periodFinding(charge),
      evaluation.namingFinding(charge, on: .evidence), evaluation.candidateFinding(charge, decision))
  }
}

extension Evaluation {
  fileprivate func namingFinding(_ charge: Int, on rung: Rung) -> NameFinding {
    let claim = claims.of(charge: charge).filter { $0.rung == rung && !($0.isListed && chargeOfOrder[$0.pair.order] != nil) }
      .min { $0.pair.order < $1.pair.order }
    if let claim { return .claimed(order: claim.pair.order, naming(claim)) }
    let shown = index.component.evidence.filter { $0.charge == charge }.map(\.order)
    if rung == .lineItem, self.charge(charge).chain != nil,
      let order = index.orders.indices.first(where: { isConsidered($0) && self.order($0).original == self.charge(charge).original })
    {
      return .namedSubscription(order: order)
    }
    if rung == .evidence, let order = shown.filter(isConsidered).min() { return .listedBeside(order: order) }
    let benign = index.benignDuplicates.sorted().first { order in
      switch rung {
      case .transactionID: Claim.byTransaction(ofOrder: order, index).contains { $0.pair.charge == charge }
      case .lineItem: Claim.byPurchase(ofOrder: order, index).contains { $0.pair.charge == charge }
      default: shown.contains(order)
      }
    }
    return benign.map { .benignDuplicate(order: $0) } ?? .notNamed
  }

  func naming(_ claim: Claim) -> Naming {
    switch claim.rung {
    case .transactionID: .transaction
    case .lineItem:
      order(claim.pair.order).lineItem.map { $0 == charge(claim.pair.charge).lineItem } ?? false ? .lineItem : .original
    default: claim.evidence == nil ? .upload : .hash
    }
  }

  fileprivate func tokenFinding(_ charge: Int) -> TokenFinding {
    guard let token = self.charge(charge).token else { return .noTokenOfCharge }
    let owner = index.tokenOwner(token)
    let best = highestStanding(rivals(charge).filter { !$0.isExcludedByOwner }.map(\.order))
    if !best.isEmpty { return .orders(owner, best) }
    if let (order, barrier) = nearestBarrier(charge) { return .nearestOrder(owner, order, barrier) }
    let product = self.charge(charge).productKey.product
    let hasOrder = owner.map { index.ordersByUser[$0].contains { isConsidered($0) && order($0).productKey.product == product } } ?? true
    return .noOrder(owner, hasOrder: hasOrder)
  }

  /// Returns the nearest order in time to which the token leads, with its barrier.
  private func nearestBarrier(_ charge: Int) -> (order: Int, barrier: Barrier)? {
    let (token, product) = (self.charge(charge).token, self.charge(charge).productKey.product)
    let near = index.orders.indices.filter { order in
      guard isConsidered(order), self.order(order).productKey.product == product else { return false }
      // For an order of the user in another app, the order's own token does not matter.
      return index.tokenOrders[token].contains(order)
        || !index.agree(order, charge) && index.tokenOwner(token) == self.order(order).user
    }
    let pairs = near.map { Pair(order: $0, charge: charge) }.sorted { (distance($0), $0.order) < (distance($1), $1.order) }
    return pairs.lazy.compactMap { pair in tokenBarrier(ofCharge: pair).map { (pair.order, $0) } }.first
  }

  func distance(_ pair: Pair) -> Microseconds { abs(charge(pair.charge).purchasedAt - order(pair.order).createdAt) }

  fileprivate func periodFinding(_ charge: Int) -> PeriodFinding {
    if !index.laterPeriods[charge] { return .firstPeriod }
    guard let owner = buyer(ofCharge: charge) else { return .unknownOwner }
    let booked = index.ordersByUser[owner].first { isConsidered($0) && isBookedPeriod(Pair(order: $0, charge: charge)) }
    return booked.map { .nearestOrder($0, periodBarrier(Pair(order: $0, charge: charge), isOfOrder: false)) } ?? .noOrder(owner: owner)
  }

  fileprivate func candidateFinding(_ charge: Int, _ decision: Decision) -> CandidateFinding {
    if self.charge(charge).isFamilyShared { return .barred(.familyShared) }
    let owner = buyer(ofCharge: charge)
    let uploads = index.uploadsByCharge[charge].map { index.component.uploads[$0] }
    let uploaders = Set(uploads.compactMap(\.user)).sorted()
    if owner == nil {
      if uploaders.isEmpty, uploads.allSatisfy({ $0.device == nil }) { return .nothingLeads(isUploaded: !uploads.isEmpty) }
      let paid = decision.secondCharges.first { $0.charge == charge }?.order
      if let paid, claimsNaming(charge).contains(where: { $0.pair.order == paid }) {
        return .paysAgain(order: paid, uploaders: uploaders)
      }
    }
    return .noOrder(owner: owner, uploaders: uploaders, hasUnmatched: index.unmatched.contains { $0.charge == charge })
  }
}

extension Trace {
  /// Returns the reason why the candidates of an ambiguous charge are tied; nil if the charge is not ambiguous.
  public func contest(charge: Int) -> ContestFinding? {
    let isOfCharge = { (part: [Candidate]) in part.contains { $0.pair.charge == charge } }
    guard let contest = Contests.parts(evaluation.openCandidates).first(where: isOfCharge) else { return nil }
    let users = Set(contest.map { evaluation.order($0.pair.order).user }).count
    if users > 1 { return .users(users) }
    return Contests.withoutSpareCarts(contest, evaluation).first(where: isOfCharge).map { part in
      .distance(
        orders: Set(part.map(\.pair.order)).count, charges: Set(part.map(\.pair.charge)).count,
        isAfterCarts: part.count < contest.count)
    }
  }
}
