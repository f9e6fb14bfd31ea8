internal import AppStore
package import Domain
internal import Intake
internal import JobCore
internal import Postgres

/// Verified and decoded evidence of one transaction, ready to be copied.
package struct StagedChunk: Sendable {
  private var evidence: [StagedEvidence] = []
  var parked: [ParkedItem] = []
  private(set) var pages = StagedPages()
  /// Ignored members of wrappers, with the number of wrappers and the first line.
  private(set) var wrapperNotes: [EvidenceWrapper.Note: (count: Int, line: Int)] = [:]
  /// Items that are not genuine and concern no user or order of ours.
  private(set) var quarantined: [QuarantinedItem] = []
  /// Number of input items that stay in the quarantine, which counts them.
  var ignoredCount = 0
  /// Business clock: items that Apple signed later are pending until a run's clock passes their signing instant.
  private let clock: Timestamp

  package init(clock: Timestamp) { self.clock = clock }

  /// Reads one line: its wrapper, if any, the item and its nested signed items.
  ///
  /// - Parameters:
  ///   - isFromApple: whether this process received the line from Apple over TLS; only then does an unsigned answer prove anything.
  mutating func add(
    _ line: EvidenceLine, file: String, reader: EvidenceReader, source: EvidenceSource, asOf: Timestamp,
    isFromApple: Bool = false
  ) {
    if line.mayBeCut, EvidenceReader.isCutShort(line.bytes) {
      park(line, file: file, field: "", reason: InputEnd.openEnd, isCut: true)
      return
    }
    let delivery: Delivery
    let bytes: [UInt8]
    // Apple's answers are never wrappers of ours, even if they look like one.
    switch isFromApple ? .notAWrapper : EvidenceWrapper.parse(line.bytes) {
    case .notAWrapper:
      delivery = Delivery(source: source, receivedAt: asOf)
      bytes = line.bytes
    case .wrapper(let wrapper):
      delivery = Delivery(
        source: wrapper.source ?? source, receivedAt: wrapper.receivedAt ?? asOf, userID: wrapper.userID ?? "",
        deviceID: wrapper.deviceID ?? "", orderID: wrapper.orderID ?? "")
      bytes = wrapper.evidence
      for note in wrapper.notes { add(note, count: 1, line: line.line) }
    case .refused(let field, let reason):
      park(line, file: file, field: field, reason: reason)
      return
    }
    let items = reader.read(bytes, isFromApple: isFromApple)
    if let top = items.first, top.verdict == .malformed {
      park(line, file: file, field: top.field, reason: "evidence is malformed: \(top.reason)")
    }
    pages.add(items, line: line.line)
    stage(items, delivery: delivery, isFromApple: isFromApple)
  }

  private mutating func add(_ note: EvidenceWrapper.Note, count: Int, line: Int) {
    let known = wrapperNotes[note] ?? (0, line)
    wrapperNotes[note] = (known.count + count, min(known.line, line))
  }

  /// Adds a post from an unknown sender. Only the evidence in it counts; the rest is quarantined.
  package mutating func add(_ post: UntrustedPost, source: EvidenceSource, receivedAt: Timestamp) {
    if let refused = post.refused { quarantined.append(refused) }
    stageEvidence(of: post, source: source, receivedAt: receivedAt)
  }

  /// Adds the evidence of a post that the quarantine has already counted.
  mutating func stageEvidence(of post: UntrustedPost, source: EvidenceSource, receivedAt: Timestamp) {
    for items in post.evidence {
      stage(items, delivery: Delivery(source: source, receivedAt: receivedAt), isFromApple: false, isCounted: post.refused == nil)
    }
  }

  /// Reads stored evidence again with its original delivery; nothing is parked again.
  ///
  /// - Returns: whether all of it is genuine now.
  mutating func reevaluate(_ stored: StoredEvidence, reader: EvidenceReader) -> Bool {
    let first = evidence.endIndex
    stage(
      reader.read(stored.bytes, isFromApple: stored.isFromApple),
      delivery: Delivery(source: stored.source, receivedAt: stored.receivedAt), isFromApple: stored.isFromApple,
      storedAs: stored.sha256)
    return evidence[first...].allSatisfy { $0.content.verdict == .genuine }
  }

  /// Description of the first forged item; nil when there is none.
  package var firstForgery: String? {
    evidence.first { $0.content.verdict == .forged }.map { staged in
      "\(staged.content.kind?.rawValue ?? "item") \(staged.content.sha256.prefix(12)): \(staged.content.reason)"
    }
  }

  private mutating func park(_ line: EvidenceLine, file: String, field: String, reason: String, isCut: Bool = false) {
    // Notifications V1 contain the shared secret.
    let bytes = SecretRedaction.redacted(line.bytes)
    parked.append(
      ParkedItem(
        kind: "apple", file: file, line: line.line, field: field, reason: reason,
        raw: Array(bytes.prefix(Self.parkedBytesMax)), byteCount: bytes.count, isCut: isCut))
  }

  /// Maximum number of bytes kept of a parked item; evidence is kept completely.
  static let parkedBytesMax = 1 << 20

  /// - Parameters:
  ///   - stored: hash under which the whole is already stored; nil for new items.
  ///   - isCounted: whether the first item counts as an input item.
  private mutating func stage(
    _ items: [EvidenceItem], delivery: Delivery, isFromApple: Bool, storedAs stored: String? = nil,
    isCounted: Bool = true
  ) {
    guard let top = items.first else { return }
    // Apple signs an answer at the time of the request, which is after the clock of the requesting run.
    for (place, item) in (isFromApple ? items : items.held(after: clock)).enumerated() {
      let staged = StagedEvidence(
        item, delivery: delivery, 
        isTop: isCounted && place == 0 && (item.verdict != .malformed || stored != nil),
        topSHA256: stored ?? top.sha256, isFromApple: isFromApple, isReevaluation: stored != nil,
        formerSHA256: place == 0 && stored != top.sha256 ? stored : item.formerSHA256)
      evidence.append(staged)
    }
  }

  /// Latest signing instant in the chunk; nil without a genuine item.
  var newestSignedAt: Timestamp? {
    evidence.compactMap { $0.content.verdict == .genuine ? $0.content.signedAt : nil }.max()
  }

  /// Notifications that Apple reports as undelivered, with the parallel list of reasons.
  var missed: (sha256s: [String], results: [String]) {
    let found = evidence.compactMap { item in item.content.deliveryFailure.map { (item.content.sha256, $0) } }
    return (found.map(\.0), found.map(\.1))
  }

  mutating func append(_ other: StagedChunk) {
    evidence += other.evidence
    pages.append(other.pages)
    parked += other.parked
    quarantined += other.quarantined
    for (note, found) in other.wrapperNotes { add(note, count: found.count, line: found.line) }
  }

  func copy(into tx: inout DatabaseTransaction, batchID: Int64) throws {
    try copyEvidence(into: &tx)
    try copyHeaders(into: &tx)
    try copyTransactions(into: &tx, batchID: batchID)
    try copyRenewals(into: &tx, batchID: batchID)
    try copyNotifications(into: &tx, batchID: batchID)
    try copyUnrecognized(into: &tx)
  }
}

/// One staged piece of evidence; a class, because it is moved between lists.
private final class StagedEvidence: Sendable {
  let isTop: Bool
  let content: EvidenceItem
  let packed: PackedText
  let delivery: Delivery
  let chargeID: String?
  /// SHA-256 of the top-level item that contains this one, or of this item.
  let topSHA256: String
  let isFromApple: Bool
  let isReevaluation: Bool
  let formerSHA256: String?

  init(
    _ content: EvidenceItem, delivery: Delivery, isTop: Bool, topSHA256: String, isFromApple: Bool, isReevaluation: Bool,
    formerSHA256: String?
  ) {
    self.isTop = isTop
    self.content = content
    packed = content.packed()
    self.delivery = delivery
    self.topSHA256 = topSHA256
    self.isFromApple = isFromApple
    self.isReevaluation = isReevaluation
    self.formerSHA256 = formerSHA256
    chargeID = content.verdict == .genuine ? content.transaction?.chargeID : nil
  }
}

extension StagedChunk {
  private func copyEvidence(into tx: inout DatabaseTransaction) throws {
    _ = try tx.copyIn(
      """
      copy staged_evidence (item, is_top, sha256, kind, verdict, reason, bundle_id, environment, source, parent_sha256,
        top_sha256, former_sha256, body_sha256, is_from_apple, is_read_anew, header_key, charge_id, transaction_id,
        original_transaction_id, body, unpacked_length, signed_at, received_at, user_id, device_id, order_id)
        from stdin (format binary)
      """
    ) { writer in
      for (index, staged) in evidence.enumerated() {
        let content = staged.content
        try writer.beginRow(columns: 26)
        try writer.int8(Int64(index + 1))
        try writer.bool(staged.isTop)
        try writer.hash(content.sha256)
        try writer.text(content.kind?.rawValue ?? "")
        try writer.text(content.verdict.rawValue)
        try writer.text(content.reason)
        // The bundle id of a renewal info is that of the enclosing item, which depends on the delivery.
        try writer.text(content.kind == .renewalInfo ? "" : content.bundleID)
        try writer.text(content.environment)
        try writer.text(staged.delivery.source.rawValue)
        try writer.optionalHash(content.parentSHA256)
        try writer.hash(staged.topSHA256)
        try writer.optionalHash(staged.formerSHA256)
        try writer.optionalHash(content.bodySHA256)
        try writer.bool(staged.isFromApple)
        try writer.bool(staged.isReevaluation)
        try writer.optionalText(staged.packed.headerKey)
        try writer.optionalText(staged.chargeID)
        try writer.optionalText(content.transaction?.transactionID)
        try writer.optionalText(content.transaction?.originalTransactionID)
        try writer.bytes(staged.packed.body)
        try writer.optionalInt4(staged.packed.unpackedLength.map { Int32(clamping: $0) })
        // An unsigned row is repeated by every text that lists it, so its date is omitted.
        try writer.optionalTimestamptz(microseconds: content.listedIn == nil ? content.signedAt?.microseconds : nil)
        try writer.timestamptz(microseconds: staged.delivery.receivedAt.microseconds)
        try writer.text(staged.delivery.userID)
        try writer.text(staged.delivery.deviceID)
        try writer.text(staged.delivery.orderID)
      }
    }
  }

  private func copyHeaders(into tx: inout DatabaseTransaction) throws {
    _ = try tx.copyIn("copy staged_header (header_key, header, frame) from stdin (format binary)") { writer in
      var written: Set<String> = []
      for staged in evidence {
        guard let key = staged.packed.headerKey, written.insert(key).inserted else { continue }
        try writer.beginRow(columns: 3)
        try writer.text(key)
        try writer.bytes(staged.content.raw.prefix(staged.content.headerLength))
        try writer.optionalBytes(staged.packed.frame)
      }
    }
  }

  private func copyTransactions(into tx: inout DatabaseTransaction, batchID: Int64) throws {
    _ = try tx.copyIn(
      """
      copy staged_transaction (original_transaction_id, charge_id, evidence_sha256, transaction_id, environment,
        bundle_id, product_id, type, ownership, web_order_line_item_id, subscription_group, app_account_token,
        transaction_reason, storefront, currency, offer_discount_type, revocation_type, app_transaction_id, quantity,
        offer_type, price_milliunits, refunded_milliunits, revocation_percentage, batch_id, is_upgraded, purchased_at,
        original_purchased_at, expires_at, revoked_at, signed_at, stated_in, items_refunded_milliunits) from stdin (format binary)
      """
    ) { writer in
      for staged in evidence {
        guard var fields = staged.content.transaction, let chargeID = staged.chargeID else { continue }
        if fields.revokedAt == nil, let parent = staged.content.parentSHA256, let reversedAt = reversals[parent] {
          fields.signedAt = max(fields.signedAt ?? reversedAt, reversedAt)
        }
        try fields.write(
          to: &writer, chargeID: chargeID, evidenceSHA256: staged.content.sha256, batchID: batchID,
          statedIn: staged.content.listedIn ?? .transaction)
      }
    }
  }

  /// Instants at which Apple reversed refunds, from the notifications: a nested transaction may have been signed before the refund.
  private var reversals: [String: Timestamp] {
    var found: [String: Timestamp] = [:]
    for staged in evidence where staged.content.verdict == .genuine {
      guard staged.content.notification?.type == "REFUND_REVERSED", let at = staged.content.signedAt else { continue }
      found[staged.content.sha256] = at
    }
    return found
  }

  private func copyRenewals(into tx: inout DatabaseTransaction, batchID: Int64) throws {
    _ = try tx.copyIn(
      """
      copy staged_renewal_info (original_transaction_id, evidence_sha256, environment, product_id,
        auto_renew_product_id, currency, auto_renew_status, expiration_intent, price_increase_status,
        renewal_price_milliunits, batch_id, is_in_billing_retry, grace_expires_at, renewal_at, signed_at, bundle_id)
      from stdin (format binary)
      """
    ) { writer in
      for staged in evidence where staged.content.verdict == .genuine {
        guard let fields = staged.content.renewal else { continue }
        try writer.beginRow(columns: 16)
        try writer.text(fields.originalTransactionID)
        try writer.hash(staged.content.sha256)
        try writer.text(staged.content.environment)
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
        try writer.text(staged.content.bundleID)
      }
    }
  }

  private func copyNotifications(into tx: inout DatabaseTransaction, batchID: Int64) throws {
    var originals: [String: String] = [:]
    for staged in evidence {
      guard let parent = staged.content.parentSHA256 else { continue }
      originals[parent] = originals[parent] ?? staged.content.transaction?.originalTransactionID
        ?? staged.content.renewal?.originalTransactionID
    }
    _ = try tx.copyIn(
      """
      copy staged_notification (notification_uuid, evidence_sha256, type, subtype, bundle_id, environment,
        original_transaction_id, status, batch_id, signed_at, consumption_reason) from stdin (format binary)
      """
    ) { writer in
      for staged in evidence where staged.content.verdict == .genuine {
        guard let fields = staged.content.notification else { continue }
        try writer.beginRow(columns: 11)
        try writer.text(fields.uuid ?? "")
        try writer.hash(staged.content.sha256)
        try writer.text(fields.type ?? "")
        try writer.text(fields.subtype ?? "")
        try writer.text(staged.content.bundleID)
        try writer.text(staged.content.environment)
        try writer.optionalText(originals[staged.content.sha256])
        try writer.optionalInt4(fields.status.map(Int32.init(clamping:)))
        try writer.int8(batchID)
        try writer.timestamptz(microseconds: (staged.content.signedAt ?? staged.delivery.receivedAt).microseconds)
        try writer.optionalText(fields.consumptionReason)
      }
    }
  }

  private func copyUnrecognized(into tx: inout DatabaseTransaction) throws {
    _ = try tx.copyIn("copy staged_unrecognized (sha256, field, value) from stdin (format binary)") { writer in
      for staged in evidence where staged.content.verdict == .genuine || staged.content.lacksOrigin {
        for value in staged.content.unrecognized {
          try writer.beginRow(columns: 3)
          try writer.hash(staged.content.sha256)
          try writer.text(value.field)
          try writer.text(value.value)
        }
      }
    }
  }
}
