extension StoreState {
  /// Maximum quantity of one purchase.
  ///
  /// - Source: StoreKit, quantity.
  public static let quantityMax = 10

  /// The optional terms of a purchase.
  public struct Terms: Sendable {
    public var quantity = 1
    public var appAccountToken: String?
    /// An existing order of the customer that the purchase joins; nil creates a new one.
    public var order: String?
    public var offer: Offer?

    public init(quantity: Int = 1, appAccountToken: String? = nil, order: String? = nil, offer: Offer? = nil) {
      self.quantity = quantity
      self.appAccountToken = appAccountToken
      self.order = order
      self.offer = offer
    }
  }

  /// Sells a product of any kind and returns the transaction id.
  ///
  /// A subscription in a group that the customer subscribed to before is a re-subscription.
  /// - Throws: `StoreError` when the store would refuse it.
  @discardableResult
  public mutating func buy(_ productID: String, for name: String, _ terms: Terms = Terms()) throws -> String {
    let customer = try customer(name)
    let product = try product(productID)
    guard product.isForSale else { throw StoreError("cannot sell \"\(productID)\": it was withdrawn") }
    guard (1...Self.quantityMax).contains(terms.quantity), terms.quantity == 1 || product.kind == .consumable
    else {
      throw StoreError("cannot sell \"\(productID)\": a quantity of \(terms.quantity) is out of range")
    }
    if product.kind == .autoRenewable { return try subscribe(customer, to: product, terms) }
    if product.kind == .nonConsumable, let owned = owned(productID, by: customer) {
      throw StoreError("cannot sell \"\(productID)\": the customer has it with transaction \"\(owned)\"")
    }
    let id = identifiers.transaction()
    let unit = terms.offer?.price ?? customer.storefront.price(dollars: product.price)
    add(
      Transaction(
        id: id, originalID: id, lineItemID: nil, customer: name, orderID: terms.order ?? identifiers.order(),
        productID: productID, kind: product.kind, group: nil, quantity: terms.quantity,
        storefront: customer.storefront, price: unit * Int64(terms.quantity), isRenewal: false,
        isFamilyShared: false, appTransactionID: customer.statedAppTransactionID, purchasedAt: now,
        originallyPurchasedAt: now, expiresAt: nil, offer: terms.offer, appAccountToken: terms.appAccountToken
      ))
    notify("ONE_TIME_CHARGE", transaction: id)
    return id
  }

  private func owned(_ product: String, by customer: Customer) -> String? {
    customer.transactions.first { id in
      guard let transaction = transactions[id], transaction.productID == product else { return false }
      return transaction.revocation == nil
    }
  }

  /// Marks a transaction as finished: the app reports that it delivered.
  public mutating func finish(_ id: String) throws {
    _ = try found(id)
    change(id) { $0.isFinished = true }
  }

  // MARK: Subscriptions

  private mutating func subscribe(_ customer: Customer, to product: Product, _ terms: Terms) throws -> String {
    let group = try self.group(of: product)
    let held = customer.subscriptions[group].flatMap { subscriptions[$0] }
    if let held, held.status != .expired, held.status != .revoked {
      throw StoreError("cannot sell \"\(product.id)\": the customer is subscribed with \"\(held.originalID)\"")
    }
    let earlier = customer.purchased[group].flatMap { subscriptions[$0] }
    try check(terms.offer, for: customer, group: group)
    let id = identifiers.transaction()
    let originalID = earlier?.originalID ?? id
    let regular = customer.storefront.price(dollars: product.price)
    let end = try paidEnd(of: product, offer: terms.offer, customer: customer, anchor: now, periods: 1)
    add(
      Transaction(
        id: id, originalID: originalID, lineItemID: identifiers.lineItem(), customer: customer.id,
        orderID: terms.order ?? identifiers.order(), productID: product.id, kind: .autoRenewable,
        group: group,
        quantity: 1, storefront: customer.storefront, price: terms.offer?.price ?? regular, isRenewal: false,
        isFamilyShared: false, appTransactionID: customer.statedAppTransactionID, purchasedAt: now,
        originallyPurchasedAt: transactions[originalID]?.purchasedAt ?? now, expiresAt: end,
        offer: terms.offer, appAccountToken: terms.appAccountToken))
    var fresh = Subscription(
      originalID: originalID, customer: customer.id, group: group, productID: product.id, owner: nil,
      transactionID: id, renewalProductID: product.id, expiresAt: end, renewsAt: end, startedAt: now,
      appAccountToken: terms.appAccountToken, renewalPrice: regular, anchor: now)
    restart(&fresh, offer: terms.offer)
    if let earlier {
      fresh.extensions = earlier.extensions
      fresh.shares = earlier.shares
      let isShortLapse = now - earlier.expiresAt < (environment == .sandbox ? .minutes(10) : .days(60))
      if isShortLapse { fresh.startedAt = earlier.startedAt }
    }
    keep(fresh)
    customers[customer.id]?.subscriptions[group] = originalID
    customers[customer.id]?.purchased[group] = originalID
    if terms.offer?.kind == .introductory { customers[customer.id]?.introduced.insert(group) }
    notify("SUBSCRIBED", held == nil ? "INITIAL_BUY" : "RESUBSCRIBE", transaction: id)
    for share in fresh.shares { follow(share, fresh, "SUBSCRIBED", "RESUBSCRIBE") }
    return id
  }

  func group(of product: Product) throws -> String {
    guard product.kind == .autoRenewable, let group = product.group, product.period != nil else {
      throw StoreError("cannot use \"\(product.id)\" here: it is no auto-renewable subscription")
    }
    return group
  }

  func check(_ offer: Offer?, for customer: Customer, group: String) throws {
    guard let offer else { return }
    guard offer.kind != .introductory || !customer.introduced.contains(group) else {
      throw StoreError("cannot give an introductory offer: the customer had one in group \"\(group)\"")
    }
    guard offer.discount != .freeTrial || offer.price == 0, offer.periods >= 1 else {
      throw StoreError("cannot give the offer: a free trial costs 0 and an offer has 1 period or more")
    }
  }

  /// Returns the end of a paid period; an offer's length replaces the product's.
  func paidEnd(of product: Product, offer: Offer?, customer: Customer, anchor: Moment, periods: Int) throws -> Moment {
    _ = try group(of: product)
    let period = offer?.period ?? product.period ?? .month
    return customer.cadence.end(of: period, from: anchor, count: periods)
  }

  /// Restarts the count of periods from now.
  func restart(_ subscription: inout Subscription, offer: Offer?) {
    subscription.offer = offer
    subscription.offerPeriodsUsed = offer == nil ? 0 : 1
    subscription.anchor = now
    subscription.periods = 1
  }

  // MARK: Decisions of the customer

  public mutating func setRenewing(_ originalID: String, _ isOn: Bool) throws {
    var subscription = try live(originalID)
    guard subscription.owner == nil, subscription.status != .expired, subscription.status != .revoked else {
      throw StoreError("cannot change renewal of \"\(originalID)\": it is over or a family share")
    }
    guard subscription.isRenewing != isOn else { return }
    subscription.isRenewing = isOn
    if !isOn, subscription.status == .billingRetry || subscription.status == .grace {
      // Cancelling ends the billing retries at once.
      subscription.status = .expired
      subscription.intent = .cancelled
      subscription.graceEndsAt = nil
      subscription.retryEndsAt = nil
    }
    keep(subscription)
    notify("DID_CHANGE_RENEWAL_STATUS", isOn ? "AUTO_RENEW_ENABLED" : "AUTO_RENEW_DISABLED", transaction: subscription.transactionID)
    if subscription.status == .expired {
      notify("EXPIRED", "VOLUNTARY", transaction: subscription.transactionID)
    }
  }

  /// Makes the charges of a subscription fail, or succeed from the next one on.
  public mutating func setBilling(_ originalID: String, fails: Bool) throws {
    var subscription = try live(originalID)
    subscription.isBillingFailing = fails
    keep(subscription)
  }

  /// Sets the token of the latest transaction and of future renewals.
  mutating func setAppAccountToken(_ originalID: String, _ token: String) {
    guard var subscription = subscriptions[originalID] else {
      change(originalID) { $0.appAccountToken = token }
      return
    }
    subscription.appAccountToken = token
    keep(subscription)
    change(subscription.transactionID) { $0.appAccountToken = token }
  }
}
