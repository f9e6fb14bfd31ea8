extension MoneyBuilder {
  /// Weight of each product by its position in its app.
  private static let weights = [26, 14, 6, 8, 6, 22, 12, 6]

  /// Adds a sale on which both sides agree; some subscriptions renew, some sales are refunded.
  mutating func plain() {
    let isKids = story.random.percent(35)
    let good = story.random.weighted(Self.weights) + (isKids ? Self.weights.count : 0)
    let store = story.random.weighted(Storefront.all.map(\.weight))
    let days = FiscalSpan.days
    let day = days.lowerBound + story.random.below(days.count)
    let isCoins = Tariff.goods[good].kind == .consumable
    var sale = sale(good, store, day: day, quantity: isCoins && story.random.percent(5) ? 3 : 1)
    line(sale, units: sale.charge.quantity)
    trend(sale, .purchase, units: sale.charge.quantity)
    let back = day + 1 + story.random.below(10)
    if story.random.percent(2), FiscalSpan.days.contains(back) {
      refund(&sale, day: back)
      refundAtApple(sale, day: back, units: sale.charge.quantity)
    }
    show(sale)
    book(sale)
    if Tariff.goods[good].kind == .autoRenewable, story.random.percent(60) { renew(sale, times: 3) }
  }

  /// Adds renewals at the same second of later days.
  private mutating func renew(_ first: Sale, times: Int) {
    var sale = first
    for _ in 0..<times {
      sale.charge = story.renewal(of: sale.charge)
      sale.charge.revocation = nil
      sale.day = FiscalSpan.day(of: sale.charge.purchasedAt, store: sale.store)
      guard FiscalSpan.days.contains(sale.day) else { return }
      show(sale)
      book(sale, names: true)
      line(sale)
      trend(sale, .renewal)
    }
  }
}
