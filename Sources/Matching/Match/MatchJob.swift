public import JobCore
package import Postgres

/// A job that decides matches with the ladder and records them.
public struct MatchJob: Sendable {
  let context: JobContext
  let partitioning: Partitioning

  public init(context: JobContext, partitioning: Partitioning = Partitioning()) {
    self.context = context
    self.partitioning = partitioning
  }

  private var partitions: Partitions { Partitions(context: context, partitioning: partitioning) }

  /// Decides the matches of the changed components and records the changes in one transaction.
  ///
  /// - Parameters:
  ///   - isFull: decides all components, in partitions if there are many.
  ///   - isDryRun: decides in one transaction and records nothing.
  /// - Returns: the number of changes; for a dry run also the changed rows, by order id.
  package func run(runID: String, isFull: Bool = false, isDryRun: Bool, on session: Session) async throws -> MatchOutcome {
    let job = self
    func decide() async throws -> MatchOutcome {
      try await context.deciding(run: runID, isDryRun: isDryRun, on: session) { tx in
        try job.decide(runID: runID, isFull: isFull, keepsRows: isDryRun, &tx)
      }
    }
    return isDryRun ? try await decide() : try await afterPartitions(isFull: isFull, on: session, decide)
  }

  /// Decides everything in partitions if that is requested, due, or left over from an interrupted run. Then calls `decide`, which
  /// records the results.
  package func afterPartitions<Outcome>(
    isFull: Bool, on session: Session, _ decide: () async throws -> Outcome
  ) async throws -> Outcome {
    try await context.buildDeferredIndexes(on: session)
    return try await partitions.run(isFull: isFull, on: session, then: decide)
  }

  /// Decides partitions of a run that another process started, until none is left.
  ///
  /// - Returns: the number of decided partitions; nil if no such run is active with these settings and this program.
  package func join(on session: Session) async throws -> Int? { try await partitions.join(on: session) }

  /// Does the work of `run` inside the caller's transaction.
  ///
  /// - Parameter keepsRows: for a dry run, which decides everything in this one transaction.
  /// - Throws: `TooManyRows`, for `afterPartitions`, if the rows exceed one partition.
  package func decide(runID: String, isFull: Bool, keepsRows: Bool, _ tx: inout DatabaseTransaction) throws -> MatchOutcome {
    let partitions = partitions
    // A dry run shows every change, so it decides unrecorded partitions again.
    let areDecided = try !keepsRows && partitions.areDecided(&tx)
    let scope = MatchScope(context: context, isFull: isFull, partitionsAreDecided: areDecided)
    let extent = try scope.open(&tx)
    if extent == .all, !keepsRows {
      if !areDecided, try partitions.count(&tx) > 1 { throw TooManyRows() }
      try partitions.discard(&tx)
    }
    let ofPartitions = try areDecided && extent != .all ? partitions.record(runID: runID, &tx) : nil
    var outcome: MatchOutcome
    switch extent {
    case .all:
      let ladder = LadderRun(context: context, isPart: false)
      let count = try Int(partitions.count(&tx))
      if count > 1 {
        let facts = try partitions.facts(of: count, &tx)
        try ladder.decide(partitions: count, &tx) { try facts.facts(ofPartition: $0) }
      } else {
        try ladder.decide(&tx)
      }
      outcome = try ladder.record(&tx, runID: runID, keepsRows: keepsRows)
    case .part:
      try scope.bindInputs(&tx)
      let ladder = LadderRun(context: context, isPart: true)
      try ladder.decide(&tx)
      outcome = try ladder.record(&tx, runID: runID, keepsRows: keepsRows)
    case .states, .nothing:
      outcome = try standing(&tx)
    }
    if let ofPartitions {
      outcome.createdCount += ofPartitions.createdCount
      outcome.closedCount += ofPartitions.closedCount
    }
    outcome.isWhole = ofPartitions != nil || extent == .all
    try scope.queueForDetection(&tx, of: outcome.isWhole ? .all : extent)
    return outcome
  }

  /// Returns the outcome of a run without changes: the counts of the current open items.
  private func standing(_ tx: inout DatabaseTransaction) throws -> MatchOutcome {
    let (ambiguous, refused) = try tx.rows(context.sql(MatchSQL.standingCounts)).first ?? (0, 0)
    return MatchOutcome(
      changes: [], createdCount: 0, closedCount: 0, ambiguousChargeCount: Int(ambiguous), refusedCount: Int(refused))
  }
}
