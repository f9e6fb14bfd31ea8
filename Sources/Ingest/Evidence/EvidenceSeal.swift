internal import Cryptography
internal import JobCore
internal import Postgres

/// The entry of the audit chain with the digest of a chunk's new evidence.
struct EvidenceSeal {
  let batchID: Int64
  /// Items of the batch that were recorded before.
  let chunk: Int64
  private(set) var rows: [(sha256: String, rowHash: [UInt8])] = []

  mutating func add(_ sha256: String, rowHash: [UInt8]) { rows.append((sha256, rowHash)) }

  /// Returns the entry; nil when there is nothing to seal.
  func entry(_ act: AuditAct) -> AuditEntry? {
    guard !rows.isEmpty else { return nil }
    var hash = SHA256()
    for row in rows.sorted(by: { $0.sha256 < $1.sha256 }) { hash.update(row.rowHash[...]) }
    return Self.entry(act, batchID: batchID, chunk: chunk, rowCount: Int64(rows.count), digest: hash.hex())
  }

  /// Records a chunk's later verdicts and returns their entry; nil when there are none.
  static func judgements(_ parameters: [String: Value], _ tx: inout DatabaseTransaction, sql: SQLFiles) throws -> AuditEntry? {
    let found = try tx.rows(sql(IngestSQL.recordJudgements), parameters).first
    guard let (count, digest, chunk) = found, count > 0, case .int8(let batchID)? = parameters["batch_id"] else { return nil }
    return entry(.evidenceJudged, batchID: batchID, chunk: chunk, rowCount: count, digest: digest)
  }

  private static func entry(_ act: AuditAct, batchID: Int64, chunk: Int64, rowCount: Int64, digest: String) -> AuditEntry {
    AuditEntry(
      actor: "payrecon", act: act, subject: "\(batchID)/\(chunk)", details: [.number("rows", rowCount), .text("digest", digest)])
  }
}
