package import Postgres

extension JobContext {
  /// Runs `Session.deciding` for a run of the ledger, and records which input the run reads. Input stored during the run counts as known
  /// after the run's clock, so its reports match its decisions.
  ///
  /// - Parameter isDryRun: whether nothing is recorded and the changes are rolled back.
  package func deciding<Outcome: Sendable>(
    run runID: String, isDryRun: Bool = false, on session: Session,
    _ body: @escaping @Sendable (inout DatabaseTransaction) throws -> Outcome
  ) async throws -> Outcome {
    guard !isDryRun else { return try await session.deciding(isDryRun: true, body) }
    let context = self
    let unlock = try sql(RunsSQL.unlockInput)
    return try await session.retrying(
      .snapshot, prepare: { try await context.recordInputBound(of: runID, on: session) },
      { tx in
        // The first statement fixes the snapshot of all others.
        try tx.send(unlock)
        try tx.send(context.sql(RunsSQL.recordLastBatch), ["run_id": .text(runID)])
        return try body(&tx)
      })
  }

  private func recordInputBound(of runID: String, on session: Session) async throws {
    let sql = sql
    let run = Value.text(runID)
    let asOf = asOfValue
    try await session.transaction { tx in try tx.send(sql(RunsSQL.lockInput)) }
    do {
      try await session.transaction { tx in
        try tx.send(sql(RunsSQL.adoptBatches), ["run_id": run, "as_of": asOf])
        try tx.send(sql(RunsSQL.recordUnfinishedFiles), ["run_id": run, "as_of": asOf])
        try tx.send(sql(RunsSQL.recordInputBound), ["run_id": run])
      }
    } catch {
      try await session.transaction { tx in try tx.send(sql(RunsSQL.unlockInput)) }
      throw error
    }
  }
}
