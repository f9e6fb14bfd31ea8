public import Domain

/// A transaction for tests; `payload` is the JSON that Apple would sign.
public struct ApplePurchase: Changeable, Sendable {
  public var transactionID: String
  public var originalTransactionID: String
  public var webOrderLineItemID: String?
  public var bundleID = "com.acme.reader"
  public var productID: String
  public var purchasedAt: Timestamp
  public var originalPurchasedAt: Timestamp?
  public var expiresAt: Timestamp?
  public var quantity = 1
  public var type: String
  public var token: String?
  public var ownership = "PURCHASED"
  public var revokedAt: Timestamp?
  public var revocationReason = 0
  public var revocationType: String?
  public var revocationPercentage: Int?
  public var isUpgraded = false
  public var offerType: Int?
  public var environment = "Production"
  public var storefront = "CHN"
  public var reason = "PURCHASE"
  public var currency = "CNY"
  public var priceMilliunits: Int64
  /// Whether the payload contains price and currency.
  public var hasPrice = true
  /// Items of an Advanced Commerce purchase as JSON; nil for other purchases.
  public var items: String?
  /// Additional members, each preceded by a comma.
  public var more = ""
  /// Signing instant; nil means the purchase instant.
  public var signedAt: Timestamp?

  /// Creates a purchase, by default of the consumable `coins60`.
  public init(
    _ transactionID: String, at purchasedAt: String, product: String = "coins60", type: String = "Consumable",
    price: Int64 = 6000, token: String? = nil, original: String? = nil, lineItem: String? = nil
  ) {
    self.transactionID = transactionID
    originalTransactionID = original ?? transactionID
    webOrderLineItemID = lineItem
    productID = product
    self.purchasedAt = instant(purchasedAt)
    self.type = type
    self.token = token
    priceMilliunits = price
  }

  /// Returns a month of `vip.month`.
  ///
  /// - Parameters:
  ///   - original: first transaction of the subscription; nil means this one.
  ///   - lineItem: nil means the transaction id after a 9.
  public static func month(
    _ transactionID: String, original: String? = nil, lineItem: String? = nil, at purchasedAt: String, until expiresAt: String,
    isRenewal: Bool = false, token: String? = nil, price: Int64 = 25000
  ) -> ApplePurchase {
    var purchase = ApplePurchase(
      transactionID, at: purchasedAt, product: "vip.month", type: "Auto-Renewable Subscription", price: price,
      token: token, original: original, lineItem: lineItem ?? "9\(transactionID)")
    purchase.expiresAt = instant(expiresAt)
    purchase.reason = isRenewal ? "RENEWAL" : "PURCHASE"
    return purchase
  }

  /// Returns the same purchase after Apple revoked it.
  ///
  /// - Parameters:
  ///   - signedAt: signing instant; nil means the instant of the revocation.
  ///   - percent: refunded thousandths of a percent; nil where Apple states none.
  ///   - type: type of the revocation, as Apple states it.
  public func refunded(
    at revokedAt: String, signedAt: String? = nil, reason: Int = 0, percent: Int? = nil, as type: String? = nil
  ) -> ApplePurchase {
    with {
      ($0.revokedAt, $0.signedAt, $0.revocationReason) = (instant(revokedAt), instant(signedAt ?? revokedAt), reason)
      ($0.revocationPercentage, $0.revocationType) = (percent, type)
    }
  }

  /// Returns the same purchase as Apple signed it at an instant.
  public func signed(at signedAt: String) -> ApplePurchase { with { $0.signedAt = instant(signedAt) } }

  /// The transaction as Apple signs it, in compact JWS.
  public var jws: String { Scenario.sign(payload) }

  public var payload: String {
    var fields = [
      text("transactionId", transactionID), text("originalTransactionId", originalTransactionID),
      text("bundleId", bundleID), text("productId", productID), date("purchaseDate", purchasedAt),
      date("originalPurchaseDate", originalPurchasedAt ?? purchasedAt), "\"quantity\":\(quantity)",
      text("type", type), text("inAppOwnershipType", ownership), text("environment", environment),
      text("transactionReason", reason), text("storefront", storefront), text("storefrontId", "143465"),
      date("signedDate", signedAt ?? purchasedAt),
    ]
    if ownership != "FAMILY_SHARED", hasPrice {
      fields += ["\"price\":\(priceMilliunits)", text("currency", currency)]
    }
    if let items { fields.append("\"advancedCommerceInfo\":{\"items\":[\(items)]}") }
    if let webOrderLineItemID { fields.append(text("webOrderLineItemId", webOrderLineItemID)) }
    if let expiresAt { fields.append(date("expiresDate", expiresAt)) }
    if let token { fields.append(text("appAccountToken", token)) }
    if let revokedAt { fields += [date("revocationDate", revokedAt), "\"revocationReason\":\(revocationReason)"] }
    if let revocationType { fields.append(text("revocationType", revocationType)) }
    if let revocationPercentage { fields.append("\"revocationPercentage\":\(revocationPercentage)") }
    if isUpgraded { fields.append("\"isUpgraded\":true") }
    if let offerType { fields.append("\"offerType\":\(offerType)") }
    return "{\(fields.joined(separator: ","))\(more)}"
  }

  /// Returns an item of an Advanced Commerce purchase.
  ///
  /// - Parameters:
  ///   - refunds: type and amount of each refund; nil for no amount.
  ///   - isRevoked: whether the refund revoked the item.
  public static func item(
    _ price: Int64, refunds: [(type: String, amount: Int64?)] = [], at refundedAt: String = "2026-05-10T10:00:00Z", isRevoked: Bool = false
  ) -> String {
    let refunds = refunds.map { type, amount in
      let fields = [text("refundType", type), text("refundReason", "LEGAL"), date("refundDate", instant(refundedAt))]
      return "{\((fields + (amount.map { ["\"refundAmount\":\($0)"] } ?? [])).joined(separator: ","))}"
    }
    var fields = [text("SKU", "novel"), "\"price\":\(price)"]
    if !refunds.isEmpty { fields.append("\"refunds\":[\(refunds.joined(separator: ","))]") }
    if isRevoked { fields.append(date("revocationDate", instant(refundedAt))) }
    return "{\(fields.joined(separator: ","))}"
  }
}

func text(_ name: String, _ value: String) -> String { "\"\(name)\":\"\(value)\"" }

func date(_ name: String, _ instant: Timestamp) -> String { "\"\(name)\":\(instant.microseconds / 1000)" }

/// Returns an instant written in a test. A misspelt one is year 1970, which no test expects.
public func instant(_ text: String) -> Timestamp { Timestamp(rfc3339: text) ?? Timestamp(microseconds: 0) }
