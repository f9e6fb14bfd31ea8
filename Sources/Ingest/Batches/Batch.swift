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

/// Opens batches and advances their checkpoints.
package struct BatchLedger: Sendable {
  let context: JobContext
  let session: Session

  package init(context: JobContext, session: Session) {
    self.context = context
    self.session = session
  }

  /// Opens a batch for a file.
  ///
  /// - Parameters:
  ///   - mappingSHA256: hash of the mapping by which its rows are read; empty without one.
  ///   - resumes: whether to continue an interrupted batch of the same content, and to return a finished one as done. Otherwise the
  ///     file is read again and its rows count as repeated.
  package func open(
    kind: String, file: String, contentSHA256: String, mappingSHA256: String = "", source: String, runID: String, resumes: Bool
  ) async throws -> Batch {
    let sql = context.sql
    let newBatch = row(kind: kind, file: file, contentSHA256: contentSHA256, mappingSHA256: mappingSHA256, source: source, runID: runID)
    return try await session.retrying { tx in
      let known = resumes ? try tx.batch(kind: kind, contentSHA256: contentSHA256, mappingSHA256: mappingSHA256, sql: sql) : nil
      if let known { return known }
      return Batch(batchID: try tx.openBatch(newBatch, sql: sql), itemsDone: 0, tally: Tally(), isDone: false)
    }
  }

  /// Parameters of a new batch.
  package func row(
    kind: String, file: String, contentSHA256: String, mappingSHA256: String = "", source: String, runID: String
  ) -> [String: Value] {
    [
      "kind": .text(kind), "content_sha256": .text(contentSHA256), "mapping_sha256": .text(mappingSHA256),
      "file_name": .text(file), "source": .text(source),
      "run_id": .text(runID), "is_clock_given": .bool(context.isClockGiven), "known_at": context.asOfValue,
    ]
  }
}

extension DatabaseTransaction {
  /// Returns the batch of a kind and content, preferably a finished one; nil when there is none.
  mutating func batch(kind: String, contentSHA256: String, mappingSHA256: String = "", sql: SQLFiles) throws -> Batch? {
    let key: [String: Value] = ["kind": .text(kind), "content_sha256": .text(contentSHA256), "mapping_sha256": .text(mappingSHA256)]
    return try rows(sql(IngestSQL.findBatch), key).first.map { batchID, state, itemsDone, input, accepted, repeated, ignored, parked in
      let tally = Tally(input: Int(input), accepted: Int(accepted), repeated: Int(repeated), ignored: Int(ignored), parked: Int(parked))
      return Batch(batchID: batchID, itemsDone: Int(itemsDone), tally: tally, isDone: state == "done")
    }
  }

  package mutating func openBatch(_ row: [String: Value], sql: SQLFiles) throws -> Int64 {
    try send(sql(IngestSQL.takeTurn))
    return try rows(sql(IngestSQL.openBatch), row).first ?? 0
  }

  /// Returns the batch of an input's next rows. It is a further batch once a run has read the last one.
  ///
  /// - Parameter batchID: the input's first batch.
  mutating func currentBatch(_ batchID: Int64, sql: SQLFiles) throws -> Int64 {
    try send(sql(IngestSQL.takeTurn))
    let found = try rows(sql(IngestSQL.currentBatch), ["batch_id": .int8(batchID)]).first
    guard let (current, isPassed) = found, isPassed else { return found?.0 ?? batchID }
    let passed: [String: Value] = ["batch_id": .int8(current)]
    try send(sql(IngestSQL.endPassed), passed)
    return try rows(sql(IngestSQL.continueBatch), passed).first ?? 0
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
