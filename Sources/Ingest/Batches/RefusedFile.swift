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
  /// Whether nights are incomplete until a whole file of its name is read.
  var isCut = false

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
    let key = row.filter { ["kind", "content_sha256"].contains($0.key) }
    let isOnce = isCut
    try await session.transaction { tx in try tx.execute(sql.text("ingest/40_staged_evidence.sql")) }
    try await session.retrying { tx in
      if isOnce, try !tx.rows(sql("ingest/02_find_batch.sql"), key, decode: BatchLedger.decode).isEmpty { return }
      let batchID = try tx.openBatch(row, sql: sql)
      try tx.park([item], header: nil, batchID: batchID, sql: sql)
      try tx.checkpoint(batchID, items: 1, tally: Tally(input: 1, parked: 1), newestFactAt: nil, isLast: true, sql: sql)
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
      byteCount: byteCount, isCut: isCut)
  }
}
