package import Postgres

/// The files of sql/quarantine: forged and foreign items.
package enum QuarantineSQL {
  package static let boundForged = Statement("quarantine/bound_forged.sql", gives: .int8)
  package static let countItems = Statement("quarantine/count_items.sql")
  package static let countQuarantined = Statement("quarantine/count_quarantined.sql")
  package static let keep = Statement("quarantine/keep.sql")
  package static let page = Statement("quarantine/page.sql", gives: .text, .text, .text, .timestamptz, .text)
  package static let queueSize = Statement("quarantine/queue_size.sql", gives: .int8, .int8)
  package static let recordRead = Statement("quarantine/record_read.sql")
  package static let recordProof = Statement("quarantine/record_proof.sql")
  package static let staged = Script("quarantine/staged.sql")
  package static let takePosts = Statement("quarantine/take_posts.sql", gives: .int8, .int8)
  package static let unprovenRoom = Statement("quarantine/unproven_room.sql", gives: .bool, .bool, .int8, .int8)
  package static let hasCounts = Statement("quarantine/has_counts.sql", gives: .bool)

  package static let all: [any DeclaredStatement] = [
    boundForged, countItems, countQuarantined, keep, page, queueSize, recordProof, recordRead, staged,
    takePosts, unprovenRoom, hasCounts,
  ]
}
