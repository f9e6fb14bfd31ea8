package import Postgres

/// The files of sql/lists: list entries.
package enum ListsSQL {
  package static let add = Statement(
    "lists/add.sql",
    [
      "list": .text, "subject_kind": .text, "subject_id": .text, "family": .text, "rule": .text, "owner": .text,
      "reason": .text, "valid_from": .timestamptz, "valid_to": .timestamptz, "as_of": .timestamptz,
    ],
    gives: .text)
  package static let remove = Statement(
    "lists/remove.sql",
    ["person": .text, "reason": .text, "is_mistake": .bool, "as_of": .timestamptz, "entry_id": .text],
    gives: .text)

  package static let all: [any DeclaredStatement] = [add, remove]
}
