extension StoreState {
  /// Allowed extension in days; `extensionsMax` is the limit per subscription in 365 days.
  ///
  /// - Source: App Store Server API, Extend a Subscription Renewal Date.
  static let extensionDays = 1...90
  static let extensionsMax = 2
  /// Duration of a simulated mass extension; Apple's take up to days.
  static let massExtensionDelay = Moment.Span.hours(1)

  /// An extension for all subscribers of a product, pending or complete.
  struct MassExtension: Sendable {
    let key: String
    let request: String
    let productID: String
    let days: Int
    let storefronts: [String]?
    let dueAt: Moment
    var isComplete = false
    var succeeded = 0
    var failed = 0
  }

  /// Postpones one renewal date and returns the subscription.
  ///
  /// - Throws: `APIFailure` when Apple would refuse it.
  public mutating func extend(_ originalID: String, days: Int) throws(APIFailure) -> Subscription {
    guard var subscription = subscriptions[originalID] else { throw APIFailure(4_040_005, "Original transaction id not found.") }
    guard subscription.owner == nil else {
      throw APIFailure(4_030_007, "Forbidden - a family-shared subscription is ineligible for extension.")
    }
    let isFree = subscription.offer?.discount == .freeTrial
    guard subscription.status == .active, !isFree else {
      throw APIFailure(4_030_004, "Forbidden - subscription state ineligible for extension.")
    }
    let recent = subscription.extensions.filter { now - $0 < .days(365) }
    guard recent.count < Self.extensionsMax else {
      throw APIFailure(4_030_005, "Forbidden - subscription has reached maximum extension count.")
    }
    subscription.extensions = recent + [now]
    subscription.renewsAt = subscription.renewsAt + .days(days)
    // The anniversary moves too: periods count from the new date.
    subscription.anchor = subscription.renewsAt
    subscription.periods = 0
    keep(subscription)
    notify("RENEWAL_EXTENDED", transaction: subscription.transactionID)
    for share in subscription.shares {
      guard var own = subscriptions[share], own.status == .active else { continue }
      own.renewsAt = subscription.renewsAt
      keep(own)
      notify("RENEWAL_EXTENDED", transaction: own.transactionID)
    }
    return subscription
  }

  /// Schedules an extension for all subscribers; it is executed when the clock reaches its due time.
  mutating func extendAll(productID: String, days: Int, storefronts: [String]?, request: String) {
    let key = "mass \(productID) \(request)"
    guard massExtensions[key] == nil else { return }
    let due = now + Self.massExtensionDelay
    massExtensions[key] = MassExtension(key: key, request: request, productID: productID, days: days, storefronts: storefronts, dueAt: due)
    events.add(key, at: due)
  }

  func massExtension(productID: String, request: String) -> MassExtension? {
    massExtensions["mass \(productID) \(request)"]
  }

  mutating func complete(_ planned: MassExtension) {
    var done = planned
    let affected = subscriptions.values.filter { subscription in
      guard subscription.productID == planned.productID, subscription.owner == nil else { return false }
      guard subscription.status != .expired, subscription.status != .revoked else { return false }
      guard let codes = planned.storefronts, let customer = customers[subscription.customer] else { return true }
      return codes.contains(customer.storefront.code)
    }
    for subscription in affected.sorted(by: { $0.originalID < $1.originalID }) {
      do {
        _ = try extend(subscription.originalID, days: planned.days)
        done.succeeded += 1
      } catch {
        // Apple states no reason beyond the notification type.
        notify("RENEWAL_EXTENSION", "FAILURE", transaction: subscription.transactionID)
        done.failed += 1
      }
    }
    done.isComplete = true
    massExtensions[planned.key] = done
    notify(
      "RENEWAL_EXTENSION", "SUMMARY",
      summary: StoreNotification.Summary(
        request: planned.request, productID: planned.productID, storefronts: planned.storefronts,
        succeeded: done.succeeded, failed: done.failed))
  }
}
