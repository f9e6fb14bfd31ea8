internal import AppStore
internal import Cryptography
internal import Domain
internal import JobCore
internal import Postgres

extension TransactionFields {
  /// Id of the charge that this transaction belongs to; equal for every alias of the charge.
  var chargeID: String {
    let identity = ChargeIdentity(
      environment: environment, bundleID: bundleID, type: type, originalTransactionID: originalTransactionID,
      lineItemID: webOrderLineItemID, productID: productID, purchasedAt: purchasedAt, hasExpiry: expiresAt != nil)
    return String(SHA256.hex(Array(identity.text.utf8)).prefix(32))
  }
}

extension TransactionFields {
  /// Whether the transaction is a period of a subscription. Without a type, an expiry implies one.
  var isPeriod: Bool { type.map { $0 == .autoRenewable } ?? (expiresAt != nil) }

  /// Writes the transaction as a row of `staged_transaction`.
  func write(to writer: inout CopyWriter, chargeID: String, evidenceSHA256: String, batchID: Int64, statedIn: EvidenceKind) throws {
    try writer.beginRow(columns: 32)
    try writer.text(originalTransactionID)
    try writer.text(chargeID)
    try writer.hash(evidenceSHA256)
    try writer.text(transactionID)
    try writer.text(environment)
    try writer.text(bundleID)
    try writer.text(productID)
    try writer.optionalText(type?.rawValue)
    try writer.optionalText(ownership)
    try writer.optionalText(webOrderLineItemID)
    try writer.optionalText(subscriptionGroupID)
    try writer.optionalText(appAccountToken)
    try writer.optionalText(transactionReason)
    try writer.optionalText(storefront)
    try writer.optionalText(currency)
    try writer.optionalText(offerDiscountType)
    try writer.optionalText(revocationType)
    try writer.optionalText(appTransactionID)
    try writer.optionalInt4(quantity)
    try writer.optionalInt4(offerType.map(Int32.init(clamping:)))
    try writer.optionalInt8(priceMilliunits)
    // The amount of a percentage refund is computed when it is recorded.
    try writer.int8(0)
    try writer.optionalInt8(revocationPercentage.map(Int64.init))
    try writer.int8(batchID)
    try writer.bool(isUpgraded ?? false)
    try writer.timestamptz(microseconds: purchasedAt.microseconds)
    try writer.optionalTimestamptz(microseconds: originalPurchasedAt?.microseconds)
    try writer.optionalTimestamptz(microseconds: expiresAt?.microseconds)
    try writer.optionalTimestamptz(microseconds: revokedAt?.microseconds)
    try writer.timestamptz(microseconds: (signedAt ?? purchasedAt).microseconds)
    try writer.text(statedIn.rawValue)
    try writer.optionalInt8(itemsRefundedMilliunits)
  }
}
