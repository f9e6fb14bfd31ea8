extension StoreState {
  /// Moves a subscription to another product of its group.
  ///
  /// The move takes effect:
  /// - at once, for a higher level, or the same level with the same duration;
  /// - at the next renewal, for a lower level, or the same level with another duration.
  ///
  /// Choosing the current product cancels a scheduled move.
  /// - Throws: `StoreError` when the subscription is not active or the product is of another group.
  /// - Source: App Store Connect, subscription levels.
  public mutating func changePlan(_ originalID: String, to productID: String, offer: Offer? = nil) throws {
    let old = try active(originalID)
    let product = try product(productID)
    let current = try self.product(old.productID)
    let customer = try customer(old.customer)
    guard product.isForSale, try group(of: product) == old.group else {
      throw StoreError("cannot change \"\(originalID)\" to \"\(productID)\": not for sale in its group")
    }
    try check(offer, for: customer, group: old.group)
    if product.id == current.id {
      guard old.renewalProductID != current.id else { return }
      var subscription = old
      subscription.renewalProductID = current.id
      subscription.renewalPrice = customer.storefront.price(dollars: current.price)
      keep(subscription)
      notify("DID_CHANGE_RENEWAL_PREF", transaction: subscription.transactionID)
      return
    }
    let isImmediate = product.level < current.level || product.level == current.level && product.period == current.period
    if isImmediate {
      try upgrade(old, to: product, offer: offer, customer: customer)
    } else {
      var subscription = old
      subscription.renewalProductID = product.id
      subscription.renewalPrice = customer.storefront.price(dollars: product.price)
      subscription.nextOffer = offer
      keep(subscription)
      notify(offer == nil ? "DID_CHANGE_RENEWAL_PREF" : "OFFER_REDEEMED", "DOWNGRADE", transaction: subscription.transactionID)
    }
  }

  /// Starts the new period now; the old transaction keeps its price and is marked as upgraded.
  private mutating func upgrade(_ old: Subscription, to product: Product, offer: Offer?, customer: Customer) throws {
    var subscription = old
    let end = try paidEnd(of: product, offer: offer, customer: customer, anchor: now, periods: 1)
    change(old.transactionID) { $0.isUpgraded = true }
    subscription.productID = product.id
    subscription.renewalProductID = product.id
    subscription.renewalPrice = customer.storefront.price(dollars: product.price)
    subscription.priceIncrease = nil
    subscription.nextOffer = nil
    subscription.isRenewing = true
    restart(&subscription, offer: offer)
    subscription.expiresAt = end
    subscription.renewsAt = end
    charge(&subscription, price: offer?.price ?? subscription.renewalPrice, offer: offer, isRenewal: false)
    if offer?.kind == .introductory { customers[customer.id]?.introduced.insert(old.group) }
    keep(subscription)
    let type = offer == nil ? "DID_CHANGE_RENEWAL_PREF" : "OFFER_REDEEMED"
    notify(type, "UPGRADE", transaction: subscription.transactionID)
    for share in subscription.shares { follow(share, subscription, "DID_CHANGE_RENEWAL_PREF", "UPGRADE") }
  }

  func active(_ originalID: String) throws -> Subscription {
    let subscription = try live(originalID)
    guard subscription.status == .active, subscription.owner == nil else {
      throw StoreError("cannot change \"\(originalID)\": it is not active or a family share")
    }
    return subscription
  }

  /// Applies an offer to an active subscription's current plan, from the next renewal.
  public mutating func redeem(_ offer: Offer, on originalID: String) throws {
    var subscription = try active(originalID)
    guard offer.kind != .introductory else {
      throw StoreError("cannot redeem on \"\(originalID)\": introductory offers are for new subscribers")
    }
    subscription.nextOffer = offer
    keep(subscription)
    notify("OFFER_REDEEMED", transaction: subscription.transactionID)
  }

  // MARK: Prices

  /// Raises a product's price for all its subscribers.
  ///
  /// - Parameters:
  ///   - price: US dollars in thousandths.
  ///   - needsConsent: whether subscriptions without consent end at their next renewal.
  public mutating func raisePrice(of productID: String, to price: Int64, needsConsent: Bool) throws {
    _ = try product(productID)
    for place in app.products.indices where app.products[place].id == productID {
      app.products[place].price = price
    }
    let affected = subscriptions.values.filter {
      $0.renewalProductID == productID && $0.owner == nil && $0.status == .active
    }
    for old in affected.sorted(by: { $0.originalID < $1.originalID }) {
      guard let customer = customers[old.customer] else { continue }
      var subscription = old
      subscription.priceIncrease = Subscription.PriceIncrease(price: customer.storefront.price(dollars: price), isAccepted: !needsConsent)
      keep(subscription)
      notify("PRICE_INCREASE", needsConsent ? "PENDING" : "ACCEPTED", transaction: subscription.transactionID)
    }
  }

  /// Records the customer's consent to a raised price.
  public mutating func consentToPrice(_ originalID: String) throws {
    var subscription = try active(originalID)
    guard let increase = subscription.priceIncrease, !increase.isAccepted else {
      throw StoreError("cannot consent for \"\(originalID)\": no price increase waits for it")
    }
    subscription.priceIncrease?.isAccepted = true
    keep(subscription)
    notify("PRICE_INCREASE", "ACCEPTED", transaction: subscription.transactionID)
  }

  /// Withdraws a product from sale: its subscriptions end at their next renewal.
  public mutating func withdraw(_ productID: String) throws {
    _ = try product(productID)
    for place in app.products.indices where app.products[place].id == productID {
      app.products[place].isForSale = false
    }
  }
}
