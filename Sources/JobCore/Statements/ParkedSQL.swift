package import Postgres

/// The files of sql/parked: parked items.
package enum ParkedSQL {
  package static let askAgain = Statement("parked/ask_again.sql")
  package static let decide = Statement("parked/decide.sql", gives: .text)
  package static let itemsNaming = Statement("parked/items_naming.sql", gives: .text, .text, .text, .int8, .text, .text)
  package static let openItems = Statement(
    "parked/open_items.sql", gives: .text, .text, .text, .int8, .optionalBytes, .bytes, .int8, .timestamptz, .bool)

  package static let all: [any DeclaredStatement] = [askAgain, decide, itemsNaming, openItems]
}
