package import Postgres

/// The files of sql/runs: the ledger of runs, windows of scheduled jobs, metrics.
package enum RunsSQL {
  package static let adoptBatches = Statement("runs/adopt_batches.sql")
  package static let begin = Statement("runs/begin.sql", gives: .int4)
  package static let breakCounts = Statement("runs/break_counts.sql", gives: .text, .int8)
  package static let breakSums = Statement("runs/break_sums.sql", gives: .text, .text, .int8, .text)
  package static let diff = Listing("runs/diff.sql")
  package static let end = Statement("runs/end.sql")
  package static let finished = Statement("runs/finished.sql", gives: .text, .text)
  package static let hasNamedApps = Statement("runs/has_named_apps.sql", gives: .bool)
  package static let inboxNight = Statement("runs/inbox_night.sql", gives: .text)
  package static let inputState = Listing("runs/input_state.sql")
  package static let isDistributed = Statement("runs/is_distributed.sql", gives: .bool)
  package static let knownManifests = Statement("runs/known_manifests.sql", gives: .text, .text)
  package static let lastDecided = Statement("runs/last_decided.sql", gives: .text, .text)
  package static let latestClock = Statement("runs/latest_clock.sql", gives: .optionalTimestamptz, .optionalTimestamptz)
  package static let lockHolder = Statement("runs/lock_holder.sql", gives: .int4, .text, .optionalText, .optionalText)
  package static let lockInput = Statement("runs/lock_input.sql")
  package static let lookBack = Statement("runs/look_back.sql")
  package static let metricBreaks = Listing("runs/metric_breaks.sql")
  package static let metricBudgets = Listing("runs/metric_budgets.sql")
  package static let metricJobs = Listing("runs/metric_jobs.sql")
  package static let metricWindows = Listing("runs/metric_windows.sql")
  package static let missingRoles = Statement("runs/missing_roles.sql", gives: .text)
  package static let openPages = Statement("runs/open_pages.sql", gives: .text, .text, .int8)
  package static let openParked = Statement("runs/open_parked.sql", gives: .int8)
  package static let orderClocks = Statement("runs/order_clocks.sql", gives: .text, .int8, .int8, .int8)
  package static let recordInputBound = Statement("runs/record_input_bound.sql")
  package static let recordLastBatch = Statement("runs/record_last_batch.sql")
  package static let recordManifest = Statement("runs/record_manifest.sql")
  package static let recordUnfinishedFiles = Statement("runs/record_unfinished_files.sql")
  package static let runTallies = Statement("runs/run_tallies.sql", gives: .text, .int8, .int8, .int8, .int8, .int8)
  package static let sessionSettings = Statement("runs/session_settings.sql", gives: .text, .text)
  package static let settingsBefore = Statement(
    "runs/settings_before.sql", gives: .text, .text, .optionalText, .optionalText, .optionalText)
  package static let reasons = Statement("runs/reasons.sql", gives: .text)
  package static let show = Listing("runs/show.sql")
  package static let showBreaks = Listing("runs/show_breaks.sql")
  package static let showCounts = Listing("runs/show_counts.sql")
  package static let showInputs = Listing("runs/show_inputs.sql")
  package static let showWindow = Listing("runs/show_window.sql")
  package static let storeSettings = Statement("runs/store_settings.sql")
  package static let takeLocks = Statement("runs/take_locks.sql", gives: .optionalInt8, .optionalText, .optionalText)
  package static let truncatedInputs = Statement("runs/truncated_inputs.sql", gives: .text, .text, .int8, .text, .text)
  package static let unlockInput = Statement("runs/unlock_input.sql")
  package static let unnamedApps = Statement("runs/unnamed_apps.sql", gives: .text, .optionalText)
  package static let windowLease = Statement("runs/window_lease.sql", gives: .int4)
  package static let windowEnd = Statement("runs/window_end.sql", gives: .int4)
  package static let windowEndDead = Statement("runs/window_end_dead.sql")
  package static let windowHistory = Statement("runs/window_history.sql", gives: .optionalInt8, .int8)
  package static let windowList = Listing("runs/window_list.sql")
  package static let windowLock = Statement("runs/window_lock.sql", gives: .bool)
  package static let windowRenew = Statement("runs/window_renew.sql", gives: .int4)
  package static let windowRetries = Statement("runs/window_retries.sql", gives: .timestamptz, .timestamptz, .timestamptz)
  package static let windowRun = Statement("runs/window_run.sql", gives: .optionalText, .optionalText, .optionalInt8, .optionalText, .int8)
  package static let windowState = Statement("runs/window_state.sql", gives: .optionalTimestamptz, .bool, .bool, .optionalTimestamptz)

  package static let all: [any DeclaredStatement] = [
    adoptBatches, begin, breakCounts, breakSums, diff, end, finished, hasNamedApps, inboxNight, inputState,
    isDistributed, knownManifests, lastDecided, latestClock, lockHolder, lockInput, lookBack, metricBreaks, metricBudgets,
    metricJobs, metricWindows, missingRoles, openPages, openParked, orderClocks, reasons, recordInputBound,
    recordLastBatch, recordManifest, recordUnfinishedFiles, runTallies, sessionSettings, settingsBefore, show, showBreaks,
    showCounts, showInputs, showWindow, storeSettings, takeLocks, truncatedInputs, unlockInput, unnamedApps, windowLease, windowEnd,
    windowEndDead, windowHistory, windowList, windowLock, windowRenew, windowRetries, windowRun, windowState,
  ]
}
