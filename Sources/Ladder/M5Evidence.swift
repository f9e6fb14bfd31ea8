extension Claim {
  /// M5: returns claims on the charges to which the evidence of orders decodes, by its hash or by an upload for the order.
  static func byEvidence(_ index: ComponentIndex) -> [Claim] {
    index.component.evidence.filter { !$0.isListed && !index.benignDuplicates.contains($0.order) }.map {
      Claim(rung: .evidence, pair: Pair(order: $0.order, charge: $0.charge), evidence: $0.evidence)
    }
  }
}

extension Evaluation {
  /// M5 for receipts and answers that list several purchases. Returns the claims of open orders on purchases of their product inside the
  /// window after the order; without any, on the nearest. An order does not claim purchases that are matched with the user's other
  /// orders.
  func listedPurchases() -> [Claim] {
    let listed = index.component.evidence.filter { $0.isListed && isOpen(order: $0.order) && couldList($0) }
    let byOrder = Dictionary(grouping: listed, by: \.order)
    return byOrder.keys.sorted().flatMap { order -> [Claim] in
      let claims = byOrder[order] ?? []
      let inWindow = claims.filter { isInAskToBuyWindow($0) }
      let nearest = claims.min { (distance($0), $0.charge) < (distance($1), $1.charge) }
      return (inWindow.isEmpty ? nearest.map { [$0] } ?? [] : inWindow).map {
        Claim(rung: .evidence, pair: Pair(order: $0.order, charge: $0.charge), evidence: $0.evidence, isListed: true)
      }
    }
  }

  private func couldList(_ claim: EvidenceClaim) -> Bool {
    let (order, charge) = (order(claim.order), charge(claim.charge))
    guard charge.productKey.product == order.productKey.product, charge.productKey.app == order.productKey.app else { return false }
    return orderOfCharge[claim.charge].map { self.order($0).user != order.user } ?? true
  }

  private func distance(_ claim: EvidenceClaim) -> Microseconds {
    abs(charge(claim.charge).purchasedAt - order(claim.order).createdAt)
  }

  private func isInAskToBuyWindow(_ claim: EvidenceClaim) -> Bool {
    let delay = charge(claim.charge).purchasedAt - order(claim.order).createdAt
    return -index.settings.clockSkew <= delay && delay <= index.settings.askToBuyWindow
  }
}
