internal import AppStore
internal import Domain
internal import JobCore
internal import Postgres

/// The charges of new evidence. One that only one statement is about needs no comparison, so its row is copied. The others are staged
/// and computed by `sql/functions/charges/charges_of.sql`, whose result for a single statement is the same.
struct NewCharges {
  let rows: EvidenceRows

  private static let columns = """
    original_transaction_id, charge_id, environment, bundle_id, product_id, type, state, ownership, web_order_line_item_id,
    app_account_token, storefront, currency, transaction_ids, quantity, offer_type, price_milliunits, refunded_milliunits, batch_id,
    is_renewal, is_upgraded, purchased_at, expires_at, signed_at, subscription_group
    """

  /// Records the charges. The statements about them are recorded afterwards.
  func record(_ tx: inout DatabaseTransaction, sql: SQLFiles) throws {
    let stating = rows.evidence.filter { $0.chargeID != nil }
    let alone = try alone(stating, &tx, sql: sql)
    try rows.copy("charges (\(Self.columns))", stating.filter { alone.contains($0.chargeID ?? "") }, &tx) { item, writer in
      guard let fields = item.content.transaction, let chargeID = item.chargeID else { return }
      try fields.writeCharge(to: &writer, chargeID: chargeID, batchID: rows.batchID)
    }
    let others = stating.filter { !alone.contains($0.chargeID ?? "") }
    try rows.copy("stated_charge (original_transaction_id, charge_id)", others, &tx) { item, writer in
      try writer.row(item.content.transaction?.originalTransactionID, item.chargeID)
    }
  }

  /// Returns the ids of charges about which there is no other statement.
  private func alone(_ stating: [StagedEvidence], _ tx: inout DatabaseTransaction, sql: SQLFiles) throws -> Set<String> {
    guard !stating.isEmpty else { return [] }
    var counts: [String: Int] = [:]
    var chainsWithBare: Set<ByteText> = []
    for item in stating {
      counts[item.chargeID ?? "", default: 0] += 1
      guard let fields = item.content.transaction, fields.lacksLineItem else { continue }
      chainsWithBare.insert(ByteText(fields.originalTransactionID))
    }
    let candidates = stating.compactMap { item -> (chain: String, charge: String)? in
      guard let id = item.chargeID, let chain = item.content.transaction?.originalTransactionID, counts[id] == 1,
        !chainsWithBare.contains(ByteText(chain))
      else { return nil }
      return (chain, id)
    }
    let statement = try sql(IngestSQL.knownCharges)
    let parameters: [String: Value] = [
      "chains": .textArray(candidates.map(\.chain)), "charge_ids": .textArray(candidates.map(\.charge)),
    ]
    return Set(candidates.map(\.charge)).subtracting(try tx.withNestedLoops { tx in try tx.rows(statement, parameters) })
  }
}

extension TransactionFields {
  /// Whether the transaction is a period of a subscription that was reported without its line item.
  fileprivate var lacksLineItem: Bool { webOrderLineItemID == nil && isPeriod }

  /// Writes the charge that this transaction alone states, which is not refunded, as a row of `charges`.
  fileprivate func writeCharge(to writer: inout CopyWriter, chargeID: String, batchID: Int64) throws {
    // Without a type, a line item implies a subscription, too.
    let isPeriod = isPeriod || type == nil && webOrderLineItemID != nil
    let isShared = ownership == "FAMILY_SHARED"
    let price = priceMilliunits ?? (offerDiscountType == "FREE_TRIAL" ? 0 : nil)
    let isRenewal = isPeriod && (transactionReason.map { $0 == "RENEWAL" } ?? (ByteText(transactionID) != ByteText(originalTransactionID)))
    try writer.row(
      originalTransactionID, chargeID, environment, bundleID, productID,
      (type ?? (isPeriod ? .autoRenewable : .consumable)).rawValue, isShared ? "family" : price == 0 ? "free" : "charged",
      isShared ? "FAMILY_SHARED" : "PURCHASED", webOrderLineItemID, appAccountToken, storefront, currency, [transactionID],
      quantity ?? 1, offerType.map(Int32.init(clamping:)), price, Int64(0), batchID, isRenewal, isUpgraded ?? false,
      isPeriod ? purchasedAt : min(purchasedAt, originalPurchasedAt ?? purchasedAt), expiresAt, signedAt ?? purchasedAt,
      subscriptionGroupID
    )
  }
}
