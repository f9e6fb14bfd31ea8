extension Rungs {
  /// M1: the order names a transaction that is an alias of the charge.
  static func namedTransactions(_ order: Int, _ index: ComponentIndex) -> [Claim] {
    index.chargesByTransaction[index.orders[order].transaction].map {
      Claim(rung: .transactionID, pair: Pair(order: order, charge: $0))
    }
  }
}
