package import Postgres

/// The files of sql/ingest: batches and the rows ingested with them.
package enum IngestSQL {
  package static let stagedOrders = Script("ingest/00_staged_orders.sql")
  package static let shareInputLock = Statement("ingest/00_share_input_lock.sql")
  package static let openBatch = Statement("ingest/01_open_batch.sql", gives: .int8)
  package static let findBatch = Statement("ingest/02_find_batch.sql", gives: .int8, .text, .int8, .int8, .int8, .int8, .int8, .int8)
  package static let checkpoint = Statement("ingest/03_checkpoint.sql")
  package static let currentBatch = Statement("ingest/04_current_batch.sql", gives: .int8, .bool)
  package static let continueBatch = Statement("ingest/06_continue_batch.sql", gives: .int8)
  package static let awaitedRecords = Statement("ingest/07_awaited_records.sql", gives: .text, .optionalBytes, .bytes, .int8)
  package static let isInputAwaited = Statement("ingest/07_is_input_awaited.sql", gives: .bool)
  package static let readingClock = Statement("ingest/08_reading_clock.sql", gives: .timestamptz, .int4)
  package static let repeatedOrders = Statement("ingest/09_repeated_orders.sql")
  package static let forgetOrders = Statement("ingest/09_forget_orders.sql")
  package static let judgeOrders = Statement("ingest/10_judge_orders.sql")
  package static let contradictedOrders = Statement("ingest/10_contradicted_orders.sql", gives: .int8, .optionalText)
  package static let hasOrdersBetween = Statement("ingest/09_has_orders_between.sql", gives: .bool)
  package static let knownOrders = Statement("ingest/10_known_orders.sql", gives: .text)
  package static let hasErasedUsers = Statement("ingest/09_has_erased_users.sql", gives: .bool)
  package static let erasedUsers = Statement("ingest/09_erased_users.sql", gives: .text, .text)
  package static let batchProgress = Statement("ingest/08_batch_progress.sql", gives: .int8, .timestamptz)
  package static let deferOrderIndexes = Statement("ingest/09_defer_order_indexes.sql", gives: .bool)
  package static let buildOrderIndexes = Statement("ingest/18_build_order_indexes.sql", gives: .int8)
  package static let orderOutcomes = Statement("ingest/15_order_outcomes.sql", gives: .text, .int8)
  package static let forgetUsers = Statement("ingest/20_forget_users.sql")
  package static let stagedUsers = Script("ingest/20_staged_users.sql")
  package static let upsertUsers = Statement("ingest/21_upsert_users.sql", gives: .int8)
  package static let stagedCatalogue = Script("ingest/30_staged_catalogue.sql")
  package static let upsertProducts = Statement("ingest/31_upsert_products.sql")
  package static let upsertPrices = Statement("ingest/32_upsert_prices.sql", gives: .int8)
  package static let storeLock = Statement("ingest/39_store_lock.sql")
  package static let recordHeaders = Statement("ingest/41_record_headers.sql")
  package static let gatherCharges = Statement("ingest/46_gather_charges.sql")
  package static let forgetEvidence = Statement("ingest/40_forget_evidence.sql")
  package static let stagedContents = Script("ingest/40_staged_contents.sql")
  package static let stagedEvidence = Script("ingest/40_staged_evidence.sql")
  package static let knownEvidence = Statement("ingest/41_known_evidence.sql", gives: .text)
  package static let knownCharges = Statement("ingest/41_known_charges.sql", gives: .text)
  package static let recordEvidence = Statement("ingest/43_record_evidence.sql", gives: .bytes, .bytes)
  package static let newSubjects = Statement("ingest/44_new_subjects.sql")
  package static let recordJudgements = Statement("ingest/43_record_judgements.sql", gives: .int8, .text, .int8)
  package static let recordOthers = Script("ingest/48_record_others.sql")
  package static let evidenceOutcomes = Statement("ingest/49_evidence_outcomes.sql", gives: .int8, .int8)
  package static let stagedParked = Script("ingest/50_staged_parked.sql")
  package static let recordParked = Statement("ingest/50_record_parked.sql")
  package static let recordTruncated = Statement("ingest/51_record_truncated.sql")
  package static let recordCompleted = Statement("ingest/52_record_completed.sql")
  package static let stagedFinance = Script("ingest/60_staged_finance.sql")
  package static let financeFile = Statement("ingest/61_finance_file.sql")
  package static let financeLines = Statement("ingest/62_finance_lines.sql")
  package static let paymentLines = Statement("ingest/63_payment_lines.sql")
  package static let bankLines = Statement("ingest/64_bank_lines.sql", gives: .int8)
  package static let financeKnown = Statement("ingest/65_finance_known.sql", gives: .int8)
  package static let financePart = Statement("ingest/66_finance_part.sql")
  package static let financePeriod = Statement("ingest/67_finance_period.sql", gives: .optionalText, .optionalText)
  package static let financeOther = Statement("ingest/68_finance_other.sql", gives: .text)

  package static let previewPrices = Statement("ingest/70_preview_prices.sql", gives: .text, .text, .int8)
  package static let previewPurchases = Statement("ingest/70_preview_purchases.sql", gives: .text, .timestamptz)

  package static let newChanges = Statement("ingest/16_new_changes.sql")
  package static let newHours = Statement("ingest/17_new_hours.sql")

  /// Run if orders have newer versions than the known ones.
  package static let newerOrders = [
    Statement("ingest/11_mark_states.sql"),
    Statement("ingest/11_keep_versions.sql"),
    Statement("ingest/12_replace_orders.sql"),
  ]

  /// Run if some of the orders were known.
  package static let judgedOrders = [
    Statement("ingest/13_insert_orders.sql"),
    Statement("ingest/15_note_mappings.sql"),
    Statement("ingest/15_note_readings.sql"),
    Statement("ingest/16_order_changes.sql"),
    Statement("ingest/17_order_hours.sql"),
  ]

  /// Find new evidence and the resulting knowledge.
  package static let judging = [
    Statement("ingest/42_fresh_evidence.sql"), Statement("ingest/42_reevaluated_evidence.sql"), Statement("ingest/42_usable_evidence.sql"),
    Statement("ingest/42_informative_evidence.sql"),
  ]

  package static let recordPages = Statement("ingest/53_record_pages.sql")

  /// Record evidence, except its seals.
  package static let recording = [
    Statement("ingest/43_record_unproven.sql"), Statement("ingest/44_record_uploads.sql"), Statement("ingest/44_usable_uploads.sql"),
    Statement("ingest/44_usable_charges.sql"), Statement("ingest/45_record_transactions.sql"), Statement("ingest/46_record_bodies.sql"),
    Statement("ingest/47_evidence_changes.sql"), Statement("ingest/47_evidence_hours.sql"),
  ]

  package static let all: [any DeclaredStatement] =
    [
      contradictedOrders,
      stagedOrders, shareInputLock, openBatch, findBatch, checkpoint, currentBatch, continueBatch, awaitedRecords,
      isInputAwaited, readingClock, repeatedOrders, forgetOrders, judgeOrders, hasOrdersBetween, knownOrders,
      orderOutcomes, hasErasedUsers, erasedUsers, batchProgress, deferOrderIndexes, buildOrderIndexes, newChanges, previewPrices,
      previewPurchases, newHours,
      forgetUsers, stagedUsers, upsertUsers, stagedCatalogue, upsertProducts, upsertPrices, storeLock, forgetEvidence, stagedContents,
      stagedEvidence, knownEvidence, knownCharges, newSubjects, recordHeaders, gatherCharges, recordEvidence, recordJudgements,
      recordOthers, evidenceOutcomes, stagedParked, recordParked, recordTruncated, recordCompleted,
      recordPages, stagedFinance, financeFile, financeLines, paymentLines, bankLines, financeKnown, financePart, financePeriod,
      financeOther,
    ] + newerOrders + judgedOrders + judging + recording
}
