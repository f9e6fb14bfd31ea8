package import Postgres

/// The files of sql/alerts: verdicts sent about nights.
package enum AlertsSQL {
  package static let changes = Listing("alerts/changes.sql", ["as_of": .timestamptz])
  package static let lastVerdict = Statement("alerts/last_verdict.sql", ["channel": .text], gives: .text)
  package static let record = Statement("alerts/record.sql", ["channel": .text, "run_id": .text, "verdict": .text])

  package static let urgentRequests = Listing(
    "alerts/urgent_requests.sql",
    ["as_of": .timestamptz, "answer_within": .span, "warn_before": .span, "window": .span, "row_count": .int8])

  package static let all: [any DeclaredStatement] = [changes, lastVerdict, record, urgentRequests]
}
