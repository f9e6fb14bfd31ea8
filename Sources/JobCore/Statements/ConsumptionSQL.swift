package import Postgres

/// The files of sql/consumption: Apple's requests for consumption information, and our answers.
package enum ConsumptionSQL {
  package static let end = Statement(
    "consumption/end.sql",
    [
      "transaction_id": .text, "bundle_id": .text, "environment": .text, "outcome": .text, "reason": .text, "run_id": .text,
      "requested_at": .timestamptz, "as_of": .timestamptz,
    ])
  package static let intend = Statement(
    "consumption/intend.sql",
    [
      "transaction_id": .text, "bundle_id": .text, "environment": .text, "charge_id": .text, "order_id": .text, "body": .text,
      "body_sha256": .text, "run_id": .text, "requested_at": .timestamptz, "due_at": .timestamptz, "as_of": .timestamptz,
    ])
  package static let requests = Listing("consumption/requests.sql", ["as_of": .timestamptz, "since": .timestamptz, "answer_within": .span])

  package static let all: [any DeclaredStatement] = [end, intend, requests]
}
