internal import Domain
internal import Postgres

/// Runs match or detect alone, under its own lock and its own row in the run ledger.
public struct DecisionRun: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// - Parameter isFull: decides everything anew, not only what changed.
  public func match(isFull: Bool = false, isDryRun: Bool) async throws -> MatchOutcome {
    try await ledgered(job: "match", lock: .match, isDryRun: isDryRun) { runID, session in
      let outcome = try await MatchJob(context: context).run(
        runID: runID, isFull: isFull, isDryRun: isDryRun, on: session)
      return (outcome, .clean, "{\"begun\":\(outcome.begunCount),\"ended\":\(outcome.endedCount)}", [])
    }
  }

  /// - Parameter isFull: looks at everything, not only what changed or became due.
  public func detect(isFull: Bool = false, isDryRun: Bool) async throws -> DetectOutcome {
    try await ledgered(job: "detect", lock: .detect, isDryRun: isDryRun) { runID, session in
      let outcome = try await DetectJob(context: context).run(
        runID: runID, isFull: isFull, isDryRun: isDryRun, on: session)
      let total = outcome.openCounts.values.reduce(0, +)
      return (
        outcome, outcome.verdict(failAt: context.settings.breaks.failAt),
        "{\"breaks\":\(total),\"pending\":\(outcome.pendingCount)}", outcome.staleInputs
      )
    }
  }

  /// A dry run leaves no row: it did not happen.
  private func ledgered<Outcome: Sendable>(
    job: String, lock: JobLock, isDryRun: Bool,
    work: (String, Session) async throws -> (Outcome, Verdict, String, [String])
  ) async throws -> Outcome {
    let session = try await context.open()
    try await lock.take(on: session, in: context)
    if isDryRun {
      let (outcome, _, _, _) = try await work(context.runID(job: job), session)
      await session.close()
      return outcome
    }
    let ledger = RunLedger(context: context, session: session)
    let run = try await ledger.begin(job: job)
    do {
      let (outcome, verdict, counts, reasons) = try await work(run.runID, session)
      try await ledger.end(
        run, verdict: verdict, counts: counts, message: reasons.isEmpty ? nil : reasons.joined(separator: "; "))
      await session.close()
      return outcome
    } catch {
      try? await ledger.end(run, verdict: .failed, counts: "{}", message: String(describing: error))
      await session.close()
      throw error
    }
  }
}
