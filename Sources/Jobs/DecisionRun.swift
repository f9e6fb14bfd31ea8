internal import Domain
public import JobCore
public import Matching
internal import Postgres
internal import Review

/// Runs match or detect alone, under its own lock and its own row in the run ledger.
public struct DecisionRun: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// - Parameters:
  ///   - isFull: decides everything anew, not only what changed.
  ///   - cut: into which pieces, where everything is decided.
  public func match(isFull: Bool = false, isDryRun: Bool, cut: PieceCut = PieceCut()) async throws -> MatchOutcome {
    try await ledgered(job: "match", lock: .match, isDryRun: isDryRun) { runID, session in
      let outcome = try await MatchJob(context: context, cut: cut).run(
        runID: runID, isFull: isFull, isDryRun: isDryRun, on: session)
      return RunResult(outcome, .clean, counts: [("begun", outcome.begunCount), ("ended", outcome.endedCount)])
    }
  }

  /// Decides pieces of a match run that another process has begun, on this machine or another; it alone records them.
  ///
  /// - Returns: pieces decided; nil when no such run is under way with these settings and this program.
  public func joinMatch() async throws -> Int? {
    try await context.withSession { try await MatchJob(context: context).join(on: $0) }
  }

  /// - Parameters:
  ///   - isFull: looks at everything, not only what changed or became due.
  ///   - cut: into which pieces, where everything is looked at.
  public func detect(isFull: Bool = false, isDryRun: Bool, cut: PieceCut = PieceCut()) async throws -> DetectOutcome {
    let outcome = try await ledgered(job: "detect", lock: .detect, isDryRun: isDryRun) { runID, session in
      let outcome = try await DetectJob(context: context, cut: cut).run(
        runID: runID, isFull: isFull, isDryRun: isDryRun, on: session)
      let total = outcome.openCounts.values.reduce(0, +)
      let reasons = outcome.staleInputs
      return RunResult(
        outcome, outcome.verdict(failAt: context.settings.breaks.failAt),
        counts: [("breaks", total), ("pending", outcome.pendingCount)],
        message: reasons.isEmpty ? nil : reasons.joined(separator: "; "))
    }
    if !isDryRun { await CaseBoard(context: context).refreshAfterDetection() }
    return outcome
  }

  /// As `joinMatch`, of a detect run that looks at everything.
  public func joinDetect() async throws -> Int? {
    try await context.withSession { try await DetectJob(context: context).join(on: $0) }
  }

  /// A dry run leaves no row: it did not happen.
  private func ledgered<Outcome>(
    job: String, lock: JobLock, isDryRun: Bool, work: (String, Session) async throws -> RunResult<Outcome>
  ) async throws -> Outcome {
    try await context.withSession { session in
      try await lock.take(on: session, in: context)
      if isDryRun { return try await work(context.runID(job: job), session).outcome }
      // Once more under the lock: whoever held it until now may have decided at a later clock.
      try await DecisionGate(context: context).passClock(on: session)
      return try await context.withRun(job: job, on: session) { run in try await work(run.runID, session) }
    }
  }
}
