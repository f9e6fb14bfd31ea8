package import AppStore
internal import Cryptography
package import Domain
internal import FoundationEssentials
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

  static let chunkItemsMax = 4096
  static let chunkBytesMax = 8 << 20
  /// Maximum number of verifying workers; more than the number of cores gains nothing.
  static let verifyWorkersMax = 64
  private static let coreCount = ProcessInfo.processInfo.activeProcessorCount

  func run(path: String, batch: Batch) async throws -> Tally {
    var lines = try EvidenceLines(path: path, end: context.inputEnd(InputKind.apple.rawValue))
    try lines.skip(items: batch.itemsDone)
    let awaited = try await AwaitedRecords.of(InputKind.apple.rawValue, batch: batch, context: context, on: session)
    var tally = batch.tally
    try await withThrowingTaskGroup(of: Tally.self) { group in
      var isLast = false
      while !isLast {
        let raw = try Self.nextChunk(&lines)
        isLast = raw.isLast
        let items = await verify(raw, file: path)
        warn(of: items, file: path)
        if let stored = try await group.next() { tally = tally + stored }
        let itemCount = raw.itemCount
        let last = isLast
        let completed = raw.items.flatMap { awaited.completed(by: $0.bytes, line: $0.line) }
        group.addTask {
          try await store(items, itemCount: itemCount, batchID: batch.batchID, isLast: last) { tx, stored in
            try tx.noteCompleted(completed, batchID: stored.batchID, sql: context.sql)
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
    let workers = max(1, min(Self.verifyWorkersMax, Self.coreCount, chunk.items.count))
    let size = (chunk.items.count + workers - 1) / workers
    let parts = await withTaskGroup(of: (Int, StagedChunk).self) { group in
      for worker in 0..<workers {
        let slice = chunk.items.dropFirst(worker * size).prefix(size)
        group.addTask {
          var part = StagedChunk(clock: context.asOf)
          reader.prepare(slice.lazy.map(\.bytes))
          for item in slice {
            part.add(item, file: file, reader: reader, source: source, isFromApple: isFromApple)
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

  /// Verifies items that are not from a file.
  package func staged(_ lines: [EvidenceLine], file: String) async -> StagedChunk {
    var chunk = RawChunk()
    for line in lines { chunk.add(.item(line)) }
    return await verify(chunk, file: file)
  }

  /// Stores a chunk in one transaction. `also` is executed in it before the evidence is recorded.
  package func store(
    _ chunk: StagedChunk, itemCount: Int, batchID: Int64, isLast: Bool,
    also: @escaping @Sendable (inout DatabaseTransaction, ChunkInBatch) throws -> Void = { _, _ in }
  ) async throws -> Tally {
    let sql = context.sql
    return try await session.retrying { tx in
      // Several processes may have evidence of the same charge; the lock lets one at a time combine it.
      try tx.send(sql(IngestSQL.storeLock))
      let batchID = try tx.currentBatch(batchID, sql: sql)
      var tally = Tally(input: itemCount, ignored: chunk.quarantined.count + chunk.ignoredCount, parked: chunk.parked.count)
      try also(&tx, ChunkInBatch(chunk: chunk, batchID: batchID))
      let isBounding = try record(chunk, batchID: batchID, into: &tally, &tx)
      try tx.recordMissed(chunk.missed, batchID: batchID, sql: sql)
      let pages = chunk.pages.texts
      if !pages.isEmpty { try tx.send(sql(IngestSQL.recordPages), ["batch_id": .int8(batchID), "pages": .textArray(pages)]) }
      try quarantine.take(chunk.quarantined, batchID: batchID, hasStaged: isBounding, in: &tx)
      try tx.park(chunk.parked, header: nil, batchID: batchID, sql: sql)
      try tx.checkpoint(batchID, items: itemCount, tally: tally, newestFactAt: chunk.newestSignedAt, isLast: isLast, sql: sql)
      return tally
    }
  }

  /// Records evidence and what it states, with the seals of the audit chain.
  ///
  /// - Returns: whether forged evidence went into the quarantine.
  private func record(_ chunk: StagedChunk, batchID: Int64, into tally: inout Tally, _ tx: inout DatabaseTransaction) throws -> Bool {
    let sql = context.sql
    let progress = try tx.progress(of: batchID, sql: sql)
    if !chunk.evidence.isEmpty { try tx.send(sql(IngestSQL.stagedContents)) }
    try EvidenceRows(evidence: chunk.evidence, batchID: batchID).recordHeaders(&tx, sql: sql)
    try quarantine.recordProof(chunk.proven, in: &tx)
    let (new, others) = try NewEvidence.split(chunk, &tx, sql: sql)
    try NewEvidence(
      rows: EvidenceRows(evidence: new, batchID: batchID), chunk: progress.itemsDone, freshUntil: progress.freshUntil
    ).record(&tx, sql: sql)
    tally.accepted += new.count { $0.isTop }
    var seal = EvidenceSeal(batchID: batchID, chunk: progress.itemsDone)
    for item in new { seal.add(item.content.sha256, rowHash: item.rowHash) }
    let judged = try others.isEmpty ? JudgedChunk() : judge(others, chunk.firstForgery != nil, &seal, &tx)
    tally = tally + judged.tally
    if !chunk.evidence.isEmpty { try tx.send(sql(IngestSQL.gatherCharges)) }
    for case let entry? in [seal.entry(.evidenceSealed), judged.entry] { try tx.audit(entry, in: context) }
    return judged.tally.ignored > 0
  }

  /// The outcome of items that were compared with the known ones.
  private struct JudgedChunk {
    var tally = Tally()
    /// The seal of later verdicts; nil without any.
    var entry: AuditEntry?
  }

  /// Stages items, compares them with the known evidence, and records what is new.
  private func judge(
    _ items: [StagedEvidence], _ hasForgery: Bool, _ seal: inout EvidenceSeal, _ tx: inout DatabaseTransaction
  ) throws -> JudgedChunk {
    let sql = context.sql
    let parameters: [String: Value] = ["batch_id": .int8(seal.batchID), "reader_sha256": .text(reader.identity.sha256)]
    try tx.send(sql(IngestSQL.stagedEvidence))
    try EvidenceRows(evidence: items, batchID: seal.batchID).stage(&tx)
    try tx.send(sql(IngestSQL.forgetEvidence))
    var judged = JudgedChunk()
    if hasForgery { judged.tally.ignored = try quarantine.bound(in: &tx) }
    try tx.send(IngestSQL.judging, parameters, sql: sql)
    let recorded = try tx.rows(sql(IngestSQL.recordEvidence), ["batch_id": .int8(seal.batchID), "chunk": .int8(seal.chunk)])
    for (sha256, rowHash) in recorded { seal.add(Hexadecimal.text(sha256), rowHash: rowHash) }
    judged.entry = try EvidenceSeal.judgements(parameters, &tx, sql: sql)
    try tx.send(IngestSQL.recording, parameters.merging(reader.identity.values) { $1 }, sql: sql)
    try tx.send(sql(IngestSQL.recordOthers))
    for (fresh, repeated) in try tx.rows(sql(IngestSQL.evidenceOutcomes)) {
      judged.tally.accepted += Int(fresh)
      judged.tally.repeated += Int(repeated)
    }
    return judged
  }
}

extension DatabaseTransaction {
  /// Records notifications that Apple could not deliver at once.
  package mutating func recordMissed(
    _ missed: [(sha256: String, attempts: DeliveryAttempts)], batchID: Int64, sql: SQLFiles
  ) throws {
    guard !missed.isEmpty else { return }
    try send(
      sql(CollectSQL.recordMissed),
      [
        "sha256s": .textArray(missed.map(\.sha256)), "counts": .textArray(missed.map { "\($0.attempts.count)" }),
        "results": .textArray(missed.map(\.attempts.result)), "batch_id": .int8(batchID),
      ])
  }
}

package struct ChunkInBatch: Sendable {
  let chunk: StagedChunk
  package let batchID: Int64

  /// The first transactions of the purchases that the chunk names.
  package var originalTransactionIDs: [String] { chunk.originalTransactionIDs }
}

extension ReaderIdentity {
  fileprivate var values: [String: Value] {
    ["anchors_sha256": .text(anchorsSHA256), "apps": .text(apps), "version": .int4(Int32(clamping: version))]
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
