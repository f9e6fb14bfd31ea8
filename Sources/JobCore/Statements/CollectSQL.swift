package import Postgres

/// The files of sql/collect: the progress and budgets of collections, and queued posts.
package enum CollectSQL {
  package static let closeRefused = Statement("collect/close_refused.sql")
  package static let customerOf = Statement("collect/customer_of.sql", gives: .text)
  package static let dropPosts = Statement("collect/drop_posts.sql")
  package static let financePeriods = Statement("collect/finance_periods.sql", gives: .text, .text, .text)
  package static let financePositions = Statement(
    "collect/finance_positions.sql", gives: .text, .text, .text, .text, .timestamptz, .optionalText)
  package static let findCollection = Statement(
    "collect/find_collection.sql", gives: .optionalText, .optionalInt8, .optionalTimestamptz, .optionalTimestamptz, .optionalTimestamptz)
  package static let pauseBudget = Statement("collect/pause_budget.sql")
  package static let queuePosts = Statement("collect/queue_posts.sql", gives: .int8, .text, .bool)
  package static let recordCustomer = Statement("collect/record_customer.sql")
  package static let recordMiss = Statement("collect/record_miss.sql")
  package static let recordMissed = Statement("collect/record_missed.sql")
  package static let reserveBudget = Statement("collect/reserve_budget.sql", gives: .int8, .bool)
  package static let saveCollection = Statement("collect/save_collection.sql")
  package static let saveFinancePosition = Statement("collect/save_finance_position.sql")
  package static let stagePosts = Script("collect/stage_posts.sql")
  package static let waitingPosts = Statement("collect/waiting_posts.sql", gives: .int8, .timestamptz, .bytes)
  package static let wantedHistories = Statement("collect/wanted_histories.sql", gives: .text, .text)
  package static let wantedReceipts = Statement("collect/wanted_receipts.sql", gives: .text, .text, .bytes)
  package static let wantedRefunds = Statement("collect/wanted_refunds.sql", gives: .text, .text)
  package static let wantedTransactions = Statement("collect/wanted_transactions.sql", gives: .text)

  package static let all: [any DeclaredStatement] = [
    closeRefused, customerOf, dropPosts, financePeriods, financePositions, findCollection, pauseBudget, queuePosts,
    recordCustomer, recordMiss, recordMissed, reserveBudget, saveCollection, saveFinancePosition, stagePosts,
    waitingPosts, wantedHistories, wantedReceipts, wantedRefunds, wantedTransactions,
  ]
}
