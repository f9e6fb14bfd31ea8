extension Rungs {
  /// M3: returns the charges whose line item the order names, or whose original transaction id if the product does not renew.
  static func namedPurchases(_ order: Int, _ index: ComponentIndex) -> [Claim] {
    let byLineItem = index.chargesByLineItem[index.orders[order].lineItem]
    let byOriginal = index.chargesByOriginal[index.orders[order].original].filter { !byLineItem.contains($0) }
    return (byLineItem + byOriginal).map { Claim(rung: .lineItem, pair: Pair(order: order, charge: $0)) }
  }
}
