extension StoreState {
  /// Moves the clock and executes all events that fall due, in order.
  ///
  /// An earlier instant changes nothing.
  public mutating func advance(to target: Moment) {
    while let entry = events.first, entry.at <= target {
      _ = events.removeFirst()
      if let extending = massExtensions[entry.key], extending.dueAt == entry.at, !extending.isComplete {
        now = max(now, entry.at)
        complete(extending)
        continue
      }
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
  public var nextEvent: Moment? { events.first?.at }

  /// Ends a paid period by renewal, failure or expiry.
  private mutating func reachEnd(of subscription: Subscription) {
    guard let product = try? product(subscription.renewalProductID) else { return }
    if !subscription.isRenewing { return expire(subscription, .cancelled, subtype: "VOLUNTARY") }
    if let increase = subscription.priceIncrease, !increase.isAccepted {
      return expire(subscription, .priceIncrease, subtype: "PRICE_INCREASE")
    }
    if !product.isForSale { return expire(subscription, .notForSale, subtype: "PRODUCT_NOT_FOR_SALE") }
    if subscription.isBillingFailing { return failToRenew(subscription) }
    renew(subscription)
  }

  /// Charges the next period. After a recovery outside of grace, the recovery's day becomes the anniversary.
  private mutating func renew(_ old: Subscription, recoveringFrom status: Subscription.Status? = nil) {
    guard let customer = customers[old.customer], let product = try? product(old.renewalProductID) else { return }
    var subscription = old
    let offer = old.upcomingOffer
    let price = old.upcomingPrice
    let oldPeriod = old.offer?.period ?? (try? self.product(old.productID))?.period
    if status == .billingRetry || oldPeriod != offer?.period ?? product.period {
      subscription.anchor = status == .billingRetry ? now : old.renewsAt
      subscription.periods = 0
    }
    if offer != old.offer || old.nextOffer != nil { subscription.offerPeriodsUsed = 0 }
    subscription.periods += 1
    subscription.offer = offer
    if offer != nil { subscription.offerPeriodsUsed += 1 }
    subscription.nextOffer = nil
    guard
      let end = try? paidEnd(of: product, offer: offer, customer: customer, anchor: subscription.anchor, periods: subscription.periods)
    else { return }
    if let increase = old.priceIncrease { subscription.renewalPrice = increase.price }
    subscription.priceIncrease = nil
    subscription.productID = product.id
    subscription.status = .active
    subscription.intent = nil
    subscription.graceEndsAt = nil
    subscription.retryEndsAt = nil
    subscription.expiresAt = end
    subscription.renewsAt = end
    subscription.renewals += 1
    charge(&subscription, price: price, offer: offer, isRenewal: true)
    let isLast = customer.cadence.renewalsMax.map { subscription.renewals >= $0 } ?? false
    keep(subscription)
    notify("DID_RENEW", status == nil ? nil : "BILLING_RECOVERY", transaction: subscription.transactionID)
    if isLast {
      // Tester subscriptions stop renewing automatically.
      subscription.isRenewing = false
      keep(subscription)
      notify("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", transaction: subscription.transactionID)
    }
    for share in subscription.shares { follow(share, subscription, "DID_RENEW") }
  }

  /// Adds a transaction to a subscription and makes it the current one.
  mutating func charge(_ subscription: inout Subscription, price: Int64?, offer: Offer?, isRenewal: Bool) {
    guard let customer = customers[subscription.customer] else { return }
    let id = identifiers.transaction()
    let isShared = subscription.owner != nil
    add(
      Transaction(
        id: id, originalID: subscription.originalID, lineItemID: identifiers.lineItem(),
        customer: customer.id, orderID: isShared ? nil : identifiers.order(),
        productID: subscription.productID,
        kind: .autoRenewable, group: subscription.group, quantity: 1, storefront: customer.storefront,
        price: price, isRenewal: isRenewal, isFamilyShared: isShared,
        appTransactionID: customer.statedAppTransactionID, purchasedAt: now,
        originallyPurchasedAt: transactions[subscription.originalID]?.purchasedAt ?? now,
        expiresAt: subscription.expiresAt, offer: offer, appAccountToken: subscription.appAccountToken))
    subscription.transactionID = id
  }

  private mutating func failToRenew(_ old: Subscription) {
    guard let customer = customers[old.customer], let product = try? product(old.productID) else { return }
    var subscription = old
    let hasGrace = app.grace != .off
    subscription.retryEndsAt = now + customer.cadence.billingRetry
    subscription.intent = .billing
    if hasGrace {
      subscription.status = .grace
      subscription.graceEndsAt = now + customer.cadence.grace(app.grace, period: product.period ?? .month)
    } else {
      subscription.status = .billingRetry
    }
    keep(subscription)
    notify("DID_FAIL_TO_RENEW", hasGrace ? "GRACE_PERIOD" : nil, transaction: subscription.transactionID)
    for share in subscription.shares {
      follow(share, subscription, "DID_FAIL_TO_RENEW", hasGrace ? "GRACE_PERIOD" : nil)
    }
  }

  private mutating func endGrace(of old: Subscription) {
    var subscription = old
    subscription.status = .billingRetry
    subscription.graceEndsAt = nil
    keep(subscription)
    notify("GRACE_PERIOD_EXPIRED", transaction: subscription.transactionID)
    for share in subscription.shares { follow(share, subscription, "GRACE_PERIOD_EXPIRED") }
    if let end = subscription.retryEndsAt, end <= now {
      expire(subscription, .billing, subtype: "BILLING_RETRY")
    }
  }

  /// Completes a failed renewal.
  ///
  /// - Throws: `StoreError` when no renewal has failed.
  public mutating func recover(_ originalID: String) throws {
    var subscription = try live(originalID)
    guard subscription.owner == nil, subscription.status == .grace || subscription.status == .billingRetry
    else {
      throw StoreError("cannot recover \"\(originalID)\": none of its renewals has failed")
    }
    subscription.isBillingFailing = false
    renew(subscription, recoveringFrom: subscription.status)
  }

  mutating func expire(_ old: Subscription, _ intent: Subscription.ExpirationIntent, subtype: String?) {
    var subscription = old
    subscription.status = .expired
    subscription.intent = intent
    subscription.isRenewing = false
    subscription.graceEndsAt = nil
    subscription.retryEndsAt = nil
    keep(subscription)
    notify("EXPIRED", subtype, transaction: subscription.transactionID)
    for share in subscription.shares { follow(share, subscription, "EXPIRED", subtype) }
  }

  /// Copies the state of the purchaser's subscription to a family member's share.
  mutating func follow(_ share: String, _ owner: Subscription, _ type: String, _ subtype: String? = nil) {
    guard var own = subscriptions[share], own.status != .revoked else { return }
    own.status = owner.status
    own.intent = owner.intent
    own.isRenewing = owner.isRenewing
    own.productID = owner.productID
    own.renewalProductID = owner.renewalProductID
    own.graceEndsAt = owner.graceEndsAt
    own.retryEndsAt = owner.retryEndsAt
    own.renewsAt = owner.renewsAt
    if own.expiresAt != owner.expiresAt, owner.status == .active {
      if type == "DID_CHANGE_RENEWAL_PREF" { change(own.transactionID) { $0.isUpgraded = true } }
      own.expiresAt = owner.expiresAt
      charge(&own, price: nil, offer: nil, isRenewal: type == "DID_RENEW")
    }
    keep(own)
    notify(type, subtype, transaction: own.transactionID)
  }
}
