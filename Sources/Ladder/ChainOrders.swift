/// Orders that name the first transaction of a subscription but were created for a later period. Many platforms book renewals so.
struct ChainOrders {
  private(set) var orders: Set<Int> = []

  init(_ component: Component, _ chargesByTransaction: Grouping, _ settings: LadderSettings) {
    let charges = component.charges
    let renewable = Grouping(charges.count) { charges[$0].chain == nil ? nil : charges[$0].original }
    for (number, order) in component.orders.enumerated() {
      guard let transaction = order.transaction, order.lineItem == nil, order.original ?? transaction == transaction else { continue }
      let chain = renewable[transaction].filter {
        charges[$0].productKey.app == order.productKey.app && charges[$0].productKey.environment == order.productKey.environment
      }.sorted { charges[$0].purchasedAt < charges[$1].purchasedAt }
      guard !chain.isEmpty else { continue }
      let first = chain.filter { chargesByTransaction[transaction].contains($0) }
      let later = zip(chain, Period.starts(chain.map { charges[$0] }, settings.window)).filter { charge, _ in
        !first.contains(charge) && charges[charge].mayHaveOrder(of: order.productKey.product)
      }
      let starts = later.map(\.1) + first.compactMap { charges[$0].expiresAt }
      let isLater = starts.min().map { order.createdAt >= $0 } ?? false
      if first.isEmpty || isLater { orders.insert(number) }
    }
  }
}
