package import Postgres

/// The files of sql/renewals: appointments, plans and outcomes.
package enum RenewalsSQL {
  package static let stagedPolls = Script("renewals/00_staged_polls.sql")
  package static let addDueChains = Statement("renewals/add_due_chains.sql")
  package static let leasePolls = Statement("renewals/lease_polls.sql", gives: .text, .text, .timestamptz)
  package static let dropPolls = Statement("renewals/drop_polls.sql")
  package static let endedMembers = Statement("renewals/ended_members.sql")
  package static let endPolls = Statement("renewals/end_polls.sql")
  package static let failPolls = Statement("renewals/fail_polls.sql")
  package static let findPlan = Statement("renewals/find_plan.sql", gives: .text, .bool, .optionalInt8)
  package static let findRefresh = Statement("renewals/find_refresh.sql", gives: .bool, .timestamptz)
  package static let findSubscription = Statement("renewals/find_subscription.sql", gives: .text, .text)
  package static let freezeForecast = Statement("renewals/freeze_forecast.sql")
  package static let freezeMembers = Statement("renewals/freeze_members.sql")
  package static let freezePlan = Statement("renewals/freeze_plan.sql", gives: .int8, .int8)
  package static let hasRenewals = Statement("renewals/has_renewals.sql", gives: .bool)
  package static let outcomeCounts = Statement("renewals/outcome_counts.sql", gives: .text, .int8)
  package static let queueAnsweredChains = Statement("renewals/queue_answered_chains.sql")
  package static let pollSubjects = Statement(
    "renewals/poll_subjects.sql", gives: .text, .text, .timestamptz, .optionalTimestamptz, .optionalBool, .bool, .optionalTimestamptz,
    .optionalTimestamptz, .int8, .text)
  package static let queuePolls = Statement("renewals/queue_polls.sql")
  package static let recordPolls = Statement("renewals/record_polls.sql")
  package static let recordRefresh = Statement("renewals/record_refresh.sql")
  package static let queueLaterChains = Statement("renewals/queue_later_chains.sql")
  package static let settle = Statement("renewals/settle.sql")
  package static let takeChangedChains = Statement("renewals/take_changed_chains.sql")
  package static let waitingPolls = Statement("renewals/waiting_polls.sql", gives: .bool)

  package static let all: [any DeclaredStatement] = [
    stagedPolls, addDueChains, leasePolls, dropPolls, endedMembers, endPolls, failPolls, findPlan, findRefresh,
    findSubscription, freezeForecast, freezeMembers, freezePlan, hasRenewals, outcomeCounts, queueAnsweredChains, pollSubjects,
    queuePolls, recordPolls, recordRefresh, queueLaterChains, settle, takeChangedChains, waitingPolls,
  ]
}
