package import Postgres

/// The files of sql/doctor: checks of the installation.
package enum DoctorSQL {
  package static let database = Listing("doctor/database.sql")
  package static let highDegreeKeys = Statement("doctor/high_degree_keys.sql", gives: .text, .text, .int8)
  package static let lastNight = Listing("doctor/last_night.sql")
  package static let nodes = Statement("doctor/nodes.sql", gives: .bool, .optionalText)
  package static let signatures = Listing("doctor/signatures.sql")
  package static let steps = Listing("doctor/steps.sql")
  package static let unfinishedRuns = Listing("doctor/unfinished_runs.sql")
  package static let webhooks = Listing("doctor/webhooks.sql")
  package static let writeAccess = Listing("doctor/write_access.sql")

  package static let all: [any DeclaredStatement] = [
    database, highDegreeKeys, lastNight, nodes, signatures, steps, unfinishedRuns, webhooks, writeAccess,
  ]
}
