package import Postgres

/// The files of sql/runs: the ledger of runs, windows of scheduled jobs, metrics.
package enum RunsSQL {
  package static let adoptBatches = Statement("runs/adopt_batches.sql", ["as_of": .timestamptz, "run_id": .text])
  package static let begin = Statement(
    "runs/begin.sql",
    [
      "run_id": .text, "job": .text, "settings_sha256": .text, "code_version": .text, "as_of": .timestamptz,
      "is_ahead": .bool, "process": .text, "roots_sha256": .text,
    ],
    gives: .int4)
  package static let breakCounts = Statement("runs/break_counts.sql", ["as_of": .timestamptz], gives: .text, .int8)
  package static let breakSums = Statement("runs/break_sums.sql", ["as_of": .timestamptz], gives: .text, .text, .int8, .text)
  package static let cutInputs = Statement(
    "runs/cut_inputs.sql",
    ["as_of": .timestamptz, "batch_id": .int8],
    gives: .text, .text, .int8, .text, .text)
  package static let openPages = Statement(
    "runs/open_pages.sql",
    ["as_of": .timestamptz, "batch_id": .int8],
    gives: .text, .text, .int8, .text)
  package static let diff = Listing("runs/diff.sql", ["run_a": .text, "run_b": .text])
  package static let end = Statement(
    "runs/end.sql",
    ["verdict": .text, "counts": .text, "message": .text, "run_id": .text, "attempt": .int4])
  package static let findRun = Listing("runs/find_run.sql", ["run_id": .text])
  package static let lockInput = Statement("runs/hold_input.sql")
  package static let inboxNight = Statement("runs/inbox_night.sql", ["as_of": .timestamptz], gives: .text)
  package static let inputState = Listing(
    "runs/input_state.sql",
    ["needed": .textArray, "kinds": .textArray, "max_ages": .textArray, "rows_mins": .textArray, "as_of": .timestamptz])
  package static let keepSettings = Statement("runs/keep_settings.sql", ["settings_sha256": .text, "settings": .text])
  package static let keepUnfinished = Statement("runs/keep_unfinished.sql", ["as_of": .timestamptz, "run_id": .text])
  package static let knownManifests = Statement("runs/known_manifests.sql", ["run_id": .text], gives: .text, .text)
  package static let lastDecided = Statement("runs/last_decided.sql", gives: .text, .text)
  package static let latestClock = Statement("runs/latest_clock.sql", gives: .optionalTimestamptz, .optionalTimestamptz)
  package static let unlockInput = Statement("runs/let_input_go_on.sql")
  package static let lockHolder = Statement("runs/lock_holder.sql", ["key": .int8], gives: .int4, .text, .optionalText, .optionalText)
  package static let lookBack = Statement("runs/look_back.sql", ["as_of": .timestamptz])
  package static let isDistributed = Statement("runs/is_distributed.sql", gives: .bool)
  package static let metricBreaks = Listing("runs/metric_breaks.sql", ["as_of": .timestamptz])
  package static let metricBudgets = Listing("runs/metric_budgets.sql")
  package static let metricJobs = Listing("runs/metric_jobs.sql")
  package static let metricWindows = Listing("runs/metric_windows.sql")
  package static let missingRoles = Statement("runs/missing_roles.sql", ["roles": .textArray], gives: .text)
  package static let nameBound = Statement("runs/name_bound.sql", ["run_id": .text])
  package static let nameLastBatch = Statement("runs/name_last_batch.sql", ["run_id": .text])
  package static let openParked = Statement("runs/open_parked.sql", ["as_of": .timestamptz], gives: .int8)
  package static let orderClocks = Statement("runs/order_clocks.sql", gives: .text, .int8, .int8, .int8)
  package static let recordManifest = Statement(
    "runs/record_manifest.sql", ["run_id": .text, "directory": .text, "manifest_sha256": .text, "as_of": .timestamptz])
  package static let runTallies = Statement("runs/run_tallies.sql", ["run_id": .text], gives: .text, .int8, .int8, .int8, .int8, .int8)
  package static let settingsBefore = Statement(
    "runs/settings_before.sql",
    ["as_of": .timestamptz],
    gives: .text, .text, .optionalText, .optionalText)
  package static let sessionSettings = Statement("runs/session_settings.sql", gives: .text, .text)
  package static let unsettledNodes = Statement("runs/nodes_in_doubt.sql", gives: .text, .optionalText)
  package static let show = Listing("runs/show.sql", ["run_id": .text])
  package static let showBreaks = Listing("runs/show_breaks.sql", ["run_id": .text])
  package static let showCounts = Listing("runs/show_counts.sql", ["run_id": .text])
  package static let bindInputs = Listing("runs/show_inputs.sql", ["run_id": .text])
  package static let showWindow = Listing("runs/show_window.sql", ["run_id": .text])
  package static let hasNamedApps = Statement("runs/has_named_apps.sql", gives: .bool)
  package static let unnamedApps = Statement(
    "runs/unnamed_apps.sql",
    ["as_of": .timestamptz, "bundles": .textArray],
    gives: .text, .optionalText)
  package static let windowBury = Statement("runs/window_bury.sql", ["attempts_max": .int4, "job": .text])
  package static let windowClaim = Statement(
    "runs/window_claim.sql",
    [
      "job": .text, "window_from": .timestamptz, "window_to": .timestamptz, "scheduled_at": .timestamptz, "origin": .text,
      "host": .text, "lease": .text, "repeats": .textArray, "attempts_max": .int4,
    ],
    gives: .int4)
  package static let windowEnd = Statement(
    "runs/window_end.sql",
    [
      "retry_after": .text, "is_final": .bool, "exit_status": .int4, "verdict": .text, "run_id": .text,
      "row_count": .int8, "message": .text, "job": .text, "window_from": .timestamptz, "window_to": .timestamptz,
      "attempt": .int4, "host": .text,
    ],
    gives: .int4)
  package static let windowHistory = Statement(
    "runs/window_history.sql",
    ["job": .text, "scheduled_at": .timestamptz, "time_zone": .text],
    gives: .optionalInt8, .int8)
  package static let windowList = Listing("runs/window_list.sql")
  package static let windowLock = Statement("runs/window_lock.sql", ["job": .text], gives: .bool)
  package static let windowRenew = Statement(
    "runs/window_renew.sql",
    ["lease": .text, "job": .text, "window_from": .timestamptz, "window_to": .timestamptz, "attempt": .int4, "host": .text],
    gives: .int4)
  package static let windowRetries = Statement("runs/window_retries.sql", ["job": .text], gives: .timestamptz, .timestamptz, .timestamptz)
  package static let windowRun = Statement(
    "runs/window_run.sql",
    ["scheduled_at": .timestamptz, "names": .textArray, "job": .text, "window_from": .timestamptz, "window_to": .timestamptz],
    gives: .optionalText, .optionalText, .optionalInt8, .optionalText, .int8)
  package static let windowRunning = Statement("runs/window_running.sql", ["job": .text], gives: .bool)
  package static let windowState = Statement(
    "runs/window_state.sql",
    ["job": .text, "now": .timestamptz],
    gives: .optionalTimestamptz, .bool, .bool, .optionalTimestamptz)

  package static let all: [any DeclaredStatement] = [
    adoptBatches, begin, breakCounts, breakSums, cutInputs, diff, end, findRun, hasNamedApps, lockInput, inboxNight, inputState,
    isDistributed, keepSettings, keepUnfinished, knownManifests, lastDecided, latestClock, unlockInput, lockHolder,
    lookBack, openPages, metricBreaks, metricBudgets, metricJobs, metricWindows, missingRoles, nameBound, nameLastBatch,
    openParked, orderClocks, recordManifest, runTallies, settingsBefore, sessionSettings, show, showBreaks, showCounts,
    bindInputs, showWindow, unnamedApps, unsettledNodes, windowBury, windowClaim, windowEnd, windowHistory, windowList,
    windowLock, windowRenew, windowRetries, windowRun, windowRunning, windowState,
  ]
}
