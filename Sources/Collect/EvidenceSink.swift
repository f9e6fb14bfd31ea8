package import AppStore
package import Domain
package import Ingest
internal import Intake
package import JobCore
internal import Logging
package import Postgres
internal import Wording

/// Stores answers of Apple's servers, after the same verification as all evidence.
package struct EvidenceSink: Sendable {
  let context: JobContext
  let session: Session
  package let reader: EvidenceReader
  private let ingest: EvidenceIngest

  package init(context: JobContext, session: Session) throws {
    self.context = context
    self.session = session
    reader = try context.evidenceReader()
    ingest = EvidenceIngest(context: context, session: session, reader: reader, source: .api, isFromApple: true)
  }

  /// Stores Apple's answer to an interactive request as a separate batch, and executes `also` in the same transaction.
  ///
  /// The session is closed afterwards and never pooled, because the lock lasts as long as the session.
  /// - Returns: the reader that verified the items.
  static func keepAnswer(
    _ items: [[UInt8]], name: String, context: JobContext,
    also: @escaping @Sendable (inout DatabaseTransaction, ChunkInBatch) throws -> Void = { _, _ in }
  ) async throws -> EvidenceReader {
    try await context.open().use { session in
      try await JobLock.apple.take(on: session, in: context)
      let sink = try EvidenceSink(context: context, session: session)
      let batchID = try await sink.openBatch(name, runID: context.runID(job: "lookup"))
      _ = try await sink.store(items, name: name, batchID: batchID, isLast: true, also: also)
      return sink.reader
    }
  }

  /// Opens the batch of one of Apple's lists.
  package func openBatch(_ name: String, runID: String) async throws -> Int64 {
    try await session.retrying { tx in try openBatch(name, runID: runID, in: &tx) }
  }

  /// Opens the batch of one of Apple's lists within a larger transaction.
  func openBatch(_ name: String, runID: String, in tx: inout DatabaseTransaction) throws -> Int64 {
    let batch = NewBatch(kind: InputKind.apple.rawValue, file: name, source: EvidenceSource.api.rawValue, runID: runID)
    return try tx.open(batch, in: context)
  }

  /// Verifies and stores items, and executes `also` with the batch id in the same transaction.
  ///
  /// - Throws: `JobError` with status 2 if items fail to verify and none succeeds. Apple's server sent them over TLS, so the configured
  ///   roots must be wrong. Nothing is stored then.
  package func store(
    _ items: [[UInt8]], name: String, batchID: Int64, isLast: Bool,
    also: @escaping @Sendable (inout DatabaseTransaction, ChunkInBatch) throws -> Void
  ) async throws -> Tally {
    let lines = items.enumerated().map { EvidenceLine(bytes: $1, line: $0 + 1) }
    let chunk = await ingest.staged(lines, file: name)
    if let forgery = chunk.firstForgery {
      guard chunk.hasProof else {
        throw JobError(
          Phrase("refusal.verify", ["name": .plain(name), "what": forgery]),
          hint: "It came over TLS, so it is no forgery: check PAYRECON_APPLE_ROOTS, the roots shipped with this program and"
            + " the address that was asked (PAYRECON_APPSTORE_URL). Nothing was stored; the next run asks for it again.")
      }
      context.log.warning("an item of Apple's answer does not verify", metadata: ["list": "\(name)", "item": "\(forgery)"])
    }
    return try await ingest.store(chunk, itemCount: items.count, batchID: batchID, isLast: isLast, also: also)
  }
}

/// The batch of one of Apple's lists, opened with its first items.
struct EvidenceBatch: Sendable {
  let sink: EvidenceSink
  let name: String
  let runID: String
  private(set) var batchID: Int64?

  /// Opens the batch if it is not open yet, and returns its id.
  @discardableResult
  mutating func open() async throws -> Int64 {
    if let batchID { return batchID }
    let opened = try await sink.openBatch(name, runID: runID)
    batchID = opened
    return opened
  }

  /// Verifies and stores items, and executes `also` in the same transaction.
  mutating func store(
    _ items: [[UInt8]], also: @escaping @Sendable (inout DatabaseTransaction, ChunkInBatch) throws -> Void
  ) async throws -> Tally {
    try await sink.store(items, name: name, batchID: try await open(), isLast: false, also: also)
  }

  /// Completes the batch if it was opened.
  func close() async throws {
    if let batchID { _ = try await sink.store([], name: name, batchID: batchID, isLast: true) { _, _ in } }
  }
}
