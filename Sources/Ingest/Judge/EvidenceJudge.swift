internal import AppStore
internal import Domain
public import JobCore
package import Postgres

/// Judges anew what is not genuine, when roots, apps or the reading itself changed since it was judged, and what was held until the
/// clock passed the instant at which Apple signed it.
///
/// What is genuine stays genuine. What was believed before stays on record: a new verdict is a row of its own, dated by
/// the clock of this run, and what follows from it is known from then on. It works page by page, each in a transaction
/// with its audit entry; a killed run is simply started again.
public struct EvidenceJudge: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// Items and bytes of one transaction; one longer item is a page of its own.
  static let itemsMax: Int64 = 1000
  static let bytesMax: Int64 = 24 << 20

  static let name = "evidence judge"

  /// What a run came to.
  public struct Outcome: Sendable, Equatable {
    /// Items read anew: those that came by themselves.
    public var readCount = 0
    /// Verdicts that are another way now, items inside items included.
    public var changedCount = 0
    /// Of these: genuine now.
    public var genuineCount = 0

    public init(readCount: Int = 0, changedCount: Int = 0, genuineCount: Int = 0) {
      self.readCount = readCount
      self.changedCount = changedCount
      self.genuineCount = genuineCount
    }

    /// `12 items read anew: 3 verdicts changed, 2 genuine now`.
    public var summary: String {
      "\(readCount) items read anew: \(changedCount) verdicts changed, \(genuineCount) genuine now"
    }
  }

  /// Judges under a run of its own.
  public func run() async throws -> Outcome {
    try await context.withRun(job: "evidence-judge", lock: nil) { run, session in
      let outcome = try await judge(runID: run.runID, on: session)
      return RunResult(outcome, .clean, counts: [("input", outcome.readCount), ("changed", outcome.changedCount)])
    }
  }

  /// Judges within another run.
  package func judge(runID: String, on session: Session) async throws -> Outcome {
    let reader = try context.evidenceReader()
    let ingest = EvidenceIngest(context: context, session: session, reader: reader, source: .imported)
    var outcome = Outcome()
    var batchID: Int64?
    func batch() async throws -> Int64 {
      if let batchID { return batchID }
      let opened = try await open(runID: runID, ingest)
      batchID = opened
      return opened
    }
    while true {
      let page = try await page(of: reader.identity, on: session)
      guard !page.isEmpty else { break }
      let batch = try await batch()
      var chunk = StagedChunk(clock: context.asOf)
      var proven: [StoredEvidence] = []
      for stored in page where chunk.addAnew(stored, reader: reader) { proven.append(stored) }
      let known = AlreadyRead(page, proven: proven, reader: reader.identity.sha256)
      let (sql, asOf) = (context.sql, context.asOfValue)
      _ = try await ingest.store(chunk, itemCount: page.count, batchID: batch, isLast: false) { tx, _ in
        _ = try tx.run(sql(JudgeSQL.recordRead), known.parameters.merging(["as_of": asOf]) { $1 })
      }
      outcome.readCount += page.count
      context.progress.report(stage: Self.name, done: outcome.readCount, total: nil)
    }
    let quarantine = Quarantine(context: context, readerSHA256: reader.identity.sha256)
    while true {
      let page = try await quarantine.page(items: Self.itemsMax, bytes: Self.bytesMax, on: session)
      guard !page.isEmpty else { break }
      let batch = try await batch()
      var chunk = StagedChunk(clock: context.asOf)
      var released: [QuarantineSample] = []
      for sample in page {
        let post = OutsidePost(sample.body, source: sample.source, receivedAt: sample.receivedAt, reader: reader)
        chunk.stageEvidence(of: post, source: sample.source, receivedAt: sample.receivedAt)
        if post.refused == nil { released.append(sample) }
      }
      chunk.ignoredCount = page.count - released.count
      let known = released
      _ = try await ingest.store(chunk, itemCount: page.count, batchID: batch, isLast: false) { tx, batch in
        try quarantine.recordRead(page, released: known, batchID: batch, in: &tx)
      }
      outcome.readCount += page.count
      outcome.changedCount += released.count
      outcome.genuineCount += released.count
      context.progress.report(stage: Self.name, done: outcome.readCount, total: nil)
    }
    guard let batchID else { return outcome }
    _ = try await ingest.store(StagedChunk(clock: context.asOf), itemCount: 0, batchID: batchID, isLast: true)
    let counts = try await counts(of: batchID, on: session)
    outcome.changedCount += counts.changed
    outcome.genuineCount += counts.genuine
    // What can be read now is no dead letter any more.
    if counts.readable > 0 { _ = try await DeadletterJob(context: context).retryEvidence(on: session) }
    return outcome
  }

  private func open(runID: String, _ ingest: EvidenceIngest) async throws -> Int64 {
    try await ingest.prepare()
    return try await BatchLedger(context: context, session: ingest.session).open(
      kind: "judgement", file: Self.name, contentSHA256: "", source: "", runID: runID, resumes: false
    ).batchID
  }

  /// What another reader read last, and what the clock has passed.
  private func page(of reader: ReaderIdentity, on session: Session) async throws -> [StoredEvidence] {
    let file = try context.sql(JudgeSQL.page)
    let parameters: [String: Value] = [
      "reader_sha256": .text(reader.sha256), "row_max": .int8(Self.itemsMax), "byte_max": .int8(Self.bytesMax),
      "as_of": context.asOfValue,
    ]
    return try await session.transaction(.readOnlySnapshot) { tx in
      try tx.rows(file, parameters).map { sha256, isFromApple, source, receivedAt, bytes in
        StoredEvidence(
          sha256: sha256, isFromApple: isFromApple, source: EvidenceSource(rawValue: source) ?? .imported,
          receivedAt: Timestamp(microseconds: receivedAt), bytes: bytes)
      }
    }
  }

  private func counts(of batchID: Int64, on session: Session) async throws -> (changed: Int, genuine: Int, readable: Int) {
    let file = try context.sql(JudgeSQL.counts)
    return try await session.transaction(.readOnlySnapshot) { tx in
      try tx.rows(file, ["batch_id": .int8(batchID)]).first.map { (Int($0), Int($1), Int($2)) } ?? (0, 0, 0)
    }
  }
}

/// Which items of a page need not be read again by this reader, and which never again.
private struct AlreadyRead: Sendable {
  let parameters: [String: Value]

  init(_ page: [StoredEvidence], proven: [StoredEvidence], reader: String) {
    func names(_ list: [StoredEvidence]) -> Value { .textArray(list.map { "\($0.isFromApple)|\($0.sha256)" }) }
    parameters = ["reader_sha256": .text(reader), "items": names(page), "proven": names(proven)]
  }
}
