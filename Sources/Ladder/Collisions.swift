extension Evaluation {
  /// Matches candidates of one rung. Orders that were ever paid or delivered come first. Among equals, the earliest order takes its
  /// earliest purchase.
  ///
  /// - Returns: the matched pairs.
  @discardableResult
  mutating func assign(_ candidates: [Pair], on rung: Rung) -> [Pair] {
    var matched: [Pair] = []
    for pair in candidates.sorted(by: precedes) where isOpen(order: pair.order) && isOpen(charge: pair.charge) {
      match(pair, on: rung)
      matched.append(pair)
    }
    return matched
  }

  private func precedes(_ one: Pair, _ other: Pair) -> Bool {
    one.order == other.order ? chargeRank(one.charge) < chargeRank(other.charge) : orderRank(one.order) < orderRank(other.order)
  }

  func orderRank(_ order: Int) -> (Int, Microseconds, Int) {
    (-self.order(order).standing.rawValue, self.order(order).createdAt, order)
  }

  /// Returns the sort key of a charge. A family-shared copy comes after purchases.
  func chargeRank(_ charge: Int) -> (Int, Microseconds, Int) {
    (self.charge(charge).isFamilyShared ? 1 : 0, self.charge(charge).purchasedAt, charge)
  }

  /// Matches the claims of one rung, and repeats while new matches reveal the owners of more subscriptions.
  mutating func assignClaims(on rung: Rung) {
    while true {
      let valid = claims.all.filter { $0.rung == rung && isOpen($0.pair) && objection($0) == nil }.map(\.pair)
      if assign(valid, on: rung).isEmpty { return }
    }
  }

  private func isOpen(_ pair: Pair) -> Bool { isOpen(order: pair.order) && isOpen(charge: pair.charge) }

  /// Matches claims that became valid when the owner of their subscription became known. They replace matches of lower priority.
  mutating func reevaluateClaims(through rung: Rung) {
    while true {
      let better = claims.all.filter { $0.rung <= rung && outranksMatches($0) && objection($0) == nil }
      if better.isEmpty { return }
      for claim in better.sorted(by: precedes) where outranksMatches(claim) {
        if let charge = chargeOfOrder[claim.pair.order] { release(charge: charge) }
        release(charge: claim.pair.charge)
        match(claim.pair, on: claim.rung)
      }
    }
  }

  private func precedes(_ one: Claim, _ other: Claim) -> Bool {
    one.rung == other.rung ? precedes(one.pair, other.pair) : one.rung < other.rung
  }

  /// Whether a claim outranks the matches of both its order and its charge.
  private func outranksMatches(_ claim: Claim) -> Bool {
    let (order, charge) = (claim.pair.order, claim.pair.charge)
    if index.benignDuplicates.contains(order) { return false }
    if let own = chargeOfOrder[order], let rung = rungOfCharge[own],
      rung < claim.rung || rung == claim.rung && chargeRank(own) <= chargeRank(charge)
    {
      return false
    }
    if let rival = orderOfCharge[charge], let rung = rungOfCharge[charge],
      rung < claim.rung || rung == claim.rung && orderRank(rival) <= orderRank(order)
    {
      return false
    }
    return true
  }
}
