package import Postgres

/// The files of sql/pieces: how a run that decides everything is cut into pieces, and who decides them.
package enum PiecesSQL {
  private static let job: [String: ValueKind] = ["job": .text]
  private static let ours: [String: ValueKind] = ["job": .text, "settings_sha256": .text, "code_version": .text]
  private static let piece: [String: ValueKind] = ["job": .text, "piece": .int4]
  private static let share: [String: ValueKind] = ["job": .text, "piece": .int4, "share_count": .int4]

  package static let wait = Statement("pieces/await.sql", ours, gives: .int4)
  package static let begun = Statement("pieces/begun.sql", job, gives: .text, .text, .timestamptz, .bool)
  package static let claim = Statement("pieces/claim.sql", ours, gives: .int4, .int4, .timestamptz)
  package static let cut = Statement("pieces/cut.sql", ours.merging(["share_count": .int4, "as_of": .timestamptz]) { $1 })
  package static let end = Statement("pieces/end_piece.sql", piece)
  package static let forget = Statement("pieces/forget.sql", job)
  package static let keepMembers = Statement("pieces/keep_members.sql", piece)
  package static let seeds = Statement("pieces/seeds.sql", share)
  package static let seedsLeft = Statement("pieces/seeds_left.sql", share)
  package static let size = Statement("pieces/size.sql", gives: .int8)

  package static let all: [any DeclaredStatement] = [wait, begun, claim, cut, end, forget, keepMembers, seeds, seedsLeft, size]
}
