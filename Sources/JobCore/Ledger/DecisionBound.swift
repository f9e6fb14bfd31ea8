package import Postgres

extension JobContext {
  /// As `Session.deciding`, for a run of the ledger: it names what it reads and sees that alone. What others store
  /// meanwhile is known from after the run's clock, so that its reports say what it decided on.
  ///
  /// - Parameter isDryRun: names nothing, and what the body did is rolled back.
  package func deciding<Outcome: Sendable>(
    run runID: String, isDryRun: Bool = false, on session: Session,
    _ body: @escaping @Sendable (inout DatabaseTransaction) throws -> Outcome
  ) async throws -> Outcome {
    guard !isDryRun else { return try await session.deciding(isDryRun: true, body) }
    let context = self
    let goOn = try sql(RunsSQL.letInputGoOn)
    return try await session.retrying(
      .snapshot, prepare: { try await context.nameBound(of: runID, on: session) },
      { tx in
        // The first statement fixes the state that all others see.
        _ = try tx.run(goOn)
        _ = try tx.run(context.sql(RunsSQL.nameLastBatch), ["run_id": .text(runID)])
        return try body(&tx)
      })
  }

  /// Holds back who stores input, and names what is there.
  private func nameBound(of runID: String, on session: Session) async throws {
    let sql = sql
    let run = Value.text(runID)
    let asOf = asOfValue
    try await session.transaction { tx in _ = try tx.run(sql(RunsSQL.holdInput)) }
    do {
      try await session.transaction { tx in
        _ = try tx.run(sql(RunsSQL.adoptBatches), ["run_id": run, "as_of": asOf])
        _ = try tx.run(sql(RunsSQL.keepUnfinished), ["run_id": run, "as_of": asOf])
        _ = try tx.run(sql(RunsSQL.nameBound), ["run_id": run])
      }
    } catch {
      try await session.transaction { tx in _ = try tx.run(sql(RunsSQL.letInputGoOn)) }
      throw error
    }
  }
}
