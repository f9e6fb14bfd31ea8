internal import Domain
internal import Intake
internal import JobCore
internal import Postgres

/// A file that could not be read completely: its beginning is parked under a separate batch.
struct RefusedFile {
  let context: JobContext
  let session: Session
  let path: String
  let fault: IntakeError
  var bytesMax = 1 << 20
  /// The batch of the failed reading; nightly runs are incomplete until the file, or a complete one of its name, is read. nil if no run
  /// waits for it.
  var batchID: Int64?

  /// Parks the file unless it is already parked.
  ///
  /// - Parameters:
  ///   - batch: the separate batch.
  ///   - also: executed in the same transaction.
  func keep(under batch: NewBatch, also: @escaping @Sendable (inout DatabaseTransaction) throws -> Void = { _ in }) async throws {
    let sql = context.sql
    let item = try item(of: batch)
    let parkedID = item.parkedID(header: nil)
    try await session.retrying { tx in
      if let batchID, try tx.isAwaited(kind: batch.kind, file: batch.file, parkedID: parkedID, after: batchID, in: context) { return }
      let noteID = try tx.open(batch, in: context)
      try tx.park([item], header: nil, batchID: noteID, truncatedIn: batchID, sql: sql)
      try tx.checkpoint(noteID, items: 1, tally: Tally(input: 1, parked: 1), newestFactAt: nil, isLast: true, sql: sql)
      try also(&tx)
    }
  }

  private func item(of batch: NewBatch) throws -> ParkedItem {
    var raw: [UInt8] = []
    var byteCount = 0
    try FileContent.read(path: path) { bytes in
      byteCount += bytes.count
      raw += bytes.prefix(bytesMax - raw.count)
    }
    return ParkedItem(
      kind: batch.kind, file: batch.file, line: fault.line ?? 1, field: "", reason: fault.reason, raw: raw,
      byteCount: byteCount, isTruncated: batchID != nil)
  }
}

extension DatabaseTransaction {
  /// Returns whether an input of a name was truncated, refused or not read completely, and is still awaited.
  ///
  /// - Parameters:
  ///   - parkedID: the parked end of the input; nil for any.
  ///   - batchID: only inputs that were recorded after this batch count.
  mutating func isAwaited(
    kind: String, file: String, parkedID: String? = nil, after batchID: Int64 = 0, in context: JobContext
  ) throws -> Bool {
    let parameters: [String: Value] = [
      "kind": .text(kind), "file_name": .text(file), "parked_id": parkedID.map(Value.text) ?? .null,
      "after_batch_id": .int8(batchID), "as_of": context.asOfValue,
    ]
    return try rows(context.sql(IngestSQL.isInputAwaited), parameters).first ?? false
  }
}
