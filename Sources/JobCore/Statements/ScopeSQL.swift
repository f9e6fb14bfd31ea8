package import Postgres

/// The files of sql/scope: what some facts can reach, and with what decisions were made.
package enum ScopeSQL {
  private static let round: [String: ValueKind] = ["round": .int4]

  package static let workTables = Script("scope/00_work_tables.sql")
  package static let seeChanges = Statement("scope/01_see_changes.sql")
  package static let takeChanges = Statement("scope/01_take_changes.sql")
  package static let takeDecisions = Statement("scope/01_take_decisions.sql", ["as_of": .timestamptz])
  package static let discardChanges = Statement("scope/02_discard_changes.sql")
  package static let honourDecisions = Script("scope/02_honour_decisions.sql")
  package static let sharedTokens = Statement("scope/03_shared_tokens.sql")
  package static let seedsOfChanges = Script("scope/04_seeds_of_changes.sql")
  package static let seedsOfDecisions = Script("scope/04_seeds_of_decisions.sql")
  package static let seedsOfSubjects = Statement(
    "scope/04_seeds_of_subjects.sql", ["order_ids": .textArray, "chains": .textArray])
  package static let sample = Statement("scope/05_sample.sql", ["percent_thousandths": .int8, "seed": .int8, "row_max": .int8])
  package static let orderEstimate = Statement("scope/06_order_estimate.sql", gives: .int8)
  package static let hasChanges = Statement("scope/07_has_changes.sql", gives: .bool)

  /// One step farther: by which keys what was found reaches others, what these lead to, and what only some scopes look at.
  package static let keySteps = [
    Statement("scope/10_keys_of_orders.sql", round), Statement("scope/11_keys_of_chains.sql", round),
    Statement("scope/12_keys_of_evidence.sql", round), Statement("scope/13_chains_of_evidence.sql", round),
  ]
  package static let keysOfFamilies = Statement("scope/15_keys_of_families.sql", round)
  package static let factSteps = [
    Statement("scope/14_facts_of_keys.sql", round), Statement("scope/20_orders_of_round.sql", round),
    Statement("scope/21_chains_of_round.sql", round), Statement("scope/22_evidence_of_round.sql", round),
    Statement("scope/23_keys_of_round.sql", round),
  ]
  package static let found = Statement("scope/24_found.sql", round, gives: .int8, .int8, .bool)

  package static let state = Statement("scope/40_state.sql", ["name": .text], gives: .text, .text)
  package static let recordState = Statement(
    "scope/41_record_state.sql", ["name": .text, "settings_sha256": .text, "code_version": .text])
  package static let handOn = Statement("scope/50_hand_on.sql")
  package static let detectAll = Statement("scope/51_detect_all.sql")

  package static let all: [any DeclaredStatement] =
    [
      workTables, seeChanges, takeChanges, takeDecisions, discardChanges, honourDecisions, sharedTokens,
      seedsOfChanges, seedsOfDecisions, seedsOfSubjects, sample, orderEstimate, hasChanges, keysOfFamilies, found, state,
      recordState, handOn, detectAll,
    ] + keySteps + factSteps
}
