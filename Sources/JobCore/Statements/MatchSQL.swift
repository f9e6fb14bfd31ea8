package import Postgres

/// The files of sql/match: comparison and recording of the ladder's decisions.
package enum MatchSQL {
  package static let workTables = Script("match/work_tables.sql")
  package static let changes = Script("match/changes.sql")
  package static let end = Statement("match/end.sql")
  package static let beginOrders = Statement("match/begin_orders.sql")
  package static let begin = Statement("match/begin.sql")
  package static let recordProjections = [Statement("match/end_projections.sql"), Statement("match/begin_projections.sql")]
  package static let changedRows = Statement("match/changed_rows.sql", gives: .text, .text, .text, .text)
  package static let differences = Statement("match/differences.sql", gives: .text)
  package static let standingCounts = Statement("match/standing_counts.sql", gives: .int8, .int8)

  package static let all: [any DeclaredStatement] =
    [workTables, changes, end, beginOrders, begin, changedRows, differences, standingCounts] + recordProjections
}
