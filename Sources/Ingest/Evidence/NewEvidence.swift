internal import AppStore
internal import Domain
internal import JobCore
internal import Postgres

/// New evidence without anything unusual: nearly all of a backend's input. It needs no comparison with known evidence, so its rows are
/// copied into their tables. Everything else is staged (`EvidenceRows.stage`).
struct NewEvidence {
  let rows: EvidenceRows
  /// Items of the batch that were recorded before.
  let chunk: Int64
  /// Evidence dated later does not count as fresh input.
  let freshUntil: Timestamp

  private var evidence: [StagedEvidence] { rows.evidence }
  private var batchID: Int64 { rows.batchID }

  func record(_ tx: inout DatabaseTransaction, sql: SQLFiles) throws {
    guard !evidence.isEmpty else { return }
    try rows.copy("evidence (\(StagedEvidence.columns), batch_id, chunk)", evidence, &tx) { staged, writer in
      try staged.write(to: &writer, batchID, chunk)
    }
    try copyUploads(&tx)
    try copyLinks(&tx)
    try NewCharges(rows: rows).record(&tx, sql: sql)
    try rows.copyTransactions(into: "transactions", &tx)
    try rows.copyRenewals(into: "renewal_infos", &tx)
    try rows.copyNotifications(into: "notifications", &tx)
    try queue(&tx, sql: sql)
    let facts = evidence.lazy.compactMap { item in item.factAt.map { (item.bundleID, item.content.environment, $0) } }
    try FactHours(facts, until: freshUntil).add(to: batchID, kind: .apple, &tx, sql: sql)
  }

  /// The evidence row has the source and instant of the upload, so only its sender is recorded besides.
  private func copyUploads(_ tx: inout DatabaseTransaction) throws {
    try rows.copy(
      "uploads (sha256, source, user_id, device_id, order_id, charge_id, batch_id, received_at)", evidence.filter(\.hasSender), &tx
    ) { staged, writer in
      try writer.row(
        HashValue(staged.content.sha256), staged.upload.source.rawValue, staged.upload.userID, staged.upload.deviceID,
        staged.upload.orderID, staged.chargeID, batchID, staged.upload.receivedAt
      )
    }
  }

  /// An item is linked to the one that contains it, or to the text in which it was posted, which is no evidence.
  private func copyLinks(_ tx: inout DatabaseTransaction) throws {
    let nested = evidence.filter { $0.content.parentSHA256 != nil || $0.content.bodySHA256 != nil }
    try rows.copy("evidence_links (sha256, parent_sha256, batch_id)", nested, &tx) { staged, writer in
      for (parent, batchID) in [(staged.content.parentSHA256, nil), (staged.content.bodySHA256, batchID)] {
        guard let parent else { continue }
        try writer.row(HashValue(staged.content.sha256), HashValue(parent), batchID)
      }
    }
  }

  /// Queues the chains for the next match run, with the uploads, and the subscriptions for the renewal plan.
  private func queue(_ tx: inout DatabaseTransaction, sql: SQLFiles) throws {
    let originals = rows.originals
    var chains: Set<ByteText> = []
    var subscriptions: Set<ByteText> = []
    for item in evidence {
      let named =
        item.content.transaction?.originalTransactionID ?? item.content.renewal?.originalTransactionID
        ?? originals[item.content.sha256]
      guard let chain = named.map(ByteText.init) else { continue }
      chains.insert(chain)
      if item.content.statesSubscription { subscriptions.insert(chain) }
    }
    try tx.queue("chain", chains.sorted().map(\.text), batchID: batchID, sql: sql)
    try tx.queue("evidence", evidence.filter(\.hasSender).map(\.content.sha256).sorted(), batchID: batchID, sql: sql)
    let apps = Set(evidence.lazy.filter { $0.chargeID != nil }.map { ByteText($0.content.bundleID) })
    try tx.send(
      sql(IngestSQL.newSubjects),
      [
        "batch_id": .int8(batchID), "bundle_ids": .textArray(apps.sorted().map(\.text)),
        "subscriptions": .textArray(subscriptions.sorted().map(\.text)),
      ])
  }
}

extension EvidenceItem {
  /// Whether the item may state something about the renewal of a subscription. The type of a notification can imply a status.
  fileprivate var statesSubscription: Bool {
    if let transaction { return transaction.isPeriod }
    return renewal != nil || notification != nil
  }
}

extension NewEvidence {
  /// Separates a chunk's ordinary items that the database does not know, each with all that is nested in it, from all others.
  static func split(
    _ chunk: StagedChunk, _ tx: inout DatabaseTransaction, sql: SQLFiles
  ) throws -> (new: [StagedEvidence], others: [StagedEvidence]) {
    var counts: [String: Int] = [:]
    for item in chunk.evidence { counts[item.content.sha256, default: 0] += 1 }
    let trees = chunk.trees
    let areOrdinary = trees.map { tree in tree.allSatisfy { $0.isOrdinary && counts[$0.content.sha256] == 1 } }
    let candidates = zip(trees, areOrdinary).lazy.filter(\.1).flatMap(\.0)
    let known = try knownHashes(candidates.map(\.content.sha256), &tx, sql: sql)
    let erased = try tx.pseudonyms(of: candidates.lazy.map(\.upload.userID), sql: sql)
    var new: [StagedEvidence] = []
    var others: [StagedEvidence] = []
    for (tree, isOrdinary) in zip(trees, areOrdinary) {
      func isNew(_ item: StagedEvidence) -> Bool {
        !known.contains(item.content.sha256) && (erased.isEmpty || erased[ByteText(item.upload.userID)] == nil)
      }
      if isOrdinary, tree.allSatisfy(isNew) { new += tree } else { others += tree }
    }
    return (new, others)
  }

  private static func knownHashes(_ sha256s: [String], _ tx: inout DatabaseTransaction, sql: SQLFiles) throws -> Set<String> {
    guard !sha256s.isEmpty else { return [] }
    let statement = try sql(IngestSQL.knownEvidence)
    return Set(try tx.withNestedLoops { tx in try tx.rows(statement, ["sha256s": .textArray(sha256s)]) })
  }
}

extension StagedEvidence {
  /// Instant at which the item counts as input: an answer to our own request, which Apple signs after its clock, at that clock.
  fileprivate var factAt: Timestamp? { signedAt.map { isFromApple ? min($0, upload.receivedAt) : $0 } }

  /// Whether the item is genuine and dated, and nothing in it is refunded, unrecognised, or read for the second time.
  fileprivate var isOrdinary: Bool {
    let hasContent = content.transaction != nil || content.renewal != nil || content.notification != nil
    let isRefund = content.transaction?.revokedAt != nil || content.notification?.type == "REFUND_REVERSED"
    return content.verdict == .genuine && hasContent && !isRefund && content.listedIn == nil && content.signedAt != nil
      && content.unrecognized.isEmpty && content.deliveryAttempts == nil && formerSHA256 == nil && !isReevaluation
  }
}
