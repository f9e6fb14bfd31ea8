internal import JSON

/// One row of `pending_renewal_info`, or the renewal at the top level of an iOS 6 style answer.
///
/// - Source: Apple, App Store Receipts, responseBody.Pending_renewal_info.
struct LegacyRenewal {
  var renewal: RenewalFields?
  var unrecognized: [UnrecognizedValue]

  private static let names: [LegacyName] = [
    LegacyName("original_transaction_id", "originalTransactionId", .text),
    LegacyName("product_id", "productId", .text),
    LegacyName("auto_renew_product_id", "autoRenewProductId", .text),
    LegacyName("auto_renew_status", "autoRenewStatus", .number),
    LegacyName("expiration_intent", "expirationIntent", .number),
    LegacyName("is_in_billing_retry_period", "isInBillingRetryPeriod", .flag),
    LegacyName("grace_period_expires_date", "gracePeriodExpiresDate", .instant),
    LegacyName("price_increase_status", "priceIncreaseStatus", .number),
  ]

  init(_ row: JSONObject, in context: LegacyContext) {
    var translated = LegacyName.translated(row, names: Self.names)
    if translated["priceIncreaseStatus"] == nil, let consent = LegacyName.integer(row["price_consent_status"]) {
      translated.append("priceIncreaseStatus", .number(String(consent)))
    }
    translated.append("environment", .string(context.environment))
    var fields = PayloadFields(translated)
    renewal = RenewalFields(&fields)
    renewal?.signedAt = context.statedAt
    unrecognized = LegacyName.renamed(fields.unrecognized, names: Self.names)
  }
}
