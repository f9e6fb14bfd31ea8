package import JobCore
package import Postgres

/// The self-check of a night: decides a sample of orders again, with everything connected to them, and compares the result with the
/// recorded one. It records nothing.
package struct SelfCheck {
  /// A recorded decision that the current program and settings would not make.
  package enum Difference: Equatable, Sendable {
    /// A description of the match.
    case match(String)
    /// A description of the break; all matches agree.
    case breaks(String)
  }

  let context: JobContext

  package init(context: JobContext) { self.context = context }

  /// Decides the matches and then the breaks of a sample, and compares them with those of the night. A night that decided everything is
  /// not checked.
  ///
  /// - Returns: the first difference; nil if there is none or the check is impossible. It is impossible if no run has evaluated some
  ///   facts yet, or if the sample's component is so large that a full run is as fast.
  package func difference(after night: (match: MatchOutcome, detect: DetectOutcome), on session: Session) async throws -> Difference? {
    if night.match.isWhole, night.detect.isWhole { return nil }
    let context = context
    return try await session.deciding(isDryRun: true) { tx in
      let scope = DetectScope(context: context, extent: .sample)
      guard try scope.open(&tx) else { return nil }
      // The rollback drops the ladder's tables and frees the names of its inputs. The scope stays.
      tx.send("savepoint sample")
      try MatchScope(context: context).bindInputs(&tx)
      let ladder = LadderRun(context: context, isPart: true)
      try ladder.decide(&tx)
      try ladder.compare(&tx)
      if let match = try difference(MatchSQL.differences, unless: ScopeSQL.hasChanges, &tx) { return .match(match) }
      tx.send("rollback to savepoint sample")
      try Detection(context: context, &tx).decide(&tx, in: scope, runID: "check")
      return try difference(DetectSQL.differences, unless: DetectSQL.isBehind, &tx).map(Difference.breaks)
    }
  }

  /// Returns the first row of `stale`.
  ///
  /// - Parameter isBehind: states whether facts were ingested that no run has evaluated. If so, nothing counts as stale.
  private func difference(
    _ stale: Statement<String>, unless isBehind: Statement<Bool>, _ tx: inout DatabaseTransaction
  ) throws -> String? {
    let found = try tx.rows(context.sql(stale), ["row_max": .int8(1)])
    return try tx.rows(context.sql(isBehind)) == [false] ? found.first : nil
  }
}
