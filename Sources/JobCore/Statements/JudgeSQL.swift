package import Postgres

/// The files of sql/judge: evidence last read by another version of the reader.
package enum JudgeSQL {
  package static let counts = Statement("judge/counts.sql", gives: .int8, .int8, .int8)
  package static let page = Statement("judge/page.sql", gives: .text, .bool, .text, .timestamptz, .bytes)
  package static let recordRead = Statement("judge/record_read.sql")

  package static let all: [any DeclaredStatement] = [counts, page, recordRead]
}
