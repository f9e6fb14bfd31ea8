package import Postgres

/// The files of sql/pull: watermarks of external sources.
package enum PullSQL {
  package static let beginAfter = Statement("pull/begin_after.sql", ["changed_at": .text, "row_key": .text], gives: .timestamptz)
  package static let move = Statement("pull/move.sql", ["source": .text, "kind": .text, "changed_at": .timestamptz, "row_key": .text])
  package static let watermark = Statement("pull/watermark.sql", ["source": .text, "kind": .text], gives: .timestamptz)

  package static let all: [any DeclaredStatement] = [beginAfter, move, watermark]
}
