internal import Domain
internal import Postgres

extension MatchJob {
  /// Orders of one self-check.
  static let checkedOrdersMax = 1000
  /// Differences that a self-check names.
  static let differencesMax = 20

  /// Decides a sample of orders anew, with all they reach, and compares that with what is recorded of them; keeps nothing.
  ///
  /// - Returns: what differs, in words; empty when nothing does, or when facts came in meanwhile that no match run has
  ///   seen.
  func check(on session: Session) async throws -> [String] {
    let context = context
    return try await session.deciding(isDryRun: true) { tx in
      guard
        try MatchScope(context: context).openSample(&tx, orderCount: Self.checkedOrdersMax, seed: context.sampleSeed)
      else { return [] }
      try LadderRun(context: context).decide(&tx)
      let stale = try tx.rows(
        context.sql("match/stale.sql"), ["row_max": .int8(Int64(Self.differencesMax))]
      ) { row throws(PostgresError) in try row.text() }
      let isBehind = try tx.rows(context.sql("scope/07_has_changes.sql")) { row throws(PostgresError) in
        try row.bool()
      }
      return isBehind == [false] ? stale : []
    }
  }
}

extension JobContext {
  /// A day's sample is the same however often it is drawn.
  var sampleSeed: Int { Int(asOf.microseconds / 86_400_000_000) }
}
