package import Postgres

/// The files of sql/collect: the progress and budgets of collections, and queued posts.
package enum CollectSQL {
  package static let customerOf = Statement(
    "collect/customer_of.sql",
    ["original_transaction_id": .text, "bundle_id": .text, "environment": .text],
    gives: .optionalText)
  package static let dropPosts = Statement("collect/drop_posts.sql", ["post_ids": .textArray])
  package static let financePeriods = Statement(
    "collect/finance_periods.sql",
    ["from_day": .text, "to_day": .text],
    gives: .text, .text, .text)
  package static let financePositions = Statement(
    "collect/finance_positions.sql",
    ["vendor": .text],
    gives: .text, .text, .text, .text, .timestamptz, .optionalText)
  package static let findCollection = Statement(
    "collect/find_collection.sql",
    ["job": .text, "bundle_id": .text, "environment": .text, "subject": .text],
    gives: .optionalText, .optionalInt8, .optionalTimestamptz, .optionalTimestamptz, .optionalTimestamptz)
  package static let pauseBudget = Statement(
    "collect/pause_budget.sql",
    ["bundle_id": .text, "environment": .text, "endpoint": .text, "pause_micros": .int8, "now": .timestamptz])
  package static let queuePosts = Statement(
    "collect/queue_posts.sql",
    ["foreign_max": .int8, "receipt_max": .int8, "posts_left": .int8, "bytes_left": .int8],
    gives: .int8, .text, .bool)
  package static let recordCustomer = Statement(
    "collect/record_customer.sql",
    ["bundle_id": .text, "environment": .text, "customer_id": .text, "original_transaction_ids": .textArray])
  package static let recordMiss = Statement(
    "collect/record_miss.sql",
    ["transaction_id": .text, "bundle_id": .text, "requested_at": .timestamptz])
  package static let recordMissed = Statement(
    "collect/record_missed.sql",
    ["batch_id": .int8, "sha256s": .textArray, "results": .textArray])
  package static let reserveBudget = Statement(
    "collect/reserve_budget.sql",
    [
      "bundle_id": .text, "environment": .text, "endpoint": .text, "span_micros": .int8, "now": .timestamptz,
      "wait_max_micros": .int8, "keep_micros": .int8,
    ],
    gives: .int8, .bool)
  package static let saveCollection = Statement(
    "collect/save_collection.sql",
    [
      "job": .text, "bundle_id": .text, "environment": .text, "subject": .text, "cursor": .text, "batch_id": .int8,
      "window_from": .timestamptz, "window_to": .timestamptz, "collected_to": .timestamptz,
    ])
  package static let saveFinancePosition = Statement(
    "collect/save_finance_position.sql",
    [
      "vendor": .text, "report": .text, "period": .text, "outcome": .text, "words": .text, "is_asked": .bool,
      "requested_at": .timestamptz, "content_sha256": .text, "file_sha256": .text,
    ])
  package static let stagePosts = Script("collect/stage_posts.sql")
  package static let waitingPosts = Statement(
    "collect/waiting_posts.sql",
    ["row_max": .int8, "byte_max": .int8],
    gives: .int8, .timestamptz, .bytes)
  package static let wantedHistories = Statement(
    "collect/wanted_histories.sql",
    ["bundle_id": .text, "environment": .text, "since": .timestamptz, "after_id": .text, "row_max": .int8],
    gives: .text, .text)
  package static let wantedReceipts = Statement(
    "collect/wanted_receipts.sql",
    [
      "bundle_id": .text, "ends_from": .timestamptz, "ends_to": .timestamptz, "chains": .textArray, "since": .timestamptz,
      "after_sha256": .text, "asked_before": .timestamptz, "row_max": .int8, "byte_max": .int8,
    ],
    gives: .text, .text, .bytes)
  package static let wantedRefunds = Statement(
    "collect/wanted_refunds.sql",
    ["bundle_id": .text, "environment": .text, "since": .timestamptz, "after_id": .text, "row_max": .int8],
    gives: .text, .text)
  package static let wantedTransactions = Statement(
    "collect/wanted_transactions.sql",
    ["bundle_id": .text, "since": .timestamptz, "after_id": .text, "row_max": .int8],
    gives: .text)

  package static let all: [any DeclaredStatement] = [
    customerOf, dropPosts, financePeriods, financePositions, findCollection, pauseBudget, queuePosts,
    recordCustomer, recordMiss, recordMissed, reserveBudget, saveCollection, saveFinancePosition, stagePosts,
    waitingPosts, wantedHistories, wantedReceipts, wantedRefunds, wantedTransactions,
  ]
}
