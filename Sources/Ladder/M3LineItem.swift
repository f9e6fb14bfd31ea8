extension Claim {
  /// M3: returns claims on the charges whose line item the order names, or whose original transaction id if the product does not renew.
  static func byPurchase(ofOrder order: Int, _ index: ComponentIndex) -> [Claim] {
    let byLineItem = index.chargesByLineItem[index.orders[order].lineItem]
    let byOriginal = index.chargesByOriginal[index.orders[order].original].filter { !byLineItem.contains($0) }
    return (byLineItem + byOriginal).map { Claim(rung: .lineItem, pair: Pair(order: order, charge: $0)) }
  }
}
