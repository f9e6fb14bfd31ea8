extension Trace {
  /// Returns the findings of M1 to M6 about an order and a charge; empty if the order is a benign duplicate.
  public func findings(order: Int, charge: Int) -> [RungFinding] {
    let pair = Pair(order: order, charge: charge)
    guard evaluation.isConsidered(order) else { return [] }
    return findings(
      evaluation.transactionFinding(pair), evaluation.tokenFinding(pair), evaluation.purchaseFinding(pair),
      evaluation.periodFinding(pair), evaluation.evidenceFinding(pair), evaluation.candidateFinding(pair),
      matched: evaluation.rung(of: pair))
  }
}

extension Evaluation {
  fileprivate func transactionFinding(_ pair: Pair) -> NameFinding {
    if order(pair.order).transaction == nil { return .noTransaction }
    return claim(pair, on: .transactionID).map { .named(.transaction, barrier($0)) } ?? .otherTransaction
  }

  private func claim(_ pair: Pair, on rung: Rung) -> Claim? {
    claims.of(order: pair.order).first { $0.rung == rung && $0.pair == pair }
  }

  fileprivate func tokenFinding(_ pair: Pair) -> TokenFinding {
    let choice = RivalChoice(pair, self)
    if rung(of: pair) == .appAccountToken { return .leads(outranked: choice.isOnly ? choice.outranked : nil, nil) }
    if let other = otherToken(pair) { return other }
    let timeBarrier = timeBarrier(pair.order, byToken: pair.charge)
    if let barrier = difference(pair) ?? timeBarrier ?? tokenPeriodDifference(pair) { return .barred(barrier) }
    if rungOfCharge[pair.charge] ?? .ambiguous > .appAccountToken, choice.isCandidate {
      if !choice.better.isEmpty { return .better(choice.better) }
      if !choice.equals.isEmpty { return .equals(choice.equals) }
      if !choice.excludedByOwner.isEmpty { return .excludedByOwner(choice.excludedByOwner) }
    }
    return .leads(outranked: nil, obstacle(pair))
  }

  /// Returns the finding that the charge's token does not lead to the order; nil if it does.
  private func otherToken(_ pair: Pair) -> TokenFinding? {
    let (order, charge) = (order(pair.order), charge(pair.charge))
    guard let token = charge.token else { return .noTokenOfCharge }
    if let owner = index.tokenOwner(token), owner != order.user { return .barred(.tokenOwner(owner)) }
    let isHeld = index.holders[token].contains(Int(order.user))
    let tokenCount = index.component.tokenHolders.count { $0.user == order.user }
    if order.token == nil {
      if isHeld, index.holders[token].count > 1 { return .sharedToken(index.holders[token].count) }
      if tokenCount == 0 { return .noToken }
    }
    if let otherOwner = otherOwner(pair) { return .barred(otherOwner) }
    if order.token == nil, !isHeld { return tokenCount > 1 ? .otherTokens : .otherToken }
    return order.token ?? token == token ? nil : .otherToken
  }

  fileprivate func purchaseFinding(_ pair: Pair) -> NameFinding {
    let (order, charge) = (order(pair.order), charge(pair.charge))
    if let claim = claim(pair, on: .lineItem) { return .named(naming(claim), barrier(claim)) }
    if order.lineItem != nil { return .otherLineItem }
    guard let original = order.original else { return .noPurchase }
    return original == charge.original ? .subscription : .otherOriginal
  }

  fileprivate func periodFinding(_ pair: Pair) -> PeriodFinding {
    if rung(of: pair) == .chain { return .booked(nil) }
    let order = order(pair.order)
    if order.original == charge(pair.charge).original, let otherOwner = otherOwner(pair) { return .barred(otherOwner) }
    if !index.laterPeriods[pair.charge] { return .firstPeriod }
    if buyer(ofCharge: pair.charge) == nil { return .unknownOwner }
    let cancelled: Barrier? = order.isCancelledUndelivered ? .cancelled : nil
    let otherPeriod = periodDifference(pair.order, from: pair.charge).map { Barrier.periodDifference($0) }
    if let barrier = otherBuyer(pair) ?? difference(pair) ?? cancelled ?? otherPeriod ?? lateness(pair) { return .barred(barrier) }
    return bookingTime(pair.charge).contains(order.createdAt) ? .booked(obstacle(pair)) : .otherTime
  }

  fileprivate func evidenceFinding(_ pair: Pair) -> NameFinding {
    guard index.component.evidence.contains(where: { $0.order == pair.order && $0.charge == pair.charge }) else { return .noEvidence }
    if let claim = claim(pair, on: .evidence) { return .named(naming(claim), barrier(claim)) }
    if let difference = difference(pair) { return .listed(difference) }
    let isFarther = claims.of(order: pair.order).contains { $0.rung == .evidence }
    return .listed(isFarther ? nil : obstacle(pair))
  }

  fileprivate func candidateFinding(_ pair: Pair) -> CandidateFinding {
    if rung(of: pair) == .singleCandidate { return assignment(pair) }
    let misfit = misfit(pair.order, pair.charge)
    switch misfit {
    case nil, .tokenOfOtherOrder, .outsideWindow:
      if let buyer = otherBuyer(pair) { return .barred(buyer) }
    default: break
    }
    if let misfit { return .barred(misfit) }
    return contests(with: pair) != nil ? .contested(obstacle(pair)) : .otherUsers(obstacle(pair))
  }

  /// Returns the finding about a pair that M6 matched, as a single candidate or by assignment.
  private func assignment(_ pair: Pair) -> CandidateFinding {
    guard let contests = contests(with: pair), let part = contests.parts.first(where: { $0.contains { $0.pair == pair } }) else {
      return .single
    }
    let pairs = Set(part.map(\.pair))
    let (orders, charges) = (Set(pairs.map(\.order)), Set(pairs.map(\.charge)))
    let byStanding = contests.candidates.contains { candidate in
      !pairs.contains(candidate.pair) && (orders.contains(candidate.pair.order) || charges.contains(candidate.pair.charge))
    }
    return byStanding || charges.count > 1 ? .assigned(byStanding: byStanding, byTime: charges.count > 1) : .single
  }

  /// Returns the last evaluation of M6 in which the pair was a candidate; nil if there is none.
  private func contests(with pair: Pair) -> Contests? {
    considerations?.contests.last { $0.candidates.contains { $0.pair == pair } }
  }
}

/// The orders between which M2 had to choose, seen from one of them.
private struct RivalChoice {
  let isCandidate: Bool
  let better: [Int]
  let equals: [Int]
  let outranked: [Int]
  let excludedByOwner: [Int]

  var isOnly: Bool { better.isEmpty && equals.isEmpty && excludedByOwner.isEmpty }

  init(_ pair: Pair, _ evaluation: Evaluation) {
    let rivals = evaluation.rivals(pair.charge)
    let others = rivals.filter { $0.order != pair.order }
    let standing = { (order: Int) in evaluation.order(order).standing.rawValue }
    let own = standing(pair.order)
    let eligible = others.filter { !$0.isExcludedByOwner }.map(\.order)
    isCandidate = rivals.contains { $0.order == pair.order && !$0.isExcludedByOwner }
    excludedByOwner = others.filter(\.isExcludedByOwner).map(\.order)
    better = eligible.filter { standing($0) > own }
    equals = eligible.filter { standing($0) == own }
    outranked = eligible.filter { standing($0) < own }
  }
}
