internal import Domain
internal import JobCore
internal import Postgres

/// Statements that new orders and new evidence need besides their own rows.
extension DatabaseTransaction {
  /// Returns how many items of a batch are recorded, and the latest instant that counts as fresh input.
  mutating func progress(of batchID: Int64, sql: SQLFiles) throws -> (itemsDone: Int64, freshUntil: Timestamp) {
    let found = try rows(sql(IngestSQL.batchProgress), ["batch_id": .int8(batchID)]).first
    return (found?.0 ?? 0, Timestamp(microseconds: found?.1 ?? .max))
  }

  /// Returns the pseudonym of each erased user among `userIDs`.
  mutating func pseudonyms(of userIDs: some Sequence<String>, sql: SQLFiles) throws -> [ByteText: String] {
    guard try rows(sql(IngestSQL.hasErasedUsers)).first == true else { return [:] }
    let distinct = Set(userIDs.lazy.map(ByteText.init)).map(\.text).filter { !$0.isEmpty }
    let erased = try rows(sql(IngestSQL.erasedUsers), ["user_ids": .textArray(distinct)])
    return Dictionary(erased.map { (ByteText($0), $1) }) { first, _ in first }
  }

  /// Queues new facts for the next match run.
  ///
  /// - Parameters:
  ///   - kind: `order`, `chain` or `evidence`.
  ///   - ids: in ascending order of their bytes.
  mutating func queue(_ kind: String, _ ids: [String], batchID: Int64, sql: SQLFiles) throws {
    guard !ids.isEmpty else { return }
    try send(sql(IngestSQL.newChanges), ["batch_id": .int8(batchID), "kind": .text(kind), "ids": .textArray(ids)])
  }
}
