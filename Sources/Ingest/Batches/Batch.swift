internal import Cryptography
internal import Domain
package import JobCore
package import Postgres

/// The batch of one input file.
package struct Batch: Sendable {
  package var batchID: Int64
  /// Number of the file's items that earlier attempts recorded.
  var itemsDone: Int
  /// Counts of those items.
  var tally: Tally
  var isDone: Bool
}

/// The input that a batch is opened for.
package struct NewBatch: Sendable {
  let kind: String
  let file: String
  let contentSHA256: String
  let source: String
  let runID: String
  /// Clock at which its rows were parked; nil for other input.
  var receivedAt: Timestamp?

  package init(kind: String, file: String, contentSHA256: String = "", source: String, runID: String) {
    self.kind = kind
    self.file = file
    self.contentSHA256 = contentSHA256
    self.source = source
    self.runID = runID
  }

  /// Returns the parameters of statements that find its batches.
  fileprivate func key(in context: JobContext) -> [String: Value] {
    ["kind": .text(kind), "content_sha256": .text(contentSHA256), "mapping_sha256": .text(context.mappingSHA256(kind))]
  }
}

extension JobContext {
  /// Returns the hash of the mappings by which files of a kind are read; empty without any.
  fileprivate func mappingSHA256(_ kind: String) -> String {
    let entries = InputKind(rawValue: kind).map { settings.inputs[$0].mappingEntries } ?? []
    return entries.isEmpty ? "" : SHA256.hex(Array(SettingsEntry.text(entries).utf8))
  }
}

extension Session {
  /// Opens a batch.
  ///
  /// - Parameter resumes: whether to continue an interrupted batch of the same content, and to return a finished one as done. Otherwise
  ///   the file is read again and its rows count as repeated.
  package func open(_ batch: NewBatch, resumes: Bool = false, in context: JobContext) async throws -> Batch {
    try await retrying { tx in
      if resumes, let known = try tx.earlierBatch(like: batch, in: context) { return known }
      return Batch(batchID: try tx.open(batch, in: context), itemsDone: 0, tally: Tally(), isDone: false)
    }
  }
}

extension DatabaseTransaction {
  /// Returns the batch of the same kind, content and mapping, preferably a finished one; nil when there is none.
  mutating func earlierBatch(like batch: NewBatch, in context: JobContext) throws -> Batch? {
    let found = try rows(context.sql(IngestSQL.findBatch), batch.key(in: context)).first
    return found.map { batchID, state, itemsDone, input, accepted, repeated, ignored, parked in
      let tally = Tally(input: Int(input), accepted: Int(accepted), repeated: Int(repeated), ignored: Int(ignored), parked: Int(parked))
      return Batch(batchID: batchID, itemsDone: Int(itemsDone), tally: tally, isDone: state == "done")
    }
  }

  package mutating func open(_ batch: NewBatch, in context: JobContext) throws -> Int64 {
    try send(context.sql(IngestSQL.shareInputLock))
    let parameters: [String: Value] = [
      "file_name": .text(batch.file), "source": .text(batch.source), "run_id": .text(batch.runID),
      "is_clock_given": .bool(context.isClockGiven), "known_at": context.asOfValue, "received_at": batch.receivedAt.sqlValue,
    ]
    return try rows(context.sql(IngestSQL.openBatch), parameters.merging(batch.key(in: context)) { $1 }).first ?? 0
  }

  /// Returns the batch of an input's next rows. It is a further batch once a run has read the last one.
  ///
  /// - Parameter batchID: the input's first batch.
  mutating func currentBatch(_ batchID: Int64, sql: SQLFiles) throws -> Int64 {
    try send(sql(IngestSQL.shareInputLock))
    let found = try rows(sql(IngestSQL.currentBatch), ["batch_id": .int8(batchID)]).first
    guard let (current, isPassed) = found, isPassed else { return found?.0 ?? batchID }
    return try rows(sql(IngestSQL.continueBatch), ["batch_id": .int8(current)]).first ?? 0
  }

  /// Advances a batch's checkpoint by one chunk.
  mutating func checkpoint(_ batchID: Int64, items: Int, tally: Tally, newestFactAt: Timestamp?, isLast: Bool, sql: SQLFiles) throws {
    // A crash of the machine may lose the newest chunks, but always together with their checkpoint. Only the last chunk waits for the disk.
    if !isLast { send("set local synchronous_commit = off") }
    _ = try run(
      sql(IngestSQL.checkpoint),
      [
        "batch_id": .int8(batchID), "items": .int8(Int64(items)), "input": .int8(Int64(tally.input)),
        "accepted": .int8(Int64(tally.accepted)), "repeated": .int8(Int64(tally.repeated)),
        "ignored": .int8(Int64(tally.ignored)), "parked": .int8(Int64(tally.parked)),
        "state": .text(isLast ? "done" : "open"),
        "newest_fact_at": newestFactAt.sqlValue,
      ])
  }
}
