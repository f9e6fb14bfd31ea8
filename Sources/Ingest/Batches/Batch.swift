internal import Domain
package import JobCore
package import Postgres

/// The batch that one input file is read under.
package struct Batch: Sendable {
  package var batchID: Int64
  /// Items of the file that earlier attempts already recorded.
  var itemsDone: Int
  /// Counts of those items.
  var tally: Tally
  var isDone: Bool
}

/// Opens batches and moves their checkpoints.
package struct BatchLedger: Sendable {
  let context: JobContext
  let session: Session

  package init(context: JobContext, session: Session) {
    self.context = context
    self.session = session
  }

  /// Opens a batch for a file.
  ///
  /// - Parameter resumes: goes on with a batch of the same content that was cut off, and reports a finished one as done;
  ///   otherwise the file is read again and its rows count as repeats.
  package func open(
    kind: String, file: String, contentSHA256: String, source: String, runID: String, resumes: Bool
  ) async throws -> Batch {
    let sql = context.sql
    let key: [String: Value] = ["kind": .text(kind), "content_sha256": .text(contentSHA256)]
    let newBatch = row(kind: kind, file: file, contentSHA256: contentSHA256, source: source, runID: runID)
    return try await session.retrying { tx in
      if resumes, let found = try tx.batch(key, sql: sql) { return found }
      return Batch(batchID: try tx.openBatch(newBatch, sql: sql), itemsDone: 0, tally: Tally(), isDone: false)
    }
  }

  /// Parameters of a new batch.
  package func row(kind: String, file: String, contentSHA256: String, source: String, runID: String) -> [String: Value] {
    [
      "kind": .text(kind), "content_sha256": .text(contentSHA256), "file_name": .text(file), "source": .text(source),
      "run_id": .text(runID), "is_clock_given": .bool(context.isClockGiven), "known_at": context.asOfValue,
    ]
  }
}

extension DatabaseTransaction {
  /// The batch of a kind and a content, one that is done before others; nil when there is none.
  mutating func batch(_ key: [String: Value], sql: SQLFiles) throws -> Batch? {
    try rows(sql(IngestSQL.findBatch), key).first.map { batchID, state, itemsDone, input, accepted, repeated, ignored, parked in
      let tally = Tally(
        input: Int(input), accepted: Int(accepted), repeated: Int(repeated), ignored: Int(ignored), parked: Int(parked))
      return Batch(batchID: batchID, itemsDone: Int(itemsDone), tally: tally, isDone: state == "done")
    }
  }

  /// Opens a new batch and returns its id.
  package mutating func openBatch(_ row: [String: Value], sql: SQLFiles) throws -> Int64 {
    _ = try run(sql(IngestSQL.takeTurn))
    return try rows(sql(IngestSQL.openBatch), row).first ?? 0
  }

  /// The batch that the next rows of an input belong to: a further one where a run has read what is in the last.
  ///
  /// - Parameter batchID: the input's first batch.
  mutating func currentBatch(_ batchID: Int64, sql: SQLFiles) throws -> Int64 {
    _ = try run(sql(IngestSQL.takeTurn))
    let found = try rows(sql(IngestSQL.currentBatch), ["batch_id": .int8(batchID)]).first
    guard let (current, isPassed) = found, isPassed else { return found?.0 ?? batchID }
    let passed: [String: Value] = ["batch_id": .int8(current)]
    _ = try run(sql(IngestSQL.endPassed), passed)
    return try rows(sql(IngestSQL.continueBatch), passed).first ?? 0
  }

  /// Moves a batch's checkpoint by one chunk.
  mutating func checkpoint(
    _ batchID: Int64, items: Int, tally: Tally, newestFactAt: Timestamp?, isLast: Bool, sql: SQLFiles
  ) throws {
    // A crash of the machine may take the newest chunks back together with their checkpoint, never one without the
    // other; only the end of a file waits for the disk.
    if !isLast { try execute("set local synchronous_commit = off") }
    _ = try run(
      sql(IngestSQL.checkpoint),
      [
        "batch_id": .int8(batchID), "items": .int8(Int64(items)), "input": .int8(Int64(tally.input)),
        "accepted": .int8(Int64(tally.accepted)), "repeated": .int8(Int64(tally.repeated)),
        "ignored": .int8(Int64(tally.ignored)), "parked": .int8(Int64(tally.parked)),
        "state": .text(isLast ? "done" : "open"),
        "newest_fact_at": newestFactAt.map { .timestamptz(microseconds: $0.microseconds) } ?? .null,
      ])
  }
}
