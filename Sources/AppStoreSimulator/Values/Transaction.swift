/// One purchase or renewal in the store.
///
/// - Source: App Store Server API, JWSTransactionDecodedPayload.
public struct Transaction: Sendable {
  public let id: String
  public let originalID: String
  /// Line item id; nil for products other than subscriptions.
  public let lineItemID: String?
  public let customer: String
  public let orderID: String
  public let productID: String
  public let kind: Product.Kind
  public let group: String?
  public let quantity: Int
  public let storefront: Storefront
  /// Price of the whole quantity in thousandths of the currency.
  public let price: Int64
  public let isRenewal: Bool
  /// Apple's id of the customer and the app; nil when signed transactions omit it, as on old devices.
  public let appTransactionID: String?
  public let purchasedAt: Moment
  public let originallyPurchasedAt: Moment
  public let expiresAt: Moment?

  public internal(set) var appAccountToken: String?
  public internal(set) var isUpgraded = false
  public internal(set) var revocation: Revocation?
  public internal(set) var consumptionReports = 0
  /// The different reports among them, in order of arrival; a repeated report changes nothing.
  public internal(set) var consumptionAnswers: [String] = []
  /// Store-wide rank by the time of the last change.
  var sequence = 0

  /// A full refund.
  public struct Revocation: Sendable {
    var at: Moment
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
      ("inAppOwnershipType", "PURCHASED"),
      ("signedDate", .moment(signedAt)),
      ("revocationReason", revocation.map { _ in 0 }),
      ("revocationDate", revocation.map { .moment($0.at) }),
      ("revocationType", revocation.map { _ in "REFUND_FULL" }),
      ("revocationPercentage", revocation.map { _ in 100_000 }),
      ("isUpgraded", isUpgraded ? true : nil),
      ("environment", .text(environment.rawValue)),
      ("storefront", .text(storefront.code)),
      ("storefrontId", .text(storefront.id)),
      ("transactionReason", .text(isRenewal ? "RENEWAL" : "PURCHASE")),
      ("currency", .text(storefront.currency)),
      ("price", .integer(price)),
      ("appTransactionId", appTransactionID.map { .text($0) }))
  }
}

extension JSONValue {
  static func moment(_ moment: Moment) -> JSONValue { .integer(moment.milliseconds) }
}
