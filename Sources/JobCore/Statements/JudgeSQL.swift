package import Postgres

/// The files of sql/judge: evidence last read by another version of the reader.
package enum JudgeSQL {
  package static let counts = Statement("judge/counts.sql", ["batch_id": .int8], gives: .int8, .int8, .int8)
  package static let page = Statement(
    "judge/page.sql",
    ["as_of": .timestamptz, "reader_sha256": .text, "row_max": .int8, "byte_max": .int8],
    gives: .text, .bool, .text, .timestamptz, .bytes)
  package static let recordRead = Statement(
    "judge/record_read.sql",
    ["as_of": .timestamptz, "proven": .textArray, "reader_sha256": .text, "items": .textArray])

  package static let all: [any DeclaredStatement] = [counts, page, recordRead]
}
