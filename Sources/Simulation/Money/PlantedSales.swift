extension MoneyBuilder {
  /// Builds a story; one without a cause is a plain sale.
  mutating func write(_ planned: MoneyPlan.Story) {
    guard let cause = planned.cause, let spot = planned.spot else { return plain() }
    cause.facts.write(&self, spot)
  }

  /// Adds a charge and an order to our side; the story then adds Apple's lines.
  private mutating func ours(_ spot: MoneyPlan.Spot, second: Int64? = nil) -> Sale {
    let sale = sale(spot.good, spot.store, day: spot.day, second: second)
    show(sale)
    book(sale)
    return sale
  }

  /// T1: a slow payment, in the report after that of its day.
  mutating func settledLate(_ cause: MoneyCause, _ spot: MoneyPlan.Spot) {
    let sale = ours(spot)
    let settled = (FiscalSpan.period(of: spot.day) ?? -1) + 1
    trend(sale, .purchase)
    line(sale, settledIn: settled)
    let isRead = FiscalSpan.periods.indices.contains(settled)
    plant(cause, sale, isRead ? .explained : .open, units: -1)
    plant(cause, sale, units: 1, period: settled)
  }

  /// T2: Apple never collects the payment.
  mutating func neverCollected(_ spot: MoneyPlan.Spot) {
    let sale = ours(spot)
    trend(sale, .purchase)
    plant(.neverCollected, sale, findingOfMissing(.explained, spot), units: -1)
  }

  /// T8: the subscription's first payment was over a year ago, so our share of the price is larger.
  mutating func secondYear(_ spot: MoneyPlan.Spot) {
    sell(spot.good, spot.store, day: spot.day)
    var sale = sale(spot.good, spot.store, day: spot.day)
    var first = sale
    first.charge.transactionID = story.appleID()
    first.charge.lineItem = "1\(first.charge.transactionID)"
    first.charge.originalID = first.charge.transactionID
    first.charge.purchasedAt = sale.charge.purchasedAt - 400 * Span.day
    first.charge.originallyPurchasedAt = first.charge.purchasedAt
    first.charge.expiresAt = first.charge.purchasedAt + sale.charge.product.days * Span.day
    first.charge.price = sale.unitPrice * (sale.charge.product.formerTenths ?? 10) / 10
    sale.charge.originalID = first.charge.transactionID
    sale.charge.originallyPurchasedAt = first.charge.purchasedAt
    sale.charge.reason = "RENEWAL"
    show(first)
    show(sale)
    book(first, names: true)
    book(sale, names: true)
    let share = Tariff.share(of: sale.unitPrice, store: sale.store, .secondYear)
    line(sale, share: share)
    trend(sale, .renewal, share: share)
    plant(.secondYear, sale, .share, units: 1)
  }

  /// T11: goods delivered for a sandbox transaction, besides a real sale.
  mutating func sandbox(_ spot: MoneyPlan.Spot) {
    sell(spot.good, spot.store, day: spot.day)
    var sale = sale(spot.good, spot.store, day: spot.day)
    sale.charge.environment = "Sandbox"
    show(sale)
    book(sale, environment: "Production", names: true)
    plant(.sandbox, sale, .apart, units: 1)
  }

  /// T12: the same purchase under a second transaction id minutes later; its order was paid but never delivered.
  mutating func duplicate(_ spot: MoneyPlan.Spot) {
    let sale = ours(spot)
    line(sale)
    trend(sale, .purchase)
    var again = sale
    again.charge = story.charge(sale.customer, Tariff.goods[spot.good], at: sale.charge.purchasedAt + story.random.between(60, 1800))
    show(again)
    var order = story.order(sale.customer, naming: again.charge)
    order.status = "paid"
    order.deliveredAt = nil
    story.book(order)
    money.duplicates.row(order.orderID, again.charge.transactionID)
    plant(.duplicate, again, units: -1)
  }

  /// T13: a sale with an order but without evidence.
  mutating func missed(_ spot: MoneyPlan.Spot) {
    var sale = sale(spot.good, spot.store, day: spot.day)
    sale.charge.token = nil
    story.book(story.order(sale.customer, for: sale.charge))
    line(sale)
    trend(sale, .purchase)
    plant(.missed, sale, units: 1)
  }

  /// T14: a sale early in our day, which is on the previous day in Apple's reports.
  mutating func otherDay(_ spot: MoneyPlan.Spot) {
    let sale = ours(spot, second: story.random.between(3600, 3 * 3600))
    line(sale, day: spot.day - 1)
    trend(sale, .purchase, day: spot.day - 1)
    plant(.otherDay, sale, units: -1)
    plant(.otherDay, sale, day: spot.day - 1, units: 1)
  }

  /// T15: a family member's access, besides the purchase that it derives from.
  mutating func family(_ spot: MoneyPlan.Spot) {
    sell(spot.good, spot.store, day: spot.day)
    var sale = sale(spot.good, spot.store, day: spot.day)
    sale.charge.ownership = "FAMILY_SHARED"
    sale.charge.price = nil
    show(sale)
    plant(.family, sale, .apart, units: 1)
  }

  /// T16: a trial, which both sides count without a price.
  mutating func free(_ spot: MoneyPlan.Spot) {
    var sale = sale(spot.good, spot.store, day: spot.day)
    sale.charge.price = 0
    sale.charge.expiresAt = sale.charge.purchasedAt + 7 * Span.day
    sale.charge.offer = Charge.Offer(type: 1, discount: "FREE_TRIAL")
    sale.unitPrice = 0
    show(sale)
    book(sale)
    line(sale)
    trend(sale, .trial)
    plant(.free, sale, units: 1)
  }

  /// T18: Apple charged the former price, which the customer had kept.
  mutating func otherPrice(_ spot: MoneyPlan.Spot) {
    let sale = ours(spot)
    let price = Tariff.formerPrice(spot.good, spot.store)
    line(sale, price: price)
    trend(sale, .purchase, price: price)
    plant(.otherPrice, sale, units: -1)
    plant(.otherPrice, sale, price: price, units: 1)
  }

  /// A sale of a product that our side does not know.
  mutating func unknownSale(_ spot: MoneyPlan.Spot) {
    let sale = sale(spot.good, spot.store, day: spot.day)
    line(sale)
    trend(sale, .purchase)
    plant(.unknownSale, sale, .unexplained, units: 1)
  }
}
