extension MoneyBuilder {
  /// Tells a story of a return.
  mutating func tellReturn(_ cause: MoneyCause, _ spot: MoneyPlan.Spot) {
    switch cause {
    case .refundBookedLate: refundBookedLate(spot)
    case .refundUnseen: refundUnseen(spot)
    case .partialRefund: partialRefund(spot)
    case .upgraded: upgraded(spot)
    case .unknownReturn: unknownReturn(spot)
    case .refundReversed, .refundReversedLater: refundReversed(cause, spot)
    default: preconditionFailure("\(cause) is no cause of a return")
    }
  }

  /// A sale that both sides have, of the days before; its evidence and its order are left to the story.
  private mutating func sold(_ spot: MoneyPlan.Spot) -> Sale {
    let sale = sale(spot.good, spot.store, day: spot.day - 3)
    line(sale)
    trend(sale, .purchase)
    return sale
  }

  /// T3: Apple books the refund four days after it told us.
  private mutating func refundBookedLate(_ spot: MoneyPlan.Spot) {
    var sale = sold(spot)
    refund(&sale, day: spot.day)
    show(sale)
    book(sale)
    giveBack(sale, day: spot.day + 4)
    plant(.refundBookedLate, sale, day: spot.day, sign: -1, units: 1)
    plant(.refundBookedLate, sale, day: spot.day + 4, sign: -1, units: -1)
  }

  /// T3: Apple took a refund back six days later, which may lie in the next period: our side has no refund any more.
  private mutating func refundReversed(_ cause: MoneyCause, _ spot: MoneyPlan.Spot) {
    var sale = sold(spot)
    let reversedOn = spot.day + 6
    refund(&sale, day: spot.day)
    show(sale)
    sale.charge.revocation = nil
    show(sale, at: FiscalSpan.instant(day: reversedOn, second: 43_200, store: sale.store))
    book(sale)
    giveBack(sale, day: spot.day)
    line(sale, day: reversedOn)
    trend(sale, .purchase, day: reversedOn)
    plant(cause, sale, day: spot.day, sign: -1, units: -1)
    plant(cause, sale, day: reversedOn, units: 1)
  }

  /// T4.
  private mutating func refundUnseen(_ spot: MoneyPlan.Spot) {
    let sale = sold(spot)
    show(sale)
    book(sale)
    giveBack(sale, day: spot.day)
    plant(.refundUnseen, sale, day: spot.day, sign: -1, units: -1)
  }

  /// T5: half of the price, which Apple prints as one unit of the whole price that brought half.
  private mutating func partialRefund(_ spot: MoneyPlan.Spot) {
    var sale = sold(spot)
    refund(&sale, day: spot.day, percentage: 50_000)
    show(sale)
    book(sale)
    giveBack(sale, day: spot.day, share: Tariff.share(of: sale.unitPrice / 2, store: sale.store))
    plant(.partialRefund, sale, day: spot.day, price: sale.unitPrice / 2, sign: -1, units: 1)
    plant(.partialRefund, sale, day: spot.day, sign: -1, units: -1)
  }

  /// T17: a week is left for a year; Apple gives the rest of the week back.
  private mutating func upgraded(_ spot: MoneyPlan.Spot) {
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
    giveBack(week, day: spot.day, share: Tariff.share(of: week.unitPrice * 4 / 7, store: week.store))
    plant(.upgraded, week, day: spot.day, sign: -1, units: -1)
  }

  /// A refund that Apple told us and no report has, and nobody knows why.
  private mutating func unknownReturn(_ spot: MoneyPlan.Spot) {
    var sale = sold(spot)
    refund(&sale, day: spot.day)
    show(sale)
    book(sale)
    plant(.unknownReturn, sale, lacking(.unexplained, spot), day: spot.day, sign: -1, units: 1)
  }
}
