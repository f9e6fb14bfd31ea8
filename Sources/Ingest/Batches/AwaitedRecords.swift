internal import AppStore
internal import Domain
internal import Intake
internal import JobCore
internal import Postgres

/// Records in which earlier files of a name were cut: such a file is whole only when its record is told.
struct AwaitedRecords: Sendable {
  private struct Entry: Sendable {
    var parkedID: String
    /// The record's first bytes, without secrets.
    var raw: [UInt8]
    /// Its key, for a kind whose records have one.
    var record: CutRecord?
    /// Line of the file in which it was cut.
    var line: Int
    /// Whether records of that file stand before it.
    var isBehindOthers: Bool

    /// Whether what is known of the record can be no other's.
    ///
    /// Everything that Apple signed with one certificate begins alike, up to the payload.
    private var isKnown: Bool {
      if let record { return record.isKeyWhole }
      guard let dot = raw.firstIndex(of: UInt8(ascii: ".")) else { return false }
      return raw.count - dot > AwaitedRecords.payloadLettersMin
    }

    /// Whether the same beginning on a line is the same record: where others may begin so, it is the one that follows as many others.
    ///
    /// Of what is cut in its very first record nobody can tell, unless the file is that one piece of evidence.
    func isSame(at line: Int) -> Bool { isKnown || (line == self.line && (isBehindOthers || record == nil)) }
  }

  /// Letters of a payload that tell it from others.
  private static let payloadLettersMin = 64

  private let entries: [Entry]

  private init(entries: [Entry]) { self.entries = entries }

  /// What is awaited of a batch's kind and file name.
  static func of(_ kind: String, batch: Batch, context: JobContext, on session: Session) async throws -> AwaitedRecords {
    let sql = context.sql
    let parameters: [String: Value] = ["kind": .text(kind), "batch_id": .int8(batch.batchID)]
    return AwaitedRecords(
      entries: try await session.transaction(.readOnlySnapshot) { tx in
        try tx.rows(sql(IngestSQL.awaitedRecords), parameters).map { parkedID, header, raw, line in
          let record = ParkedItem.keyColumn(kind).flatMap { CutRecord(raw: raw, header: header, key: $0) }
          return Entry(
            parkedID: parkedID, raw: raw, record: record, line: Int(line), isBehindOthers: line > (header == nil ? 1 : 2))
        }
      })
  }

  /// Those that a row on a line tells, by its key.
  func told(by key: @autoclosure () -> String, line: Int) -> [String] {
    guard !entries.isEmpty else { return [] }
    let key = key()
    return entries.filter { $0.record?.isTold(by: key) == true && $0.isSame(at: line) }.map(\.parkedID)
  }

  /// Those with whose first bytes an item on a line begins.
  func told(by item: [UInt8], line: Int) -> [String] {
    guard !entries.isEmpty else { return [] }
    let item = SecretRedaction.redacted(item)
    return entries.filter { item.starts(with: $0.raw) && $0.isSame(at: line) }.map(\.parkedID)
  }
}

extension ParkedItem {
  /// Column by which a record is known again; nil for kinds without one.
  static func keyColumn(_ kind: String) -> String? {
    switch InputKind(rawValue: kind) {
    case .orders: "order_id"
    case .users: "user_id"
    case .catalogue: "product_id"
    case .apple, .finance, .bank, nil: nil
    }
  }

  /// Whether the record in which a file was cut can be recognised when it is told: by its key, or by its first bytes.
  ///
  /// Apple may tell what one document held in another one.
  func awaitsRecord(header: [UInt8]?) -> Bool {
    guard isCut, !raw.isEmpty else { return false }
    if let column = Self.keyColumn(kind) { return CutRecord(raw: raw, header: header, key: column) != nil }
    return kind == InputKind.apple.rawValue && (line > 1 || raw.starts(with: "ey".utf8))
  }
}

extension DatabaseTransaction {
  /// Notes that awaited records are told.
  mutating func noteTold(_ parkedIDs: [String], batchID: Int64, sql: SQLFiles) throws {
    guard !parkedIDs.isEmpty else { return }
    _ = try run(sql(IngestSQL.recordTold), ["parked_ids": .textArray(parkedIDs), "batch_id": .int8(batchID)])
  }
}
