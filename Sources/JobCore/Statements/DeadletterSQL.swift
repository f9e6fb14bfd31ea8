package import Postgres

/// The files of sql/deadletter: parked items.
package enum DeadletterSQL {
  package static let askAgain = Statement("deadletter/ask_again.sql", ["hashes": .textArray])
  package static let decide = Statement(
    "deadletter/decide.sql",
    ["outcome": .text, "reason": .text, "decided_at": .timestamptz, "ids": .textArray],
    gives: .text)
  package static let openItems = Statement(
    "deadletter/open_items.sql",
    ["ids": .textArray, "row_max": .int8],
    gives: .text, .text, .text, .int8, .optionalBytes, .bytes, .int8)

  package static let all: [any DeclaredStatement] = [askAgain, decide, openItems]
}
