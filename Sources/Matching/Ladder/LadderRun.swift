internal import JobCore
internal import Ladder
internal import Postgres

/// One run of the ladder inside a transaction.
struct LadderRun {
  let context: JobContext
  /// Whether a scope is open; otherwise the run decides everything.
  let isPart: Bool

  /// Decides all rows of the input views and compares the decisions with the recorded matches.
  func decide(_ tx: inout DatabaseTransaction) throws {
    if !isPart {
      // Whole tables are joined here; the planner would choose a nested loop only on a wrong estimate.
      tx.send("set local enable_nestloop = off; set local work_mem = '256MB'")
      try tx.showEverything(files: context.sql)
    }
    let facts = try ComponentReader.read(&tx, in: context)
    let decision = Ladder.decide(facts.component, LadderSettings(context.settings))
    try tx.send(context.sql(MatchSQL.workTables))
    try DecisionWriter(facts: facts, tables: .working).write(decision, &tx)
    tx.send("analyze match_decided, match_refused, match_second, match_ambiguous")
    try compare(&tx)
  }

  /// Finds the matches that the decisions create and close.
  func compare(_ tx: inout DatabaseTransaction) throws { try tx.send(context.sql(MatchSQL.changes)) }

  /// Returns the counts of a run.
  ///
  /// - Parameter keepsRows: whether the outcome contains the changed rows for a reader.
  func outcome(_ tx: inout DatabaseTransaction, keepsRows: Bool) throws -> MatchOutcome {
    let (begun, ended, ambiguous, refused) = try tx.rows(context.sql(MatchSQL.counts)).first ?? (0, 0, 0, 0)
    var outcome = MatchOutcome(
      changes: [], createdCount: Int(begun), closedCount: Int(ended), ambiguousChargeCount: Int(ambiguous),
      refusedCount: Int(refused))
    guard keepsRows else { return outcome }
    outcome.changes = try tx.rows(context.sql(MatchSQL.changedRows), ["row_max": .int8(Int64(MatchOutcome.changesMax))]).map {
      MatchOutcome.Change(change: $0, orderID: $1, chargeID: $2, rung: $3)
    }
    return outcome
  }

  func record(_ tx: inout DatabaseTransaction, runID: String) throws {
    try tx.send(MatchSQL.record, ["run_id": .text(runID), "as_of": context.asOfValue], sql: context.sql)
  }
}
