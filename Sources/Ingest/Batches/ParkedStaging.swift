internal import Cryptography
package import Intake
internal import JobCore
package import Postgres
internal import Wording

extension DatabaseTransaction {
  /// Parks items; an item that is already parked is not added again.
  ///
  /// - Parameters:
  ///   - header: header row of the file; a CSV row cannot be retried without it.
  ///   - input: batch whose input the truncated records belong to; nil means `batchID`.
  package mutating func park(
    _ items: [ParkedItem], header: [UInt8]?, batchID: Int64, truncatedIn input: Int64? = nil, sql: SQLFiles
  ) throws {
    guard !items.isEmpty else { return }
    try send(sql(IngestSQL.stagedParked))
    _ = try copyIn(
      """
      copy staged_parked (parked_id, kind, file, field, reason, header, raw, line, byte_count, batch_id)
      from stdin (format binary)
      """
    ) { writer in
      for item in items {
        try writer.row(
          item.parkedID(header: header), item.kind, FileContent.name(item.file), item.field, item.reason, header.map { $0[...] },
          item.raw[...], Int64(item.line), Int64(item.byteCount), batchID
        )
      }
    }
    try send(sql(IngestSQL.recordParked))
    for item in items where item.isTruncated {
      _ = try run(
        sql(IngestSQL.recordTruncated),
        [
          "batch_id": .int8(batchID), "parked_id": .text(item.parkedID(header: header)),
          "of_batch_id": input.map { .int8($0) } ?? .null, "awaits_record": .bool(item.awaitsRecord(header: header)),
        ])
    }
  }
}

extension ParkedItem {
  /// Kind of a stored receipt that verifyReceipt cannot judge; its bytes are "hash, instant".
  package static let receiptKind = "receipt"

  /// Returns a stable id: a hash of the item without its position, so that a repeated file parks nothing twice.
  func parkedID(header: [UInt8]?) -> String {
    var bytes = Array("\(kind)\u{1F}\(byteCount)\u{1F}".utf8)
    // A truncated record represents its file, so the file's name is part of the id.
    if isTruncated { bytes += Array("\(FileContent.name(file))\u{1F}\(reason.english)\u{1F}".utf8) }
    bytes += header ?? []
    bytes.append(0x1F)
    bytes += raw
    return String(SHA256.hex(bytes).prefix(32))
  }
}
