/// A customer's subscription in one group, under one original transaction id.
///
/// - Source: App Store Server API, JWSRenewalInfoDecodedPayload and status.
public struct Subscription: Sendable {
  public enum Status: Int, Sendable, CaseIterable {
    case active = 1
    case expired = 2
    case billingRetry = 3
    case grace = 4
    case revoked = 5
  }

  /// The reason why a subscription expired.
  enum ExpirationIntent: Int, Sendable {
    case cancelled = 1
    case billing = 2
    case priceIncrease = 3
  }

  public let originalID: String
  let customer: String
  let group: String
  public internal(set) var productID: String
  public internal(set) var transactionID: String
  public internal(set) var status = Status.active
  public internal(set) var isRenewing = true
  public internal(set) var renewalProductID: String
  var intent: ExpirationIntent?
  /// End of the paid period.
  public internal(set) var expiresAt: Moment
  /// Instant of the next charge; after an extension, later than the expiry.
  public internal(set) var renewsAt: Moment
  var graceEndsAt: Moment?
  var retryEndsAt: Moment?
  var startedAt: Moment
  var appAccountToken: String?
  /// A raised price that awaits the subscriber's consent.
  var raisedPrice: Int64?

  var isBillingFailing = false
  /// Price of this subscriber's next renewal.
  var renewalPrice: Int64
  /// Anniversary from which `periods` counts, so that renewal dates never drift.
  var anchor: Moment
  var periods = 1
  var renewals = 0

  /// Instant of the next scheduled event; nil when there is none.
  var nextEvent: Moment? {
    switch status {
    case .active: return renewsAt
    case .grace: return graceEndsAt
    case .billingRetry: return retryEndsAt
    case .expired, .revoked: return nil
    }
  }

  /// Ends the subscription: it no longer renews and has no event.
  mutating func end(as status: Status) {
    self.status = status
    isRenewing = false
    graceEndsAt = nil
    retryEndsAt = nil
  }
}

/// A subscription's renewal information at an instant.
struct RenewalInfo: Sendable {
  let subscription: Subscription
  let transaction: Transaction

  func payload(environment: StoreEnvironment, signedAt: Moment) -> JSONValue {
    let own = subscription
    return .members(
      ("originalTransactionId", .text(own.originalID)),
      ("autoRenewProductId", .text(own.renewalProductID)),
      ("productId", .text(own.productID)),
      ("autoRenewStatus", own.isRenewing ? 1 : 0),
      ("isInBillingRetryPeriod", .bool(own.status == .billingRetry || own.status == .grace)),
      ("expirationIntent", own.intent.map { .integer(Int64($0.rawValue)) }),
      ("priceIncreaseStatus", own.raisedPrice.map { _ in 0 }),
      ("gracePeriodExpiresDate", own.graceEndsAt.map { .moment($0) }),
      ("signedDate", .moment(signedAt)),
      ("environment", .text(environment.rawValue)),
      ("recentSubscriptionStartDate", .moment(own.startedAt)),
      ("renewalDate", .moment(own.renewsAt)),
      ("renewalPrice", own.isRenewing ? .integer(own.raisedPrice ?? own.renewalPrice) : nil),
      ("currency", own.isRenewing ? .text(transaction.storefront.currency) : nil),
      ("appAccountToken", own.appAccountToken.map { .text($0) }),
      ("appTransactionId", transaction.appTransactionID.map { .text($0) }))
  }
}
