package import Postgres

/// The files of sql/rule_desk: trials of rules, and changes that two reviewers approve.
package enum RuleDeskSQL {
  package static let approved = Statement("rule_desk/approved.sql", ["as_of": .timestamptz], gives: .text, .text, .int4, .text)
  package static let ask = Statement(
    "rule_desk/ask.sql",
    ["trial_id": .text, "rule": .text, "parameters": .text, "night_max": .int4, "person": .text, "as_of": .timestamptz])
  package static let changes = Listing("rule_desk/changes.sql", ["rule": .text, "as_of": .timestamptz])
  package static let conclude = Statement(
    "rule_desk/conclude.sql", ["step": .text, "person": .text, "reason": .text, "as_of": .timestamptz, "change_id": .text])
  package static let due = Statement("rule_desk/due.sql", ["trial_id": .text], gives: .text, .text, .text, .int4, .text)
  package static let end = Statement(
    "rule_desk/end.sql",
    [
      "case_ids": .textArray, "as_of": .timestamptz, "trial_id": .text, "outcome": .text, "fault": .text, "nights": .int4,
      "signals": .int8, "new": .int8, "gone": .int8, "code_version": .text,
    ])
  package static let forgetNights = Statement("rule_desk/forget_nights.sql", ["trial_id": .text])
  package static let keepNight = Statement(
    "rule_desk/keep_night.sql",
    ["trial_id": .text, "night": .timestamptz, "run_id": .text, "signals": .int8, "new": .int8, "gone": .int8, "cases": .int8])
  package static let nights = Statement("rule_desk/nights.sql", ["as_of": .timestamptz, "night_max": .int4], gives: .text, .text)
  package static let propose = Statement(
    "rule_desk/propose.sql",
    [
      "change_id": .text, "rule": .text, "version": .int8, "state": .text, "parameters": .text, "trial_id": .text,
      "person": .text, "reason": .text, "as_of": .timestamptz,
    ])
  package static let trialNights = Listing("rule_desk/trial_nights.sql", ["trial_id": .text])
  package static let trials = Listing("rule_desk/trials.sql", ["rule": .text, "trial_id": .text])
  package static let waiting = Listing("rule_desk/waiting.sql", ["rule": .text])

  package static let all: [any DeclaredStatement] = [
    approved, ask, changes, conclude, due, end, forgetNights, keepNight, nights, propose, trialNights, trials, waiting,
  ]
}
