internal import AppStore
internal import Domain
public import JobCore
package import Postgres

/// Re-evaluates evidence that is not genuine after roots, apps or reader changed, and pending evidence once the clock passed Apple's
/// signing instant.
///
/// Genuine evidence stays genuine, and earlier verdicts stay on record. A new verdict is a separate row, dated by the clock of this run;
/// its consequences count from then on. Each page is one transaction with an audit entry, so a killed run can be started again.
public struct EvidenceJudge: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// Maximum number of items per transaction; `bytesMax` limits their bytes. A longer item is a separate page.
  static let itemsMax: Int64 = 1000
  static let bytesMax: Int64 = 24 << 20

  static let name = "evidence judge"

  public struct Outcome: Sendable, Equatable {
    /// Number of top-level items re-evaluated.
    public var readCount = 0
    /// Number of changed verdicts, including those of nested items.
    public var changedCount = 0
    /// Number of changed verdicts that are genuine now.
    public var genuineCount = 0

    public init(readCount: Int = 0, changedCount: Int = 0, genuineCount: Int = 0) {
      self.readCount = readCount
      self.changedCount = changedCount
      self.genuineCount = genuineCount
    }

    /// One-line summary of the counts.
    public var summary: String {
      "\(readCount) items re-evaluated: \(changedCount) verdicts changed, \(genuineCount) genuine now"
    }
  }

  /// Re-evaluates evidence as a separate run.
  public func run() async throws -> Outcome {
    try await context.withRun(job: "evidence-judge", lock: nil) { run, session in
      let outcome = try await judge(runID: run.runID, on: session)
      return RunResult(outcome, .clean, counts: [("input", outcome.readCount), ("changed", outcome.changedCount)])
    }
  }

  /// Re-evaluates evidence within another run.
  package func judge(runID: String, on session: Session) async throws -> Outcome {
    let reader = try context.evidenceReader()
    let ingest = EvidenceIngest(context: context, session: session, reader: reader, source: .imported)
    var outcome = Outcome()
    var batchID: Int64?
    func store(
      _ chunk: StagedChunk, _ page: [StoredEvidence], also: @escaping @Sendable (inout DatabaseTransaction, ChunkInBatch) throws -> Void
    ) async throws {
      if batchID == nil { batchID = try await open(runID: runID, ingest) }
      _ = try await ingest.store(chunk, itemCount: page.count, batchID: batchID ?? 0, isLast: false, also: also)
      outcome.readCount += page.count
      context.progress.report(stage: Self.name, done: outcome.readCount, total: nil)
    }
    while case let page = try await page(of: reader.identity, on: session), !page.isEmpty {
      var chunk = StagedChunk(clock: context.asOf)
      var proven: [StoredEvidence] = []
      for stored in page where chunk.reevaluate(stored, reader: reader) { proven.append(stored) }
      // Genuine items are never read again.
      let read: [String: Value] = [
        "reader_sha256": .text(reader.identity.sha256), "as_of": context.asOfValue, "items": .textArray(page.map(\.key)),
        "proven": .textArray(proven.map(\.key)),
      ]
      let sql = context.sql
      try await store(chunk, page) { tx, _ in try tx.send(sql(JudgeSQL.recordRead), read) }
    }
    let quarantine = Quarantine(context: context, readerSHA256: reader.identity.sha256)
    while case let page = try await quarantine.page(items: Self.itemsMax, bytes: Self.bytesMax, on: session), !page.isEmpty {
      var chunk = StagedChunk(clock: context.asOf)
      var released: [StoredEvidence] = []
      for sample in page {
        let post = UntrustedPost(sample.bytes, source: sample.source, receivedAt: sample.receivedAt, reader: reader)
        chunk.stageEvidence(of: post, source: sample.source, receivedAt: sample.receivedAt)
        if post.quarantined == nil { released.append(sample) }
      }
      chunk.ignoredCount = page.count - released.count
      try await store(chunk, page) { [released] tx, stored in
        try quarantine.recordRead(page, released: released, batchID: stored.batchID, in: &tx)
      }
      outcome.changedCount += released.count
      outcome.genuineCount += released.count
    }
    guard let batchID else { return outcome }
    _ = try await ingest.store(StagedChunk(clock: context.asOf), itemCount: 0, batchID: batchID, isLast: true)
    let counts = try await counts(of: batchID, on: session)
    outcome.changedCount += counts.changed
    outcome.genuineCount += counts.genuine
    // Evidence that is readable now leaves the parked items.
    if counts.readable > 0 { _ = try await ParkedItemsJob(context: context).retryEvidence(on: session) }
    return outcome
  }

  private func open(runID: String, _ ingest: EvidenceIngest) async throws -> Int64 {
    let batch = NewBatch(kind: "judgement", file: Self.name, source: "", runID: runID)
    return try await ingest.session.open(batch, in: context).batchID
  }

  /// Returns evidence last read by another reader, and evidence whose signing instant the clock has passed.
  private func page(of reader: ReaderIdentity, on session: Session) async throws -> [StoredEvidence] {
    let parameters: [String: Value] = [
      "reader_sha256": .text(reader.sha256), "row_max": .int8(Self.itemsMax), "byte_max": .int8(Self.bytesMax),
      "as_of": context.asOfValue,
    ]
    return try await context.rows(JudgeSQL.page, parameters, on: session).map { sha256, isFromApple, source, receivedAt, bytes in
      StoredEvidence(
        key: "\(isFromApple)|\(sha256)", sha256: sha256, isFromApple: isFromApple, source: EvidenceSource(rawValue: source) ?? .imported,
        receivedAt: Timestamp(microseconds: receivedAt), bytes: bytes)
    }
  }

  private func counts(of batchID: Int64, on session: Session) async throws -> (changed: Int, genuine: Int, readable: Int) {
    let found = try await context.rows(JudgeSQL.counts, ["batch_id": .int8(batchID)], on: session).first
    return found.map { (Int($0), Int($1), Int($2)) } ?? (0, 0, 0)
  }
}
