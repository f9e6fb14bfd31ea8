internal import Domain
internal import Intake
internal import JobCore
internal import Postgres

/// A file that could not be read completely: its beginning is parked as a dead letter under a separate batch.
struct RefusedFile {
  let context: JobContext
  let session: Session
  let path: String
  let fault: IntakeError
  var bytesMax = 1 << 20
  /// The batch of the failed reading; nightly runs are incomplete until the file, or a complete one of its name, is read. nil if no run
  /// waits for it.
  var batchID: Int64?

  private static let chunkBytes = 1 << 20

  /// Parks the file unless it is already parked.
  ///
  /// - Parameters:
  ///   - batch: the separate batch.
  ///   - also: executed in the same transaction.
  func keep(under batch: NewBatch, also: @escaping @Sendable (inout DatabaseTransaction) throws -> Void = { _ in }) async throws {
    let sql = context.sql
    let item = try item(of: batch)
    let known: [String: Value] = [
      "kind": .text(batch.kind), "file_name": .text(batch.file), "parked_id": .text(item.parkedID(header: nil)),
      "after_batch_id": .int8(batchID ?? 0), "as_of": context.asOfValue,
    ]
    try await session.retrying { tx in
      if batchID != nil, try tx.isUnresolved(known, sql: sql) { return }
      let noteID = try tx.open(batch, in: context)
      try tx.park([item], header: nil, batchID: noteID, notedOn: batchID, sql: sql)
      try tx.checkpoint(noteID, items: 1, tally: Tally(input: 1, parked: 1), newestFactAt: nil, isLast: true, sql: sql)
      try also(&tx)
    }
  }

  private func item(of batch: NewBatch) throws -> ParkedItem {
    var raw: [UInt8] = []
    var byteCount = 0
    try FileContent.read(path: path, chunkBytes: Self.chunkBytes) { bytes in
      byteCount += bytes.count
      raw += bytes.prefix(bytesMax - raw.count)
    }
    return ParkedItem(
      kind: batch.kind, file: batch.file, line: fault.line ?? 1, field: "", reason: fault.reason, raw: raw,
      byteCount: byteCount, isTruncated: batchID != nil)
  }
}

extension DatabaseTransaction {
  /// Returns whether an input of a name was truncated, refused or not read completely, and is still unresolved.
  mutating func isUnresolved(_ parameters: [String: Value], sql: SQLFiles) throws -> Bool {
    try rows(sql(IngestSQL.isInputAwaited), parameters).first ?? false
  }
}
