package import Postgres

/// The files of sql/queue: cases and the actions of reviewers on them.
package enum QueueSQL {
  package static let account = Statement("queue/account.sql", gives: .text)
  package static let answer = Statement("queue/answer.sql")
  package static let answerApps = Statement("queue/answer_apps.sql", gives: .text, .text)
  package static let appleDifferences = Listing("queue/apple_differences.sql")
  package static let appleQuestions = Statement("queue/apple_questions.sql", gives: .text, .text, .bool)
  package static let assignable = Statement("queue/assignable.sql", gives: .text)
  package static let attach = Statement("queue/attach.sql")
  package static let attachment = Statement("queue/attachment.sql", gives: .bytes)
  package static let attachments = Listing("queue/attachments.sql")
  package static let bannedCases = Statement("queue/banned_cases.sql", gives: .text)
  package static let batch = Statement("queue/batch.sql")
  package static let batchCases = Statement("queue/batch_cases.sql", gives: .text)
  package static let caseOfOrder = Statement("queue/case_of_order.sql", gives: .text)
  package static let closedItems = Statement("queue/closed_items.sql", gives: .bool, .text)
  package static let decisionHashes = Statement("queue/decision_hashes.sql", gives: .text, .text)
  package static let decide = Statement("queue/decide.sql", gives: .text, .text, .int8, .text)
  package static let endDecision = Statement("queue/end_decision.sql", gives: .text)
  package static let endUndo = Statement("queue/end_undo.sql", gives: .text, .text)
  package static let event = Statement("queue/event.sql")
  package static let hasLease = Statement("queue/has_lease.sql", gives: .bool)
  package static let holder = Statement("queue/holder.sql", gives: .text, .timestamptz)
  package static let isReleased = Statement("queue/is_released.sql", gives: .bool)
  package static let items = Statement("queue/items.sql", gives: .optionalText)
  package static let latestAct = Statement("queue/latest_act.sql", gives: .optionalTimestamptz)
  package static let lease = Statement("queue/lease.sql")
  package static let leaseMany = Statement("queue/lease_many.sql", gives: .text)
  package static let list = Listing("queue/list.sql")
  package static let lockCases = Statement("queue/lock_cases.sql", gives: .int8)
  package static let mark = Statement("queue/mark.sql")
  package static let marks = Statement("queue/marks.sql", gives: .bool, .optionalText, .bool)
  package static let next = Statement("queue/next.sql", gives: .text)
  package static let writeOffBreaks = Statement("queue/write_off_breaks.sql", gives: .bool, .bool, .text, .text, .text)
  package static let pair = Statement("queue/pair.sql", gives: .bool, .bool, .bool)
  package static let proposed = Statement("queue/proposed.sql", gives: .text, .optionalText, .optionalText, .optionalText)
  package static let recordSeen = Statement("queue/record_seen.sql")
  package static let release = Statement("queue/release.sql")
  package static let replaced = Statement("queue/replaced.sql", gives: .text, .text, .text, .text, .text, .text, .text)
  package static let show = Statement("queue/show.sql", gives: .text, .optionalText)
  package static let skippedCases = Statement("queue/skipped_cases.sql", gives: .text, .text)
  package static let state = Statement("queue/state.sql", gives: .text, .bool, .optionalText, .optionalText, .optionalText, .bool)
  package static let undo = Statement("queue/undo.sql", gives: .text, .text, .text, .text)
  package static let undoCandidates = Statement("queue/undo_candidates.sql", gives: .text, .text, .optionalText)

  package static let all: [any DeclaredStatement] = [
    account, answer, answerApps, appleDifferences, appleQuestions, assignable, attach, attachment, attachments, bannedCases, batch,
    batchCases, caseOfOrder, closedItems, decisionHashes, decide, endDecision, endUndo, event, hasLease, holder, isReleased, items,
    latestAct, lease, leaseMany, list, lockCases, mark, marks, next, writeOffBreaks, pair, proposed, recordSeen, release, replaced,
    show, skippedCases, state, undo, undoCandidates,
  ]
}
