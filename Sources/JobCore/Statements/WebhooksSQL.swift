package import Postgres

/// The files of sql/webhooks: events for other programs.
package enum WebhooksSQL {
  package static let address = Statement("webhooks/address.sql")
  package static let addressMail = Statement("webhooks/address_mail.sql")
  package static let begin = Statement("webhooks/begin.sql")
  package static let cleanEvents = Statement("webhooks/clean_events.sql")
  package static let cleanPosts = Statement("webhooks/clean_posts.sql")
  package static let deferEvents = Statement("webhooks/defer.sql")
  package static let due = Statement("webhooks/due.sql", gives: .text, .text, .text, .text, .text)
  package static let dueMail = Listing("webhooks/due_mail.sql")
  package static let gatherActs = Statement("webhooks/gather_acts.sql")
  package static let gatherCases = Statement("webhooks/gather_cases.sql")
  package static let gatherNotices = Statement("webhooks/gather_notices.sql")
  package static let isGone = Statement("webhooks/is_gone.sql", gives: .bool)
  package static let list = Listing("webhooks/list.sql")
  package static let mayChangeCases = Statement("webhooks/may_change_cases.sql", gives: .bool)
  package static let readPosition = Statement("webhooks/read_position.sql", gives: .optionalInt8, .int8, .int8)
  package static let recordAttempt = Statement("webhooks/record_attempt.sql")
  package static let recordDigest = Statement("webhooks/record_digest.sql")
  package static let recordPosition = Statement("webhooks/record_position.sql")
  package static let retry = Statement("webhooks/retry.sql")

  package static let all: [any DeclaredStatement] = [
    address, addressMail, begin, cleanEvents, cleanPosts, deferEvents, due, dueMail, gatherActs, gatherCases, gatherNotices,
    isGone, list, mayChangeCases, readPosition, recordAttempt, recordDigest, recordPosition, retry,
  ]
}
