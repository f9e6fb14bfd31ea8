package import Postgres

/// The files of sql/ladder: the facts on which the ladder decides.
package enum LadderSQL {
  package static let orders = Statement(
    "ladder/orders.sql", gives: .text, .text, .text, .text, .text, .text, .int8, .timestamptz, .optionalTimestamptz, .optionalTimestamptz,
    .optionalTimestamptz, .optionalText, .optionalText, .optionalText, .optionalText, .optionalText, .bool)
  package static let charges = Statement(
    "ladder/charges.sql", gives: .text, .text, .text, .text, .text, .optionalText, .bool, .bool, .optionalText, .optionalText, .int8,
    .timestamptz, .optionalTimestamptz, .bool)
  package static let aliases = Statement("ladder/aliases.sql", gives: .text, .text, .text)
  package static let tokenHolders = Statement("ladder/token_holders.sql", gives: .text, .text)
  package static let uploads = Statement("ladder/uploads.sql", gives: .optionalText, .optionalText, .optionalText)
  package static let evidence = Statement("ladder/evidence.sql", gives: .text, .text, .optionalBytes, .bool)
  package static let unproven = Statement("ladder/unproven.sql", gives: .text, .optionalBytes, .optionalText, .optionalText, .bool)
  package static let decisions = Statement("ladder/decisions.sql", gives: .text, .text, .text)

  package static let all: [any DeclaredStatement] = [orders, charges, aliases, tokenHolders, uploads, evidence, unproven, decisions]
}
