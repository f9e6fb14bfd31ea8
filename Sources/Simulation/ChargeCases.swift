/// Charges without a booked order, and pairs whose sides disagree.
extension CaseBuilder {
  /// Two orders fit one charge and cannot be distinguished.
  mutating func ambiguous() {
    let customer = customer(.none)
    let product = customer.app.product(random.pick(Self.coins))
    let charge = charge(customer, product, at: moment(customer))
    for lead in [random.between(30, 200), random.between(300, 1500)] {
      book(order(customer, for: charge, lead: lead))
    }
    upload(charge, by: customer)
    expect("AMBIGUOUS_MATCH", charge: charge)
  }

  /// Two charges pay one order, linked by its token or by an upload.
  mutating func dupCharge(byUpload: Bool) {
    let customer = customer(.none)
    let product = customer.app.product(random.pick(Self.coins))
    var paid = charge(customer, product, at: moment(customer))
    var again = charge(customer, product, at: paid.purchasedAt + random.between(60, Span.hour))
    var order = order(customer, for: paid)
    if byUpload {
      order.transactionID = paid.transactionID
      upload(paid, by: customer)
      upload(again, by: customer, orderID: order.orderID)
    } else {
      paid.token = random.uuid()
      again.token = paid.token
      order.token = paid.token
      announce(paid)
      announce(again)
    }
    book(order, matching: paid, byUpload ? "M1" : "M2")
    expect("DUP_CHARGE", charge: again)
  }

  mutating func refundNoOrder() {
    let customer = customer()
    var charge = purchase(customer)
    announce(charge)
    refund(&charge, at: charge.purchasedAt + random.between(6 * Span.hour, 40 * Span.hour))
    expect("REFUND_NO_ORDER", charge: charge)
  }

  mutating func renewalNoOrder() {
    let (customer, start, opening) = pair("plus_weekly", to: 6)
    book(opening, matching: start, "M2")
    deliver(start, by: customer)
    let next = renewal(of: start)
    announce(next)
    stopRenewing(next)
    expect("RENEWAL_NO_ORDER", charge: next)
  }

  mutating func txNoOrder(_ tokens: TokenUse) {
    let customer = customer(tokens)
    let charge = purchase(customer)
    if tokens == .none { upload(charge, by: customer) } else { deliver(charge, by: customer) }
    expect("TX_NO_ORDER", charge: charge)
  }

  // MARK: Matched pairs that differ

  /// Books the order of a charge, delivers the charge's evidence, and expects the difference of the pair.
  private mutating func record(_ name: String, _ order: Order, _ charge: Charge, of customer: Customer, rung: String = "M2") {
    book(order, matching: charge, rung)
    deliver(charge, by: customer)
    expect(name, order: order, charge: charge)
  }

  mutating func paidNotDelivered() {
    var (customer, charge, order) = pair()
    order.status = "paid"
    order.deliveredAt = nil
    record("PAID_NOT_DELIVERED", order, charge, of: customer)
  }

  mutating func currencyDiff() {
    var (customer, charge, order) = pair()
    let other = Storefront.all[(customer.store + 1) % Storefront.all.count]
    order.currency = other.currency
    order.price = charge.product.prices[(customer.store + 1) % Storefront.all.count] * charge.quantity
    record("CURRENCY_DIFF", order, charge, of: customer)
  }

  mutating func amountDiff() {
    var (customer, charge, order) = pair()
    order.price = charge.price.map { $0 - random.between(1, 100) }
    record("AMOUNT_DIFF", order, charge, of: customer)
  }

  /// Apple sold two units, the order has one; the amount is right.
  mutating func quantityDiff() {
    let customer = customer()
    let product = customer.app.product("coins_60")
    let charge = charge(customer, product, at: moment(customer), quantity: 2)
    var order = order(customer, naming: charge)
    order.quantity = 1
    record("QUANTITY_DIFF", order, charge, of: customer, rung: "M1")
  }

  mutating func refundNotApplied(partly: Bool) {
    var (customer, charge, order) = pair(partly ? "plus_yearly" : nil)
    deliver(charge, by: customer)
    refund(
      &charge, at: charge.purchasedAt + random.between(6 * Span.hour, 40 * Span.hour),
      kind: partly ? .prorated : .full, percentage: partly ? 40000 : 100_000)
    order.status = random.percent(20) && !partly ? "paid" : "delivered"
    book(order, matching: charge, "M2")
    expect("REFUND_NOT_APPLIED", order: order, charge: charge)
  }

  mutating func reversalNotApplied(isPending: Bool) {
    var (customer, charge, order) = pair(to: 13)
    deliver(charge, by: customer)
    let instant = charge.purchasedAt + 12 * Span.hour
    refund(&charge, at: instant)
    order.status = "refunded"
    order.refundedAt = instant + Span.hour
    reverseRefund(&charge, at: isPending ? recent() : charge.purchasedAt + random.between(20 * Span.hour, 40 * Span.hour))
    book(order, matching: charge, "M2")
    expect("REFUND_REVERSED_NOT_APPLIED", order: order, charge: charge, isPending: isPending)
  }

  mutating func refundOnlyOurs(isPending: Bool) {
    var (customer, charge, order) = pair()
    deliver(charge, by: customer)
    order.status = "refunded"
    order.refundedAt = isPending ? recent() : charge.purchasedAt + random.between(2 * Span.hour, 40 * Span.hour)
    book(order, matching: charge, "M2")
    expect("REFUND_ONLY_OURS", order: order, charge: charge, isPending: isPending)
  }

  /// Access continues for a month after the last paid week.
  mutating func entitlementOverrun() {
    var (customer, charge, order) = pair("plus_weekly", to: 6)
    order.entitlementExpiresAt = charge.expiresAt.map { $0 + 30 * Span.day }
    record("ENTITLEMENT_OVERRUN", order, charge, of: customer)
    stopRenewing(charge)
  }

  mutating func entitlementShort() {
    var (customer, charge, order) = pair("plus_monthly")
    order.entitlementExpiresAt = charge.expiresAt.map { $0 - 3 * Span.day }
    record("ENTITLEMENT_SHORT", order, charge, of: customer)
  }

  // MARK: Charges alone

  /// One line item has two original ids; both are booked.
  mutating func idConflict() {
    let early = customer()
    let charge = first(early, "plus_monthly", from: 0, to: 12)
    let late = customer(app: early.app, store: early.store)
    var twin = self.charge(late, charge.product, at: charge.purchasedAt + random.between(Span.hour, Span.day))
    twin.lineItem = charge.lineItem
    for (person, item) in [(early, charge), (late, twin)] {
      let order = order(person, naming: item)
      book(order, matching: item, "M1")
      upload(item, by: person)
    }
    expect("ID_CONFLICT", charge: twin)
  }

  /// A subscription is shared with the family, although the catalogue does not allow it.
  mutating func familyNotShareable() {
    let member = customer(app: .reader)
    let owner = customer(app: .reader, store: member.store)
    let charge = first(owner, "plus_monthly")
    output.counts.charges -= 1
    let shared = share(charge, with: member)
    upload(shared, by: member, at: shared.purchasedAt + Span.hour)
    expect("FAMILY_NOT_SHAREABLE", charge: shared)
  }

  mutating func priceOffCatalog() {
    let customer = customer()
    var charge = charge(customer, customer.app.product("coins_300"), at: moment(customer))
    charge.price = charge.price.map { $0 / 10 }
    let order = order(customer, for: charge)
    book(order, matching: charge, "M2")
    deliver(charge, by: customer)
    expect("PRICE_OFF_CATALOG", charge: charge)
  }

  /// Apple signs a word that this program does not know; everything else is correct.
  mutating func unrecognizedValue() {
    var (customer, charge, order) = pair("plus_monthly")
    charge.offer = Charge.Offer(type: 2, discount: "PAY_PER_CHAPTER")
    book(order, matching: charge, "M2")
    let at = charge.purchasedAt + 2
    let hash = upload(sign(charge, at: at), by: customer, at: at)
    // All cases of this kind carry the same value, which is one break.
    if index == plan.firstIndex(of: .unrecognizedValue) { expect("UNRECOGNIZED_VALUE", evidence: hash) }
  }

  /// A subscription is set to renew and expires, but no charge follows.
  mutating func chainStopped() {
    let (_, charge, order) = pair("plus_weekly", to: 7)
    book(order, matching: charge, "M2")
    announce(charge)
    expect("RENEWAL_MISSING", charge: charge)
  }
}
