package import Postgres

/// The files of sql/accounts: logins that may decide.
package enum AccountsSQL {
  package static let list = Statement("accounts/list.sql", gives: .text, .bool, .bool)

  package static let all: [any DeclaredStatement] = [list]
}
