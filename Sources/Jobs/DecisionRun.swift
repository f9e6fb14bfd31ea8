internal import Domain
public import JobCore
public import Matching
internal import Postgres
internal import Review
internal import Wording

/// Runs match or detect alone, with a separate lock and a separate row in the run ledger.
public struct DecisionRun: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// Matches charges to orders.
  ///
  /// - Parameter isFull: whether everything is re-evaluated, not only the changes.
  public func match(isFull: Bool = false, isDryRun: Bool, partitioning: Partitioning = Partitioning()) async throws -> MatchOutcome {
    try await withLock(job: "match", lock: .match, isDryRun: isDryRun) { runID, session in
      let outcome = try await MatchJob(context: context, partitioning: partitioning).run(
        runID: runID, isFull: isFull, isDryRun: isDryRun, on: session)
      return RunResult(outcome, .clean, counts: [("created", outcome.createdCount), ("closed", outcome.closedCount)])
    }
  }

  /// Decides partitions of a match run that another process started, on this or another machine. The other process records them.
  ///
  /// - Returns: number of decided partitions; nil if no such run with these settings and this program is active.
  public func joinMatch() async throws -> Int? {
    try await context.withSession { try await MatchJob(context: context).join(on: $0) }
  }

  /// - Parameter isFull: whether everything is re-evaluated, not only the changes and due items.
  public func detect(isFull: Bool = false, isDryRun: Bool) async throws -> DetectOutcome {
    let outcome = try await withLock(job: "detect", lock: .detect, isDryRun: isDryRun) { runID, session in
      let outcome = try await DetectJob(context: context).run(
        runID: runID, isFull: isFull, isDryRun: isDryRun, on: session)
      let total = outcome.openCounts.values.reduce(0, +)
      let reasons = outcome.staleInputs
      return RunResult(
        outcome, outcome.verdict(failAt: context.settings.breaks.failAt),
        counts: [("breaks", total), ("pending", outcome.pendingCount)],
        reasons: reasons.isEmpty ? nil : reasons)
    }
    if !isDryRun { await ConsoleCases(context: context).refreshAfterDetection() }
    return outcome
  }

  /// Runs `work` under the job's lock. A dry run gets no row in the run ledger.
  private func withLock<Outcome>(
    job: String, lock: JobLock, isDryRun: Bool, work: (String, Session) async throws -> RunResult<Outcome>
  ) async throws -> Outcome {
    try await context.withSession { session in
      try await lock.take(on: session, in: context)
      if isDryRun { return try await work(context.runID(job: job), session).outcome }
      // Repeated under the lock, because its previous holder may have decided at a later clock.
      try await context.requireNewestClock(on: session)
      return try await context.withRun(job: job, on: session) { run in try await work(run.runID, session) }
    }
  }
}
