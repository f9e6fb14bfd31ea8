extension StoreState {
  /// A customer's reason for a refund request.
  ///
  /// - Source: App Store Server Notifications, consumptionRequestReason.
  public enum RefundReason: String, Sendable, CaseIterable {
    case unintendedPurchase = "UNINTENDED_PURCHASE"
    case fulfillmentIssue = "FULFILLMENT_ISSUE"
    case unsatisfied = "UNSATISFIED_WITH_PURCHASE"
    case legal = "LEGAL"
    case other = "OTHER"
  }

  /// The whole price, in thousandths of a percent.
  public static let fullPercentage: Int64 = 100_000

  /// Records a customer's refund request; Apple asks the app for consumption data.
  public mutating func requestRefund(of id: String, reason: RefundReason = .unintendedPurchase) throws {
    let transaction = try found(id)
    guard !transaction.isFamilyShared, transaction.revocation == nil else {
      throw StoreError("cannot ask for a refund of \"\(id)\": it is refunded already or was shared")
    }
    notify("CONSUMPTION_REQUEST", transaction: id, consumptionReason: reason.rawValue)
  }

  public mutating func declineRefund(of id: String) throws {
    _ = try found(id)
    notify("REFUND_DECLINED", transaction: id)
  }

  /// Grants a refund.
  ///
  /// A refund of the current period ends a subscription and its shares; a refund of a past period ends nothing.
  /// - Parameters:
  ///   - percentage: thousandths of a percent; less than all is a prorated refund.
  ///   - reason: 0 other, 1 an issue with the app.
  public mutating func refund(_ id: String, percentage: Int64 = fullPercentage, reason: Int = 0) throws {
    let transaction = try found(id)
    guard transaction.revocation == nil, !transaction.isFamilyShared, transaction.price ?? 0 > 0 else {
      throw StoreError("cannot refund \"\(id)\": it is refunded already, was free or was shared")
    }
    guard (1...Self.fullPercentage).contains(percentage), (0...1).contains(reason) else {
      throw StoreError("cannot refund \"\(id)\": percentage \(percentage) or reason \(reason) is out of range")
    }
    revoke(id, percentage == Self.fullPercentage ? .full : .prorated, percentage: percentage, reason: reason)
    guard var subscription = subscriptions[transaction.originalID], subscription.transactionID == id else {
      notify("REFUND", transaction: id)
      revokeOneTimeShares(of: id)
      return
    }
    let wasRenewing = subscription.isRenewing
    subscription.isRenewing = false
    subscription.status = .revoked
    subscription.graceEndsAt = nil
    subscription.retryEndsAt = nil
    keep(subscription)
    notify("REFUND", transaction: id)
    if wasRenewing { notify("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", transaction: id) }
    for share in subscription.shares { endShare(share) }
  }

  /// Reverses a refund after a dispute; automatic renewal is not changed.
  public mutating func reverseRefund(of id: String) throws {
    let transaction = try found(id)
    guard let revocation = transaction.revocation, revocation.kind != .family else {
      throw StoreError("cannot reverse the refund of \"\(id)\": it has none")
    }
    change(id) { $0.revocation = nil }
    if var subscription = subscriptions[transaction.originalID], subscription.transactionID == id {
      let isOver = subscription.expiresAt <= now
      subscription.status = isOver ? .expired : .active
      subscription.intent = isOver ? .cancelled : nil
      keep(subscription)
    }
    notify("REFUND_REVERSED", transaction: id)
  }

  private mutating func revoke(_ id: String, _ kind: Transaction.Revocation.Kind, percentage: Int64?, reason: Int) {
    let rank = nextSequence()
    let at = now
    change(id) {
      $0.revocation = Transaction.Revocation(kind: kind, at: at, reason: reason, percentage: percentage, sequence: rank)
    }
  }

  // MARK: Families

  /// Shares a subscription or a non-consumable with a family member and returns the member's transaction id.
  ///
  /// - Throws: `StoreError` when the product cannot be shared or the purchase has ended.
  @discardableResult
  public mutating func share(_ originalID: String, with member: String) throws -> String {
    let source = try found(originalID)
    let product = try product(source.productID)
    let customer = try customer(member)
    guard product.isFamilyShareable, source.revocation == nil, !source.isFamilyShared,
      customer.id != source.customer
    else { throw StoreError("cannot share \"\(originalID)\": its product or its state does not allow it") }
    guard var owner = subscriptions[originalID] else { return shareOneTime(source, with: customer) }
    guard owner.status == .active || owner.status == .grace, owner.shares.count < Self.familyMax else {
      throw StoreError("cannot share \"\(originalID)\": it is over or the family is full")
    }
    if let own = customer.subscriptions[owner.group].flatMap({ subscriptions[$0] }),
      own.status == .active || own.status == .grace
    {
      throw StoreError("cannot share \"\(originalID)\": the member is subscribed with \"\(own.originalID)\"")
    }
    let id = identifiers.transaction()
    add(
      Transaction(
        id: id, originalID: id, lineItemID: identifiers.lineItem(), customer: member, orderID: nil,
        productID: owner.productID, kind: .autoRenewable, group: owner.group, quantity: 1,
        storefront: customer.storefront, price: nil, isRenewal: false, isFamilyShared: true,
        appTransactionID: customer.statedAppTransactionID, purchasedAt: now, originallyPurchasedAt: now,
        expiresAt: owner.expiresAt, offer: nil))
    var share = Subscription(
      originalID: id, customer: member, group: owner.group, productID: owner.productID, owner: originalID,
      transactionID: id, renewalProductID: owner.renewalProductID, expiresAt: owner.expiresAt,
      renewsAt: owner.renewsAt, startedAt: now, renewalPrice: 0, anchor: now)
    share.status = owner.status
    share.isRenewing = owner.isRenewing
    keep(share)
    customers[member]?.subscriptions[owner.group] = id
    owner.shares.append(id)
    keep(owner)
    notify("SUBSCRIBED", "INITIAL_BUY", transaction: id)
    return id
  }

  /// Maximum number of members per purchaser.
  public static let familyMax = 5

  private mutating func shareOneTime(_ source: Transaction, with customer: Customer) -> String {
    let id = identifiers.transaction()
    add(
      Transaction(
        id: id, originalID: id, lineItemID: nil, customer: customer.id, orderID: nil,
        productID: source.productID, kind: source.kind, group: nil, quantity: 1,
        storefront: customer.storefront, price: nil, isRenewal: false, isFamilyShared: true,
        appTransactionID: customer.statedAppTransactionID, purchasedAt: now, originallyPurchasedAt: now,
        expiresAt: nil, offer: nil))
    oneTimeShares[source.id, default: []].append(id)
    notify("ONE_TIME_CHARGE", transaction: id)
    return id
  }

  /// Ends a member's share: sharing was turned off or the member left the family.
  public mutating func revokeShare(_ originalID: String) throws {
    let transaction = try found(originalID)
    guard transaction.isFamilyShared, transaction.revocation == nil else {
      throw StoreError("cannot revoke \"\(originalID)\": it is not shared, or not any more")
    }
    endShare(originalID)
  }

  private mutating func endShare(_ originalID: String) {
    guard var share = subscriptions[originalID] else {
      revoke(originalID, .family, percentage: nil, reason: 0)
      notify("REVOKE", transaction: originalID)
      return
    }
    guard share.status != .revoked else { return }
    revoke(share.transactionID, .family, percentage: nil, reason: 0)
    share.status = .revoked
    share.isRenewing = false
    keep(share)
    notify("REVOKE", transaction: share.transactionID)
  }

  private mutating func revokeOneTimeShares(of id: String) {
    for share in oneTimeShares[id] ?? [] where transactions[share]?.revocation == nil { endShare(share) }
  }
}
