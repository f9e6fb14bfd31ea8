internal import Domain
internal import Postgres

/// Runs one of the renewal jobs under a row of the run ledger.
struct RenewalRun: Sendable {
  let context: JobContext
  /// Workers that begin the same run in the same instant.
  private static let beginsMax = 8

  /// - Parameter lock: held for the whole run; nil lets others do the same at the same time.
  func ledgered<Outcome: Sendable>(
    job: String, lock: JobLock?,
    work: (String, Session) async throws -> (outcome: Outcome, verdict: Verdict, counts: String, message: String?)
  ) async throws -> Outcome {
    let session = try await context.open()
    try await lock?.take(on: session, in: context)
    let ledger = RunLedger(context: context, session: session)
    let run = try await begin(job, ledger)
    do {
      let result = try await work(run.runID, session)
      try await ledger.end(run, verdict: result.verdict, counts: result.counts, message: result.message)
      await session.close()
      return result.outcome
    } catch {
      try? await ledger.end(run, verdict: .failed, counts: "{}", message: String(describing: error))
      await session.close()
      throw error
    }
  }

  /// Two workers of one run may ask for the same number of attempt: the later one takes the next.
  private func begin(_ job: String, _ ledger: RunLedger) async throws -> RunHandle {
    for _ in 1..<Self.beginsMax {
      do {
        return try await ledger.begin(job: job)
      } catch PostgresError.server(let error) where error.sqlState == .uniqueViolation {
        continue
      }
    }
    return try await ledger.begin(job: job)
  }
}
