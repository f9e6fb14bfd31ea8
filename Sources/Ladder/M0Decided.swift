extension Evaluation {
  /// M0: matches pairs that two reviewers force-matched, unless app or environment differ.
  mutating func matchDecided() {
    let forced = index.component.decisions.filter { $0.action == .forcedMatch }.map { Pair(order: $0.order, charge: $0.charge) }
    assign(forced.filter(isPossible), on: .decided)
  }

  private func isPossible(_ pair: Pair) -> Bool {
    let (order, charge) = (order(pair.order).productKey, charge(pair.charge).productKey)
    return order.app == charge.app && order.environment == charge.environment
  }
}
