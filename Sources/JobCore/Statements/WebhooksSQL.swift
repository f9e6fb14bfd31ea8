package import Postgres

/// The files of sql/webhooks: events for other programs.
package enum WebhooksSQL {
  package static let address = Statement("webhooks/address.sql", ["webhooks": .textArray, "kinds": .textArray, "after": .int8])
  package static let addressMail = Statement("webhooks/address_mail.sql", ["webhook": .text, "after": .int8])
  package static let begin = Statement("webhooks/begin.sql", ["through": .int8])
  package static let cleanEvents = Statement("webhooks/clean_events.sql", ["days": .int4])
  package static let cleanPosts = Statement("webhooks/clean_posts.sql", ["days": .int4])
  package static let due = Statement("webhooks/due.sql", ["webhook": .text, "rows": .int8], gives: .text, .text, .text, .text, .text)
  package static let dueMail = Listing("webhooks/due_mail.sql", ["webhook": .text, "rows": .int8])
  package static let gatherActs = Statement("webhooks/gather_acts.sql", ["after": .int8, "through": .int8])
  package static let gatherCases = Statement("webhooks/gather_cases.sql", ["through": .int8])
  package static let gatherNotices = Statement("webhooks/gather_notices.sql", ["after": .int8, "through": .int8])
  package static let hasDetected = Statement("webhooks/has_detected.sql", ["after": .int8, "through": .int8], gives: .bool)
  package static let list = Listing("webhooks/list.sql")
  package static let mailed = Statement(
    "webhooks/mailed.sql", ["webhook": .text, "answer": .text, "event_ids": .textArray, "is_taken": .bool])
  package static let read = Statement("webhooks/read.sql", ["through": .int8])
  package static let reading = Statement("webhooks/reading.sql", gives: .optionalInt8, .int8, .int8)
  package static let retry = Statement("webhooks/retry.sql", ["webhook": .text])
  package static let tried = Statement(
    "webhooks/tried.sql",
    [
      "answer": .text, "pause": .int8, "pause_max": .int8, "is_taken": .bool, "tries_max": .int8, "webhook": .text,
      "event_ids": .textArray,
    ])

  package static let all: [any DeclaredStatement] = [
    address, addressMail, begin, cleanEvents, cleanPosts, due, dueMail, gatherActs, gatherCases, gatherNotices, hasDetected, list,
    mailed, read, reading, retry, tried,
  ]
}
