package import Postgres

/// The files of sql/deadletter: parked items.
package enum DeadletterSQL {
  package static let askAgain = Statement("deadletter/ask_again.sql")
  package static let decide = Statement("deadletter/decide.sql", gives: .text)
  package static let openItems = Statement("deadletter/open_items.sql", gives: .text, .text, .text, .int8, .optionalBytes, .bytes, .int8)

  package static let all: [any DeclaredStatement] = [askAgain, decide, openItems]
}
