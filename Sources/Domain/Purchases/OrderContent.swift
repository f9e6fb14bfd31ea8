extension OrderRow {
  /// All fields in the order of the input's columns, joined by U+001F; nil is empty.
  ///
  /// Instants are microseconds.
  ///
  /// Equal for equal rows only, because no text of a checked row holds U+001F. Two versions of an order that
  /// carry one `updatedAt` are told apart by this text, whichever came first.
  public var contentKey: String {
    var key = ""
    key.reserveCapacity(320)
    key += orderID
    for text in [bundleID, productID, userID, status.rawValue] { Self.add(text, to: &key) }
    Self.add(createdAt, to: &key)
    Self.add(updatedAt, to: &key)
    Self.add(environment, to: &key)
    Self.add(String(quantity), to: &key)
    Self.add(priceMilliunits.map { String($0) }, to: &key)
    Self.add(currency, to: &key)
    Self.add(storefront, to: &key)
    Self.add(paidAt, to: &key)
    Self.add(deliveredAt, to: &key)
    Self.add(refundedAt, to: &key)
    Self.add(entitlementExpiresAt, to: &key)
    Self.add(appAccountToken, to: &key)
    Self.add(applicationUsername, to: &key)
    Self.add(transactionID, to: &key)
    Self.add(originalTransactionID, to: &key)
    Self.add(webOrderLineItemID, to: &key)
    Self.add(deviceID, to: &key)
    Self.add(evidenceSHA256, to: &key)
    Self.add(operatorID, to: &key)
    return key
  }

  private static func add(_ text: String?, to key: inout String) {
    key += "\u{1F}"
    if let text { key += text }
  }

  private static func add(_ instant: Timestamp?, to key: inout String) {
    add(instant.map { String($0.microseconds) }, to: &key)
  }
}
