extension Scenario {
  public static let token1 = "a1000000-0000-4000-8000-000000000001"
  public static let token2 = "a2000000-0000-4000-8000-000000000002"
}

public struct TestOrder: Changeable, Sendable {
  public var orderID: String
  public var userID: String
  public var productID = "coins60"
  public var bundleID = "com.acme.reader"
  public var status: String
  public var createdAt: String
  public var updatedAt: String?
  public var environment = "Production"
  public var quantity = 1
  public var priceMilliunits: Int64? = 6000
  public var currency: String? = "CNY"
  /// Instant of the payment. If nil and the status implies a payment, it is the creation instant; the delivery works alike.
  public var paidAt: String?
  public var deliveredAt: String?
  public var refundedAt: String?
  public var entitlementExpiresAt: String?
  public var token: String?
  public var transactionID: String?
  public var originalTransactionID: String?
  public var webOrderLineItemID: String?
  public var deviceID: String?
  public var evidenceSHA256: String?
  public var operatorID: String?

  /// - Parameter transaction: transaction id that the order names.
  public init(
    _ orderID: String, user: String = "U1", at createdAt: String, names transaction: String? = nil, status: String = "delivered",
    _ change: (inout TestOrder) -> Void = { _ in }
  ) {
    (self.orderID, self.status) = (orderID, status)
    userID = user
    self.createdAt = createdAt
    transactionID = transaction
    change(&self)
  }

  public static func month(
    _ orderID: String, user: String = "U1", at createdAt: String, names transaction: String? = nil, status: String = "delivered",
    _ change: (inout TestOrder) -> Void = { _ in }
  ) -> TestOrder {
    TestOrder(orderID, user: user, at: createdAt, names: transaction, status: status) {
      ($0.productID, $0.priceMilliunits) = ("vip.month", 25_000)
      change(&$0)
    }
  }

  public static func file(_ orders: [TestOrder]) -> String {
    ([Scenario.orderHeader] + orders.map(\.line)).joined(separator: "\n") + "\n"
  }

  public var line: String {
    let isPaid = status != "created" && status != "cancelled"
    let fields: [String?] = [
      orderID, bundleID, productID, userID, status, createdAt, updatedAt, environment, "\(quantity)",
      priceMilliunits.map { "\($0)" }, currency, nil, paidAt ?? (isPaid ? createdAt : nil),
      deliveredAt ?? (status == "delivered" || status == "refunded" ? createdAt : nil), refundedAt, entitlementExpiresAt, token, nil,
      transactionID, originalTransactionID, webOrderLineItemID, deviceID, evidenceSHA256, operatorID,
    ]
    return fields.map { $0 ?? "" }.joined(separator: ",")
  }
}
