/// Differences within their grace time at the as-of: Apple's instant is some hours earlier.
extension CaseBuilder {
  /// Returns an instant some hours before the as-of, within every grace time.
  mutating func recent() -> Instant {
    Instant(milliseconds: Calendar.asOf.milliseconds - random.between(8 * Span.hour, 20 * Span.hour) * 1000)
  }

  private mutating func recentCharge(_ product: String) -> (Customer, Charge) {
    let customer = customer()
    return (customer, charge(customer, customer.app.product(product), at: recent()))
  }

  mutating func pendingTx() {
    let (customer, charge) = recentCharge("coins_60")
    upload(charge, by: customer)
    expect("TX_NO_ORDER", charge: charge, isPending: true)
  }

  mutating func pendingOrder() {
    let customer = customer()
    let product = customer.app.product("coins_300")
    var order = order(customer, product, at: recent())
    fulfil(&order, at: order.createdAt + 20)
    book(order)
    expect("ORDER_NO_TX", order: order, isPending: true)
  }

  mutating func pendingDelivery() {
    let (customer, charge) = recentCharge("coins_300")
    var order = order(customer, for: charge)
    order.status = "paid"
    order.deliveredAt = nil
    book(order, matching: charge, "M2")
    upload(charge, by: customer)
    expect("PAID_NOT_DELIVERED", order: order, charge: charge, isPending: true)
  }

  mutating func pendingRefund() {
    var (customer, charge, order) = pair()
    book(order, matching: charge, "M2")
    deliver(charge, by: customer)
    refund(&charge, at: recent())
    expect("REFUND_NOT_APPLIED", order: order, charge: charge, isPending: true)
  }

  mutating func pendingRefundNoOrder() {
    let (customer, first) = recentCharge("coins_60")
    var charge = first
    upload(charge, by: customer)
    refund(&charge, at: charge.purchasedAt + random.between(Span.hour, 5 * Span.hour))
    expect("REFUND_NO_ORDER", charge: charge, isPending: true)
  }

  mutating func pendingRenewal() {
    var (_, charge) = recentCharge("plus_monthly")
    charge.originalID = appleID()
    charge.originallyPurchasedAt = charge.purchasedAt - 300 * Span.day
    charge.reason = "RENEWAL"
    announce(charge)
    expect("RENEWAL_NO_ORDER", charge: charge, isPending: true)
  }

  mutating func pendingShort() {
    let (customer, charge) = recentCharge("plus_monthly")
    var order = order(customer, for: charge)
    order.entitlementExpiresAt = charge.expiresAt.map { $0 - 3 * Span.day }
    book(order, matching: charge, "M2")
    upload(charge, by: customer)
    expect("ENTITLEMENT_SHORT", order: order, charge: charge, isPending: true)
  }

  /// A subscription is set to renew and expired only hours ago.
  mutating func pendingChain() {
    let customer = customer()
    let product = customer.app.product("plus_weekly")
    let charge = charge(customer, product, at: recent() - product.days * Span.day)
    let order = order(customer, for: charge)
    book(order, matching: charge, "M2")
    announce(charge)
    expect("RENEWAL_MISSING", charge: charge, isPending: true)
  }
}
