package import Postgres

/// The files of sql/scope: connected components, and the state in which decisions were made.
package enum ScopeSQL {
  package static let workTables = Script("scope/00_work_tables.sql")
  package static let readChanges = Statement("scope/01_read_changes.sql")
  package static let takeChanges = Statement("scope/01_take_changes.sql")
  package static let takeDecisions = Statement("scope/01_take_decisions.sql")
  package static let discardChanges = Statement("scope/02_discard_changes.sql")
  package static let storeDecisions = Script("scope/02_store_decisions.sql")
  package static let sharedTokens = Statement("scope/03_shared_tokens.sql")
  package static let seedsOfChanges = Script("scope/04_seeds_of_changes.sql")
  package static let seedsOfDecisions = Script("scope/04_seeds_of_decisions.sql")
  package static let seedsOfSubjects = Statement("scope/04_seeds_of_subjects.sql")
  package static let sample = Statement("scope/05_sample.sql")
  package static let orderEstimate = Statement("scope/06_order_estimate.sql", gives: .int8)
  package static let hasChanges = Statement("scope/07_has_changes.sql", gives: .bool)

  package static let close = Statement("scope/10_close.sql", gives: .int8, .int8, .bool)
  package static let size = Statement("scope/11_size.sql", gives: .int8, .int8)

  package static let state = Statement("scope/40_state.sql", gives: .optionalText, .text)
  package static let recordState = Statement("scope/41_record_state.sql")
  package static let forgetState = Statement("scope/42_forget_state.sql")
  package static let queueForDetection = Statement("scope/50_queue_for_detection.sql")

  package static let all: [any DeclaredStatement] =
    [
      workTables, readChanges, takeChanges, takeDecisions, discardChanges, storeDecisions, sharedTokens,
      seedsOfChanges, seedsOfDecisions, seedsOfSubjects, sample, orderEstimate, hasChanges, close, size, state,
      recordState, queueForDetection, forgetState,
    ]
}
