package import Postgres

/// The files of sql/rule_desk: trials of rules, and changes that two reviewers approve.
package enum RuleDeskSQL {
  package static let approved = Statement("rule_desk/approved.sql", gives: .text, .text, .int4, .text)
  package static let ask = Statement("rule_desk/ask.sql")
  package static let changes = Listing("rule_desk/changes.sql")
  package static let conclude = Statement("rule_desk/conclude.sql")
  package static let due = Statement("rule_desk/due.sql", gives: .text, .text, .text, .int4, .text)
  package static let end = Statement("rule_desk/end.sql")
  package static let forgetNights = Statement("rule_desk/forget_nights.sql")
  package static let keepNight = Statement("rule_desk/keep_night.sql")
  package static let nights = Statement("rule_desk/nights.sql", gives: .text, .text)
  package static let propose = Statement("rule_desk/propose.sql")
  package static let trialNights = Listing("rule_desk/trial_nights.sql")
  package static let trials = Listing("rule_desk/trials.sql")
  package static let waiting = Listing("rule_desk/waiting.sql")

  package static let all: [any DeclaredStatement] = [
    approved, ask, changes, conclude, due, end, forgetNights, keepNight, nights, propose, trialNights, trials, waiting,
  ]
}
