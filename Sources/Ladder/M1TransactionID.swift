extension Rungs {
  /// M1: returns the charges that have the order's transaction id as an alias.
  static func namedTransactions(_ order: Int, _ index: ComponentIndex) -> [Claim] {
    index.chargesByTransaction[index.orders[order].transaction].map {
      Claim(rung: .transactionID, pair: Pair(order: order, charge: $0))
    }
  }
}
