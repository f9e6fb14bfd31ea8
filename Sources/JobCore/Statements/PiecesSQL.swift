package import Postgres

/// The files of sql/pieces: a full match run in pieces, and its workers.
package enum PiecesSQL {
  package static let wait = Statement("pieces/await.sql", gives: .int4)
  package static let begin = Statement("pieces/begin.sql")
  package static let currentRun = Statement("pieces/current_run.sql", gives: .text, .text, .timestamptz, .bool, .int4)
  package static let claim = Statement("pieces/claim.sql", gives: .int4, .int4)
  package static let end = Statement("pieces/end_piece.sql")
  package static let endCombination = Script("pieces/end_combination.sql")
  package static let discard = Script("pieces/discard.sql")
  package static let isStored = Statement("pieces/is_stored.sql", gives: .bool)
  package static let size = Statement("pieces/size.sql", gives: .int8)
  package static let combine = Script("pieces/combine.sql")

  package static let all: [any DeclaredStatement] = [
    wait, begin, currentRun, claim, end, endCombination, discard, isStored, size, combine,
  ]
}
