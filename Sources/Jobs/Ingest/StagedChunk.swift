internal import AppStore
internal import Cryptography
internal import Domain
internal import Intake
internal import Postgres

/// Verified and decoded evidence of one transaction, ready to be copied.
struct StagedChunk: Sendable {
  private var evidence: [StagedEvidence] = []
  private var headers: [String: [UInt8]] = [:]
  var parked: [ParkedItem] = []

  /// Reads one line: its wrapper, if any, the item and the signed items inside it.
  ///
  /// - Parameters:
  ///   - isFromApple: this process itself had it from Apple over TLS; only then is an unsigned answer proof.
  ///   - takesWrappers: our own servers wrote the line; what came from outside speaks for nobody else.
  mutating func add(
    _ line: EvidenceLine, file: String, reader: EvidenceReader, source: EvidenceSource, asOf: Timestamp,
    isFromApple: Bool = false, takesWrappers: Bool = true
  ) {
    let delivery: Delivery
    let bytes: [UInt8]
    switch takesWrappers ? EvidenceWrapper.parse(line.bytes) : .notAWrapper {
    case .notAWrapper:
      delivery = Delivery(source: source, receivedAt: asOf)
      bytes = line.bytes
    case .wrapper(let wrapper):
      delivery = Delivery(
        source: wrapper.source ?? source, receivedAt: wrapper.receivedAt ?? asOf, userID: wrapper.userID ?? "",
        deviceID: wrapper.deviceID ?? "", orderID: wrapper.orderID ?? "")
      bytes = wrapper.evidence
    case .refused(let field, let reason):
      park(line, file: file, field: field, reason: reason)
      return
    }
    var isTop = true
    for item in reader.read(bytes, isFromApple: isFromApple) {
      if isTop, item.verdict == .malformed {
        park(line, file: file, field: item.field, reason: "evidence is malformed: \(item.reason)")
      }
      stage(item, delivery: delivery, isTop: isTop && item.verdict != .malformed)
      isTop = false
    }
  }

  private mutating func park(_ line: EvidenceLine, file: String, field: String, reason: String) {
    // Notifications V1 carry a shared secret.
    let bytes = SecretRedaction.redacted(line.bytes)
    parked.append(
      ParkedItem(
        kind: "apple", file: file, line: line.line, field: field, reason: reason,
        raw: Array(bytes.prefix(Self.parkedBytesMax)), byteCount: bytes.count))
  }

  /// Bytes of a parked item that are kept; evidence itself keeps all of them.
  static let parkedBytesMax = 1 << 20

  private mutating func stage(_ item: EvidenceItem, delivery: Delivery, isTop: Bool) {
    if let key = item.headerSHA256, headers[key] == nil { headers[key] = Array(item.raw.prefix(item.headerLength)) }
    evidence.append(StagedEvidence(item, delivery: delivery, isTop: isTop))
  }

  /// Newest signature of Apple's in the chunk; nil when nothing genuine is in it.
  var newestSignedAt: Timestamp? {
    evidence.compactMap { $0.content.verdict == .genuine ? $0.content.signedAt : nil }.max()
  }

  mutating func append(_ other: StagedChunk) {
    evidence += other.evidence
    headers.merge(other.headers) { mine, _ in mine }
    parked += other.parked
  }

  func copy(into tx: inout Transaction, batchID: Int64) throws {
    try copyEvidence(into: &tx)
    try copyHeaders(into: &tx)
    try copyTransactions(into: &tx, batchID: batchID)
    try copyRenewals(into: &tx, batchID: batchID)
    try copyNotifications(into: &tx, batchID: batchID)
    try copyUnrecognized(into: &tx)
  }
}

/// Who handed an item over, and when.
struct Delivery: Sendable {
  var source: EvidenceSource
  var receivedAt: Timestamp
  var userID = ""
  var deviceID = ""
  var orderID = ""
}

/// One piece of evidence on its way to the store; an object, because it goes from list to list.
private final class StagedEvidence: Sendable {
  let isTop: Bool
  let content: EvidenceItem
  let delivery: Delivery
  let chargeID: String?

  init(_ content: EvidenceItem, delivery: Delivery, isTop: Bool) {
    self.isTop = isTop
    self.content = content
    self.delivery = delivery
    chargeID = content.verdict == .genuine ? content.transaction?.chargeID : nil
  }
}

extension TransactionFields {
  /// Id of the charge that this transaction belongs to; equal for every alias of the charge.
  var chargeID: String {
    let identity = ChargeIdentity(
      environment: environment, bundleID: bundleID, type: type, originalTransactionID: originalTransactionID,
      lineItemID: webOrderLineItemID, productID: productID, purchasedAt: purchasedAt)
    return String(SHA256.hex(Array(identity.text.utf8)).prefix(32))
  }
}

extension StagedChunk {
  private func copyEvidence(into tx: inout Transaction) throws {
    _ = try tx.copyIn(
      """
      copy staged_evidence (item, is_top, sha256, kind, verdict, reason, bundle_id, environment, source, parent_sha256,
        header_sha256, charge_id, transaction_id, original_transaction_id, body, signed_at, received_at, user_id,
        device_id, order_id) from stdin (format binary)
      """
    ) { writer in
      for (index, staged) in evidence.enumerated() {
        let content = staged.content
        try writer.beginRow(columns: 20)
        try writer.int8(Int64(index + 1))
        try writer.bool(staged.isTop)
        try writer.text(content.sha256)
        try writer.text(content.kind?.rawValue ?? "")
        try writer.text(content.verdict.rawValue)
        try writer.text(content.reason)
        // A renewal info names no bundle; that of what it came in depends on the way it took.
        try writer.text(content.kind == .renewalInfo ? "" : content.bundleID)
        try writer.text(content.environment)
        try writer.text(staged.delivery.source.rawValue)
        try writer.optionalText(content.parentSHA256)
        try writer.optionalText(content.headerSHA256)
        try writer.optionalText(staged.chargeID)
        try writer.optionalText(content.transaction?.transactionID)
        try writer.optionalText(content.transaction?.originalTransactionID)
        try writer.bytes(content.raw.dropFirst(content.headerLength))
        try writer.optionalTimestamptz(microseconds: content.signedAt?.microseconds)
        try writer.timestamptz(microseconds: staged.delivery.receivedAt.microseconds)
        try writer.text(staged.delivery.userID)
        try writer.text(staged.delivery.deviceID)
        try writer.text(staged.delivery.orderID)
      }
    }
  }

  private func copyHeaders(into tx: inout Transaction) throws {
    _ = try tx.copyIn("copy staged_header (header_sha256, header) from stdin (format binary)") { writer in
      for (key, header) in headers {
        try writer.beginRow(columns: 2)
        try writer.text(key)
        try writer.bytes(header)
      }
    }
  }

  private func copyTransactions(into tx: inout Transaction, batchID: Int64) throws {
    _ = try tx.copyIn(
      """
      copy staged_transaction (original_transaction_id, charge_id, evidence_sha256, transaction_id, environment,
        bundle_id, product_id, type, ownership, web_order_line_item_id, subscription_group, app_account_token,
        transaction_reason, storefront, currency, offer_discount_type, revocation_type, app_transaction_id, quantity,
        offer_type, price_milliunits, refunded_milliunits, revocation_percentage, batch_id, is_upgraded, purchased_at,
        original_purchased_at, expires_at, revoked_at, signed_at) from stdin (format binary)
      """
    ) { writer in
      for staged in evidence {
        guard let fields = staged.content.transaction, let chargeID = staged.chargeID else { continue }
        try fields.write(
          to: &writer, chargeID: chargeID, evidenceSHA256: staged.content.sha256, batchID: batchID)
      }
    }
  }

  private func copyRenewals(into tx: inout Transaction, batchID: Int64) throws {
    _ = try tx.copyIn(
      """
      copy staged_renewal_info (original_transaction_id, evidence_sha256, environment, product_id,
        auto_renew_product_id, currency, auto_renew_status, expiration_intent, price_increase_status,
        renewal_price_milliunits, batch_id, is_in_billing_retry, grace_expires_at, renewal_at, signed_at)
      from stdin (format binary)
      """
    ) { writer in
      for staged in evidence where staged.content.verdict == .genuine {
        guard let fields = staged.content.renewal else { continue }
        try writer.beginRow(columns: 15)
        try writer.text(fields.originalTransactionID)
        try writer.text(staged.content.sha256)
        try writer.text(fields.environment)
        try writer.text(fields.productID ?? "")
        try writer.optionalText(fields.autoRenewProductID)
        try writer.optionalText(fields.currency)
        try writer.optionalInt4(fields.autoRenewStatus.map(Int32.init(clamping:)))
        try writer.optionalInt4(fields.expirationIntent.map(Int32.init(clamping:)))
        try writer.optionalInt4(fields.priceIncreaseStatus.map(Int32.init(clamping:)))
        try writer.optionalInt8(fields.renewalPriceMilliunits)
        try writer.int8(batchID)
        if let isInRetry = fields.isInBillingRetry { try writer.bool(isInRetry) } else { try writer.null() }
        try writer.optionalTimestamptz(microseconds: fields.gracePeriodExpiresAt?.microseconds)
        try writer.optionalTimestamptz(microseconds: fields.renewalAt?.microseconds)
        try writer.timestamptz(microseconds: (fields.signedAt ?? staged.delivery.receivedAt).microseconds)
      }
    }
  }

  private func copyNotifications(into tx: inout Transaction, batchID: Int64) throws {
    var originals: [String: String] = [:]
    for staged in evidence {
      guard let parent = staged.content.parentSHA256 else { continue }
      originals[parent] =
        originals[parent] ?? staged.content.transaction?.originalTransactionID
        ?? staged.content.renewal?.originalTransactionID
    }
    _ = try tx.copyIn(
      """
      copy staged_notification (notification_uuid, evidence_sha256, type, subtype, bundle_id, environment,
        original_transaction_id, status, batch_id, signed_at) from stdin (format binary)
      """
    ) { writer in
      for staged in evidence where staged.content.verdict == .genuine {
        guard let fields = staged.content.notification else { continue }
        try writer.beginRow(columns: 10)
        try writer.text(fields.uuid ?? "")
        try writer.text(staged.content.sha256)
        try writer.text(fields.type ?? "")
        try writer.text(fields.subtype ?? "")
        try writer.text(staged.content.bundleID)
        try writer.text(staged.content.environment)
        try writer.optionalText(originals[staged.content.sha256])
        try writer.optionalInt4(fields.status.map(Int32.init(clamping:)))
        try writer.int8(batchID)
        try writer.timestamptz(microseconds: (staged.content.signedAt ?? staged.delivery.receivedAt).microseconds)
      }
    }
  }

  private func copyUnrecognized(into tx: inout Transaction) throws {
    _ = try tx.copyIn("copy staged_unrecognized (sha256, field, value) from stdin (format binary)") { writer in
      for staged in evidence where staged.content.verdict == .genuine {
        for value in staged.content.unrecognized {
          try writer.beginRow(columns: 3)
          try writer.text(staged.content.sha256)
          try writer.text(value.field)
          try writer.text(value.value)
        }
      }
    }
  }
}

extension TransactionFields {
  fileprivate func write(
    to writer: inout CopyWriter, chargeID: String, evidenceSHA256: String, batchID: Int64
  ) throws {
    try writer.beginRow(columns: 30)
    try writer.text(originalTransactionID)
    try writer.text(chargeID)
    try writer.text(evidenceSHA256)
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
    try writer.int4(quantity ?? 1)
    try writer.optionalInt4(offerType.map(Int32.init(clamping:)))
    try writer.optionalInt8(priceMilliunits)
    try writer.int8(refundedMilliunits)
    try writer.optionalInt8(revocationPercentage.map(Int64.init))
    try writer.int8(batchID)
    try writer.bool(isUpgraded ?? false)
    try writer.timestamptz(microseconds: purchasedAt.microseconds)
    try writer.optionalTimestamptz(microseconds: originalPurchasedAt?.microseconds)
    try writer.optionalTimestamptz(microseconds: expiresAt?.microseconds)
    try writer.optionalTimestamptz(microseconds: revokedAt?.microseconds)
    try writer.timestamptz(microseconds: (signedAt ?? purchasedAt).microseconds)
  }

  private var refundedMilliunits: Int64 {
    guard revokedAt != nil, let priceMilliunits, ownership != "FAMILY_SHARED" else { return 0 }
    return Money.refunded(
      milliunits: priceMilliunits, percentage: revocationPercentage.map(Int64.init), currency: currency ?? "")
  }
}
