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
  public enum ExpirationIntent: Int, Sendable {
    case cancelled = 1
    case billing = 2
    case priceIncrease = 3
    case notForSale = 4
    case other = 5
  }

  public let originalID: String
  public let customer: String
  public let group: String
  public internal(set) var productID: String
  /// The purchaser's original transaction id; nil unless this is a family share.
  public let owner: String?
  /// Original transaction ids of the family shares.
  public internal(set) var shares: [String] = []
  public internal(set) var transactionID: String
  public internal(set) var status = Status.active
  public internal(set) var isRenewing = true
  public internal(set) var renewalProductID: String
  public internal(set) var intent: ExpirationIntent?
  /// End of the paid period.
  public internal(set) var expiresAt: Moment
  /// Instant of the next charge; after an extension, later than the expiry.
  public internal(set) var renewsAt: Moment
  public internal(set) var graceEndsAt: Moment?
  public internal(set) var retryEndsAt: Moment?
  public internal(set) var startedAt: Moment
  public internal(set) var appAccountToken: String?
  public internal(set) var priceIncrease: PriceIncrease?

  /// Whether charges fail.
  var isBillingFailing = false
  /// Price of this subscriber's next renewal.
  var renewalPrice: Int64
  /// Anniversary from which `periods` counts, so that renewal dates never drift.
  var anchor: Moment
  var periods = 1
  var renewals = 0
  /// Offer of the current period; `offerPeriodsUsed` counts its used periods.
  var offer: Offer?
  var offerPeriodsUsed = 0
  /// Offer of the next renewal.
  var nextOffer: Offer?
  var extensions: [Moment] = []

  public struct PriceIncrease: Sendable, Hashable {
    public var price: Int64
    public var isAccepted: Bool
  }

  /// Instant of the next scheduled event; nil when there is none.
  var nextEvent: Moment? {
    guard owner == nil else { return nil }
    switch status {
    case .active: return renewsAt
    case .grace: return graceEndsAt
    case .billingRetry: return retryEndsAt
    case .expired, .revoked: return nil
    }
  }

  /// Offer that the next charge would have.
  var upcomingOffer: Offer? {
    if let nextOffer { return nextOffer }
    guard let offer, offer.discount == .payAsYouGo, offerPeriodsUsed < offer.periods else { return nil }
    return offer
  }

  /// Price of the next renewal in thousandths.
  var upcomingPrice: Int64 {
    if let upcomingOffer { return upcomingOffer.price }
    if let priceIncrease { return priceIncrease.price }
    return renewalPrice
  }
}

/// A subscription's renewal information at an instant.
struct RenewalInfo: Sendable {
  let subscription: Subscription
  let appTransactionID: String
  let currency: String

  func payload(environment: StoreEnvironment, signedAt: Moment) -> JSONValue {
    let own = subscription
    let offer = own.isRenewing ? own.upcomingOffer : nil
    let isOver = own.status == .expired || own.status == .revoked
    return .members(
      ("originalTransactionId", .text(own.originalID)),
      ("autoRenewProductId", .text(own.renewalProductID)),
      ("productId", .text(own.productID)),
      ("autoRenewStatus", own.isRenewing ? 1 : 0),
      ("isInBillingRetryPeriod", .bool(own.status == .billingRetry || own.status == .grace)),
      ("expirationIntent", own.intent.map { .integer(Int64($0.rawValue)) }),
      ("priceIncreaseStatus", own.priceIncrease.map { $0.isAccepted ? 1 : 0 }),
      ("gracePeriodExpiresDate", own.status == .grace ? own.graceEndsAt.map { .moment($0) } : nil),
      ("offerType", offer.map { .integer(Int64($0.kind.rawValue)) }),
      ("offerIdentifier", offer?.identifier.map { .text($0) }),
      ("offerDiscountType", offer.map { .text($0.discount.rawValue) }),
      ("offerPeriod", offer.map { .text($0.period.rawValue) }),
      ("signedDate", .moment(signedAt)),
      ("environment", .text(environment.rawValue)),
      ("recentSubscriptionStartDate", .moment(own.startedAt)),
      ("renewalDate", .moment(own.renewsAt)),
      ("renewalPrice", own.isRenewing && !isOver && own.owner == nil ? .integer(own.upcomingPrice) : nil),
      ("currency", own.isRenewing && !isOver && own.owner == nil ? .text(currency) : nil),
      ("appAccountToken", own.appAccountToken.map { .text($0) }),
      ("appTransactionId", .text(appTransactionID)))
  }
}
