internal import AppStore
internal import Domain
internal import Intake
internal import Postgres

/// Stores what Apple's servers said, through the same verification as everything else.
struct EvidenceSink: Sendable {
  let context: JobContext
  let session: Session
  private let ingest: EvidenceIngest

  init(context: JobContext, session: Session) throws {
    self.context = context
    self.session = session
    ingest = EvidenceIngest(
      context: context, session: session, reader: try context.evidenceReader(), source: .api, isFromApple: true)
  }

  /// Makes the session's staging tables.
  func prepare() async throws { try await ingest.prepare() }

  /// Opens the batch of one list of Apple's.
  func openBatch(_ name: String, runID: String) async throws -> Int64 {
    try await BatchLedger(context: context, session: session).open(
      kind: InputKind.apple.rawValue, file: name, contentSHA256: "", source: EvidenceSource.api.rawValue,
      runID: runID, resumes: false
    ).batchID
  }

  /// Verifies and stores items, and in the same transaction whatever `also` does.
  func store(
    _ items: [[UInt8]], name: String, batchID: Int64, isLast: Bool,
    also: @escaping @Sendable (inout Transaction) throws -> Void
  ) async throws -> Tally {
    let lines = items.enumerated().map { EvidenceLine(bytes: $1, line: $0 + 1) }
    let chunk = await ingest.staged(lines, file: name)
    return try await ingest.store(
      chunk, itemCount: items.count, batchID: batchID, isLast: isLast, also: also)
  }
}
