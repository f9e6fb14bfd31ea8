package import AppStore
internal import Cryptography
package import Domain
package import Intake
package import JobCore
internal import Logging
package import Postgres

/// Reads one file of Apple evidence: all cores verify a chunk while the previous one is stored.
package struct EvidenceIngest: Sendable {
  let context: JobContext
  let session: Session
  let reader: EvidenceReader
  /// Source of items that no wrapper names.
  let source: EvidenceSource
  /// Whether this process received the items from Apple over TLS.
  var isFromApple = false

  package init(context: JobContext, session: Session, reader: EvidenceReader, source: EvidenceSource, isFromApple: Bool = false) {
    self.context = context
    self.session = session
    self.reader = reader
    self.source = source
    self.isFromApple = isFromApple
  }

  /// Maximum number of items per transaction.
  static let chunkItemsMax = 4096
  /// Maximum number of bytes per chunk.
  static let chunkBytesMax = 8 << 20
  /// Maximum number of verifying workers; more than the number of cores gains nothing.
  static let verifyWorkersMax = 64

  func run(path: String, batch: Batch) async throws -> Tally {
    var lines = try EvidenceLines(path: path, end: context.inputEnd(InputKind.apple.rawValue))
    try lines.skip(items: batch.itemsDone)
    let awaited = try await ExpectedRecords.of(InputKind.apple.rawValue, batch: batch, context: context, on: session)
    try await prepare()
    var tally = batch.tally
    try await withThrowingTaskGroup(of: Tally.self) { group in
      var isStoring = false
      var isLast = false
      while !isLast {
        let raw = try Self.nextChunk(&lines)
        isLast = raw.isLast
        let items = await verify(raw, file: path)
        warn(of: items, file: path)
        if isStoring, let stored = try await group.next() { tally = tally + stored }
        isStoring = true
        let itemCount = raw.itemCount
        let last = isLast
        let completed = raw.items.flatMap { awaited.completed(by: $0.bytes, line: $0.line) }
        group.addTask {
          try await store(items, itemCount: itemCount, batchID: batch.batchID, isLast: last) { tx, batchID in
            try tx.noteCompleted(completed, batchID: batchID, sql: context.sql)
          }
        }
        context.progress.report(stage: "apple", done: tally.input, total: nil)
      }
      while let stored = try await group.next() { tally = tally + stored }
    }
    return tally
  }

  /// Warns of ignored members of wrappers, once for each reason in a chunk.
  private func warn(of chunk: StagedChunk, file: String) {
    for (note, found) in chunk.wrapperNotes.sorted(by: { $0.value.line < $1.value.line }) {
      context.log.warning(
        "member of a wrapper ignored",
        metadata: [
          "input.file": "\(file)", "input.field": "\(note.field)", "input.reason": "\(note.reason)",
          "wrapper.count": "\(found.count)", "input.line": "\(found.line)",
        ])
    }
  }

  private static func nextChunk(_ lines: inout EvidenceLines) throws -> RawChunk {
    var chunk = RawChunk()
    while chunk.itemCount < chunkItemsMax, chunk.byteCount < chunkBytesMax {
      guard let item = try lines.next() else {
        chunk.isLast = true
        break
      }
      chunk.add(item)
    }
    return chunk
  }

  /// Verifies a chunk in one slice per core, and keeps the order of the file.
  private func verify(_ chunk: RawChunk, file: String) async -> StagedChunk {
    let workers = max(1, min(Self.verifyWorkersMax, ProcessorCount.available, chunk.items.count))
    let size = (chunk.items.count + workers - 1) / workers
    let context = context
    let reader = reader
    let source = source
    let isFromApple = isFromApple
    let parts = await withTaskGroup(of: (Int, StagedChunk).self) { group in
      for worker in 0..<workers {
        let slice = chunk.items.dropFirst(worker * size).prefix(size)
        group.addTask {
          var part = StagedChunk(clock: context.asOf)
          for item in slice {
            part.add(item, file: file, reader: reader, source: source, asOf: context.asOf,
              isFromApple: isFromApple)
          }
          return (worker, part)
        }
      }
      return await group.reduce(into: [(Int, StagedChunk)]()) { $0.append($1) }
    }
    var whole = StagedChunk(clock: context.asOf)
    for (_, part) in parts.sorted(by: { $0.0 < $1.0 }) { whole.append(part) }
    whole.parked += chunk.parked
    return whole
  }

  private var quarantine: Quarantine { Quarantine(context: context, readerSHA256: reader.identity.sha256) }

  /// Creates the session's staging tables.
  package func prepare() async throws {
    let quarantine = quarantine
    try await session.transaction { [sql = context.sql] tx in
      try tx.run(sql(IngestSQL.stagedEvidence))
      try quarantine.prepare(&tx)
    }
  }

  /// Verifies items that are not from a file.
  package func staged(_ lines: [EvidenceLine], file: String) async -> StagedChunk {
    var chunk = RawChunk()
    for line in lines { chunk.add(.item(line)) }
    return await verify(chunk, file: file)
  }

  /// Stores a chunk in one transaction. `also` is executed in it with the batch id, while the chunk is staged.
  package func store(
    _ chunk: StagedChunk, itemCount: Int, batchID: Int64, isLast: Bool,
    also: @escaping @Sendable (inout DatabaseTransaction, Int64) throws -> Void = { _, _ in }
  ) async throws -> Tally {
    let sql = context.sql
    let quarantine = quarantine
    let readerSHA256 = reader.identity.sha256
    return try await session.retrying { tx in
      // Several processes may have evidence of the same charge; the lock lets one at a time combine it.
      _ = try tx.run(sql(IngestSQL.storeLock))
      let batchID = try tx.currentBatch(batchID, sql: sql)
      let judged: [String: Value] = ["batch_id": .int8(batchID), "reader_sha256": .text(readerSHA256)]
      var tally = Tally(input: itemCount, ignored: chunk.quarantined.count + chunk.ignoredCount, parked: chunk.parked.count)
      try chunk.copy(into: &tx, batchID: batchID)
      try also(&tx, batchID)
      _ = try tx.run(sql(IngestSQL.forgetEvidence))
      try quarantine.recordProof(in: &tx)
      let boundCount = chunk.firstForgery == nil ? 0 : try quarantine.bound(in: &tx)
      tally.ignored += boundCount
      try tx.run(IngestSQL.judging, judged, sql: sql)
      let seals = [
        try EvidenceSeal.record(.evidenceSealed, IngestSQL.recordEvidence, judged, in: &tx, sql: sql),
        try EvidenceSeal.record(.evidenceJudged, IngestSQL.recordJudgements, judged, in: &tx, sql: sql),
      ]
      try tx.run(IngestSQL.recording, judged.merging(reader.identity.values) { $1 }, sql: sql)
      try tx.run(sql(IngestSQL.recordOthers))
      let missed = chunk.missed
      if !missed.sha256s.isEmpty {
        _ = try tx.run(
          sql(CollectSQL.recordMissed),
          ["sha256s": .textArray(missed.sha256s), "results": .textArray(missed.results), "batch_id": .int8(batchID)])
      }
      if !chunk.pages.texts.isEmpty {
        _ = try tx.run(sql(IngestSQL.recordPages), ["batch_id": .int8(batchID), "pages": .textArray(chunk.pages.texts)])
      }
      for (fresh, repeated) in try tx.rows(sql(IngestSQL.evidenceOutcomes)) {
        tally.accepted += Int(fresh)
        tally.repeated += Int(repeated)
      }
      try quarantine.take(chunk.quarantined, at: .batch(batchID), hasStaged: boundCount > 0, in: &tx)
      try tx.park(chunk.parked, header: nil, batchID: batchID, sql: sql)
      try tx.checkpoint(batchID, items: itemCount, tally: tally, newestFactAt: chunk.newestSignedAt, isLast: isLast, sql: sql)
      for case let seal? in seals { try tx.audit(seal, in: context) }
      return tally
    }
  }
}

extension ReaderIdentity {
  fileprivate var values: [String: Value] {
    ["anchors_sha256": .text(anchorsSHA256), "apps": .text(apps), "version": .int4(Int32(clamping: version))]
  }
}

/// The entry of the audit chain with the digest of a chunk's records.
enum EvidenceSeal {
  /// Records a chunk's new evidence, or its new verdicts.
  ///
  /// - Returns: the audit entry; nil when there was nothing to record.
  static func record(
    _ act: AuditAct, _ statement: Statement<Int64, String, Int64>, _ parameters: [String: Value],
    in tx: inout DatabaseTransaction, sql: SQLFiles
  ) throws -> AuditEntry? {
    let found = try tx.rows(sql(statement), statement.picking(from: parameters)).first
    guard let (count, digest, chunk) = found, count > 0, case .int8(let batchID)? = parameters["batch_id"] else { return nil }
    return AuditEntry(
      actor: "payrecon", act: act, subject: "\(batchID)/\(chunk)", details: [.number("rows", count), .text("digest", digest)])
  }
}

/// Items as read from the file.
private struct RawChunk: Sendable {
  var items: [EvidenceLine] = []
  var parked: [ParkedItem] = []
  var byteCount = 0
  var isLast = false

  var itemCount: Int { items.count + parked.count }

  mutating func add(_ result: EvidenceLineResult) {
    switch result {
    case .item(let line):
      items.append(line)
      byteCount += line.bytes.count
    case .parked(var item):
      // Notifications V1 contain the shared secret.
      item.raw = SecretRedaction.redacted(item.raw)
      byteCount += item.raw.count
      parked.append(item)
    }
  }
}
