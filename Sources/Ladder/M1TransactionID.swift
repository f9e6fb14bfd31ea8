extension Claim {
  /// M1: returns claims on the charges that have the order's transaction id as an alias.
  static func byTransaction(ofOrder order: Int, _ index: ComponentIndex) -> [Claim] {
    index.chargesByTransaction[index.orders[order].transaction].map {
      Claim(rung: .transactionID, pair: Pair(order: order, charge: $0))
    }
  }
}
