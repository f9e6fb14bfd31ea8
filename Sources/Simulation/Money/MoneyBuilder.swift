/// Tells one story on both sides: charges and orders of ours, lines of Apple's, and what a tie-out should say of them.
struct MoneyBuilder {
  var story: CaseBuilder
  var money = MoneyOutput()

  /// A sale of one good to one customer.
  struct Sale {
    var customer: Customer
    var charge: Charge
    var good: Int
    var store: Int
    /// Milliunits of one unit.
    var unitPrice: Int64
    /// Apple's day.
    var day: Int
  }

  mutating func customer(_ good: Int, _ store: Int) -> Customer {
    story.customer(.none, app: Tariff.app(of: good), store: store)
  }

  /// A charge at the catalogue's price that nobody knows of yet.
  mutating func sale(
    _ good: Int, _ store: Int, day: Int, second: Int64? = nil, quantity: Int64 = 1, of customer: Customer? = nil
  ) -> Sale {
    let person = customer ?? self.customer(good, store)
    // Nobody buys in the last minutes of a day here: what follows within minutes has the same day.
    let at = FiscalSpan.instant(day: day, second: second ?? story.random.between(0, 82_800), store: store)
    var charge = story.charge(person, Tariff.goods[good], at: at, quantity: quantity)
    charge.token = story.random.uuid()
    return Sale(customer: person, charge: charge, good: good, store: store, unitPrice: Tariff.price(good, store), day: day)
  }

  /// The evidence of a charge, signed when it was bought or given back unless another instant is told.
  mutating func show(_ sale: Sale, at instant: Instant? = nil) {
    let signedAt = instant ?? (sale.charge.revocation?.date ?? sale.charge.purchasedAt) + 2
    story.add(line: story.sign(sale.charge, at: signedAt) + [0x0A])
  }

  /// The order for a charge, which names it or its token.
  mutating func book(_ sale: Sale, environment: String? = nil, names: Bool = false) {
    var order = story.order(sale.customer, for: sale.charge)
    let isNamed = names || story.random.percent(33)
    if isNamed { order.transactionID = sale.charge.transactionID } else { order.token = sale.charge.token }
    order.environment = environment ?? order.environment
    if let revocation = sale.charge.revocation {
      if revocation.kind == .full { order.status = "refunded" }
      order.refundedAt = revocation.date + story.random.between(Span.minute, 3 * Span.hour)
    }
    story.book(order)
  }

  /// Sells on our side and on Apple's: charge, order and line.
  mutating func sell(_ good: Int, _ store: Int, day: Int) {
    let sale = sale(good, store, day: day)
    show(sale)
    book(sale)
    line(sale)
    trend(sale, .purchase)
  }

  /// Gives all of a sale back on Apple's day, second 43 200.
  mutating func refund(_ sale: inout Sale, day: Int, percentage: Int64 = 100_000) {
    let at = FiscalSpan.instant(day: day, second: 43_200, store: sale.store)
    sale.charge.revocation = Charge.Revocation(date: at, kind: percentage == 100_000 ? .full : .prorated, percentage: percentage)
  }

  // MARK: Apple's side

  /// A line in the report of the period in which it settles: that of its day where none is told. Outside of the three
  /// periods nobody sees it.
  mutating func line(
    _ sale: Sale, day: Int? = nil, sign: Int64 = 1, units: Int64 = 1, price: Int64? = nil, share: Int64? = nil, settledIn: Int? = nil
  ) {
    let day = day ?? sale.day
    let price = price ?? sale.unitPrice
    guard let period = settledIn ?? FiscalSpan.period(of: day), FiscalSpan.periods.indices.contains(period) else { return }
    let span = FiscalSpan.periods[period]
    let line = EarnedLine(
      period: period, store: sale.store, good: sale.good, day: day, settled: min(max(day + 2, span.first + 2), span.last),
      price: price, share: share ?? Tariff.share(of: price, store: sale.store), sign: sign)
    money.earned[line, default: 0] += units
  }

  mutating func trend(
    _ sale: Sale, _ event: TrendLine.Event, day: Int? = nil, units: Int64 = 1, price: Int64? = nil, share: Int64? = nil
  ) {
    let day = day ?? sale.day
    let price = price ?? sale.unitPrice
    guard FiscalSpan.days.contains(day) else { return }
    let line = TrendLine(
      day: day, store: sale.store, good: sale.good, event: event, price: price,
      share: share ?? Tariff.share(of: price, store: sale.store), boughtOn: event == .refund ? sale.day : day)
    money.trends[line, default: 0] += units
  }

  /// A sale that Apple gives back on a day, as both kinds of its reports have it.
  mutating func giveBack(_ sale: Sale, day: Int, units: Int64 = 1, share: Int64? = nil) {
    line(sale, day: day, sign: -1, units: units, share: share)
    trend(sale, .refund, day: day, units: units, share: share)
  }

  // MARK: Truth

  mutating func plant(
    _ cause: MoneyCause, _ sale: Sale, _ finding: PlantedCell.Finding = .explained, day: Int? = nil, price: Int64? = nil,
    sign: Int64 = 1, units: Int64, period: Int? = nil
  ) {
    let day = day ?? sale.day
    guard let period = period ?? FiscalSpan.period(of: day), FiscalSpan.periods.indices.contains(period) else { return }
    let cell = PlantedCell(
      period: period, cause: cause.code, finding: finding, store: sale.store, good: sale.good, day: day,
      price: price ?? sale.unitPrice, sign: sign)
    money.planted[cell, default: 0] += units
  }

  /// What a unit that lacks on Apple's side is called: past the horizon its cause, before it open.
  func lacking(_ past: PlantedCell.Finding, _ spot: MoneyPlan.Spot) -> PlantedCell.Finding { spot.period == 0 ? past : .open }
}
