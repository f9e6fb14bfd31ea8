package import Postgres

/// The files of sql/sums: sums of the daily summary, stored by day.
package enum SumsSQL {
  package static let add = Statement("sums/add.sql")
  package static let apply = Script("sums/apply.sql")
  package static let changedChains = Statement("sums/changed_chains.sql")
  package static let changedOrders = Statement("sums/changed_orders.sql")
  package static let chainsOfDay = Statement("sums/chains_of_day.sql")
  package static let clearKeys = Script("sums/clear_keys.sql")
  package static let differing = Statement("sums/differing.sql", gives: .text)
  package static let facts = Script("sums/facts.sql")
  package static let factsAt = Script("sums/facts_at.sql")
  package static let forget = Statement("sums/forget.sql")
  package static let needsFullUpdate = Statement("sums/needs_full_update.sql", gives: .bool)
  package static let matchedKeys = Script("sums/matched_keys.sql")
  package static let ordersOfDay = Statement("sums/orders_of_day.sql")
  package static let record = Statement("sums/record.sql")
  package static let sampleDay = Statement("sums/sample_day.sql", gives: .text)
  package static let setCode = Statement("sums/set_code.sql")
  package static let standing = Statement("sums/standing.sql", gives: .timestamptz)
  package static let workTables = Script("sums/work_tables.sql")

  package static let all: [any DeclaredStatement] = [
    add, apply, chainsOfDay, changedChains, changedOrders, clearKeys, differing, facts, factsAt, forget, needsFullUpdate, matchedKeys,
    ordersOfDay, record, sampleDay, setCode, standing, workTables,
  ]
}
