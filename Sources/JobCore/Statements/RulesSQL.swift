package import Postgres

/// The files of sql/rules: abuse rules, and the comparison of new with known signals.
package enum RulesSQL {
  package static let workTables = Script("rules/00_work_tables.sql")
  package static let lists = Statement("rules/01_lists.sql")
  package static let testers = Statement("rules/02_testers.sql")
  package static let settings = Statement("rules/03_settings.sql")
  package static let people = [Statement("rules/04_households.sql"), Statement("rules/04_people.sql")]
  package static let refused = Statement("rules/05_refused.sql")
  package static let busyUsers = Statement("rules/06_busy_users.sql")
  package static let saleUsers = Script("rules/06_sale_users.sql")
  package static let saleCharges = Statement("rules/06_sale_charges.sql")
  package static let sales = [Statement("rules/06_sales.sql"), Statement("rules/06_sales_of_testers.sql")]
  package static let usersAbroad = Statement("rules/06_users_abroad.sql")
  package static let usersOfRefunds = Statement("rules/06_users_of_refunds.sql")
  package static let breaks = Statement("rules/07_breaks.sql")
  package static let tokensOfInputs = Script("rules/08_tokens_of_inputs.sql")
  package static let tokensOfStored = Script("rules/08_tokens_of_stored.sql")
  package static let state = Statement("rules/09_state.sql", gives: .text)
  package static let keptSubjects = Statement("rules/89_kept_subjects.sql")
  package static let judged = Statement("rules/90_judged.sql")
  package static let latest = Statement("rules/90_latest.sql")
  package static let changes = Statement("rules/91_changes.sql")
  package static let recordChanges = Script("rules/92_record_changes.sql")
  package static let found = Statement("rules/93_found.sql", gives: .text, .text, .text, .optionalText, .int8, .text)
  package static let openSignals = Statement("rules/94_open_signals.sql", gives: .text, .int8)
  package static let trialSignals = Statement("rules/95_trial_signals.sql", gives: .text, .text, .bool, .bool)
  package static let end = Script("rules/99_end.sql")

  /// Returns the statement of a rule, which is in no list here.
  static func rule(_ file: String, parameters: some Sequence<String>) -> Statement<> {
    Statement("rules/\(file).sql", passed: Set(parameters).union(["as_of", "bundles", "starts"]))
  }

  package static let all: [any DeclaredStatement] =
    [
      workTables, lists, testers, settings, refused, busyUsers, saleUsers, saleCharges, usersAbroad, usersOfRefunds, breaks,
      tokensOfInputs, tokensOfStored, state, keptSubjects, judged, latest, changes, recordChanges, found, openSignals, trialSignals, end,
    ] + people + sales
}
