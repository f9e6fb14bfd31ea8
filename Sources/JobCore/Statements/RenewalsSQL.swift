package import Postgres

/// The files of sql/renewals: appointments, plans and outcomes.
package enum RenewalsSQL {
  package static let stagedPolls = Script("renewals/00_staged_polls.sql")
  package static let addDueChains = Statement("renewals/add_due_chains.sql", ["bundles": .textArray, "clock": .timestamptz])
  package static let claimPolls = Statement(
    "renewals/claim_polls.sql",
    [
      "bundle_id": .text, "as_of": .timestamptz, "ahead_to": .timestamptz, "now": .timestamptz, "row_max": .int8,
      "worker": .text, "lease_until": .timestamptz,
    ],
    gives: .text, .text, .timestamptz)
  package static let dropPolls = Statement("renewals/drop_polls.sql", ["bundles": .textArray, "now": .timestamptz, "is_whole": .bool])
  package static let endPolls = Statement("renewals/end_polls.sql", ["bundle_id": .text])
  package static let failPolls = Statement("renewals/fail_polls.sql", ["bundle_id": .text, "worker": .text])
  package static let findPlan = Statement(
    "renewals/find_plan.sql",
    ["day": .text, "as_of": .timestamptz, "time_zone": .text, "bundle_id": .text],
    gives: .text, .bool, .optionalInt8)
  package static let findRefresh = Statement(
    "renewals/find_refresh.sql",
    ["bundles": .textArray, "code_version": .text, "as_of": .timestamptz],
    gives: .bool, .timestamptz)
  package static let findSubscription = Statement(
    "renewals/find_subscription.sql",
    ["as_of": .timestamptz, "original_transaction_id": .text],
    gives: .text, .text)
  package static let freezeForecast = Statement(
    "renewals/freeze_forecast.sql",
    ["bundle_id": .text, "day": .text, "as_of": .timestamptz, "history_min": .int8])
  package static let freezeMembers = Statement(
    "renewals/freeze_members.sql",
    ["as_of": .timestamptz, "bundle_id": .text, "day": .text, "time_zone": .text])
  package static let freezePlan = Statement(
    "renewals/freeze_plan.sql",
    ["bundle_id": .text, "day": .text, "time_zone": .text, "run_id": .text, "as_of": .timestamptz],
    gives: .int8, .int8)
  package static let hasRenewals = Statement("renewals/has_renewals.sql", gives: .bool)
  package static let outcomeCounts = Statement("renewals/outcome_counts.sql", ["as_of": .timestamptz], gives: .text, .int8)
  package static let pollNews = Statement("renewals/poll_news.sql")
  package static let pollSubjects = Statement(
    "renewals/poll_subjects.sql",
    ["bundles": .textArray, "ends_from": .timestamptz],
    gives: .text, .text, .timestamptz, .optionalTimestamptz, .optionalBool, .bool, .optionalTimestamptz,
      .optionalTimestamptz, .int8, .text)
  package static let queuePolls = Statement("renewals/queue_polls.sql", ["now": .timestamptz])
  package static let recordPolls = Statement(
    "renewals/record_polls.sql",
    ["bundle_id": .text, "environment": .text, "worker": .text, "run_id": .text, "requested_at": .timestamptz])
  package static let recordRefresh = Statement(
    "renewals/record_refresh.sql",
    ["code_version": .text, "clock": .timestamptz, "bundles": .textArray])
  package static let renewNews = Statement("renewals/renew_news.sql", ["clock": .timestamptz])
  package static let settle = Statement("renewals/settle.sql", ["as_of": .timestamptz, "skew": .span, "run_id": .text])
  package static let subjectsAll = Statement("renewals/subjects_all.sql", ["clock": .timestamptz])
  package static let subjectsSome = Statement("renewals/subjects_some.sql", ["clock": .timestamptz])
  package static let takeNews = Statement("renewals/take_news.sql", ["clock": .timestamptz])
  package static let waitingPolls = Statement(
    "renewals/waiting_polls.sql",
    ["bundle_id": .text, "as_of": .timestamptz, "ahead_to": .timestamptz, "now": .timestamptz],
    gives: .bool)

  package static let all: [any DeclaredStatement] = [
    stagedPolls, addDueChains, claimPolls, dropPolls, endPolls, failPolls, findPlan, findRefresh, findSubscription,
    freezeForecast, freezeMembers, freezePlan, hasRenewals, outcomeCounts, pollNews, pollSubjects, queuePolls, recordPolls,
    recordRefresh, renewNews, settle, subjectsAll, subjectsSome, takeNews, waitingPolls,
  ]
}
