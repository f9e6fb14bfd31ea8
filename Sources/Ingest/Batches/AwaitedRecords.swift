internal import AppStore
internal import Domain
internal import Intake
internal import JobCore
internal import Postgres

/// Truncated records at the end of earlier files of the same name. Such a file is complete once its record has arrived in full.
struct AwaitedRecords: Sendable {
  private struct Entry: Sendable {
    var parkedID: String
    /// First bytes of the record, without secrets.
    var raw: [UInt8]
    /// The record's key, for kinds whose records have one.
    var record: TruncatedRecord?
    /// Line of the file at which the record was truncated.
    var line: Int
    /// Whether other records precede it in that file.
    var isBehindOthers: Bool

    /// Whether the known part identifies the record.
    ///
    /// All texts that Apple signed with one certificate are equal up to the payload.
    private var isKnown: Bool {
      if let record { return record.isKeyComplete }
      guard let dot = raw.firstIndex(of: UInt8(ascii: ".")) else { return false }
      return raw.count - dot > AwaitedRecords.payloadLettersMin
    }

    /// Returns whether the same beginning on a line is the same record. An ambiguous beginning counts only on the same line, after other
    /// records.
    ///
    /// A file truncated in its first record cannot be recognised, unless the file is a single piece of evidence.
    func isSame(at line: Int) -> Bool { isKnown || (line == self.line && (isBehindOthers || record == nil)) }
  }

  /// Number of payload characters that distinguish it from others.
  private static let payloadLettersMin = 64

  private let entries: [Entry]

  /// Reads the truncated records of a batch's kind and file name.
  static func of(_ kind: String, batch: Batch, context: JobContext, on session: Session) async throws -> AwaitedRecords {
    let parameters: [String: Value] = ["kind": .text(kind), "batch_id": .int8(batch.batchID)]
    return AwaitedRecords(
      entries: try await context.rows(IngestSQL.awaitedRecords, parameters, on: session).map { parkedID, header, raw, line in
        let record = ParkedItem.keyColumn(kind).flatMap { TruncatedRecord(raw: raw, header: header, key: $0) }
        return Entry(parkedID: parkedID, raw: raw, record: record, line: Int(line), isBehindOthers: line > (header == nil ? 1 : 2))
      })
  }

  /// Returns the truncated records that the row on a line completes, by its key.
  func completed(by key: @autoclosure () -> String, line: Int) -> [String] {
    guard !entries.isEmpty else { return [] }
    let key = key()
    return entries.filter { $0.record?.isCompleted(by: key) == true && $0.isSame(at: line) }.map(\.parkedID)
  }

  /// Returns the truncated records that the item on a line completes, by its first bytes.
  func completed(by item: [UInt8], line: Int) -> [String] {
    guard !entries.isEmpty else { return [] }
    let item = SecretRedaction.redacted(item)
    return entries.filter { item.starts(with: $0.raw) && $0.isSame(at: line) }.map(\.parkedID)
  }
}

extension ParkedItem {
  /// Returns the column that identifies a record; nil for kinds without one.
  static func keyColumn(_ kind: String) -> String? { InputKind(rawValue: kind)?.rowType?.keyColumn }

  /// Returns whether a truncated record can be recognised later: by its key, or by its first bytes.
  ///
  /// Apple may send the content of one document within another, so a truncated document cannot be awaited.
  func awaitsRecord(header: [UInt8]?) -> Bool {
    guard isTruncated, !raw.isEmpty else { return false }
    if let column = Self.keyColumn(kind) { return TruncatedRecord(raw: raw, header: header, key: column) != nil }
    return kind == InputKind.apple.rawValue && (line > 1 || raw.starts(with: "ey".utf8))
  }
}

extension DatabaseTransaction {
  /// Records that truncated records have arrived in full.
  mutating func noteCompleted(_ parkedIDs: [String], batchID: Int64, sql: SQLFiles) throws {
    guard !parkedIDs.isEmpty else { return }
    try send(sql(IngestSQL.recordCompleted), ["parked_ids": .textArray(parkedIDs), "batch_id": .int8(batchID)])
  }
}
