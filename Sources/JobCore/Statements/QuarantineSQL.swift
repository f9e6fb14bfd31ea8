package import Postgres

/// The files of sql/quarantine: forged and foreign items.
package enum QuarantineSQL {
  package static let boundForged = Statement(
    "quarantine/bound_forged.sql",
    ["reader_sha256": .text, "items_max": .int8, "byte_max": .int8],
    gives: .int8)
  package static let countItems = Statement("quarantine/count_items.sql", ["batch_id": .int8])
  package static let countMore = Statement(
    "quarantine/count_more.sql",
    ["first_at": .timestamptz, "item_count": .int8, "byte_count": .int8, "last_at": .timestamptz])
  package static let countPosts = Statement("quarantine/count_posts.sql")
  package static let keep = Statement(
    "quarantine/keep.sql",
    ["reader_sha256": .text, "batch_id": .int8, "items_max": .int8, "byte_max": .int8])
  package static let page = Statement(
    "quarantine/page.sql",
    ["reader_sha256": .text, "row_max": .int8, "byte_max": .int8],
    gives: .text, .text, .text, .timestamptz, .text)
  package static let queueSize = Statement("quarantine/queue_size.sql", ["row_max": .int8], gives: .int8, .int8)
  package static let recordRead = Statement(
    "quarantine/record_read.sql",
    ["reader_sha256": .text, "released": .textArray, "batch_id": .int8, "items": .textArray])
  package static let recordProof = Statement("quarantine/record_proof.sql", ["reader_sha256": .text, "are_receipts": .textArray])
  package static let staged = Script("quarantine/staged.sql")
  package static let takePosts = Statement("quarantine/take_posts.sql", ["batch_id": .int8], gives: .int8, .int8)
  package static let unprovenRoom = Statement(
    "quarantine/unproven_room.sql",
    ["reader_sha256": .text, "items_max": .int8, "byte_max": .int8, "received_at": .timestamptz],
    gives: .bool, .bool, .int8, .int8)
  package static let waiting = Statement("quarantine/waiting.sql", gives: .bool)

  package static let all: [any DeclaredStatement] = [
    boundForged, countItems, countMore, countPosts, keep, page, queueSize, recordProof, recordRead, staged,
    takePosts, unprovenRoom, waiting,
  ]
}
