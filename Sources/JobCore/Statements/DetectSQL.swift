package import Postgres

/// The files of sql/detect: break classes, and the comparison of new with persisting breaks.
package enum DetectSQL {
  /// Each file finds breaks of one or a few classes. Their common inputs are in the parent folder.
  package static let classes = StatementFolder(
    "detect/classes",
    passed: ["as_of", "grace", "skew", "stale_kinds", "stale_details", "stale_since", "storm_above", "storm_since", "apps"])

  /// Classes about few orders or charges, whose facts are looked up by key in a run over all rows.
  package static let lookedUp: Set = ["ambiguous_match", "order_no_tx", "refund_unread", "refused_claim", "renewal_missing_chain"]

  package static let workTables = Script("detect/00_work_tables.sql")
  package static let wholeBy = Statement("detect/07_whole_by.sql", gives: .text)
  /// Pairs that classes and abuse rules compare.
  package static let pairs = Script("detect/01_pairs.sql")
  /// Further inputs of the classes, in order.
  package static let read = [
    Statement("detect/02_open_charges.sql"), Statement("detect/03_open_orders.sql"), Statement("detect/04_subscriptions.sql"),
    Statement("detect/05_renewing.sql"),
  ]
  package static let refusedClaims = Script("detect/06_refused_claims.sql")
  package static let allowedOrders = Statement("detect/06_allowed_orders.sql")

  package static let discardUndetected = Statement("detect/10_discard_undetected.sql")
  package static let isClockNew = Statement("detect/11_is_clock_new.sql", gives: .bool)
  package static let testers = Statement("detect/11_testers.sql", gives: .text)
  package static let seedsOfDue = Statement("detect/11_seeds_of_due.sql")
  package static let seedsOfSignals = Statement("detect/12_seeds_of_signals.sql")
  package static let seedsOfDecisions = Script("detect/13_seeds_of_decisions.sql")

  package static let unlistedClasses = Statement("detect/88_unlisted_classes.sql", gives: .text)
  package static let discardMissingHistory = Statement("detect/87_discard_missing_history.sql")
  package static let discardOutOfScope = Statement("detect/89_discard_out_of_scope.sql")
  package static let usersOfCharges = Statement("detect/89_users_of_charges.sql")
  package static let deliveries = Statement("detect/89_deliveries.sql")
  package static let judged = Statement("detect/90_judged.sql")
  package static let latestEvents = Statement("detect/91_latest_events.sql")
  package static let changes = Statement("detect/92_changes.sql")
  package static let recordChanges = Script("detect/93_record_changes.sql")
  package static let pending = [Statement("detect/94_end_pending.sql"), Statement("detect/95_begin_pending.sql")]
  package static let discardDue = Script("detect/96_discard_due.sql")
  package static let endDue = Script("detect/96_end_due.sql")
  package static let due = Statement("detect/97_due.sql")
  package static let detection = Statement("detect/98_detection.sql")
  package static let changedCount = Statement("detect/99_changed_count.sql", gives: .int8)
  package static let changedRows = Statement(
    "detect/99_changed_rows.sql", gives: .text, .text, .text, .text, .text, .optionalText, .optionalText, .text)
  package static let isBehind = Statement("detect/99_is_behind.sql", gives: .bool)
  package static let differences = Statement("detect/99_differences.sql", gives: .text)

  package static let all: [any DeclaredStatement] =
    [
      workTables, wholeBy, pairs, refusedClaims, allowedOrders, discardUndetected, isClockNew, testers, seedsOfDue,
      seedsOfSignals, seedsOfDecisions, unlistedClasses, discardMissingHistory, discardOutOfScope, usersOfCharges,
      deliveries, judged, latestEvents, changes, recordChanges, discardDue, endDue, due, detection, changedCount, changedRows, isBehind,
      differences,
    ] + read + pending
}
