/// The match ladder: finds the order that each charge paid.
///
/// It is a pure function of a component's facts and the settings. The order in which facts arrived does not matter.
public enum Ladder {
  /// Decides the matches of whole components.
  public static func decide(_ component: Component, _ settings: LadderSettings) -> Decision {
    finalEvaluation(component, settings, considerations: nil).decision()
  }

  /// Decides the matches and records the alternatives that each rung considered.
  public static func trace(_ component: Component, _ settings: LadderSettings) -> Trace {
    Trace(finalEvaluation(component, settings, considerations: Considerations()))
  }

  private static func finalEvaluation(
    _ component: Component, _ settings: LadderSettings, considerations: Considerations?
  ) -> Evaluation {
    let index = ComponentIndex(component, settings)
    var contradicted: Set<Pair> = []
    while true {
      var evaluation = Evaluation(index, contradicted: contradicted)
      evaluation.considerations = considerations
      evaluation.evaluateRungs()
      let wrong = evaluation.contradictedMatches()
      if wrong.isEmpty { return evaluation }
      // The loop ends because each evaluation refuses more pairs than the one before.
      contradicted.formUnion(wrong)
    }
  }
}

extension Evaluation {
  /// Evaluates the rungs from the highest to the lowest. A match that reveals the owner of a subscription makes that user's other orders
  /// candidates by token (M2), by period (M4) and by user (M6).
  mutating func evaluateRungs() {
    matchDecided()
    assignClaims(on: .transactionID)
    reevaluateClaims(through: .transactionID)
    matchTokens(Array(index.charges.indices))
    assignClaims(on: .lineItem)
    matchSubscriptions(through: .lineItem)
    claims = claims.adding(listedPurchases(), to: index)
    assignClaims(on: .evidence)
    matchSubscriptions(through: .evidence)
    // The loop ends because each evaluation of M6 matches further charges.
    while matchSingleCandidates() { matchSubscriptions(through: .evidence) }
    matchSubscriptions(through: .evidence)
  }

  /// Matches claims, tokens and periods that depend on the owner of a subscription.
  private mutating func matchSubscriptions(through rung: Rung) {
    reevaluateClaims(through: rung)
    matchTokens(index.charges.indices.filter { isOwnerFromMatch(below: .appAccountToken, charge: $0) })
    matchPeriods()
  }

  /// Returns the matches that contradict the final owner of their subscription. A subscription has one owner.
  func contradictedMatches() -> [Pair] {
    index.orders.indices.compactMap { order -> Pair? in
      guard let charge = chargeOfOrder[order], let rung = rungOfCharge[charge],
        rung.isClaim || rung == .appAccountToken || rung == .singleCandidate
      else { return nil }
      let user = self.order(order).user
      let owner = rung.isClaim ? owner(ofCharge: charge) : chainOwner(ofCharge: charge)
      return owner ?? user == user ? nil : Pair(order: order, charge: charge)
    }
  }

  func decision() -> Decision {
    var decision = Decision()
    decision.matches = index.orders.indices.compactMap { order in
      guard let charge = chargeOfOrder[order], let rung = rungOfCharge[charge] else { return nil }
      return Match(order: order, charge: charge, rung: rung)
    }
    decision.refusals = refusals()
    decision.secondCharges = secondCharges()
    decision.ambiguities = ambiguities()
    decision.chainOwners = (0..<index.chainCount).compactMap { chain in
      owner(ofChain: chain).map { ChainOwner(chain: ID(chain), user: $0) }
    }
    return decision
  }
}
