/// Traffic in which both sides agree; the rung of each match is certain by construction.
extension CaseBuilder {
  static let coins = ["coins_60", "coins_300", "coins_980"]
  /// Products that do not renew.
  static let goods = ["coins_60", "coins_300", "coins_980", "full_unlock", "pass_30d"]

  /// Creates a first purchase of a product that does not renew, sometimes of several units.
  mutating func purchase(_ customer: Customer, from first: Int = 0, to last: Int = 14) -> Charge {
    let product = customer.app.product(random.pick(Self.goods))
    let many = product.kind == .consumable && random.percent(12)
    return charge(customer, product, at: moment(customer, from: first, to: last), quantity: many ? random.between(2, 3) : 1)
  }

  /// Creates a customer, a charge and its order.
  ///
  /// - Parameters:
  ///   - product: nil picks one that does not renew.
  ///   - last: last day of the purchase.
  ///   - names: whether the order names the transaction.
  mutating func pair(
    _ product: String? = nil, tokens: TokenUse = .perUser, to last: Int = 14, names: Bool = false
  ) -> (customer: Customer, charge: Charge, order: Order) {
    let customer = customer(tokens)
    let charge = if let product { first(customer, product, to: last) } else { purchase(customer, to: last) }
    return (customer, charge, names ? order(customer, naming: charge) : order(customer, for: charge))
  }

  enum Delivery { case uploaded, announced, lost }

  /// Delivers evidence from the device, from Apple's server, or both.
  ///
  /// - Parameter mayBeLost: whether a notification may be late, and may be lost even if it is the only evidence.
  @discardableResult
  mutating func deliver(_ charge: Charge, by customer: Customer, orderID: String? = nil, mayBeLost: Bool = false) -> Delivery {
    let way = random.below(10)
    if way < 8 { upload(charge, by: customer, orderID: orderID) }
    guard way >= 4 else { return .uploaded }
    let before = output.evidence.count
    let evidence = output.counts.evidence
    announce(charge, delay: mayBeLost ? noise.notificationDelay() : 0)
    if (way < 8 || mayBeLost) && noise.losesNotification() {
      output.evidence.removeLast(output.evidence.count - before)
      output.counts.evidence = evidence
      return way < 8 ? .uploaded : .lost
    }
    return way < 8 ? .uploaded : .announced
  }

  /// The order names the transaction.
  mutating func byTransactionID() {
    let (customer, charge, order) = pair(tokens: random.percent(70) ? .perUser : .none, names: true)
    book(order)
    var delivery = Delivery.uploaded
    if random.percent(4) {
      // An export from another system: the line is the signed transaction itself.
      add(line: sign(charge, at: charge.purchasedAt + 3) + [0x0A])
    } else {
      delivery = deliver(charge, by: customer, orderID: random.percent(30) ? order.orderID : nil, mayBeLost: true)
    }
    match(order, charge, "M1", delivery)
  }

  /// The customer's token identifies the only open order of the product.
  mutating func byToken() {
    var (customer, charge, order) = pair()
    if random.percent(50) { order.token = customer.token }
    if noise.losesToken() { charge.token = nil }
    book(order)
    let delivery = deliver(charge, by: customer, mayBeLost: true)
    match(order, charge, charge.token == nil ? nil : "M2", delivery)
  }

  /// Two orders of one product have different tokens.
  mutating func byOrderTokens() {
    let customer = customer(.none)
    let product = customer.app.product(random.pick(Self.coins))
    let first = moment(customer, from: 0, to: 13)
    for instant in [first, first + random.between(600, Span.day)] {
      var charge = charge(customer, product, at: instant)
      charge.token = random.uuid()
      var order = order(customer, for: charge)
      order.token = charge.token
      book(order, matching: charge, "M2")
      deliver(charge, by: customer)
    }
  }

  mutating func byLineItem() {
    let customer = customer(.none)
    let charge = first(customer, random.pick(["plus_monthly", "plus_yearly"]))
    var order = order(customer, for: charge)
    order.lineItem = charge.lineItem
    book(order)
    match(order, charge, "M3", deliver(charge, by: customer, mayBeLost: true))
  }

  mutating func byOriginalID() {
    var (customer, charge, order) = pair(tokens: .none)
    order.originalID = charge.originalID
    book(order)
    match(order, charge, "M3", deliver(charge, by: customer, mayBeLost: true))
  }

  mutating func byEvidenceHash() {
    var (customer, charge, order) = pair(tokens: .none)
    let at = charge.purchasedAt + 2
    order.evidence = upload(sign(charge, at: at), by: customer, at: at)
    book(order, matching: charge, "M5")
  }

  mutating func byUploadedOrder() {
    let (customer, charge, order) = pair(tokens: .none)
    book(order, matching: charge, "M5")
    upload(charge, by: customer, orderID: order.orderID)
    if random.percent(40) { announce(charge) }
  }

  // MARK: Only the uploader is known

  mutating func singleCandidate() {
    let customer = customer(.none)
    let charge = purchase(customer)
    let order = order(customer, for: charge, lead: random.between(20, 6 * Span.hour))
    book(order, matching: charge, "M6")
    upload(charge, by: customer)
    if random.percent(40) { announce(charge) }
  }

  /// One family member buys, and another member's app uploads the charge from the same device.
  mutating func sharedDevice() {
    let buyer = customer(.none)
    let other = customer(.none, app: buyer.app, store: buyer.store, sharing: buyer.deviceID)
    let charge = purchase(buyer)
    let order = order(buyer, for: charge)
    book(order, matching: charge, "M6")
    upload(charge, by: other)
  }

  /// A parent approves days after the child's request.
  mutating func askToBuy() {
    let customer = customer(.none, app: .kids)
    let charge = purchase(customer, from: 6, to: 14)
    let order = order(customer, for: charge, lead: random.between(30 * Span.hour, 5 * Span.day))
    book(order, matching: charge, "M6")
    upload(charge, by: customer)
  }

  // MARK: Orders without a charge

  mutating func abandonedCart() {
    let customer = customer()
    let product = random.pick(customer.app.goods)
    var order = order(customer, product, at: moment(customer))
    order.deviceID = random.percent(80) ? customer.deviceID : nil
    order.status = "created"
    book(order)
  }

  mutating func cancelledOrder() {
    let customer = customer()
    let product = customer.app.product(random.pick(Self.goods))
    var order = order(customer, product, at: moment(customer))
    order.status = "cancelled"
    order.updatedAt = order.createdAt + random.between(60, Span.hour)
    book(order)
  }

  // MARK: Refunds

  mutating func refundApplied() {
    var (customer, charge, order) = pair()
    deliver(charge, by: customer)
    let instant = charge.purchasedAt + random.between(2 * Span.hour, 2 * Span.day)
    refund(&charge, at: instant)
    order.status = "refunded"
    order.refundedAt = instant + random.between(Span.minute, 3 * Span.hour)
    book(order, matching: charge, "M2")
  }

  mutating func refundReversed() {
    var (customer, charge, order) = pair(to: 13)
    deliver(charge, by: customer)
    refund(&charge, at: charge.purchasedAt + 12 * Span.hour)
    let back = charge.purchasedAt + random.between(20 * Span.hour, 40 * Span.hour)
    reverseRefund(&charge, at: back)
    order.updatedAt = back + Span.hour
    book(order, matching: charge, "M2")
  }

  mutating func partialRefund() {
    var (_, charge, order) = pair("plus_yearly", names: true)
    announce(charge)
    let instant = charge.purchasedAt + random.between(2 * Span.hour, 2 * Span.day)
    refund(&charge, at: instant, kind: .prorated, percentage: 50000)
    order.refundedAt = instant + random.between(Span.minute, 3 * Span.hour)
    book(order, matching: charge, "M1")
  }

  /// A restore gives a purchase another transaction id, and the order names that id.
  mutating func restoredAlias() {
    var (customer, charge, order) = pair("full_unlock", tokens: .none)
    var alias = charge
    alias.transactionID = appleID()
    order.transactionID = alias.transactionID
    book(order, matching: charge, "M1")
    upload(charge, by: customer)
    upload(alias, by: customer, at: charge.purchasedAt + random.between(60, Span.day))
  }

  // MARK: Charges without revenue

  /// The buyer's charge is booked; a family member uses it without an order.
  mutating func familyMember() {
    let buyer = customer(app: .kids)
    let charge = charge(buyer, buyer.app.product("plus_monthly"), at: moment(buyer))
    let order = order(buyer, for: charge)
    book(order, matching: charge, "M2")
    announce(charge)
    let member = customer(app: .kids, store: buyer.store)
    let shared = share(charge, with: member)
    upload(shared, by: member, at: charge.purchasedAt + random.between(Span.hour, Span.day))
  }

  /// Returns a subscription as shared with a family member: other ids, no price, no token.
  mutating func share(_ charge: Charge, with member: Customer) -> Charge {
    var shared = charge
    shared.transactionID = appleID()
    shared.originalID = shared.transactionID
    shared.lineItem = lineItem(of: shared.transactionID)
    shared.ownership = "FAMILY_SHARED"
    shared.token = nil
    shared.price = nil
    output.counts.charges += 1
    return shared
  }

  mutating func sandboxPair() {
    let customer = customer(.none)
    var charge = charge(customer, customer.app.product("coins_60"), at: moment(customer))
    charge.environment = "Sandbox"
    let order = order(customer, naming: charge)
    book(order, matching: charge, "M1")
    upload(charge, by: customer)
  }

  /// A sandbox purchase by a user whom the settings allow, as a tester or in a review window.
  mutating func allowedSandboxClaim(asTester: Bool) {
    let customer = customer(
      .none, app: .reader, named: World.specialUser(index, isTester: asTester), isTester: asTester)
    var charge = charge(customer, customer.app.product("coins_60"), at: moment(customer, from: 1, to: 6))
    charge.environment = "Sandbox"
    var order = order(customer, naming: charge)
    order.environment = "Production"
    book(order)
    upload(charge, by: customer)
  }
}
