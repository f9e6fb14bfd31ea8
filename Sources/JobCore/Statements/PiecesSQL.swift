package import Postgres

/// The files of sql/pieces: a full match run in pieces, and its workers.
package enum PiecesSQL {
  private static let ours: [String: ValueKind] = ["settings_sha256": .text, "code_version": .text]

  package static let wait = Statement("pieces/await.sql", ours, gives: .int4)
  package static let begin = Statement("pieces/begin.sql", ours.merging(["piece_count": .int4, "as_of": .timestamptz]) { $1 })
  package static let begun = Statement("pieces/begun.sql", gives: .text, .text, .timestamptz, .bool, .int4)
  package static let claim = Statement("pieces/claim.sql", ours, gives: .int4, .int4)
  package static let end = Statement("pieces/end_piece.sql", ["piece": .int4])
  package static let endUnion = Script("pieces/end_union.sql")
  package static let forget = Script("pieces/forget.sql")
  package static let isStored = Statement("pieces/is_stored.sql", gives: .bool)
  package static let size = Statement("pieces/size.sql", gives: .int8)
  package static let unite = Script("pieces/unite.sql")

  package static let all: [any DeclaredStatement] = [
    wait, begin, begun, claim, end, endUnion, forget, isStored, size, unite,
  ]
}
