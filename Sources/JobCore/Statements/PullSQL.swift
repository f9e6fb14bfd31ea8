package import Postgres

/// The files of sql/pull: watermarks of external sources.
package enum PullSQL {
  package static let beginAfter = Statement("pull/begin_after.sql", gives: .timestamptz)
  package static let move = Statement("pull/move.sql")
  package static let watermark = Statement("pull/watermark.sql", gives: .timestamptz)

  package static let all: [any DeclaredStatement] = [beginAfter, move, watermark]
}
