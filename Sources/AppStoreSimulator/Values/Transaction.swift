/// One purchase, renewal or share in the store.
///
/// - Source: App Store Server API, JWSTransactionDecodedPayload.
public struct Transaction: Sendable {
  public let id: String
  public let originalID: String
  /// Line item id; nil for products other than subscriptions.
  public let lineItemID: String?
  public let customer: String
  public let orderID: String?
  public let productID: String
  public let kind: Product.Kind
  public let group: String?
  public let quantity: Int
  public let storefront: Storefront
  /// Price of the whole quantity in thousandths of the currency; nil for a family share.
  public let price: Int64?
  public let isRenewal: Bool
  public let isFamilyShared: Bool
  public let appTransactionID: String
  public let purchasedAt: Moment
  public let originallyPurchasedAt: Moment
  public let expiresAt: Moment?
  public let offer: Offer?

  public internal(set) var appAccountToken: String?
  public internal(set) var isUpgraded = false
  public internal(set) var revocation: Revocation?
  /// Whether the app has finished the transaction; receipts omit finished consumables.
  public internal(set) var isFinished = false
  /// Number of consumption reports that the server has sent.
  public internal(set) var consumptionReports = 0
  /// The different reports among them, in order of arrival; a repeated report changes nothing.
  public internal(set) var consumptionAnswers: [String] = []
  /// Store-wide rank by the time of the last change.
  var sequence = 0

  /// A refund, or the end of a family share.
  public struct Revocation: Sendable, Hashable {
    public enum Kind: String, Sendable {
      case full = "REFUND_FULL"
      case prorated = "REFUND_PRORATED"
      case family = "FAMILY_REVOKE"
    }

    public var kind: Kind
    public var at: Moment
    /// 0 other, 1 an issue with the app.
    public var reason: Int
    /// Thousandths of a percent; nil for a family share.
    public var percentage: Int64?
    /// Store-wide rank by the time of the refund.
    var sequence: Int
  }

  /// Returns the payload with every member that Apple sends.
  func payload(app: SimulatedApp, environment: StoreEnvironment, signedAt: Moment) -> JSONValue {
    .members(
      ("transactionId", .text(id)),
      ("originalTransactionId", .text(originalID)),
      ("webOrderLineItemId", lineItemID.map { .text($0) }),
      ("bundleId", .text(app.bundleID)),
      ("productId", .text(productID)),
      ("subscriptionGroupIdentifier", group.map { .text($0) }),
      ("purchaseDate", .moment(purchasedAt)),
      ("originalPurchaseDate", .moment(originallyPurchasedAt)),
      ("expiresDate", expiresAt.map { .moment($0) }),
      ("quantity", .integer(Int64(quantity))),
      ("type", .text(kind.rawValue)),
      ("appAccountToken", appAccountToken.map { .text($0) }),
      ("inAppOwnershipType", .text(isFamilyShared ? "FAMILY_SHARED" : "PURCHASED")),
      ("signedDate", .moment(signedAt)),
      ("revocationReason", revocation.map { .integer(Int64($0.reason)) }),
      ("revocationDate", revocation.map { .moment($0.at) }),
      ("revocationType", revocation.map { .text($0.kind.rawValue) }),
      ("revocationPercentage", revocation?.percentage.map { .integer($0) }),
      ("isUpgraded", isUpgraded ? true : nil),
      ("offerType", offer.map { .integer(Int64($0.kind.rawValue)) }),
      ("offerIdentifier", offer?.identifier.map { .text($0) }),
      ("offerDiscountType", offer.map { .text($0.discount.rawValue) }),
      ("offerPeriod", offer.map { .text($0.period.rawValue) }),
      ("environment", .text(environment.rawValue)),
      ("storefront", .text(storefront.code)),
      ("storefrontId", .text(storefront.id)),
      ("transactionReason", .text(isRenewal ? "RENEWAL" : "PURCHASE")),
      ("currency", price.map { _ in .text(storefront.currency) }),
      ("price", price.map { .integer($0) }),
      ("appTransactionId", appTransactionID.isEmpty ? nil : .text(appTransactionID)))
  }
}

extension JSONValue {
  static func moment(_ moment: Moment) -> JSONValue { .integer(moment.milliseconds) }
}
