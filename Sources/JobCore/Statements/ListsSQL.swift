package import Postgres

/// The files of sql/lists: list entries.
package enum ListsSQL {
  package static let add = Statement("lists/add.sql", gives: .text)
  package static let remove = Statement("lists/remove.sql", gives: .text)

  package static let all: [any DeclaredStatement] = [add, remove]
}
