package import AppStore
package import Domain
internal import Ingest
internal import Intake
package import JobCore
package import Postgres

/// Stores what Apple's servers said, through the same verification as everything else.
package struct EvidenceSink: Sendable {
  let context: JobContext
  let session: Session
  package let reader: EvidenceReader
  private let ingest: EvidenceIngest

  package init(context: JobContext, session: Session) throws {
    self.context = context
    self.session = session
    reader = try context.evidenceReader()
    ingest = EvidenceIngest(
      context: context, session: session, reader: reader, source: .api, isFromApple: true)
  }

  /// Stores what Apple's servers said under a name, on a connection of its own.
  package static func take(_ items: [[UInt8]], name: String, runID: String, context: JobContext) async throws {
    try await context.withSession { session in
      _ = try await store(items, name: name, runID: runID, context: context, on: session) { _, _ in }
    }
  }

  /// Stores what Apple answered somebody who waits for it, and in the same transaction whatever `also` does.
  ///
  /// On a session that is closed behind it and never one that is kept: the lock lives as long as the session.
  static func keepAnswer(
    _ items: [[UInt8]], name: String, context: JobContext,
    also: @escaping @Sendable (inout DatabaseTransaction, Int64) throws -> Void = { _, _ in }
  ) async throws -> EvidenceReader {
    try await context.open().lent { session in
      try await JobLock.apple.take(on: session, in: context)
      return try await store(items, name: name, runID: context.runID(job: "lookup"), context: context, on: session, also: also)
    }
  }

  /// Stores items as a batch of their own, and says by which reader.
  private static func store(
    _ items: [[UInt8]], name: String, runID: String, context: JobContext, on session: Session,
    also: @escaping @Sendable (inout DatabaseTransaction, Int64) throws -> Void
  ) async throws -> EvidenceReader {
    let sink = try EvidenceSink(context: context, session: session)
    try await sink.prepare()
    let batchID = try await sink.openBatch(name, runID: runID)
    _ = try await sink.store(items, name: name, batchID: batchID, isLast: true, also: also)
    return sink.reader
  }

  /// Makes the session's staging tables.
  package func prepare() async throws { try await ingest.prepare() }

  /// Opens the batch of one list of Apple's.
  package func openBatch(_ name: String, runID: String) async throws -> Int64 {
    let sink = self
    return try await session.retrying { tx in try sink.openBatch(name, runID: runID, in: &tx) }
  }

  /// Opens the batch of one list of Apple's, in a transaction that records more than that.
  func openBatch(_ name: String, runID: String, in tx: inout DatabaseTransaction) throws -> Int64 {
    let row = BatchLedger(context: context, session: session).row(
      kind: InputKind.apple.rawValue, file: name, contentSHA256: "", source: EvidenceSource.api.rawValue, runID: runID)
    return try tx.openBatch(row, sql: context.sql)
  }

  /// Verifies and stores items, and in the same transaction whatever `also` does, which is told the batch.
  ///
  /// - Throws: `JobError` with status 2 when something does not verify: what Apple's server itself gave us over TLS is no
  ///   forgery, so the roots are not those of the server that was asked. Nothing is stored then.
  package func store(
    _ items: [[UInt8]], name: String, batchID: Int64, isLast: Bool,
    also: @escaping @Sendable (inout DatabaseTransaction, Int64) throws -> Void
  ) async throws -> Tally {
    let lines = items.enumerated().map { EvidenceLine(bytes: $1, line: $0 + 1) }
    let chunk = await ingest.staged(lines, file: name)
    if let forgery = chunk.firstForgery {
      throw JobError(
        "could not verify what Apple's server answered for \(name): \(forgery)",
        hint: "It came over TLS, so it is no forgery: check PAYRECON_APPLE_ROOTS, the roots shipped with this program and"
          + " the address that was asked (PAYRECON_APPSTORE_URL). Nothing was stored; the next run asks for it again.")
    }
    return try await ingest.store(
      chunk, itemCount: items.count, batchID: batchID, isLast: isLast, also: also)
  }
}
