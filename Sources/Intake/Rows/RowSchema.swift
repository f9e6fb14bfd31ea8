public import Domain

public protocol InputRow: Sendable {
  /// Kind of input in commands and parked items, such as `orders`.
  static var kind: String { get }
  static var schema: RowSchema<Self> { get }
}

/// The columns of one kind of row, and the function that creates a row from their values.
public struct RowSchema<Row> {
  let columns: [String]
  let required: Set<String>
  /// Creates a row, which is valid only if no fault was noted.
  let make: (borrowing RowValues) -> Row
}

extension OrderRow: InputRow {
  // The hot path accesses columns by number; the order is that of `columns`.
  private enum OrderColumn: Int, CaseIterable {
    case orderId, bundleId, productId, userId, status, createdAt, updatedAt, environment, quantity
    case priceMilliunits, currency, storefront, paidAt, deliveredAt, refundedAt, entitlementExpiresAt
    case appAccountToken, applicationUsername, transactionId, originalTransactionId
    case webOrderLineItemId, deviceId, evidenceSha256, operatorId
    case consumptionConsent, consumptionMillipercent
  }

  public static var kind: String { "orders" }

  public static var schema: RowSchema<OrderRow> {
    RowSchema(
      columns: OrderColumn.allCases.map { snakeCase("\($0)") },
      required: ["order_id", "bundle_id", "product_id", "user_id", "status", "created_at"], make: order)
  }

  private static func order(_ values: borrowing RowValues) -> OrderRow {
    let createdAt: Timestamp
    var row = OrderRow(
      orderID: values.text(OrderColumn.orderId.rawValue),
      bundleID: values.text(OrderColumn.bundleId.rawValue),
      productID: values.text(OrderColumn.productId.rawValue),
      userID: values.text(OrderColumn.userId.rawValue),
      status: values.word(OrderColumn.status.rawValue, else: OrderStatus.created),
      createdAt: values.instant(OrderColumn.createdAt.rawValue),
      updatedAt: Timestamp(microseconds: 0))
    createdAt = row.createdAt
    let updatedAt = values.optionalInstant(OrderColumn.updatedAt.rawValue)
    let environment: AppStoreEnvironment? = values.optionalWord(OrderColumn.environment.rawValue)
    if let environment { row.environment = environment.rawValue }
    let quantity = values.integer(OrderColumn.quantity.rawValue, in: SaneLimits.quantity)
    row.quantity = Int32(clamping: quantity ?? 1)
    row.priceMilliunits = values.integer(OrderColumn.priceMilliunits.rawValue, in: SaneLimits.milliunits)
    row.currency = values.code(OrderColumn.currency.rawValue, of: "currency")
    row.storefront = values.code(OrderColumn.storefront.rawValue, of: "storefront")
    row.paidAt = values.optionalInstant(OrderColumn.paidAt.rawValue)
    row.deliveredAt = values.optionalInstant(OrderColumn.deliveredAt.rawValue)
    row.refundedAt = values.optionalInstant(OrderColumn.refundedAt.rawValue)
    row.entitlementExpiresAt = values.optionalInstant(OrderColumn.entitlementExpiresAt.rawValue)
    row.appAccountToken = values.uuid(OrderColumn.appAccountToken.rawValue)
    row.applicationUsername = values.optionalText(OrderColumn.applicationUsername.rawValue)
    row.transactionID = values.optionalText(OrderColumn.transactionId.rawValue)
    row.originalTransactionID = values.optionalText(OrderColumn.originalTransactionId.rawValue)
    row.webOrderLineItemID = values.optionalText(OrderColumn.webOrderLineItemId.rawValue)
    row.deviceID = values.optionalText(OrderColumn.deviceId.rawValue)
    row.evidenceSHA256 = values.sha256(OrderColumn.evidenceSha256.rawValue)
    row.operatorID = values.optionalText(OrderColumn.operatorId.rawValue)
    row.consumptionConsent = values.boolean(OrderColumn.consumptionConsent.rawValue)
    row.consumptionMillipercent = values.integer(OrderColumn.consumptionMillipercent.rawValue, in: SaneLimits.millipercent)
      .map { Int32(clamping: $0) }
    // The end of an entitlement is in the future and says nothing about the last change.
    let latest = [row.paidAt, row.deliveredAt, row.refundedAt].reduce(createdAt) { max($0, $1 ?? $0) }
    row.updatedAt = updatedAt ?? latest
    row.isDated = updatedAt != nil
    return row
  }
}

extension UserRow: InputRow {
  private enum UserColumn: Int, CaseIterable {
    case userId, appAccountToken, homeStorefront, isTester, createdAt, erasedAt, consumptionConsent
  }

  public static var kind: String { "users" }

  public static var schema: RowSchema<UserRow> {
    RowSchema(columns: UserColumn.allCases.map { snakeCase("\($0)") }, required: ["user_id"], make: user)
  }

  private static func user(_ values: borrowing RowValues) -> UserRow {
    var row = UserRow(userID: values.text(UserColumn.userId.rawValue))
    row.appAccountToken = values.uuid(UserColumn.appAccountToken.rawValue)
    row.homeStorefront = values.code(UserColumn.homeStorefront.rawValue, of: "storefront")
    row.isTester = values.boolean(UserColumn.isTester.rawValue) ?? false
    row.createdAt = values.optionalInstant(UserColumn.createdAt.rawValue)
    row.erasedAt = values.optionalInstant(UserColumn.erasedAt.rawValue)
    row.consumptionConsent = values.boolean(UserColumn.consumptionConsent.rawValue)
    return row
  }
}

extension CatalogueRow: InputRow {
  private enum CatalogueColumn: Int, CaseIterable {
    case bundleId, productId, type, subscriptionGroup, period, familyShareable, storefront, currency
    case priceMilliunits, validFrom
  }

  public static var kind: String { "catalogue" }

  public static var schema: RowSchema<CatalogueRow> {
    RowSchema(
      columns: CatalogueColumn.allCases.map { snakeCase("\($0)") },
      required: ["bundle_id", "product_id", "type"], make: product)
  }

  private static func product(_ values: borrowing RowValues) -> CatalogueRow {
    var row = CatalogueRow(
      bundleID: values.text(CatalogueColumn.bundleId.rawValue),
      productID: values.text(CatalogueColumn.productId.rawValue),
      type: values.word(CatalogueColumn.type.rawValue, else: ProductType.consumable))
    row.subscriptionGroup = values.optionalText(CatalogueColumn.subscriptionGroup.rawValue)
    row.period = values.period(CatalogueColumn.period.rawValue)
    row.familyShareable = values.boolean(CatalogueColumn.familyShareable.rawValue)
    row.storefront = values.code(CatalogueColumn.storefront.rawValue, of: "storefront")
    row.currency = values.code(CatalogueColumn.currency.rawValue, of: "currency")
    row.priceMilliunits = values.integer(CatalogueColumn.priceMilliunits.rawValue, in: SaneLimits.milliunits)
    row.validFrom = values.optionalInstant(CatalogueColumn.validFrom.rawValue)
    return row
  }
}

/// Returns the name of a column: `app_account_token` for `appAccountToken`.
private func snakeCase(_ name: String) -> String {
  name.reduce(into: "") { text, letter in
    if letter.isUppercase { text += "_" }
    text += letter.lowercased()
  }
}
