public import JobCore
package import Postgres

/// A job that decides matches with the ladder and records them.
public struct MatchJob: Sendable {
  let context: JobContext
  let cut: PieceCut

  public init(context: JobContext, cut: PieceCut = PieceCut()) {
    self.context = context
    self.cut = cut
  }

  private var pieces: Pieces { Pieces(context: context, cut: cut) }

  /// Decides the matches of everything that changed and everything connected to it. Records the changes in one transaction.
  ///
  /// - Parameters:
  ///   - isFull: decides all matches again, in pieces if there are many.
  ///   - isDryRun: computes the same in one piece and records nothing.
  /// - Returns: the number of changes; for a dry run also the changed rows, by order id.
  package func run(runID: String, isFull: Bool = false, isDryRun: Bool, on session: Session) async throws -> MatchOutcome {
    let job = self
    func decide() async throws -> MatchOutcome {
      try await context.deciding(run: runID, isDryRun: isDryRun, on: session) { tx in
        try job.decide(runID: runID, isFull: isFull, keepsRows: isDryRun, &tx)
      }
    }
    return isDryRun ? try await decide() : try await afterPieces(isFull: isFull, on: session, decide)
  }

  /// Decides everything in pieces if that is requested, due, or left over from an interrupted run. Then calls `decide`, which records the
  /// results.
  package func afterPieces<Outcome>(
    isFull: Bool, on session: Session, _ decide: () async throws -> Outcome
  ) async throws -> Outcome {
    try await context.buildDeferredIndexes(on: session)
    return try await pieces.first(isFull: isFull, on: session, decide)
  }

  /// Decides pieces of a run that another process started, until none is left.
  ///
  /// - Returns: the number of decided pieces; nil if no such run is active with these settings and this program.
  package func join(on session: Session) async throws -> Int? { try await pieces.join(on: session) }

  /// Does the work of `run` inside the caller's transaction.
  ///
  /// - Parameter keepsRows: for a dry run, which decides everything in this one transaction.
  /// - Throws: `TooManyRows`, for `afterPieces`, if the rows exceed one piece.
  package func decide(runID: String, isFull: Bool, keepsRows: Bool, _ tx: inout DatabaseTransaction) throws -> MatchOutcome {
    let pieces = pieces
    // A dry run shows every change, so it decides unrecorded pieces again.
    let areDecided = try !keepsRows && pieces.areDecided(&tx)
    let scope = MatchScope(context: context, isFull: isFull, piecesAreDecided: areDecided)
    let extent = try scope.open(&tx)
    var recorded: MatchOutcome?
    if extent == .all {
      if !keepsRows {
        if !areDecided, try pieces.count(&tx) > 1 { throw TooManyRows() }
        try pieces.discard(&tx)
      }
    } else if areDecided {
      recorded = try pieces.record(runID: runID, &tx)
    }
    if extent == .part { try scope.bindInputs(&tx) }
    var outcome = try extent == .nothing ? standing(&tx) : decide(extent, runID: runID, keepsRows: keepsRows, &tx)
    outcome.createdCount += recorded?.createdCount ?? 0
    outcome.closedCount += recorded?.closedCount ?? 0
    outcome.isWhole = recorded != nil || extent == .all
    try scope.queueForDetection(&tx, of: outcome.isWhole ? .all : extent)
    return outcome
  }

  private func decide(
    _ extent: MatchScope.Extent, runID: String, keepsRows: Bool, _ tx: inout DatabaseTransaction
  ) throws -> MatchOutcome {
    let ladder = LadderRun(context: context, isPart: extent == .part)
    try ladder.decide(&tx)
    let outcome = try ladder.outcome(&tx, keepsRows: keepsRows)
    try ladder.record(&tx, runID: runID)
    return outcome
  }

  /// Returns the outcome of a run without changes: the counts of the current open items.
  private func standing(_ tx: inout DatabaseTransaction) throws -> MatchOutcome {
    let (ambiguous, refused) = try tx.rows(context.sql(MatchSQL.standingCounts)).first ?? (0, 0)
    return MatchOutcome(
      changes: [], createdCount: 0, closedCount: 0, ambiguousChargeCount: Int(ambiguous), refusedCount: Int(refused))
  }
}
