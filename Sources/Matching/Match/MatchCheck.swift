internal import JobCore
package import Postgres

extension MatchJob {
  /// Decides a sample of orders anew, with all they reach, and compares that with what is recorded of them; keeps nothing.
  ///
  /// - Returns: what differs, in words; empty when nothing does, or when facts came in meanwhile that no match run has
  ///   seen.
  package func check(on session: Session) async throws -> [String] {
    let context = context
    return try await session.deciding(isDryRun: true) { tx in
      guard try MatchScope(context: context).openSample(&tx) else { return [] }
      try LadderRun(context: context, extent: .part).decide(&tx)
      return try SelfCheck.differences(stale: MatchSQL.stale, behind: ScopeSQL.hasChanges, &tx, in: context)
    }
  }
}
