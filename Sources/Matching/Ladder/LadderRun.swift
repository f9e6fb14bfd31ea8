internal import JobCore
internal import Ladder
internal import Postgres

/// One run of the ladder inside a transaction.
struct LadderRun {
  let context: JobContext
  /// Whether a scope is open; otherwise the run decides everything.
  let isPart: Bool

  /// Decides all rows of the input views.
  func decide(_ tx: inout DatabaseTransaction) throws {
    if !isPart {
      // Whole tables are joined here; the planner would choose a nested loop only on a wrong estimate.
      tx.send("set local enable_nestloop = off; set local work_mem = '256MB'")
      try tx.showAllInputs(files: context.sql)
    }
    let facts = try ComponentReader.read(in: context) { list, row in
      try isPart ? list.read(&tx, sql: context.sql, row) : list.readWhole(&tx, sql: context.sql, row)
    }
    try tx.send(context.sql(MatchSQL.workTables))
    try decide(facts, &tx)
    tx.send(Self.analyze)
  }

  /// Decides everything in partitions of whole components, one after the other, in the memory of one.
  ///
  /// - Parameter facts: returns the facts of a partition.
  func decide(partitions: Int, _ tx: inout DatabaseTransaction, facts: (Int) throws -> ComponentFacts) throws {
    try tx.send(context.sql(MatchSQL.workTables))
    for partition in 0..<partitions { try decide(facts(partition), &tx) }
    tx.send(Self.analyze)
  }

  private func decide(_ facts: ComponentFacts, _ tx: inout DatabaseTransaction) throws {
    let decision = Ladder.decide(facts.component, LadderSettings(context.settings))
    try DecisionWriter(facts: facts, tables: .working).write(decision, &tx)
  }

  /// A small sample suffices, since the planner needs only the sizes.
  private static let analyze = """
    set local default_statistics_target = 10; analyze match_decided, match_refused, match_second, match_ambiguous;
    set local default_statistics_target = default
    """

  /// Compares the decisions with the recorded matches, for a reader.
  func compare(_ tx: inout DatabaseTransaction) throws { try tx.send(context.sql(MatchSQL.changes)) }

  /// Records the decisions.
  ///
  /// - Parameter keepsRows: whether the outcome contains the changed rows for a reader.
  func record(_ tx: inout DatabaseTransaction, runID: String, keepsRows: Bool) throws -> MatchOutcome {
    let changes = try keepsRows ? changedRows(&tx) : []
    let values: [String: Value] = ["run_id": .text(runID), "as_of": context.asOfValue]
    let closedCount = try tx.run(context.sql(MatchSQL.closeMatches), values)
    try tx.send(context.sql(MatchSQL.createMatchedOrders))
    let createdCount = try tx.run(context.sql(MatchSQL.createMatches), values)
    try tx.send(MatchSQL.recordOtherDecisions, values, sql: context.sql)
    let (ambiguous, refused) = try tx.rows(context.sql(MatchSQL.standingCounts)).first ?? (0, 0)
    return MatchOutcome(
      changes: changes, createdCount: createdCount, closedCount: closedCount, ambiguousChargeCount: Int(ambiguous),
      refusedCount: Int(refused))
  }

  private func changedRows(_ tx: inout DatabaseTransaction) throws -> [MatchOutcome.Change] {
    try compare(&tx)
    return try tx.rows(context.sql(MatchSQL.changedRows), ["row_max": .int8(Int64(MatchOutcome.changesMax))]).map {
      MatchOutcome.Change(change: $0, orderID: $1, chargeID: $2, rung: $3)
    }
  }
}
