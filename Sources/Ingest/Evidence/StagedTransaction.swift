internal import AppStore
internal import Cryptography
internal import Domain
internal import Postgres

extension TransactionFields {
  /// Id of the charge that this transaction belongs to; equal for every alias of the charge.
  var chargeID: String {
    let identity = ChargeIdentity(
      environment: environment, bundleID: bundleID, type: type, originalTransactionID: originalTransactionID,
      lineItemID: webOrderLineItemID, productID: productID, purchasedAt: purchasedAt, hasExpiry: expiresAt != nil)
    return String(SHA256.hex(Array(identity.text.utf8)).prefix(32))
  }

  /// Whether the transaction is a period of a subscription. Without a type, an expiry implies one.
  var isPeriod: Bool { type.map { $0 == .autoRenewable } ?? (expiresAt != nil) }

  /// Writes the transaction as a row of `staged_transaction`.
  func write(to writer: inout CopyWriter, chargeID: String, evidenceSHA256: String, batchID: Int64, statedIn: EvidenceKind) throws {
    // 0, because the amount of a refund is computed when it is recorded.
    try writer.row(
      originalTransactionID, chargeID, HashValue(evidenceSHA256), transactionID, environment, bundleID, productID, type?.rawValue,
      ownership, webOrderLineItemID, subscriptionGroupID, appAccountToken, transactionReason, storefront, currency,
      offerDiscountType, revocationType, appTransactionID, quantity, offerType.map(Int32.init(clamping:)), priceMilliunits,
      Int64(0), revocationPercentage.map(Int64.init), batchID, isUpgraded ?? false, purchasedAt, originalPurchasedAt, expiresAt,
      revokedAt, signedAt ?? purchasedAt, statedIn.rawValue, itemsRefundedMilliunits
    )
  }
}
