package import Postgres

/// The files of sql/consumption: Apple's requests for consumption information, and our answers.
package enum ConsumptionSQL {
  package static let consent = Listing("consumption/consent.sql")
  package static let end = Statement("consumption/end.sql")
  package static let recordAnswer = Statement("consumption/record_answer.sql")
  package static let requests = Listing("consumption/requests.sql")

  package static let all: [any DeclaredStatement] = [consent, end, recordAnswer, requests]
}
