internal import AppStore
internal import Domain
internal import JobCore
internal import Postgres

/// Verified items on their way into the database: into their tables, or into the staging tables of the same columns.
struct EvidenceRows {
  let evidence: [StagedEvidence]
  let batchID: Int64

  private var genuine: some Sequence<StagedEvidence> { evidence.lazy.filter { $0.content.verdict == .genuine } }

  /// Copies what Apple states about transactions. A transaction in the reversal of a refund has two statements: at its signature and at the
  /// reversal. Its text may also arrive alone, before or after the notification.
  ///
  /// - Parameter table: `transactions`, or `staged_transaction`.
  func copyTransactions(into table: String, _ tx: inout DatabaseTransaction) throws {
    let reversals = reversals
    try copy(
      """
      \(table) (original_transaction_id, charge_id, evidence_sha256, transaction_id, environment, bundle_id, product_id, type,
        ownership, web_order_line_item_id, subscription_group, app_account_token, transaction_reason, storefront, currency,
        offer_discount_type, revocation_type, app_transaction_id, quantity, offer_type, price_milliunits, refunded_milliunits,
        revocation_percentage, batch_id, is_upgraded, purchased_at, original_purchased_at, expires_at, revoked_at, signed_at,
        stated_in, items_refunded_milliunits)
      """, evidence.filter { $0.content.transaction != nil && $0.chargeID != nil }, &tx
    ) { staged, writer in
      guard var fields = staged.content.transaction, let chargeID = staged.chargeID else { return }
      var instants = [fields.signedAt]
      if fields.revokedAt == nil, let parent = staged.content.parentSHA256, let reversedAt = reversals[parent],
        fields.signedAt.map({ $0 < reversedAt }) ?? true
      {
        instants.append(reversedAt)
      }
      for instant in instants {
        fields.signedAt = instant
        try fields.write(
          to: &writer, chargeID: chargeID, evidenceSHA256: staged.content.sha256, batchID: batchID,
          statedIn: staged.content.listedIn ?? .transaction)
      }
    }
  }

  /// Instants at which Apple reversed refunds, from the notifications: a nested transaction may have been signed before the refund.
  private var reversals: [String: Timestamp] {
    var found: [String: Timestamp] = [:]
    for staged in genuine {
      guard staged.content.notification?.type == "REFUND_REVERSED", let at = staged.content.signedAt else { continue }
      found[staged.content.sha256] = at
    }
    return found
  }

  /// - Parameter table: `renewal_infos`, or `staged_renewal_info`.
  func copyRenewals(into table: String, _ tx: inout DatabaseTransaction) throws {
    try copy(
      """
      \(table) (original_transaction_id, evidence_sha256, environment, product_id, auto_renew_product_id, currency,
        auto_renew_status, expiration_intent, price_increase_status, renewal_price_milliunits, batch_id, is_in_billing_retry,
        grace_expires_at, renewal_at, signed_at, bundle_id)
      """, genuine.filter { $0.content.renewal != nil }, &tx
    ) { staged, writer in
      guard let fields = staged.content.renewal else { return }
      try writer.row(
        fields.originalTransactionID, HashValue(staged.content.sha256), staged.content.environment, fields.productID ?? "",
        fields.autoRenewProductID, fields.currency, fields.autoRenewStatus.map(Int32.init(clamping:)),
        fields.expirationIntent.map(Int32.init(clamping:)), fields.priceIncreaseStatus.map(Int32.init(clamping:)),
        fields.renewalPriceMilliunits, batchID, fields.isInBillingRetry, fields.gracePeriodExpiresAt, fields.renewalAt,
        fields.signedAt ?? staged.upload.receivedAt, staged.content.bundleID
      )
    }
  }

  /// - Parameter table: `notifications`, or `staged_notification`.
  func copyNotifications(into table: String, _ tx: inout DatabaseTransaction) throws {
    let originals = originals
    try copy(
      """
      \(table) (notification_uuid, evidence_sha256, type, subtype, bundle_id, environment, original_transaction_id, status,
        batch_id, signed_at, consumption_reason)
      """, genuine.filter { $0.content.notification != nil }, &tx
    ) { staged, writer in
      guard let fields = staged.content.notification else { return }
      try writer.row(
        fields.uuid ?? "", HashValue(staged.content.sha256), fields.type ?? "", fields.subtype ?? "", staged.content.bundleID,
        staged.content.environment, originals[staged.content.sha256], fields.status.map(Int32.init(clamping:)), batchID,
        staged.content.signedAt ?? staged.upload.receivedAt, fields.consumptionReason
      )
    }
  }

  /// The original transaction of each item that contains another one.
  var originals: [String: String] {
    var originals: [String: String] = [:]
    for staged in evidence {
      guard let parent = staged.content.parentSHA256 else { continue }
      originals[parent] =
        originals[parent] ?? staged.content.transaction?.originalTransactionID
        ?? staged.content.renewal?.originalTransactionID
    }
    return originals
  }

  /// Stores each distinct header of signed data once.
  func recordHeaders(_ tx: inout DatabaseTransaction, sql: SQLFiles) throws {
    var seen: Set<String> = []
    let items = evidence.filter { item in item.packed.headerKey.map { seen.insert($0).inserted } ?? false }
    try copy("staged_header (header_key, header, frame)", items, &tx) { staged, writer in
      let header = staged.content.raw.prefix(staged.content.headerLength)
      try writer.row(staged.packed.headerKey, header, staged.packed.frame.map { $0[...] })
    }
    if !items.isEmpty { try tx.send(sql(IngestSQL.recordHeaders)) }
  }

  /// Copies one row for each item, or nothing where there is none.
  func copy(
    _ columns: String, _ items: some Sequence<StagedEvidence>, _ tx: inout DatabaseTransaction,
    write: (StagedEvidence, inout CopyWriter) throws -> Void
  ) throws {
    let items = Array(items)
    guard !items.isEmpty else { return }
    _ = try tx.copyIn("copy \(columns) from stdin (format binary)") { writer in
      for item in items { try write(item, &writer) }
    }
  }
}

/// Items that are compared with the known ones in staging tables.
extension EvidenceRows {
  func stage(_ tx: inout DatabaseTransaction) throws {
    try stageEvidence(&tx)
    try copyTransactions(into: "staged_transaction", &tx)
    try copyRenewals(into: "staged_renewal_info", &tx)
    try copyNotifications(into: "staged_notification", &tx)
    try stageUnrecognized(&tx)
  }

  private func stageEvidence(_ tx: inout DatabaseTransaction) throws {
    var item: Int64 = 0
    try copy(
      """
      staged_evidence (\(StagedEvidence.columns), item, is_top, parent_sha256, top_sha256, former_sha256, body_sha256,
        is_from_apple, is_reevaluation, user_id, device_id, order_id)
      """, evidence, &tx
    ) { staged, writer in
      item += 1
      try staged.write(
        to: &writer, item, staged.isTop, staged.content.parentSHA256.map(HashValue.init), HashValue(staged.topSHA256),
        staged.formerSHA256.map(HashValue.init), staged.content.bodySHA256.map(HashValue.init), staged.isFromApple,
        staged.isReevaluation, staged.upload.userID, staged.upload.deviceID, staged.upload.orderID
      )
    }
  }

  private func stageUnrecognized(_ tx: inout DatabaseTransaction) throws {
    let items = evidence.filter { $0.content.statesUnrecognized && !$0.content.unrecognized.isEmpty }
    try copy("staged_unrecognized (sha256, field, value)", items, &tx) { staged, writer in
      for value in staged.content.unrecognized {
        try writer.row(HashValue(staged.content.sha256), value.field, value.value)
      }
    }
  }
}
