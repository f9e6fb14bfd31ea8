package import Postgres

/// The files of sql/match: comparison and recording of the ladder's decisions.
package enum MatchSQL {
  package static let workTables = Script("match/work_tables.sql")
  package static let changes = Script("match/changes.sql")
  package static let closeMatches = Statement("match/close_matches.sql")
  package static let createMatchedOrders = Statement("match/create_matched_orders.sql")
  package static let createMatches = Statement("match/create_matches.sql")
  /// Refused claims, second charges and ambiguous candidates.
  package static let recordOtherDecisions = [
    Statement("match/close_other_decisions.sql"), Statement("match/create_other_decisions.sql"),
  ]
  package static let changedRows = Statement("match/changed_rows.sql", gives: .text, .text, .text, .text)
  package static let differences = Statement("match/differences.sql", gives: .text)
  package static let standingCounts = Statement("match/standing_counts.sql", gives: .int8, .int8)

  package static let all: [any DeclaredStatement] =
    [workTables, changes, closeMatches, createMatchedOrders, createMatches, changedRows, differences, standingCounts] + recordOtherDecisions
}
