/// A customer of one case; cases never share customers.
struct Customer {
  var userID: String
  /// The user's app account token; nil when the app sets none.
  var token: String?
  var deviceID: String
  var app: App
  /// Index into `Storefront.all`.
  var store: Int

  var storefront: Storefront { Storefront.all[store] }
}

/// One charge with the values that Apple would sign.
struct Charge {
  struct Offer {
    var type: Int64
    var discount: String
  }

  struct Revocation {
    enum Kind: String {
      case full = "REFUND_FULL"
      case prorated = "REFUND_PRORATED"
    }

    var date: Instant
    var kind: Kind
    /// Thousandths of a percent.
    var percentage: Int64
  }

  var bundle: String
  var product: Product
  var storefront: Storefront
  var environment = "Production"
  var transactionID: String
  var originalID: String
  var lineItem: String?
  var token: String?
  var purchasedAt: Instant
  var originallyPurchasedAt: Instant
  var expiresAt: Instant?
  var quantity: Int64 = 1
  /// Total for the quantity; nil for family members.
  var price: Int64?
  var ownership = "PURCHASED"
  var reason = "PURCHASE"
  var offer: Offer?
  var revocation: Revocation?
  /// Whether the customer upgraded to another subscription.
  var isUpgraded = false
  var appTransactionID: String

  func payload(signedAt: Instant) -> [UInt8] {
    var json = TextBuffer(capacity: 1100)
    json.open()
    json.member("transactionId", transactionID)
    json.member("originalTransactionId", originalID)
    json.member("webOrderLineItemId", lineItem)
    json.member("bundleId", bundle)
    json.member("productId", product.identifier)
    json.member("subscriptionGroupIdentifier", product.group)
    json.member("purchaseDate", purchasedAt)
    json.member("originalPurchaseDate", originallyPurchasedAt)
    json.member("expiresDate", expiresAt)
    json.member("quantity", quantity)
    json.member("type", product.kind.apple)
    json.member("appAccountToken", token)
    json.member("inAppOwnershipType", ownership)
    json.member("signedDate", signedAt)
    if let revocation {
      json.member("revocationReason", 0)
      json.member("revocationDate", revocation.date)
      json.member("revocationType", revocation.kind.rawValue)
      json.member("revocationPercentage", revocation.percentage)
    }
    if let offer {
      json.member("offerType", offer.type)
      json.member("offerDiscountType", offer.discount)
    }
    if isUpgraded {
      json.key("isUpgraded")
      json.add("true,")
    }
    json.member("environment", environment)
    json.member("transactionReason", reason)
    json.member("storefront", storefront.country)
    json.member("storefrontId", storefront.identifier)
    if let price {
      json.member("price", price)
      json.member("currency", storefront.currency)
    }
    json.member("appTransactionId", appTransactionID)
    json.close()
    return json.bytes
  }

  /// Returns the renewal info of a subscription's charge.
  func renewalPayload(_ renewal: Renewal, signedAt: Instant) -> [UInt8] {
    var json = TextBuffer(capacity: 700)
    json.open()
    if !renewal.renews { json.member("expirationIntent", renewal.isOver ? 1 : nil as Int64?) }
    json.member("originalTransactionId", originalID)
    json.member("autoRenewProductId", product.identifier)
    json.member("productId", product.identifier)
    json.member("autoRenewStatus", renewal.renews ? 1 : 0)
    json.key("isInBillingRetryPeriod")
    json.add("false,")
    if let price { json.member("renewalPrice", renewal.renews ? price : nil as Int64?) }
    json.member("currency", storefront.currency)
    json.member("signedDate", signedAt)
    json.member("environment", environment)
    json.member("recentSubscriptionStartDate", originallyPurchasedAt)
    json.member("renewalDate", expiresAt)
    json.member("appAccountToken", token)
    json.member("appTransactionId", appTransactionID)
    json.close()
    return json.bytes
  }
}

/// The content of a subscription's newest renewal info.
struct Renewal {
  var renews: Bool
  /// Whether the subscription expired because the customer cancelled.
  var isOver = false
}

/// One row of the orders input.
struct Order {
  var orderID: String
  var bundle: String
  var product: String
  var userID: String
  var status = "delivered"
  var createdAt: Instant
  var updatedAt: Instant?
  var environment = "Production"
  var quantity: Int64 = 1
  var price: Int64?
  var currency: String?
  var storefront: String?
  var paidAt: Instant?
  var deliveredAt: Instant?
  var refundedAt: Instant?
  var entitlementExpiresAt: Instant?
  var token: String?
  var transactionID: String?
  var originalID: String?
  var lineItem: String?
  var deviceID: String?
  var evidence: String?

  static let header =
    "order_id,bundle_id,product_id,user_id,status,created_at,updated_at,environment,quantity,"
    + "price_milliunits,currency,storefront,paid_at,delivered_at,refunded_at,entitlement_expires_at,"
    + "app_account_token,transaction_id,original_transaction_id,web_order_line_item_id,device_id,"
    + "evidence_sha256\n"

  func write(to text: inout TextBuffer) {
    let latest = [createdAt, paidAt, deliveredAt, refundedAt].compactMap { $0 }.max()
    text.row(
      orderID, bundle, product, userID, status, createdAt, updatedAt ?? latest, environment, quantity, price, currency, storefront, paidAt,
      deliveredAt, refundedAt, entitlementExpiresAt, token, transactionID, originalID, lineItem, deviceID, evidence)
  }
}
