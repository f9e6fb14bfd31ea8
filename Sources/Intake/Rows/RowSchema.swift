internal import Domain

/// Columns of one kind of row and how a row is made of their values.
struct RowSchema<Row> {
  /// Kind of input as parked items name it.
  let kind: String
  let columns: [String]
  let required: Set<String>
  let make: (borrowing RowValues) throws(RowFault) -> Row
}

extension RowSchema<OrderRow> {
  // Columns are asked for by number on the hot path; the order is that of `columns`.
  private enum OrderColumn: Int, CaseIterable {
    case orderId, bundleId, productId, userId, status, createdAt, updatedAt, environment, quantity
    case priceMilliunits, currency, storefront, paidAt, deliveredAt, refundedAt, entitlementExpiresAt
    case appAccountToken, applicationUsername, transactionId, originalTransactionId
    case webOrderLineItemId, deviceId, evidenceSha256, operatorId
  }

  static func orders() -> RowSchema {
    RowSchema(
      kind: "orders", columns: OrderColumn.allCases.map { snakeCase("\($0)") },
      required: ["order_id", "bundle_id", "product_id", "user_id", "status", "created_at"], make: order)
  }

  private static func order(_ values: borrowing RowValues) throws(RowFault) -> OrderRow {
    let createdAt: Timestamp
    var row = OrderRow(
      orderID: try values.text(OrderColumn.orderId.rawValue),
      bundleID: try values.text(OrderColumn.bundleId.rawValue),
      productID: try values.text(OrderColumn.productId.rawValue),
      userID: try values.text(OrderColumn.userId.rawValue),
      status: try values.word(OrderColumn.status.rawValue, OrderStatus.self),
      createdAt: try values.instant(OrderColumn.createdAt.rawValue),
      updatedAt: Timestamp(microseconds: 0))
    createdAt = row.createdAt
    let updatedAt = try values.optionalInstant(OrderColumn.updatedAt.rawValue)
    if values.has(OrderColumn.environment.rawValue) {
      row.environment = try values.word(OrderColumn.environment.rawValue, AppStoreEnvironment.self).rawValue
    }
    let quantity = try values.integer(OrderColumn.quantity.rawValue, in: SaneLimits.quantity)
    row.quantity = Int32(clamping: quantity ?? 1)
    row.priceMilliunits = try values.integer(OrderColumn.priceMilliunits.rawValue, in: SaneLimits.milliunits)
    row.currency = try values.code(OrderColumn.currency.rawValue, of: "currency")
    row.storefront = try values.code(OrderColumn.storefront.rawValue, of: "storefront")
    row.paidAt = try values.optionalInstant(OrderColumn.paidAt.rawValue)
    row.deliveredAt = try values.optionalInstant(OrderColumn.deliveredAt.rawValue)
    row.refundedAt = try values.optionalInstant(OrderColumn.refundedAt.rawValue)
    row.entitlementExpiresAt = try values.optionalInstant(OrderColumn.entitlementExpiresAt.rawValue)
    row.appAccountToken = try values.uuid(OrderColumn.appAccountToken.rawValue)
    row.applicationUsername = try values.optionalText(OrderColumn.applicationUsername.rawValue)
    row.transactionID = try values.optionalText(OrderColumn.transactionId.rawValue)
    row.originalTransactionID = try values.optionalText(OrderColumn.originalTransactionId.rawValue)
    row.webOrderLineItemID = try values.optionalText(OrderColumn.webOrderLineItemId.rawValue)
    row.deviceID = try values.optionalText(OrderColumn.deviceId.rawValue)
    row.evidenceSHA256 = try values.sha256(OrderColumn.evidenceSha256.rawValue)
    row.operatorID = try values.optionalText(OrderColumn.operatorId.rawValue)
    // The end of an entitlement lies ahead and says nothing about the last change.
    let latest = [row.paidAt, row.deliveredAt, row.refundedAt].reduce(createdAt) { max($0, $1 ?? $0) }
    row.updatedAt = updatedAt ?? latest
    row.isDated = updatedAt != nil
    return row
  }
}

extension RowSchema<UserRow> {
  private enum UserColumn: Int, CaseIterable {
    case userId, appAccountToken, homeStorefront, isTester, createdAt, erasedAt
  }

  static func users() -> RowSchema {
    RowSchema(
      kind: "users", columns: UserColumn.allCases.map { snakeCase("\($0)") }, required: ["user_id"],
      make: user)
  }

  private static func user(_ values: borrowing RowValues) throws(RowFault) -> UserRow {
    var row = UserRow(userID: try values.text(UserColumn.userId.rawValue))
    row.appAccountToken = try values.uuid(UserColumn.appAccountToken.rawValue)
    row.homeStorefront = try values.code(UserColumn.homeStorefront.rawValue, of: "storefront")
    row.isTester = try values.boolean(UserColumn.isTester.rawValue) ?? false
    row.createdAt = try values.optionalInstant(UserColumn.createdAt.rawValue)
    row.erasedAt = try values.optionalInstant(UserColumn.erasedAt.rawValue)
    return row
  }
}

extension RowSchema<CatalogueRow> {
  private enum CatalogueColumn: Int, CaseIterable {
    case bundleId, productId, type, subscriptionGroup, period, familyShareable, storefront, currency
    case priceMilliunits, validFrom
  }

  static func catalogue() -> RowSchema {
    RowSchema(
      kind: "catalogue", columns: CatalogueColumn.allCases.map { snakeCase("\($0)") },
      required: ["bundle_id", "product_id", "type"], make: product)
  }

  private static func product(_ values: borrowing RowValues) throws(RowFault) -> CatalogueRow {
    var row = CatalogueRow(
      bundleID: try values.text(CatalogueColumn.bundleId.rawValue),
      productID: try values.text(CatalogueColumn.productId.rawValue),
      type: try values.word(CatalogueColumn.type.rawValue, ProductType.self))
    row.subscriptionGroup = try values.optionalText(CatalogueColumn.subscriptionGroup.rawValue)
    row.period = try values.period(CatalogueColumn.period.rawValue)
    row.familyShareable = try values.boolean(CatalogueColumn.familyShareable.rawValue)
    row.storefront = try values.code(CatalogueColumn.storefront.rawValue, of: "storefront")
    row.currency = try values.code(CatalogueColumn.currency.rawValue, of: "currency")
    row.priceMilliunits = try values.integer(CatalogueColumn.priceMilliunits.rawValue, in: SaneLimits.milliunits)
    row.validFrom = try values.optionalInstant(CatalogueColumn.validFrom.rawValue)
    return row
  }
}

/// Name of a column: `appAccountToken` is written `app_account_token`.
private func snakeCase(_ name: String) -> String {
  name.reduce(into: "") { text, letter in
    if letter.isUppercase { text += "_" }
    text += letter.lowercased()
  }
}
