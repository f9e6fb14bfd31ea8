package import Postgres

/// The files of sql/alerts: verdicts sent about nights.
package enum AlertsSQL {
  package static let changes = Listing("alerts/changes.sql")
  package static let lastVerdict = Statement("alerts/last_verdict.sql", gives: .text)
  package static let record = Statement("alerts/record.sql")

  package static let urgentRequests = Listing("alerts/urgent_requests.sql")

  package static let all: [any DeclaredStatement] = [changes, lastVerdict, record, urgentRequests]
}
