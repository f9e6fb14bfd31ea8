internal import Domain
internal import Intake
internal import JobCore
internal import Postgres

/// A file of which nothing, or nothing more, could be read: its beginning is kept among the dead letters, under a batch of
/// its own.
struct RefusedFile {
  let context: JobContext
  let session: Session
  let kind: InputKind
  let path: String
  let fault: IntakeError
  /// Bytes that are kept.
  var bytesMax = 1 << 20
  /// The batch that it was to be read under: nights are incomplete until it, or a whole file of its name, is read. nil where
  /// nobody waits for it.
  var batchID: Int64?

  private static let chunkBytes = 1 << 20

  /// Keeps the file, unless that was done before.
  ///
  /// - Parameters:
  ///   - name: what the file is called.
  ///   - contentSHA256: what its batch goes by.
  ///   - also: done in the transaction that keeps it.
  func keep(
    named name: String, contentSHA256: String, source: String, runID: String,
    also: @escaping @Sendable (inout DatabaseTransaction) throws -> Void = { _ in }
  ) async throws {
    let sql = context.sql
    let item = try item(named: name)
    let row = BatchLedger(context: context, session: session).row(
      kind: kind.rawValue, file: name, contentSHA256: contentSHA256, source: source, runID: runID)
    let batchID = batchID
    let known: [String: Value] = [
      "kind": .text(kind.rawValue), "file_name": .text(name), "parked_id": .text(item.parkedID(header: nil)),
      "after_batch_id": .int8(batchID ?? 0), "as_of": context.asOfValue,
    ]
    try await session.transaction { tx in try tx.run(sql(IngestSQL.stagedEvidence)) }
    try await session.retrying { tx in
      if batchID != nil, try tx.isWaitedFor(known, sql: sql) { return }
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
      byteCount: byteCount, isCut: batchID != nil)
  }
}

extension DatabaseTransaction {
  /// Whether an input of a name was cut, refused or not read to its end, and is not over.
  mutating func isWaitedFor(_ parameters: [String: Value], sql: SQLFiles) throws -> Bool {
    try rows(sql(IngestSQL.cutOfName), parameters).first ?? false
  }
}
