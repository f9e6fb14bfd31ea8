/// Subscriptions that both sides book, period by period.
extension CaseBuilder {
  mutating func first(_ customer: Customer, _ plan: String, from first: Int = 0, to last: Int = 14) -> Charge {
    charge(customer, customer.app.product(plan), at: moment(customer, from: first, to: last))
  }

  /// Books a renewal: with its transaction id, or without any Apple id after the notification arrived.
  mutating func bookRenewal(_ charge: Charge, of customer: Customer, names: Bool) {
    var order = order(customer, for: charge)
    order.createdAt = charge.purchasedAt + random.between(10 * Span.minute, 2 * Span.hour)
    fulfil(&order, at: order.createdAt)
    if names {
      order.transactionID = charge.transactionID
      order.originalID = charge.originalID
    }
    book(order, matching: charge, names ? "M1" : "M4")
  }

  /// A subscription starts in the first days, renews twice and is active at the as-of.
  mutating func weeklyChain() {
    let (customer, start, opening) = pair("plus_weekly", to: 2)
    book(opening, matching: start, "M2")
    deliver(start, by: customer)
    var charge = start
    for _ in 0..<2 {
      charge = renewal(of: charge)
      announce(charge)
      bookRenewal(charge, of: customer, names: random.percent(50))
    }
  }

  mutating func weeklyCancelled() {
    let (customer, start, opening) = pair("plus_weekly", to: 6, names: true)
    book(opening, matching: start, "M1")
    announce(start)
    let next = renewal(of: start)
    announce(next)
    bookRenewal(next, of: customer, names: random.percent(50))
    if random.percent(20) {
      // The device restores the period under another transaction id.
      var alias = next
      alias.transactionID = appleID()
      upload(alias, by: customer, at: next.purchasedAt + random.between(Span.hour, Span.day))
    }
    stopRenewing(next)
  }

  /// Without any token, the booked first period identifies the owner of the chain.
  mutating func lostTokenChain() {
    let (customer, start, opening) = pair("plus_weekly", tokens: .none, to: 6, names: true)
    book(opening, matching: start, "M1")
    upload(start, by: customer)
    let next = renewal(of: start)
    announce(next)
    bookRenewal(next, of: customer, names: false)
    stopRenewing(next)
  }

  /// A free trial week, then the first paid month.
  mutating func trialConversion() {
    let customer = customer()
    var trial = first(customer, "plus_monthly", from: 0, to: 7)
    trial.expiresAt = trial.purchasedAt + 7 * Span.day
    let price = trial.price
    trial.price = 0
    trial.offer = Charge.Offer(type: 1, discount: "FREE_TRIAL")
    let opening = order(customer, for: trial)
    book(opening, matching: trial, "M2")
    deliver(trial, by: customer)
    var paid = renewal(of: trial)
    paid.price = price
    announce(paid)
    bookRenewal(paid, of: customer, names: random.percent(50))
  }

  /// A subscription from before our records renews once in the fortnight, at that day's price.
  mutating func longStanding() {
    let customer = customer()
    var charge = first(customer, "plus_monthly")
    charge.originalID = appleID()
    charge.originallyPurchasedAt = charge.purchasedAt - random.between(7, 20) * 30 * Span.day
    charge.reason = "RENEWAL"
    if random.percent(50), let tenths = charge.product.formerTenths, let price = charge.price {
      charge.price = price * tenths / 10
    }
    announce(charge)
    bookRenewal(charge, of: customer, names: random.percent(40))
  }

  mutating func start(_ plan: String) {
    let (customer, charge, order) = pair(plan)
    book(order, matching: charge, "M2")
    deliver(charge, by: customer)
    if random.percent(15) { stopRenewing(charge) }
  }
}
