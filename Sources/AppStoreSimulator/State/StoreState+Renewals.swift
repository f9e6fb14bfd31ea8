extension StoreState {
  /// Moves the clock and executes all events that fall due, in order.
  ///
  /// An earlier instant changes nothing.
  public mutating func advance(to target: Moment) {
    while let entry = events.first, entry.at <= target {
      events.removeFirst()
      guard let subscription = subscriptions[entry.key], subscription.nextEvent == entry.at else { continue }
      now = max(now, entry.at)
      switch subscription.status {
      case .active: reachEnd(of: subscription)
      case .grace: endGrace(of: subscription)
      case .billingRetry: expire(subscription, .billing, subtype: "BILLING_RETRY")
      case .expired, .revoked: break
      }
    }
    now = max(now, target)
  }

  /// Instant of the next scheduled event; nil when there is none.
  var nextEvent: Moment? { events.first?.at }

  /// Ends a paid period by renewal, failure or expiry.
  private mutating func reachEnd(of subscription: Subscription) {
    if !subscription.isRenewing { return expire(subscription, .cancelled, subtype: "VOLUNTARY") }
    if subscription.raisedPrice != nil { return expire(subscription, .priceIncrease, subtype: "PRICE_INCREASE") }
    if subscription.isBillingFailing { return failToRenew(subscription) }
    renew(subscription)
  }

  /// Charges the next period. After a recovery outside of grace, the recovery's day becomes the anniversary.
  private mutating func renew(_ old: Subscription, recoveringFrom status: Subscription.Status? = nil) {
    guard let product = try? product(old.renewalProductID), let period = product.period else { return }
    var subscription = old
    if status == .billingRetry || (try? self.product(old.productID))?.period != period {
      subscription.anchor = status == .billingRetry ? now : old.renewsAt
      subscription.periods = 0
    }
    subscription.periods += 1
    subscription.status = .active
    subscription.intent = nil
    subscription.graceEndsAt = nil
    subscription.retryEndsAt = nil
    subscription.renewals += 1
    charge(&subscription, for: product, until: environment.end(of: period, from: subscription.anchor, count: subscription.periods))
    store(subscription)
    notify("DID_RENEW", status == nil ? nil : "BILLING_RECOVERY", transaction: subscription.transactionID)
    if subscription.renewals == environment.renewalsMax {
      // Tester subscriptions stop renewing automatically.
      subscription.isRenewing = false
      store(subscription)
      notify("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", transaction: subscription.transactionID)
    }
  }

  /// Charges a period of a subscription that ends at `end`, and makes it the current one.
  private mutating func charge(_ subscription: inout Subscription, for product: Product, until end: Moment, isRenewal: Bool = true) {
    guard let customer = customers[subscription.customer] else { return }
    subscription.transactionID = charge(
      customer, for: product, Terms(appAccountToken: subscription.appAccountToken), original: subscription.originalID, until: end,
      price: subscription.renewalPrice, isRenewal: isRenewal)
    subscription.productID = product.id
    subscription.expiresAt = end
    subscription.renewsAt = end
  }

  private mutating func failToRenew(_ old: Subscription) {
    guard let period = (try? product(old.productID))?.period else { return }
    var subscription = old
    subscription.retryEndsAt = now + environment.billingRetry
    subscription.intent = .billing
    subscription.status = .grace
    subscription.graceEndsAt = now + environment.grace(app.grace, period: period)
    store(subscription)
    notify("DID_FAIL_TO_RENEW", "GRACE_PERIOD", transaction: subscription.transactionID)
  }

  private mutating func endGrace(of old: Subscription) {
    var subscription = old
    subscription.status = .billingRetry
    subscription.graceEndsAt = nil
    store(subscription)
    notify("GRACE_PERIOD_EXPIRED", transaction: subscription.transactionID)
    if let end = subscription.retryEndsAt, end <= now { expire(subscription, .billing, subtype: "BILLING_RETRY") }
  }

  private mutating func expire(_ old: Subscription, _ intent: Subscription.ExpirationIntent, subtype: String) {
    var subscription = old
    subscription.end(as: .expired)
    subscription.intent = intent
    store(subscription)
    notify("EXPIRED", subtype, transaction: subscription.transactionID)
  }

  // MARK: Decisions of the customer and the developer

  public mutating func setRenewing(_ originalID: String, _ isOn: Bool) throws {
    var subscription = try requiredSubscription(originalID)
    guard subscription.status != .expired, subscription.status != .revoked else {
      throw StoreError("cannot change renewal of \"\(originalID)\": it is over")
    }
    guard subscription.isRenewing != isOn else { return }
    // Cancelling ends the billing retries at once.
    let isEnd = !isOn && subscription.status != .active
    if isEnd {
      subscription.end(as: .expired)
      subscription.intent = .cancelled
    }
    subscription.isRenewing = isOn
    store(subscription)
    notify("DID_CHANGE_RENEWAL_STATUS", isOn ? "AUTO_RENEW_ENABLED" : "AUTO_RENEW_DISABLED", transaction: subscription.transactionID)
    if isEnd { notify("EXPIRED", "VOLUNTARY", transaction: subscription.transactionID) }
  }

  /// Makes the charges of a subscription fail, or succeed from the next one on.
  public mutating func setBilling(_ originalID: String, fails: Bool) throws {
    var subscription = try requiredSubscription(originalID)
    subscription.isBillingFailing = fails
    store(subscription)
  }

  /// Completes a failed renewal.
  ///
  /// - Throws: `StoreError` when no renewal has failed.
  public mutating func recover(_ originalID: String) throws {
    var subscription = try requiredSubscription(originalID)
    guard subscription.status == .grace || subscription.status == .billingRetry else {
      throw StoreError("cannot recover \"\(originalID)\": none of its renewals has failed")
    }
    subscription.isBillingFailing = false
    renew(subscription, recoveringFrom: subscription.status)
  }

  /// Moves a subscription to another product of its group.
  ///
  /// The move takes effect:
  /// - at once, for a higher level, or the same level with the same duration;
  /// - at the next renewal, for a lower level, or the same level with another duration.
  /// - Source: App Store Connect, subscription levels.
  /// - Throws: `StoreError` when the subscription is not active or the product is of another group.
  public mutating func changePlan(_ originalID: String, to productID: String) throws {
    var subscription = try active(originalID)
    let product = try product(productID)
    let current = try self.product(subscription.productID)
    let customer = try customer(subscription.customer)
    let (group, period) = try plan(of: product)
    guard group == subscription.group, product.id != current.id else {
      throw StoreError("cannot change \"\(originalID)\" to \"\(productID)\": it has that plan, or the plan is of another group")
    }
    subscription.renewalProductID = product.id
    subscription.renewalPrice = customer.storefront.price(dollars: product.price)
    let isImmediate = product.level < current.level || product.level == current.level && product.period == current.period
    if isImmediate {
      // The new period starts now; the old transaction keeps its price and is marked as upgraded.
      change(subscription.transactionID) { $0.isUpgraded = true }
      subscription.raisedPrice = nil
      subscription.isRenewing = true
      subscription.anchor = now
      subscription.periods = 1
      charge(&subscription, for: product, until: environment.end(of: period, from: now, count: 1), isRenewal: false)
    }
    store(subscription)
    notify("DID_CHANGE_RENEWAL_PREF", isImmediate ? "UPGRADE" : "DOWNGRADE", transaction: subscription.transactionID)
  }

  /// Postpones a renewal date.
  ///
  /// - Source: App Store Server API, Extend a Subscription Renewal Date.
  public mutating func extend(_ originalID: String, days: Int) throws {
    var subscription = try active(originalID)
    subscription.renewsAt = subscription.renewsAt + .days(days)
    // The anniversary moves too: periods count from the new date.
    subscription.anchor = subscription.renewsAt
    subscription.periods = 0
    store(subscription)
    notify("RENEWAL_EXTENDED", transaction: subscription.transactionID)
  }

  /// Raises a product's price. Its subscriptions end at their next renewal, because no subscriber consents.
  ///
  /// - Parameter price: US dollars in thousandths.
  public mutating func raisePrice(of productID: String, to price: Int64) throws {
    _ = try product(productID)
    for place in app.products.indices where app.products[place].id == productID { app.products[place].price = price }
    let affected = subscriptions.values.filter { $0.renewalProductID == productID && $0.status == .active }
    for var subscription in affected.sorted(by: { $0.originalID < $1.originalID }) {
      subscription.raisedPrice = try customer(subscription.customer).storefront.price(dollars: price)
      store(subscription)
      notify("PRICE_INCREASE", "PENDING", transaction: subscription.transactionID)
    }
  }

  private func active(_ originalID: String) throws -> Subscription {
    let subscription = try requiredSubscription(originalID)
    guard subscription.status == .active else { throw StoreError("cannot change \"\(originalID)\": it is not active") }
    return subscription
  }
}
