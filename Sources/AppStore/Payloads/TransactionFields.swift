public import Domain
internal import JSON

/// A transaction as Apple signed it. A property is nil when the field is absent or unusable.
///
/// - Source: App Store Server API, JWSTransactionDecodedPayload.
public struct TransactionFields: Sendable {
  public var transactionID: String
  public var originalTransactionID: String
  public var webOrderLineItemID: String?
  public var bundleID: String
  public var productID: String
  public var subscriptionGroupID: String?
  public var purchasedAt: Timestamp
  public var originalPurchasedAt: Timestamp?
  public var expiresAt: Timestamp?
  /// Units, 1 or more.
  public var quantity: Int32?
  public var type: ProductType?
  /// Lower-case UUID.
  public var appAccountToken: String?
  /// `PURCHASED`, `FAMILY_SHARED`, or a word Apple added later.
  public var ownership: String?
  /// Instant of the revocation, or of the newest refund of an item; the signing instant where Apple states a revocation without its date.
  public var revokedAt: Timestamp?
  /// `REFUND_FULL`, `REFUND_PRORATED`, `FAMILY_REVOKE`, or a word Apple added later. Advanced Commerce lacks the field: its purchases get
  /// `ITEM_REVOKE`, or `ITEM_REFUND` while the customer keeps the access.
  public var revocationType: String?
  /// Refunded share in thousandths of a percent, 0...100000.
  public var revocationPercentage: Int32?
  /// Sum of the item refunds in thousandths of the currency unit; nil when no item states one.
  public var itemsRefundedMilliunits: Int64?
  public var isUpgraded: Bool?
  /// 1 introductory, 2 promotional, 3 offer code, 4 win-back.
  public var offerType: Int?
  public var offerDiscountType: String?
  public var environment: String
  /// Three-letter country code.
  public var storefront: String?
  /// `PURCHASE`, `RENEWAL`, or a word Apple added later.
  public var transactionReason: String?
  public var currency: String?
  /// Total for the quantity in thousandths of the currency unit, 0 or more.
  public var priceMilliunits: Int64?
  public var appTransactionID: String?
  public var signedAt: Timestamp?

  private static let ownerships: Set = ["PURCHASED", "FAMILY_SHARED"]
  private static let revocationTypes: Set = ["REFUND_FULL", "REFUND_PRORATED", "FAMILY_REVOKE"]
  private static let reasons: Set = ["PURCHASE", "RENEWAL"]
  static let discounts: Set = ["FREE_TRIAL", "PAY_AS_YOU_GO", "PAY_UP_FRONT", "ONE_TIME"]
  static let offerTypes: ClosedRange<Int64> = 1...4
  static let billingPlans: Set = ["BILLED_UPFRONT", "MONTHLY"]

  /// Reads a payload. Returns nil when one of the ids, the product or the purchase instant is missing.
  ///
  /// - Parameter statedAt: signing instant of a payload that lacks it.
  init?(_ fields: inout PayloadFields, statedAt: Timestamp? = nil) {
    let transactionID = fields.required("transactionId")
    let originalTransactionID = fields.required("originalTransactionId")
    let productID = fields.required("productId")
    let purchasedAt = fields.requiredInstant("purchaseDate")
    guard let transactionID, let originalTransactionID, let productID, let purchasedAt else { return nil }
    self.transactionID = transactionID
    self.originalTransactionID = originalTransactionID
    self.productID = productID
    self.purchasedAt = purchasedAt
    bundleID = fields.text("bundleId") ?? ""
    environment = fields.text("environment") ?? ""
    webOrderLineItemID = fields.identifier("webOrderLineItemId")
    subscriptionGroupID = fields.identifier("subscriptionGroupIdentifier")
    originalPurchasedAt = fields.instant("originalPurchaseDate")
    expiresAt = fields.instant("expiresDate")
    quantity = fields.integer("quantity", in: SaneLimits.quantity).map { Int32($0) }
    type = Self.productType(&fields)
    appAccountToken = fields.uuid("appAccountToken")
    ownership = fields.word("inAppOwnershipType", of: Self.ownerships)
    isUpgraded = fields.flag("isUpgraded")
    transactionReason = fields.word("transactionReason", of: Self.reasons)
    appTransactionID = fields.identifier("appTransactionId")
    signedAt = fields.instant("signedDate") ?? statedAt
    readMoney(&fields)
    readRevocation(&fields)
  }

  private static func productType(_ fields: inout PayloadFields) -> ProductType? {
    guard let word = fields.text("type") else { return nil }
    let type = ProductType(apple: word)
    if type == nil { fields.note("type", .string(word)) }
    return type
  }

  private mutating func readMoney(_ fields: inout PayloadFields) {
    storefront = fields.text("storefront")
    currency = fields.currency("currency")
    priceMilliunits = fields.integer("price", in: SaneLimits.milliunits)
    offerType = fields.integer("offerType", in: Self.offerTypes).map { Int($0) }
    offerDiscountType = fields.word("offerDiscountType", of: Self.discounts)
    // Nothing uses this value. Reading it notes one that Apple added later.
    _ = fields.word("billingPlanType", of: Self.billingPlans)
  }

  private mutating func readRevocation(_ fields: inout PayloadFields) {
    revokedAt = fields.instant("revocationDate")
    _ = fields.integer("revocationReason", in: 0...1)
    let isStated = ["revocationReason", "revocationType"].contains { fields.has($0) }
    revocationType = fields.word("revocationType", of: Self.revocationTypes)
    revocationPercentage = fields.integer("revocationPercentage", in: 0...100_000).map { Int32($0) }
    let items = ItemRefunds(&fields)
    guard items.isRefunded else {
      // A reversal removes all of these fields, so one of them alone states a refund.
      if revokedAt == nil, isStated || revocationPercentage ?? 0 > 0 { revokedAt = signedAt ?? purchasedAt }
      return
    }
    itemsRefundedMilliunits = items.milliunits
    if revocationType == nil { revocationType = revokedAt == nil && !items.isRevoked ? "ITEM_REFUND" : "ITEM_REVOKE" }
    revokedAt = [revokedAt, items.newestAt].compactMap(\.self).max() ?? signedAt ?? purchasedAt
  }
}
