public import JobCore
package import Postgres

/// Decides matches by the ladder and records them.
public struct MatchJob: Sendable {
  let context: JobContext
  let cut: PieceCut

  public init(context: JobContext, cut: PieceCut = PieceCut()) {
    self.context = context
    self.cut = cut
  }

  private var pieces: Pieces<MatchPieces> { Pieces(job: MatchPieces(context: context), cut: cut) }

  /// Decides the matches of what changed and all that it can reach, and records what became of them, in one transaction.
  ///
  /// - Parameters:
  ///   - isFull: decides all matches anew, whatever changed; in pieces where there are many.
  ///   - isDryRun: computes the same, in one piece, and keeps nothing.
  /// - Returns: how much changed; of a dry run also what, in the order of order ids.
  package func run(runID: String, isFull: Bool = false, isDryRun: Bool, on session: Session) async throws -> MatchOutcome {
    func decide() async throws -> MatchOutcome {
      try await decideAlone(runID: runID, isFull: isFull, isDryRun: isDryRun, on: session)
    }
    return isDryRun ? try await decide() : try await afterPieces(isFull: isFull, on: session, decide)
  }

  private func decideAlone(runID: String, isFull: Bool, isDryRun: Bool, on session: Session) async throws -> MatchOutcome {
    let job = self
    return try await context.deciding(run: runID, isDryRun: isDryRun, on: session) { tx in
      try job.decide(runID: runID, isFull: isFull, keepsRows: isDryRun, &tx)
    }
  }

  /// Has everything decided in pieces where that is wanted or due, or where a run that did so was broken off; then decides,
  /// which records them.
  package func afterPieces<Outcome>(
    isFull: Bool, on session: Session, _ decide: () async throws -> Outcome
  ) async throws -> Outcome {
    try await context.buildDeferredIndexes(on: session)
    return try await pieces.first(isFull: isFull, on: session, decide)
  }

  /// Records what pieces decided, where they wait for that: sessions that detect in pieces see it then.
  ///
  /// - Returns: nil when none wait.
  package func recordPieces(runID: String, on session: Session) async throws -> MatchOutcome? {
    let pieces = pieces
    guard try await session.transaction(.snapshot, { tx in try pieces.areDecided(&tx) }) else { return nil }
    return try await decideAlone(runID: runID, isFull: false, isDryRun: false, on: session)
  }

  /// Helps a run that another process has cut into pieces, until none is left.
  ///
  /// - Returns: pieces decided; nil when no such run is under way with these settings and this program.
  package func join(on session: Session) async throws -> Int? { try await pieces.join(on: session) }

  /// As `run`, inside the caller's transaction.
  ///
  /// - Parameter keepsRows: for a dry run, which decides however much it is in this one transaction.
  /// - Throws: `TooMuchAtOnce`, for `afterPieces`, where what changed reaches more than a piece holds.
  package func decide(runID: String, isFull: Bool, keepsRows: Bool, _ tx: inout DatabaseTransaction) throws -> MatchOutcome {
    let pieces = pieces
    // A dry run shows every change, so it decides once more what pieces wait to have recorded.
    let isCut = try !keepsRows && pieces.areDecided(&tx)
    let scope = MatchScope(context: context, isFull: isFull, isCut: isCut)
    let extent = try scope.open(&tx)
    var recorded: MatchOutcome?
    if extent == .all {
      if !keepsRows, !isCut, try pieces.count(&tx) > 1 { throw TooMuchAtOnce(name: .match) }
      try pieces.forget(&tx)
    } else if isCut {
      recorded = try pieces.job.record(runID: runID, &tx)
    }
    if extent == .part { try scope.showInputs(&tx) }
    var outcome = try extent == .nothing ? standing(&tx) : decide(extent, runID: runID, keepsRows: keepsRows, &tx)
    outcome.begunCount += recorded?.begunCount ?? 0
    outcome.endedCount += recorded?.endedCount ?? 0
    try scope.handOn(&tx, of: recorded == nil ? extent : .all)
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

  /// What a run comes to that has nothing to decide: what was open before is.
  private func standing(_ tx: inout DatabaseTransaction) throws -> MatchOutcome {
    let (ambiguous, refused) = try tx.rows(context.sql(MatchSQL.standingCounts)).first ?? (0, 0)
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
