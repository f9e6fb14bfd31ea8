public import JobCore
package import Postgres

/// Runs the match ladder: each rung is one SQL file, Swift puts them in order.
public struct MatchJob: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// Decides the matches of what changed and all that it can reach, and records what became of them, in one transaction.
  ///
  /// - Parameters:
  ///   - isFull: decides all matches anew, whatever changed.
  ///   - isDryRun: computes the same and keeps nothing.
  /// - Returns: how much changed; of a dry run also what, in the order of order ids.
  package func run(runID: String, isFull: Bool = false, isDryRun: Bool, on session: Session) async throws -> MatchOutcome {
    let job = self
    return try await context.deciding(run: runID, isDryRun: isDryRun, on: session) { tx in
      try job.decide(runID: runID, isFull: isFull, keepsRows: isDryRun, &tx)
    }
  }

  /// As `run`, inside the caller's transaction.
  package func decide(runID: String, isFull: Bool, keepsRows: Bool, _ tx: inout DatabaseTransaction) throws -> MatchOutcome {
    let scope = MatchScope(context: context, isFull: isFull)
    let extent = try scope.open(&tx)
    let outcome = try extent == .nothing ? standing(&tx) : climb(runID: runID, of: extent, keepsRows: keepsRows, &tx)
    try scope.handOn(&tx, of: extent)
    return outcome
  }

  private func climb(
    runID: String, of extent: MatchScope.Extent, keepsRows: Bool, _ tx: inout DatabaseTransaction
  ) throws -> MatchOutcome {
    let ladder = LadderRun(context: context, extent: extent == .all ? .all : .part)
    try ladder.decide(&tx)
    let outcome = try ladder.outcome(&tx, keepsRows: keepsRows)
    try ladder.record(&tx, runID: runID)
    return outcome
  }

  /// What a run comes to that has nothing to decide: what was open before is.
  private func standing(_ tx: inout DatabaseTransaction) throws -> MatchOutcome {
    let counts = try tx.rows(context.sql("match/standing_counts.sql")) { row throws(PostgresError) in
      (try row.int8(), try row.int8())
    }
    let (ambiguous, refused) = counts.first ?? (0, 0)
    return MatchOutcome(
      changes: [], begunCount: 0, endedCount: 0, ambiguousChargeCount: Int(ambiguous), refusedCount: Int(refused))
  }
}

/// What a match run changed.
public struct MatchOutcome: Sendable {
  /// One line of the changed rows.
  public struct Change: Sendable {
    public var change: String
    public var orderID: String
    public var chargeID: String
    public var rung: String
  }
  /// Changed rows, at most `changesMax` of them; empty unless the run was dry.
  public var changes: [Change]
  public var begunCount: Int
  public var endedCount: Int
  public var ambiguousChargeCount: Int
  public var refusedCount: Int

  /// `begun 12, ended 0, ambiguous charges 1, refused claims 0`.
  public var summary: String {
    "begun \(begunCount), ended \(endedCount), ambiguous charges \(ambiguousChargeCount), refused claims \(refusedCount)"
  }

  /// Changed rows that are kept in memory for `--dry-run`.
  public static let changesMax = 100_000
}
