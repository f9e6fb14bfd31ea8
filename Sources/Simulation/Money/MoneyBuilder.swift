/// Builds one story on both sides: our charges and orders, Apple's lines, and the expected tie-out.
struct MoneyBuilder {
  var story: CaseBuilder
  var money = MoneyOutput()

  /// A sale of one product to one customer.
  struct Sale {
    var customer: Customer
    var charge: Charge
    var good: Int
    var store: Int
    /// Milliunits of one unit.
    var unitPrice: Int64
    /// Day of Apple's reports.
    var day: Int
  }

  mutating func customer(_ good: Int, _ store: Int) -> Customer {
    story.customer(.none, app: Tariff.app(of: good), store: store)
  }

  /// Creates a charge at the catalogue's price without evidence or order.
  mutating func sale(_ good: Int, _ store: Int, day: Int, second: Int64? = nil, quantity: Int64 = 1, of customer: Customer? = nil) -> Sale {
    let person = customer ?? self.customer(good, store)
    // No sale is in the last minutes of a day, so that events minutes later have the same day.
    let at = FiscalSpan.instant(day: day, second: second ?? story.random.between(0, 82_800), store: store)
    var charge = story.charge(person, Tariff.goods[good], at: at, quantity: quantity)
    charge.token = story.random.uuid()
    return Sale(customer: person, charge: charge, good: good, store: store, unitPrice: Tariff.price(good, store), day: day)
  }

  /// Adds the evidence of a charge, signed at the purchase or refund unless `instant` is given.
  mutating func show(_ sale: Sale, at instant: Instant? = nil) {
    let signedAt = instant ?? (sale.charge.revocation?.date ?? sale.charge.purchasedAt) + 2
    story.add(line: story.sign(sale.charge, at: signedAt) + [0x0A])
  }

  /// Adds the order of a charge, which names the transaction or the token.
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

  /// Adds a sale to both sides: charge, order and line.
  mutating func sell(_ good: Int, _ store: Int, day: Int) {
    let sale = sale(good, store, day: day)
    show(sale)
    book(sale)
    line(sale)
    trend(sale, .purchase)
  }

  /// Refunds a sale on Apple's day, second 43 200; `percentage` in thousandths of a percent.
  mutating func refund(_ sale: inout Sale, day: Int, percentage: Int64 = 100_000) {
    let at = FiscalSpan.instant(day: day, second: 43_200, store: sale.store)
    sale.charge.revocation = Charge.Revocation(date: at, kind: percentage == 100_000 ? .full : .prorated, percentage: percentage)
  }

  // MARK: Apple's side

  /// Adds a line to the report of the period in which it settles, by default that of its day. Lines outside of the three periods are
  /// ignored.
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

  mutating func trend(_ sale: Sale, _ event: TrendLine.Event, day: Int? = nil, units: Int64 = 1, price: Int64? = nil, share: Int64? = nil) {
    let day = day ?? sale.day
    let price = price ?? sale.unitPrice
    guard FiscalSpan.days.contains(day) else { return }
    let line = TrendLine(
      day: day, store: sale.store, good: sale.good, event: event, price: price,
      share: share ?? Tariff.share(of: price, store: sale.store), boughtOn: event == .refund ? sale.day : day)
    money.trends[line, default: 0] += units
  }

  /// Adds a refund of a sale to both kinds of Apple's reports.
  mutating func refundAtApple(_ sale: Sale, day: Int, units: Int64 = 1, share: Int64? = nil) {
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
      period: period, cause: cause.facts.code, finding: finding, store: sale.store, good: sale.good, day: day,
      price: price ?? sale.unitPrice, sign: sign)
    money.planted[cell, default: 0] += units
  }

  /// Returns the finding for a unit missing on Apple's side: `past` for the first period, which is beyond the horizon, otherwise `open`.
  func findingOfMissing(_ past: PlantedCell.Finding, _ spot: MoneyPlan.Spot) -> PlantedCell.Finding { spot.period == 0 ? past : .open }
}
