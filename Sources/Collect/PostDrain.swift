internal import AppStore
internal import Domain
internal import Ingest
package import JobCore
package import Postgres

/// Verifies the notifications that Apple posted, and removes each from the queue in the transaction that records its evidence.
package struct PostDrain: Sendable {
  let context: JobContext
  let session: Session
  let runID: String

  package init(context: JobContext, session: Session, runID: String) {
    self.context = context
    self.session = session
    self.runID = runID
  }

  /// Maximum number of posts per transaction; `bytesMax` limits their bytes.
  static let postsMax = 1000
  static let bytesMax: Int64 = 24 << 20

  private static let name = "webhook"

  package func run() async throws {
    var batchID: Int64?
    let reader = try context.evidenceReader()
    let ingest = EvidenceIngest(context: context, session: session, reader: reader, source: .notification)
    try await Quarantine(context: context, readerSHA256: reader.identity.sha256).takeEndpointCounts(runID: runID, on: session)
    while true {
      let posts = try await waiting()
      guard !posts.isEmpty else { break }
      if batchID == nil {
        let batch = NewBatch(kind: InputKind.apple.rawValue, file: Self.name, source: EvidenceSource.notification.rawValue, runID: runID)
        batchID = try await session.open(batch, in: context).batchID
      }
      var chunk = StagedChunk(clock: context.asOf)
      for post in posts {
        chunk.add(
          UntrustedPost(post.body, source: .notification, receivedAt: post.receivedAt, reader: reader),
          source: .notification, receivedAt: post.receivedAt)
      }
      _ = try await ingest.store(chunk, itemCount: posts.count, batchID: batchID ?? 0, isLast: false) { tx, _ in
        try tx.send(context.sql(CollectSQL.dropPosts), ["post_ids": .textArray(posts.map { "\($0.id)" })])
      }
    }
    if let batchID {
      _ = try await ingest.store(StagedChunk(clock: context.asOf), itemCount: 0, batchID: batchID, isLast: true)
    }
  }

  private func waiting() async throws -> [(id: Int64, receivedAt: Timestamp, body: [UInt8])] {
    let parameters: [String: Value] = ["row_max": .int8(Int64(Self.postsMax)), "byte_max": .int8(Self.bytesMax)]
    return try await session.rows(context.sql(CollectSQL.waitingPosts), parameters).map { id, receivedAt, body in
      (id, Timestamp(microseconds: receivedAt), body)
    }
  }
}
