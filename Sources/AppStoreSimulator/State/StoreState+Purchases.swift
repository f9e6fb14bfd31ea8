extension StoreState {
  /// Maximum quantity of one purchase.
  ///
  /// - Source: StoreKit, quantity.
  static let quantityMax = 10

  public struct Terms: Sendable {
    public var quantity = 1
    public var appAccountToken: String?
    /// An existing order of the customer that the purchase joins; nil creates a new one.
    public var order: String?

    public init(quantity: Int = 1, appAccountToken: String? = nil, order: String? = nil) {
      self.quantity = quantity
      self.appAccountToken = appAccountToken
      self.order = order
    }
  }

  /// Sells a product of any kind and returns the transaction id.
  ///
  /// A subscription in a group that the customer subscribed to before is a re-subscription.
  ///
  /// - Throws: `StoreError` when the store would refuse it.
  @discardableResult
  public mutating func buy(_ productID: String, for name: String, _ terms: Terms = Terms()) throws -> String {
    let customer = try customer(name)
    let product = try product(productID)
    guard (1...Self.quantityMax).contains(terms.quantity), terms.quantity == 1 || product.kind == .consumable else {
      throw StoreError("cannot sell \"\(productID)\": a quantity of \(terms.quantity) is out of range")
    }
    if product.kind == .autoRenewable { return try subscribe(customer, to: product, terms) }
    if product.kind == .nonConsumable, let owned = owned(productID, by: customer) {
      throw StoreError("cannot sell \"\(productID)\": the customer has it with transaction \"\(owned)\"")
    }
    let price = customer.storefront.price(dollars: product.price) * Int64(terms.quantity)
    let id = charge(customer, for: product, terms, price: price)
    notify("ONE_TIME_CHARGE", transaction: id)
    return id
  }

  private func owned(_ product: String, by customer: Customer) -> String? {
    customer.transactions.first { id in
      guard let transaction = transactions[id], transaction.productID == product else { return false }
      return transaction.revocation == nil
    }
  }

  private mutating func subscribe(_ customer: Customer, to product: Product, _ terms: Terms) throws -> String {
    let (group, period) = try plan(of: product)
    let earlier = customer.subscriptions[group].flatMap { subscriptions[$0] }
    if let earlier, earlier.status != .expired, earlier.status != .revoked {
      throw StoreError("cannot sell \"\(product.id)\": the customer is subscribed with \"\(earlier.originalID)\"")
    }
    let price = customer.storefront.price(dollars: product.price)
    let end = environment.end(of: period, from: now, count: 1)
    let id = charge(customer, for: product, terms, original: earlier?.originalID, until: end, price: price)
    var fresh = Subscription(
      originalID: earlier?.originalID ?? id, customer: customer.id, group: group, productID: product.id, transactionID: id,
      renewalProductID: product.id, expiresAt: end, renewsAt: end, startedAt: now, appAccountToken: terms.appAccountToken,
      renewalPrice: price, anchor: now)
    if let earlier {
      let isShortLapse = now - earlier.expiresAt < (environment == .sandbox ? .minutes(10) : .days(60))
      if isShortLapse { fresh.startedAt = earlier.startedAt }
    }
    store(fresh)
    customers[customer.id]?.subscriptions[group] = fresh.originalID
    notify("SUBSCRIBED", earlier == nil ? "INITIAL_BUY" : "RESUBSCRIBE", transaction: id)
    return id
  }

  func plan(of product: Product) throws -> (group: String, period: Period) {
    guard product.kind == .autoRenewable, let group = product.group, let period = product.period else {
      throw StoreError("cannot use \"\(product.id)\" here: it is no auto-renewable subscription")
    }
    return (group, period)
  }

  /// Adds a transaction at the store's clock and returns its id.
  ///
  /// - Parameters:
  ///   - original: original transaction id; nil starts a new one.
  ///   - end: end of the paid period; nil for products other than subscriptions.
  mutating func charge(
    _ customer: Customer, for product: Product, _ terms: Terms, original: String? = nil, until end: Moment? = nil, price: Int64,
    isRenewal: Bool = false
  ) -> String {
    let id = identifiers.transaction()
    add(
      Transaction(
        id: id, originalID: original ?? id, lineItemID: end == nil ? nil : identifiers.lineItem(), customer: customer.id,
        orderID: terms.order ?? identifiers.order(), productID: product.id, kind: product.kind, group: product.group,
        quantity: terms.quantity, storefront: customer.storefront, price: price, isRenewal: isRenewal,
        appTransactionID: customer.appTransactionID, purchasedAt: now,
        originallyPurchasedAt: original.flatMap { transactions[$0]?.purchasedAt } ?? now, expiresAt: end,
        appAccountToken: terms.appAccountToken))
    return id
  }

  // MARK: Refunds

  /// Records a customer's refund request; Apple asks the app for consumption data.
  public mutating func requestRefund(of id: String) throws {
    guard try requiredTransaction(id).revocation == nil else {
      throw StoreError("cannot ask for a refund of \"\(id)\": it is refunded already")
    }
    notify("CONSUMPTION_REQUEST", transaction: id, consumptionReason: "UNINTENDED_PURCHASE")
  }

  /// Refunds a purchase in full. A refund of the current period ends a subscription; a refund of a past period ends nothing.
  public mutating func refund(_ id: String) throws {
    let transaction = try requiredTransaction(id)
    guard transaction.revocation == nil else { throw StoreError("cannot refund \"\(id)\": it is refunded already") }
    let revocation = Transaction.Revocation(at: now, sequence: nextSequence())
    change(id) { $0.revocation = revocation }
    guard var subscription = subscriptions[transaction.originalID], subscription.transactionID == id else {
      notify("REFUND", transaction: id)
      return
    }
    let wasRenewing = subscription.isRenewing
    subscription.end(as: .revoked)
    store(subscription)
    notify("REFUND", transaction: id)
    if wasRenewing { notify("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", transaction: id) }
  }
}
