extension OrderRow {
  /// All fields in the order of the input's columns, in UTF-8, separated by U+001F. An empty field is nil; instants are microseconds.
  ///
  /// Checked rows contain no U+001F, so only equal rows have equal keys. If two versions of an order have one `updatedAt`, the key
  /// decides between them, whichever was read first.
  public var contentKey: [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(400)
    key += orderID.utf8
    Self.add([bundleID, productID, userID, status.rawValue], to: &key)
    Self.add(createdAt, to: &key)
    Self.add(updatedAt, to: &key)
    Self.add([environment, String(quantity), priceMilliunits.map { String($0) }, currency, storefront], to: &key)
    for instant in [paidAt, deliveredAt, refundedAt, entitlementExpiresAt] { Self.add(instant, to: &key) }
    Self.add(
      [
        appAccountToken, applicationUsername, transactionID, originalTransactionID, webOrderLineItemID, deviceID, evidenceSHA256,
        operatorID, consumptionConsent.map { String($0) }, consumptionMillipercent.map { String($0) },
      ], to: &key)
    return key
  }

  private static func add(_ texts: [String?], to key: inout [UInt8]) {
    for text in texts {
      key.append(0x1F)
      if let text { key += text.utf8 }
    }
  }

  private static func add(_ instant: Timestamp?, to key: inout [UInt8]) {
    key.append(0x1F)
    if let instant { key += String(instant.microseconds).utf8 }
  }
}
