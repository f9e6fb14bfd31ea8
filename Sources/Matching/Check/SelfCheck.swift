package import JobCore
package import Postgres

/// The check of a night: a sample, with all it reaches, is decided anew and compared with what is recorded; nothing is kept.
package struct SelfCheck {
  /// What is not as it would be decided now.
  package enum Difference: Equatable, Sendable {
    /// A match, in words.
    case match(String)
    /// A break, in words; matches are as they should be.
    case breaks(String)
  }

  let context: JobContext

  package init(context: JobContext) { self.context = context }

  /// Decides matches and then breaks of a sample.
  ///
  /// - Returns: the first difference; nil when nothing differs, when something came in meanwhile that no run has seen, or
  ///   when the sample reaches so much that a full run is no slower.
  package func difference(on session: Session) async throws -> Difference? {
    let context = context
    return try await session.deciding(isDryRun: true) { tx in
      let scope = DetectScope(context: context, extent: .sample)
      guard try scope.open(&tx) else { return nil }
      // What the ladder makes goes again, and the names of its inputs are free; the scope stays.
      try tx.execute("savepoint sample")
      try MatchScope(context: context).showInputs(&tx)
      try LadderRun(context: context, isPart: true).decide(&tx)
      if let match = try difference(MatchSQL.stale, unless: ScopeSQL.hasChanges, &tx) { return .match(match) }
      try tx.execute("rollback to savepoint sample")
      try Detection(context: context, &tx).decide(&tx, in: scope, runID: "check")
      return try difference(DetectSQL.stale, unless: DetectSQL.isBehind, &tx).map(Difference.breaks)
    }
  }

  /// - Parameter isBehind: says whether something came in that no run has seen; then nothing is out of date.
  private func difference(
    _ stale: Statement<String>, unless isBehind: Statement<Bool>, _ tx: inout DatabaseTransaction
  ) throws -> String? {
    let found = try tx.rows(context.sql(stale), ["row_max": .int8(1)])
    return try tx.rows(context.sql(isBehind)) == [false] ? found.first : nil
  }
}
