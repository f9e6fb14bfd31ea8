internal import SimulatedSigning

/// Orders whose claim on a charge is refused, and evidence of other apps.
extension CaseBuilder {
  /// Signs with an untrusted authority, or breaks a genuine signature.
  mutating func forge(_ charge: Charge, at instant: Instant) -> [UInt8] {
    let way = random.below(signers.forgers.count + 1)
    guard way < signers.forgers.count else {
      var signed = sign(charge, at: instant)
      // Change a character in the middle: the last one has bits that readers ignore.
      let place = signed.count - 40
      signed[place] = signed[place] == 0x41 ? 0x42 : 0x41
      return signed
    }
    return signers.forgers[way].sign(charge.payload(signedAt: instant))
  }

  /// Goods are delivered on forged evidence alone.
  mutating func forgedClaim() {
    let customer = customer()
    let charge = purchase(customer)
    let item = forge(charge, at: charge.purchasedAt + 2)
    var order = order(customer, for: charge)
    switch random.below(3) {
    case 0: upload(item, by: customer, at: charge.purchasedAt + 2, orderID: order.orderID)
    case 1: order.evidence = upload(item, by: customer, at: charge.purchasedAt + 2)
    default:
      order.transactionID = charge.transactionID
      upload(item, by: customer, at: charge.purchasedAt + 2)
    }
    book(order)
    expect("FORGED_SIGNATURE", order: order)
  }

  mutating func forgedEvidence() {
    let customer = customer()
    let charge = purchase(customer)
    let item = forge(charge, at: charge.purchasedAt + 2)
    let hash = upload(item, by: customer, at: charge.purchasedAt + 2)
    expect("FORGED_SIGNATURE", evidence: hash)
  }

  // MARK: Another app

  private mutating func foreign(_ customer: Customer) -> Charge {
    var charge = charge(customer, customer.app.product("coins_300"), at: moment(customer))
    charge.bundle = "com.other.puzzle"
    charge.product.identifier = "com.other.puzzle.gems"
    charge.token = nil
    return charge
  }

  mutating func bundleClaim() {
    let customer = customer()
    let charge = foreign(customer)
    var order = order(customer, customer.app.product("coins_300"), at: charge.purchasedAt - 60)
    fulfil(&order, at: charge.purchasedAt)
    book(order)
    upload(sign(charge, at: charge.purchasedAt + 2), by: customer, at: charge.purchasedAt + 2, orderID: order.orderID)
    expect("BUNDLE_DIFF", order: order)
  }

  /// An order of the reader app names a charge of the kids' app; both apps are ours.
  mutating func crossAppClaim() {
    let customer = customer(.none, app: .reader)
    let charge = charge(customer, App.kids.product("coins_300"), at: moment(customer))
    var order = order(customer, App.reader.product("coins_300"), at: charge.purchasedAt - 60)
    order.transactionID = charge.transactionID
    fulfil(&order, at: charge.purchasedAt)
    book(order)
    announce(charge)
    expect("BUNDLE_DIFF", order: order)
    expect("TX_NO_ORDER", charge: charge)
  }

  mutating func foreignEvidence() {
    let customer = customer()
    let charge = foreign(customer)
    let hash = upload(sign(charge, at: charge.purchasedAt + 2), by: customer, at: charge.purchasedAt + 2)
    expect("BUNDLE_DIFF", evidence: hash)
  }

  /// Returns an app transaction of our bundle id with another Apple id.
  private mutating func strangeApp(_ customer: Customer, at instant: Instant) -> [UInt8] {
    var json = TextBuffer(capacity: 500)
    json.open()
    json.member("receiptType", "Production")
    json.member("appAppleId", customer.app.appleID + 77_000_000)
    json.member("bundleId", customer.app.bundle)
    json.member("applicationVersion", "412")
    json.member("receiptCreationDate", instant)
    json.member("signedDate", instant)
    json.member("originalPurchaseDate", instant - 30 * Span.day)
    json.member("originalApplicationVersion", "380")
    json.member("appTransactionId", "70\(440_000_000_000_000 + Int64(index))")
    json.member("originalPlatform", "iOS")
    json.close()
    return signers.genuine.sign(json.bytes)
  }

  mutating func appIDClaim() {
    let customer = customer()
    let product = customer.app.product("coins_300")
    let instant = moment(customer)
    var order = order(customer, product, at: instant)
    fulfil(&order, at: instant + 20)
    book(order)
    upload(strangeApp(customer, at: instant + 10), by: customer, at: instant + 10, orderID: order.orderID)
    expect("APP_ID_DIFF", order: order)
  }

  mutating func appIDEvidence() {
    let customer = customer()
    let instant = moment(customer)
    let hash = upload(strangeApp(customer, at: instant), by: customer, at: instant)
    expect("APP_ID_DIFF", evidence: hash)
  }

  // MARK: Another environment

  mutating func prodInSandbox() {
    var (customer, charge, order) = pair(tokens: .none, names: true)
    order.environment = "Sandbox"
    book(order)
    upload(charge, by: customer)
    expect("PROD_IN_SANDBOX", order: order)
    expect("TX_NO_ORDER", charge: charge)
  }

  mutating func sandboxInProd() {
    var (customer, charge, order) = pair(tokens: .none, names: true)
    charge.environment = "Sandbox"
    book(order)
    upload(charge, by: customer)
    expect("SANDBOX_IN_PROD", order: order)
  }

  // MARK: Charges of other users

  /// A second account replays a receipt.
  mutating func replay(_ tokens: TokenUse) {
    let (buyer, charge, bought) = pair(tokens: tokens, names: true)
    book(bought, matching: charge, "M1")
    upload(charge, by: buyer)
    let thief = customer(tokens, app: buyer.app, store: buyer.store)
    var copy = order(thief, naming: charge)
    copy.createdAt = charge.purchasedAt + random.between(Span.hour, 40 * Span.hour)
    fulfil(&copy, at: copy.createdAt + 5)
    book(copy)
    upload(sign(charge, at: copy.createdAt + 3), by: thief, at: copy.createdAt + 3)
    expect("REPLAY_MULTI_USER", order: copy)
  }

  /// Apple's token names a user who has no order for the charge.
  mutating func userDiff() {
    let owner = customer()
    let charge = purchase(owner)
    let claimant = customer(app: owner.app, store: owner.store)
    let order = order(claimant, naming: charge)
    book(order)
    upload(charge, by: claimant)
    expect("USER_DIFF", order: order)
    expect("TX_NO_ORDER", charge: charge)
  }

  mutating func productDiff() {
    var (customer, charge, order) = pair("coins_60", names: true)
    order.product = customer.app.product("coins_980").identifier
    book(order)
    upload(charge, by: customer)
    expect("PRODUCT_DIFF", order: order)
    expect("TX_NO_ORDER", charge: charge)
  }

  /// One charge is delivered twice to one user.
  mutating func dupDelivery() {
    let (customer, charge, bought) = pair(names: true)
    book(bought, matching: charge, "M1")
    upload(charge, by: customer)
    var again = order(customer, naming: charge)
    again.createdAt = charge.purchasedAt + random.between(600, 30 * Span.hour)
    fulfil(&again, at: again.createdAt + 5)
    book(again)
    expect("DUP_DELIVERY", order: again)
  }

  /// A hoarded receipt is presented long after the purchase.
  mutating func lateVerification() {
    var (customer, charge, order) = pair(to: 4, names: true)
    order.createdAt = charge.purchasedAt + random.between(8 * Span.day, 10 * Span.day)
    fulfil(&order, at: order.createdAt + 5)
    book(order)
    upload(sign(charge, at: charge.purchasedAt + 2), by: customer, at: order.createdAt + 2)
    expect("LATE_VERIFICATION", order: order)
    expect("TX_NO_ORDER", charge: charge)
  }

  // MARK: Claims without a charge

  /// A period is booked that Apple has not charged.
  mutating func renewalMissingOrder() {
    let (customer, start, opening) = pair("plus_monthly", to: 4, names: true)
    book(opening, matching: start, "M1")
    announce(start)
    var booked = order(customer, start.product, at: start.purchasedAt + random.between(5, 8) * Span.day)
    booked.originalID = start.originalID
    fulfil(&booked, at: booked.createdAt)
    book(booked)
    expect("RENEWAL_MISSING", order: booked)
  }

  mutating func orderNoTx() {
    let customer = customer()
    let product = customer.app.product(random.pick(Self.goods))
    var order = order(customer, product, at: moment(customer))
    fulfil(&order, at: order.createdAt + 30)
    if random.percent(25) {
      order.status = "paid"
      order.deliveredAt = nil
    }
    book(order)
    expect("ORDER_NO_TX", order: order)
  }
}
