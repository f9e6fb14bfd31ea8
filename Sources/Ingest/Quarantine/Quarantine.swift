package import Domain
package import JobCore
package import Postgres

/// Counts input that is not genuine and concerns no user or order of ours, and keeps samples.
package struct Quarantine: Sendable {
  let context: JobContext
  let readerSHA256: String

  package init(context: JobContext, readerSHA256: String) {
    self.context = context
    self.readerSHA256 = readerSHA256
  }

  /// The reader with the limits of the settings for its samples, as parameters of statements.
  package var limits: [String: Value] {
    let limits = context.settings.quarantine
    return ["reader_sha256": .text(readerSHA256), "items_max": .int8(limits.itemsMax), "byte_max": .int8(limits.bytesMax)]
  }

  /// Records which kinds of signature were verified.
  func recordProof(_ proven: Set<SignatureKind>, in tx: inout DatabaseTransaction) throws {
    guard !proven.isEmpty else { return }
    try tx.send(
      context.sql(QuarantineSQL.recordProof),
      ["reader_sha256": .text(readerSHA256), "are_receipts": .textArray(proven.map { "\($0 == .receipt)" })])
  }

  /// Moves forged evidence above the limits from a staged chunk to the quarantine, if it is tied to no user or order of ours.
  ///
  /// - Returns: the number of input items moved.
  func bound(in tx: inout DatabaseTransaction) throws -> Int {
    try tx.send(context.sql(QuarantineSQL.staged))
    return try tx.rows(context.sql(QuarantineSQL.boundForged), limits).first.map { Int($0) } ?? 0
  }

  /// Counts a batch's items, and keeps samples.
  ///
  /// - Parameter hasStaged: whether the staging table has further items.
  func take(_ items: [QuarantinedItem], batchID: Int64, hasStaged: Bool, in tx: inout DatabaseTransaction) throws {
    guard hasStaged || !items.isEmpty else { return }
    try keep(items, batchID: batchID, in: &tx)
    try tx.send(context.sql(QuarantineSQL.countItems), ["batch_id": .int8(batchID)])
  }

  /// Keeps samples up to the limits of the settings.
  ///
  /// - Parameter batchID: nil at the notification endpoint, whose samples and counts a batch takes over later.
  package func keep(_ items: [QuarantinedItem], batchID: Int64?, in tx: inout DatabaseTransaction) throws {
    try tx.send(context.sql(QuarantineSQL.staged))
    _ = try tx.copyIn(
      """
      copy staged_quarantine (source, sha256, kind, bundle_id, environment, verdict, reason, body_base64, byte_count,
        received_at) from stdin (format binary)
      """
    ) { writer in
      for item in items {
        try writer.row(
          item.source.rawValue, item.sha256, item.kind, item.bundleID, item.environment, item.verdict.rawValue, item.reason,
          item.bodyBase64, Int64(item.body.count), item.receivedAt
        )
      }
    }
    try tx.send(context.sql(QuarantineSQL.keep), limits.merging(["batch_id": batchID.map(Value.int8) ?? .null]) { $1 })
  }

  /// Counts quarantined posts of one day at the notification endpoint.
  package func count(_ items: Int, bytes: Int, from first: Timestamp, to last: Timestamp, in tx: inout DatabaseTransaction) throws {
    try tx.send(
      context.sql(QuarantineSQL.countQuarantined),
      [
        "item_count": .int8(Int64(items)), "byte_count": .int8(Int64(bytes)),
        "first_at": first.sqlValue, "last_at": last.sqlValue,
      ])
  }

  /// Makes the endpoint's counts known from now on, under a separate batch, because quarantined posts and repeats are no input from Apple.
  package func takeEndpointCounts(runID: String, on session: Session) async throws {
    let sql = context.sql
    guard try await context.rows(QuarantineSQL.hasCounts, on: session).first == true else { return }
    let batch = NewBatch(kind: "judgement", file: "webhook", source: EvidenceSource.notification.rawValue, runID: runID)
    try await session.retrying { tx in
      let batchID = try tx.open(batch, in: context)
      let (refused, repeated) =
        try tx.rows(sql(QuarantineSQL.takePosts), ["batch_id": .int8(batchID)])
        .first.map { (Int($0), Int($1)) } ?? (0, 0)
      let count = refused + repeated
      try tx.checkpoint(
        batchID, items: count, tally: Tally(input: count, repeated: repeated, ignored: refused),
        newestFactAt: nil, isLast: true, sql: sql)
    }
  }

  /// Returns samples last evaluated by another reader.
  func page(items: Int64, bytes: Int64, on session: Session) async throws -> [StoredEvidence] {
    let parameters: [String: Value] = ["reader_sha256": .text(readerSHA256), "row_max": .int8(items), "byte_max": .int8(bytes)]
    return try await context.rows(QuarantineSQL.page, parameters, on: session).map { source, day, sha256, receivedAt, body in
      StoredEvidence(
        key: "\(source)|\(day)|\(sha256)", sha256: sha256, source: EvidenceSource(rawValue: source) ?? .notification,
        receivedAt: Timestamp(microseconds: receivedAt), bytes: QuarantinedItem.body(base64: body))
    }
  }

  /// Records samples as read by this reader; samples that are evidence now are subtracted from the counts.
  func recordRead(_ page: [StoredEvidence], released: [StoredEvidence], batchID: Int64, in tx: inout DatabaseTransaction) throws {
    try tx.send(
      context.sql(QuarantineSQL.recordRead),
      [
        "reader_sha256": .text(readerSHA256), "batch_id": .int8(batchID), "items": .textArray(page.map(\.key)),
        "released": .textArray(released.map(\.key)),
      ])
  }
}
