internal import JobCore
internal import Postgres

/// The partitions of a match run, each of which the ladder decides separately.
struct MatchPieces: PieceJob {
  static let name = DecisionState.Name.match
  /// An order takes about 0.8 kB of the program's memory, which stays under 300 MB.
  static let rowsMax: Int64 = 250_000
  static let inputs = InputsSQL.componentOfMatch
  static let keep = MatchSQL.keepPiece
  static let forget = MatchSQL.forgetPieces

  let context: JobContext

  func state(_ tx: inout DatabaseTransaction) throws -> DecisionState { try MatchScope.state(context) }

  func open(_ tx: inout DatabaseTransaction) throws { try MatchScope(context: context).openPieces(&tx) }

  func decide(_ tx: inout DatabaseTransaction) throws { try LadderRun(context: context, isPart: true).decide(&tx) }

  /// Records the decisions of all partitions, except for rows of the open scope. Then drops the working tables, so that their names are
  /// free again.
  func record(runID: String, _ tx: inout DatabaseTransaction) throws -> MatchOutcome {
    // Whole tables are joined.
    try tx.execute("set local enable_nestloop = off")
    try tx.run(context.sql(MatchSQL.unitePieces))
    try tx.gatherSpread(files: context.sql)
    let ladder = LadderRun(context: context, isPart: false)
    try ladder.compare(&tx)
    let outcome = try ladder.outcome(&tx, keepsRows: false)
    try ladder.record(&tx, runID: runID)
    try Pieces(job: self).forget(&tx)
    try tx.execute(
      "drop table match_decided, match_refused, match_second, match_ambiguous, match_change;"
        + " set local enable_nestloop = on")
    return outcome
  }
}
