internal import Domain
internal import Intake
internal import JobCore
internal import Postgres

/// A file that could not be read completely: its beginning is parked as a dead letter under a separate batch.
struct RefusedFile {
  let context: JobContext
  let session: Session
  let kind: InputKind
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
  ///   - name: name of the file.
  ///   - contentSHA256: content hash of its batch.
  ///   - also: executed in the same transaction.
  func keep(
    named name: String, contentSHA256: String, source: String, runID: String,
    also: @escaping @Sendable (inout DatabaseTransaction) throws -> Void = { _ in }
  ) async throws {
    let sql = context.sql
    let item = try item(named: name)
    let row = BatchLedger(context: context, session: session).row(
      kind: kind.rawValue, file: name, contentSHA256: contentSHA256, source: source, runID: runID)
    let known: [String: Value] = [
      "kind": .text(kind.rawValue), "file_name": .text(name), "parked_id": .text(item.parkedID(header: nil)),
      "after_batch_id": .int8(batchID ?? 0), "as_of": context.asOfValue,
    ]
    try await session.retrying { tx in
      if batchID != nil, try tx.isUnresolved(known, sql: sql) { return }
      let noteID = try tx.openBatch(row, sql: sql)
      try tx.park([item], header: nil, batchID: noteID, notedOn: batchID, sql: sql)
      try tx.checkpoint(noteID, items: 1, tally: Tally(input: 1, parked: 1), newestFactAt: nil, isLast: true, sql: sql)
      try also(&tx)
    }
  }

  private func item(named name: String) throws -> ParkedItem {
    var raw: [UInt8] = []
    var byteCount = 0
    try FileContent.read(path: path, chunkBytes: Self.chunkBytes) { bytes in
      byteCount += bytes.count
      raw += bytes.prefix(bytesMax - raw.count)
    }
    return ParkedItem(
      kind: kind.rawValue, file: name, line: fault.line ?? 1, field: "", reason: fault.reason, raw: raw,
      byteCount: byteCount, isTruncated: batchID != nil)
  }
}

extension DatabaseTransaction {
  /// Returns whether an input of a name was truncated, refused or not read completely, and is still unresolved.
  mutating func isUnresolved(_ parameters: [String: Value], sql: SQLFiles) throws -> Bool {
    try rows(sql(IngestSQL.isInputAwaited), parameters).first ?? false
  }
}
