package import Postgres

/// The files of sql/partitions: a full match run in partitions, and its workers.
package enum PartitionsSQL {
  package static let wait = Statement("partitions/await.sql", gives: .int4)
  package static let begin = Statement("partitions/begin.sql")
  package static let currentRun = Statement("partitions/current_run.sql", gives: .text, .text, .timestamptz, .bool, .int4)
  package static let lockPartition = Statement("partitions/lock_partition.sql", gives: .int4, .int4)
  package static let end = Statement("partitions/end_partition.sql")
  package static let endCombination = Script("partitions/end_combination.sql")
  package static let discard = Script("partitions/discard.sql")
  package static let isStored = Statement("partitions/is_stored.sql", gives: .bool)
  package static let size = Statement("partitions/size.sql", gives: .int8)
  package static let combine = Script("partitions/combine.sql")

  package static let all: [any DeclaredStatement] = [
    wait, begin, currentRun, lockPartition, end, endCombination, discard, isStored, size, combine,
  ]
}
