public import Domain

/// Apple's statement about the next renewal of a subscription.
///
/// - Source: App Store Server API, JWSRenewalInfoDecodedPayload.
public struct RenewalFields: Sendable {
  public var originalTransactionID: String
  public var productID: String?
  public var autoRenewProductID: String?
  /// 0 off, 1 on.
  public var autoRenewStatus: Int?
  /// 1 cancelled, 2 billing error, 3 price increase declined, 4 product unavailable, 5 other.
  public var expirationIntent: Int?
  public var isInBillingRetry: Bool?
  public var gracePeriodExpiresAt: Timestamp?
  /// 0 not answered, 1 agreed.
  public var priceIncreaseStatus: Int?
  public var renewalAt: Timestamp?
  /// Thousandths of the currency unit.
  public var renewalPriceMilliunits: Int64?
  public var currency: String?
  public var environment: String
  public var signedAt: Timestamp?

  /// Reads a payload. Returns nil when the original transaction id is missing.
  init?(_ fields: inout PayloadFields) {
    guard let originalTransactionID = fields.required("originalTransactionId") else { return nil }
    self.originalTransactionID = originalTransactionID
    productID = fields.text("productId")
    autoRenewProductID = fields.text("autoRenewProductId")
    autoRenewStatus = fields.integer("autoRenewStatus", in: 0...1).map { Int($0) }
    expirationIntent = fields.integer("expirationIntent", in: 1...5).map { Int($0) }
    isInBillingRetry = fields.flag("isInBillingRetryPeriod")
    gracePeriodExpiresAt = fields.instant("gracePeriodExpiresDate")
    priceIncreaseStatus = fields.integer("priceIncreaseStatus", in: 0...1).map { Int($0) }
    renewalAt = fields.instant("renewalDate")
    renewalPriceMilliunits = fields.integer("renewalPrice", in: SaneLimits.milliunits)
    currency = fields.currency("currency")
    environment = fields.text("environment") ?? ""
    signedAt = fields.instant("signedDate")
    Self.readUnused(&fields)
  }

  /// Reads values that nothing uses, to note those that Apple added later.
  private static func readUnused(_ fields: inout PayloadFields) {
    _ = fields.integer("offerType", in: TransactionFields.offerTypes)
    _ = fields.word("offerDiscountType", of: TransactionFields.discounts)
    _ = fields.word("renewalBillingPlanType", of: TransactionFields.billingPlans)
    fields.nested("commitmentInfo") { commitment in
      _ = commitment.integer("commitmentAutoRenewStatus", in: 0...1)
      _ = commitment.word("commitmentRenewalBillingPlanType", of: TransactionFields.billingPlans)
    }
    fields.nested("advancedCommerceInfo") { info in
      info.readPeriod()
      info.each("items") { item in
        item.readOffer()
        item.nested("priceIncreaseInfo") { increase in _ = increase.word("status", of: priceIncreases) }
      }
    }
  }

  private static let priceIncreases: Set = ["SCHEDULED", "PENDING", "ACCEPTED"]
}
