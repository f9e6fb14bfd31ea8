/// Differences within their grace time at the as-of: Apple's instant is some hours earlier.
extension CaseBuilder {
  /// Returns an instant some hours before the as-of, within every grace time.
  private mutating func recent() -> Instant {
    Instant(milliseconds: Calendar.asOf.milliseconds - random.between(8 * Span.hour, 20 * Span.hour) * 1000)
  }

  private mutating func recentCharge(_ product: String, tokens: TokenUse = .perUser) -> (Customer, Charge) {
    let customer = customer(tokens)
    return (customer, charge(customer, customer.app.product(product), at: recent()))
  }

  mutating func pendingTx() {
    let (customer, charge) = recentCharge("coins_60")
    upload(charge, by: customer)
    expectPending("TX_NO_ORDER", charge: charge)
  }

  mutating func pendingOrder() {
    let customer = customer()
    let product = customer.app.product("coins_300")
    var order = order(customer, product, at: recent())
    fulfil(&order, at: order.createdAt + 20)
    book(order)
    expectPending("ORDER_NO_TX", order: order)
  }

  mutating func pendingDelivery() {
    let (customer, charge) = recentCharge("coins_300")
    var order = order(customer, for: charge)
    order.status = "paid"
    order.deliveredAt = nil
    book(order, matching: charge, "M2")
    upload(charge, by: customer)
    expectPending("PAID_NOT_DELIVERED", order: order, charge: charge)
  }

  mutating func pendingRefund() {
    var (customer, charge, order) = pair()
    book(order, matching: charge, "M2")
    deliver(charge, by: customer)
    refund(&charge, at: recent())
    expectPending("REFUND_NOT_APPLIED", order: order, charge: charge)
  }

  mutating func pendingReversal() {
    var (customer, charge, order) = pair(to: 13)
    deliver(charge, by: customer)
    refund(&charge, at: charge.purchasedAt + 12 * Span.hour)
    order.status = "refunded"
    order.refundedAt = charge.purchasedAt + 13 * Span.hour
    reverseRefund(&charge, at: recent())
    book(order, matching: charge, "M2")
    expectPending("REFUND_REVERSED_NOT_APPLIED", order: order, charge: charge)
  }

  mutating func pendingRefundNoOrder() {
    let (customer, first) = recentCharge("coins_60")
    var charge = first
    upload(charge, by: customer)
    refund(&charge, at: charge.purchasedAt + random.between(Span.hour, 5 * Span.hour))
    expectPending("REFUND_NO_ORDER", charge: charge)
  }

  mutating func pendingRefundOurs() {
    var (customer, charge, order) = pair()
    deliver(charge, by: customer)
    order.status = "refunded"
    order.refundedAt = recent()
    book(order, matching: charge, "M2")
    expectPending("REFUND_ONLY_OURS", order: order, charge: charge)
  }

  mutating func pendingRenewal() {
    var (_, charge) = recentCharge("plus_monthly")
    charge.originalID = appleID()
    charge.originallyPurchasedAt = charge.purchasedAt - 300 * Span.day
    charge.reason = "RENEWAL"
    announce(charge)
    expectPending("RENEWAL_NO_ORDER", charge: charge)
  }

  mutating func pendingShort() {
    let (customer, charge) = recentCharge("plus_monthly")
    var order = order(customer, for: charge)
    order.entitlementExpiresAt = charge.expiresAt.map { $0 - 3 * Span.day }
    book(order, matching: charge, "M2")
    upload(charge, by: customer)
    expectPending("ENTITLEMENT_SHORT", order: order, charge: charge)
  }

  /// A subscription is set to renew and expired only hours ago.
  mutating func pendingChain() {
    let customer = customer()
    let product = customer.app.product("plus_weekly")
    let charge = charge(customer, product, at: recent() - product.days * Span.day)
    let order = order(customer, for: charge)
    book(order, matching: charge, "M2")
    announce(charge)
    expectPending("RENEWAL_MISSING", charge: charge)
  }
}
