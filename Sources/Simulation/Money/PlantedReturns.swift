extension MoneyBuilder {
  /// Adds an earlier sale to both sides; the story adds its evidence and its order.
  private mutating func sold(_ spot: MoneyPlan.Spot) -> Sale {
    let sale = sale(spot.good, spot.store, day: spot.day - 3)
    line(sale)
    trend(sale, .purchase)
    return sale
  }

  /// T3: Apple books the refund four days after reporting it to us.
  mutating func refundBookedLate(_ spot: MoneyPlan.Spot) {
    var sale = sold(spot)
    refund(&sale, day: spot.day)
    show(sale)
    book(sale)
    refundAtApple(sale, day: spot.day + 4)
    plant(.refundBookedLate, sale, day: spot.day, sign: -1, units: 1)
    plant(.refundBookedLate, sale, day: spot.day + 4, sign: -1, units: -1)
  }

  /// T3: Apple reverses a refund six days later, possibly in the next period; our side no longer has a refund.
  mutating func refundReversed(_ cause: MoneyCause, _ spot: MoneyPlan.Spot) {
    var sale = sold(spot)
    let reversedOn = spot.day + 6
    refund(&sale, day: spot.day)
    show(sale)
    sale.charge.revocation = nil
    show(sale, at: FiscalSpan.instant(day: reversedOn, second: 43_200, store: sale.store))
    book(sale)
    refundAtApple(sale, day: spot.day)
    line(sale, day: reversedOn)
    trend(sale, .purchase, day: reversedOn)
    plant(cause, sale, day: spot.day, sign: -1, units: -1)
    plant(cause, sale, day: reversedOn, units: 1)
  }

  /// T4: Apple's reports have a refund that our side never received.
  mutating func refundUnseen(_ spot: MoneyPlan.Spot) {
    let sale = sold(spot)
    show(sale)
    book(sale)
    refundAtApple(sale, day: spot.day)
    plant(.refundUnseen, sale, day: spot.day, sign: -1, units: -1)
  }

  /// T5: a refund of half the price, which Apple prints as one unit at the full price with half the share.
  mutating func partialRefund(_ spot: MoneyPlan.Spot) {
    var sale = sold(spot)
    refund(&sale, day: spot.day, percentage: 50_000)
    show(sale)
    book(sale)
    refundAtApple(sale, day: spot.day, share: Tariff.share(of: sale.unitPrice / 2, store: sale.store))
    plant(.partialRefund, sale, day: spot.day, price: sale.unitPrice / 2, sign: -1, units: 1)
    plant(.partialRefund, sale, day: spot.day, sign: -1, units: -1)
  }

  /// T17: a weekly subscription is upgraded to a yearly one; Apple refunds the rest of the week.
  mutating func upgraded(_ spot: MoneyPlan.Spot) {
    var week = sold(spot)
    week.charge.isUpgraded = true
    week.charge.expiresAt = FiscalSpan.instant(day: spot.day, second: 43_200, store: spot.store)
    show(week)
    book(week)
    let yearly = Tariff.goods(named: ["plus_yearly"]).first { Tariff.app(of: $0).bundle == Tariff.app(of: spot.good).bundle } ?? 0
    var year = sale(yearly, spot.store, day: spot.day, second: 43_200, of: week.customer)
    year.charge.originalID = week.charge.originalID
    year.charge.originallyPurchasedAt = week.charge.purchasedAt
    show(year)
    book(year, names: true)
    line(year)
    trend(year, .purchase)
    refundAtApple(week, day: spot.day, share: Tariff.share(of: week.unitPrice * 4 / 7, store: week.store))
    plant(.upgraded, week, day: spot.day, sign: -1, units: -1)
  }

  /// A refund that Apple signed but no report contains, without a known cause.
  mutating func unknownReturn(_ spot: MoneyPlan.Spot) {
    var sale = sold(spot)
    refund(&sale, day: spot.day)
    show(sale)
    book(sale)
    plant(.unknownReturn, sale, findingOfMissing(.unexplained, spot), day: spot.day, sign: -1, units: 1)
  }
}
