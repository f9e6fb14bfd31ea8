/// One checked row of the orders input. A field is nil if the input gave none.
public struct OrderRow: Hashable, Sendable {
  public var orderID: String
  public var bundleID: String
  public var productID: String
  public var userID: String
  public var status: OrderStatus
  public var createdAt: Timestamp
  /// The instant of the order service's last change; if the input gave none, the latest instant of the row.
  public var updatedAt: Timestamp
  /// Whether the input gave `updatedAt`. If not, the clock of the ingest determines which row wins.
  public var isDated = true
  public var environment: String
  /// Units, 1 or more.
  public var quantity: Int32
  /// Total for the quantity in thousandths of the currency unit, 0 or more.
  public var priceMilliunits: Int64?
  public var currency: String?
  public var storefront: String?
  public var paidAt: Timestamp?
  public var deliveredAt: Timestamp?
  public var refundedAt: Timestamp?
  public var entitlementExpiresAt: Timestamp?
  /// Whether the customer consents that we state to Apple how the purchase was used; nil if the order says neither.
  public var consumptionConsent: Bool?
  /// Share of the goods that the customer used, in thousandths of a percent, 0...100000.
  public var consumptionMillipercent: Int32?
  /// Lower-case UUID.
  public var appAccountToken: String?
  public var applicationUsername: String?
  public var transactionID: String?
  public var originalTransactionID: String?
  public var webOrderLineItemID: String?
  public var deviceID: String?
  /// Lower-case hexadecimal SHA-256.
  public var evidenceSHA256: String?
  public var operatorID: String?

  public init(
    orderID: String, bundleID: String, productID: String, userID: String, status: OrderStatus,
    createdAt: Timestamp, updatedAt: Timestamp
  ) {
    self.orderID = orderID
    self.bundleID = bundleID
    self.productID = productID
    self.userID = userID
    self.status = status
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    environment = AppStoreEnvironment.production.rawValue
    quantity = 1
  }
}

/// One checked row of the users input.
public struct UserRow: Hashable, Sendable {
  public var userID: String
  /// Lower-case UUID.
  public var appAccountToken: String?
  public var homeStorefront: String?
  public var isTester: Bool
  public var createdAt: Timestamp?
  public var erasedAt: Timestamp?
  /// Whether the customer consents that we state to Apple how purchases were used; nil if the row says neither.
  public var consumptionConsent: Bool?

  public init(userID: String, isTester: Bool = false) {
    self.userID = userID
    self.isTester = isTester
  }
}

/// One checked row of the catalogue input: a product, with a price if `priceMilliunits` is given.
public struct CatalogueRow: Hashable, Sendable {
  public var bundleID: String
  public var productID: String
  public var type: ProductType
  public var subscriptionGroup: String?
  /// ISO 8601 duration such as `P1M`.
  public var period: String?
  public var familyShareable: Bool?
  public var storefront: String?
  public var currency: String?
  /// Price of one unit in thousandths of the currency unit, 0 or more.
  public var priceMilliunits: Int64?
  public var validFrom: Timestamp?

  public init(bundleID: String, productID: String, type: ProductType) {
    self.bundleID = bundleID
    self.productID = productID
    self.type = type
  }
}
