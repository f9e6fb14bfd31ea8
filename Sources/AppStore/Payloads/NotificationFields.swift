/// Type, identity and status of a V2 notification.
///
/// - Source: App Store Server Notifications V2, responseBodyV2DecodedPayload.
public struct NotificationFields: Sendable {
  public var type: String?
  public var subtype: String?
  public var uuid: String?
  /// Subscription status: 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked.
  public var status: Int?
  static let statuses: ClosedRange<Int64> = 1...5

  /// Why the customer asks for a refund; nil outside of CONSUMPTION_REQUEST, and on notifications that do not state it.
  public var consumptionReason: String?

  private static let types: Set = [
    "SUBSCRIBED", "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS", "OFFER_REDEEMED", "DID_RENEW", "EXPIRED",
    "DID_FAIL_TO_RENEW", "GRACE_PERIOD_EXPIRED", "PRICE_INCREASE", "REFUND", "REFUND_DECLINED", "REFUND_REVERSED",
    "CONSUMPTION_REQUEST", "RENEWAL_EXTENDED", "RENEWAL_EXTENSION", "REVOKE", "TEST", "EXTERNAL_PURCHASE_TOKEN",
    "ONE_TIME_CHARGE", "RESCIND_CONSENT", "METADATA_UPDATE", "MIGRATION", "PRICE_CHANGE",
  ]

  private static let subtypes: Set = [
    "INITIAL_BUY", "RESUBSCRIBE", "BILLING_RECOVERY", "UPGRADE", "DOWNGRADE", "AUTO_RENEW_ENABLED", "AUTO_RENEW_DISABLED",
    "GRACE_PERIOD", "VOLUNTARY", "BILLING_RETRY", "PRICE_INCREASE", "PRODUCT_NOT_FOR_SALE", "PENDING", "ACCEPTED", "SUMMARY", "FAILURE",
    "CREATED", "ACTIVE_TOKEN_REMINDER", "UNREPORTED",
  ]

  private static let consumptionReasons: Set = ["UNINTENDED_PURCHASE", "FULFILLMENT_ISSUE", "UNSATISFIED_WITH_PURCHASE", "LEGAL", "OTHER"]

  init(_ fields: inout PayloadFields) {
    type = fields.word("notificationType", of: Self.types)
    subtype = fields.word("subtype", of: Self.subtypes)
    uuid = fields.text("notificationUUID")
    var status: Int?
    var reason: String?
    fields.nested("data") { data in
      status = data.integer("status", in: Self.statuses).map { Int($0) }
      reason = data.word("consumptionRequestReason", of: Self.consumptionReasons)
    }
    self.status = status
    consumptionReason = reason
    fields.nested("externalPurchaseToken") { token in _ = token.word("tokenType", of: ["ACQUISITION", "SERVICES"]) }
  }
}
