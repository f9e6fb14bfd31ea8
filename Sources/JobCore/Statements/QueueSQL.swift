package import Postgres

/// The files of sql/queue: cases and the actions of reviewers on them.
package enum QueueSQL {
  package static let account = Statement("queue/account.sql", gives: .text)
  package static let answer = Statement(
    "queue/answer.sql",
    [
      "transaction_id": .text, "bundle_id": .text, "environment": .text, "outcome": .text, "person": .text, "reason": .text,
      "as_of": .timestamptz,
    ])
  package static let answerApps = Statement("queue/answer_apps.sql", ["transaction_id": .text], gives: .text, .text)
  package static let appleDifferences = Listing(
    "queue/apple_differences.sql",
    ["as_of": .timestamptz, "transaction_ids": .textArray, "unknown_ids": .textArray, "row_max": .int8])
  package static let appleQuestions = Statement(
    "queue/apple_questions.sql",
    [
      "as_of": .timestamptz, "item_ids": .textArray, "case_ids": .textArray, "break_ids": .textArray, "order_id": .text,
      "charge_id": .text, "row_max": .int8,
    ],
    gives: .text, .text, .bool)
  package static let assignable = Statement("queue/assignable.sql", ["case_id": .text], gives: .text)
  package static let attach = Statement(
    "queue/attach.sql",
    ["case_id": .text, "sha256": .text, "body": .bytes, "attachments": .int8, "name": .text, "person": .text, "as_of": .timestamptz])
  package static let attachment = Statement("queue/attachment.sql", ["case_id": .text, "sha256": .text], gives: .bytes)
  package static let attachments = Listing("queue/attachments.sql", ["case_id": .text, "as_of": .timestamptz])
  package static let batch = Statement(
    "queue/batch.sql", ["batch_id": .text, "as_of": .timestamptz, "case_ids": .textArray, "decision_ids": .textArray])
  package static let batchCases = Statement("queue/batch_cases.sql", ["batch_id": .text], gives: .text)
  package static let caseOfOrder = Statement("queue/case_of_order.sql", ["order_id": .text], gives: .text)
  package static let decide = Statement(
    "queue/decide.sql",
    [
      "as_of": .timestamptz, "item_ids": .textArray, "case_ids": .textArray, "break_ids": .textArray, "order_id": .text,
      "charge_id": .text, "action": .text, "person": .text, "outcome": .text, "reason": .text, "holds_until": .timestamptz,
      "apple": .text,
    ],
    gives: .text, .text, .int8, .text)
  package static let endDecision = Statement(
    "queue/end_decision.sql",
    ["step": .text, "reason": .text, "person": .text, "as_of": .timestamptz, "apple": .text, "case_id": .text],
    gives: .text)
  package static let endUndo = Statement(
    "queue/end_undo.sql",
    ["step": .text, "reason": .text, "person": .text, "as_of": .timestamptz, "case_id": .text],
    gives: .text, .text)
  package static let event = Statement(
    "queue/event.sql",
    ["case_id": .text, "action": .text, "person": .text, "reason": .text, "as_of": .timestamptz, "lease_until": .timestamptz])
  package static let gone = Statement(
    "queue/gone.sql", ["as_of": .timestamptz, "case_id": .text, "item_ids": .textArray, "break_ids": .textArray], gives: .bool, .text)
  package static let hold = Statement("queue/hold.sql", ["case_ids": .textArray], gives: .int8)
  package static let holder = Statement("queue/holder.sql", ["case_id": .text, "as_of": .timestamptz], gives: .text, .timestamptz)
  package static let items = Statement("queue/items.sql", ["as_of": .timestamptz, "case_ids": .textArray], gives: .optionalText)
  package static let isGivenBack = Statement("queue/is_given_back.sql", ["case_ids": .textArray, "as_of": .timestamptz], gives: .bool)
  package static let latestAct = Statement("queue/latest_act.sql", ["case_ids": .textArray], gives: .optionalTimestamptz)
  package static let lease = Statement(
    "queue/lease.sql", ["case_id": .text, "person": .text, "as_of": .timestamptz, "lease_until": .timestamptz, "renews": .bool])
  package static let leaseMany = Statement(
    "queue/lease_many.sql",
    ["person": .text, "as_of": .timestamptz, "lease_until": .timestamptz, "item_ids": .textArray, "case_ids": .textArray],
    gives: .text)
  package static let leftCases = Statement(
    "queue/left_cases.sql", ["as_of": .timestamptz, "item_ids": .textArray, "case_ids": .textArray], gives: .text, .text)
  package static let list = Listing("queue/list.sql", ["as_of": .timestamptz])
  package static let mark = Statement(
    "queue/mark.sql",
    [
      "case_id": .text, "topic": .text, "is_set": .bool, "assignee": .text, "returns_at": .timestamptz,
      "item_ids": .textArray, "as_of": .timestamptz, "person": .text, "reason": .text,
    ])
  package static let marks = Statement(
    "queue/marks.sql", ["as_of": .timestamptz, "case_id": .text, "item_ids": .textArray], gives: .bool, .optionalText, .bool)
  package static let next = Statement("queue/next.sql", ["as_of": .timestamptz, "refused": .textArray], gives: .text)
  package static let pair = Statement("queue/pair.sql", ["order_id": .text, "charge_id": .text], gives: .bool, .bool, .bool)
  package static let proposed = Statement(
    "queue/proposed.sql", ["case_id": .text], gives: .text, .optionalText, .optionalText, .optionalText)
  package static let release = Statement("queue/release.sql", ["case_id": .text, "person": .text])
  package static let replaced = Statement(
    "queue/replaced.sql", ["order_id": .text, "charge_id": .text, "action": .text],
    gives: .text, .text, .text, .text, .text, .text, .text)
  package static let see = Statement("queue/see.sql", ["case_id": .text, "as_of": .timestamptz, "item_ids": .textArray])
  package static let sees = Statement("queue/sees.sql", ["case_id": .text, "as_of": .timestamptz], gives: .bool)
  package static let show = Statement("queue/show.sql", ["as_of": .timestamptz, "case_id": .text], gives: .text)
  package static let state = Statement(
    "queue/state.sql",
    ["as_of": .timestamptz, "item_ids": .textArray, "case_id": .text],
    gives: .text, .bool, .optionalText, .optionalText, .optionalText, .bool)
  package static let undo = Statement(
    "queue/undo.sql",
    ["person": .text, "as_of": .timestamptz, "reason": .text, "case_ids": .textArray, "decision_ids": .textArray],
    gives: .text, .text, .text, .text)
  package static let undoCandidates = Statement(
    "queue/undo_candidates.sql",
    ["since": .timestamptz, "as_of": .timestamptz, "item_ids": .textArray, "cases": .textArray, "actor": .text, "batch_id": .text],
    gives: .text, .text, .optionalText)

  package static let all: [any DeclaredStatement] = [
    account, answer, answerApps, appleDifferences, appleQuestions, assignable, attach, attachment, attachments, batch, batchCases,
    caseOfOrder, decide, endDecision, endUndo, event, gone, hold, holder, isGivenBack, items, latestAct, lease,
    leaseMany, leftCases, list, mark, marks, next, pair, proposed, release, replaced, see, sees, show, state, undo, undoCandidates,
  ]
}
