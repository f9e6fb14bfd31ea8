struct OracleCharge {
  /// Sorted transaction ids and the purchase instant. Both sides are compared by this name.
  var label: String
  var items: [WorldItem]
  var transactionIDs: [String]
  var environment: String
  var bundle: String
  var product: String
  var original: String
  var lineItem: String?
  var isRenewable: Bool
  var isConsumable: Bool
  var isFamily: Bool
  var purchased: Second
  var expires: Second?
  var quantity: Int
  var price: Int64?
  var currency: String?
  var storefront: String
  var token: String?
  var isRenewal: Bool
  /// Whether any statement of Apple says that an upgrade ended the charge.
  var isUpgraded: Bool
  /// Instant of the refund or family revocation in force.
  var revoked: Second?
  /// Earliest revocation instant reported since the last reversal. The grace period starts there.
  var firstRevoked: Second?
  var isRevokedInPart: Bool
  /// Instant at which Apple signed the reversal of a refund.
  var reversed: Second?

  var isProduction: Bool { environment == "Production" }
  /// Whether the charge is a later period of a subscription, whichever reason Apple states.
  var isLaterPeriod: Bool { isRenewal || isRenewable && !transactionIDs.contains(original) }
  var isFullyRevoked: Bool { revoked != nil && !isRevokedInPart }
}

/// Groups the genuine transactions of our apps into charges.
func oracleCharges(_ items: [WorldItem]) -> [OracleCharge] {
  var keys: [[String]] = []
  var groups: [[WorldItem]] = []
  for item in items where !item.isForged && World.bundles.contains(item.purchase.bundleID) {
    let key = chargeKey(item)
    if let index = keys.firstIndex(of: key) {
      groups[index].append(item)
    } else {
      keys.append(key)
      groups.append([item])
    }
  }
  return groups.map(charge)
}

private func chargeKey(_ item: WorldItem) -> [String] {
  let purchase = item.purchase
  guard purchase.type == "Auto-Renewable Subscription" else {
    return [purchase.environment, purchase.bundleID, purchase.originalTransactionID]
  }
  // In Production, another product or instant on one line item is a conflict, which is never merged either.
  return [
    purchase.environment, purchase.bundleID, purchase.originalTransactionID, purchase.webOrderLineItemID ?? "",
    purchase.productID, "\(item.purchased)",
  ]
}

private func charge(_ items: [WorldItem]) -> OracleCharge {
  let newest = items.max { ($0.signed, $0.id) < ($1.signed, $1.id) } ?? items[0]
  let purchase = newest.purchase
  let ids = Set(items.map(\.purchase.transactionID)).sorted()
  let isRenewable = purchase.type == "Auto-Renewable Subscription"
  let purchased =
    isRenewable
    ? newest.purchased
    : items.map { min($0.purchased, second($0.purchase.originalPurchasedAt ?? $0.purchase.purchasedAt)) }.min() ?? newest.purchased
  let everRevoked = items.contains { $0.purchase.revokedAt != nil }
  let lastClear = items.filter { $0.purchase.revokedAt == nil }.map(\.signed).max() ?? .min
  let standing = items.filter { $0.signed >= lastClear }.compactMap { $0.purchase.revokedAt.map(second) }
  return OracleCharge(
    label: "\(ids.joined(separator: "+"))@\(rfc(purchased))", items: items, transactionIDs: ids,
    environment: purchase.environment, bundle: purchase.bundleID, product: purchase.productID,
    original: purchase.originalTransactionID, lineItem: purchase.webOrderLineItemID, isRenewable: isRenewable,
    isConsumable: purchase.type == "Consumable",
    isFamily: purchase.ownership == "FAMILY_SHARED", purchased: purchased, expires: purchase.expiresAt.map(second),
    quantity: purchase.quantity, price: purchase.ownership == "FAMILY_SHARED" ? nil : purchase.priceMilliunits,
    currency: purchase.ownership == "FAMILY_SHARED" ? nil : purchase.currency, storefront: purchase.storefront,
    token: items.sorted { ($0.signed, $0.id) > ($1.signed, $1.id) }.compactMap(\.purchase.token).first,
    isRenewal: isRenewable && items.contains { $0.purchase.reason == "RENEWAL" }, isUpgraded: items.contains { $0.purchase.isUpgraded },
    revoked: purchase.revokedAt.map(second), firstRevoked: standing.min(), isRevokedInPart: purchase.revocationType == "REFUND_PRORATED",
    reversed: everRevoked && purchase.revokedAt == nil ? newest.signed : nil)
}
