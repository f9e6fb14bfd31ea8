package import Postgres

/// The files of sql/rule_changes: trials of rules, and changes that two reviewers approve.
package enum RuleChangesSQL {
  package static let approved = Statement("rule_changes/approved.sql", gives: .text, .text, .int4, .text)
  package static let changes = Listing("rule_changes/changes.sql")
  package static let conclude = Statement("rule_changes/conclude.sql")
  package static let due = Statement("rule_changes/due.sql", gives: .text, .text, .text, .int4, .text)
  package static let end = Statement("rule_changes/end.sql")
  package static let forgetNights = Statement("rule_changes/forget_nights.sql")
  package static let keepNight = Statement("rule_changes/keep_night.sql")
  package static let nights = Statement("rule_changes/nights.sql", gives: .text, .text)
  package static let propose = Statement("rule_changes/propose.sql")
  package static let requestTrial = Statement("rule_changes/request_trial.sql")
  package static let trialNights = Listing("rule_changes/trial_nights.sql")
  package static let trials = Listing("rule_changes/trials.sql")
  package static let pending = Listing("rule_changes/pending.sql")

  package static let all: [any DeclaredStatement] = [
    approved, changes, conclude, due, end, forgetNights, keepNight, nights, propose, requestTrial, trialNights, trials, pending,
  ]
}
