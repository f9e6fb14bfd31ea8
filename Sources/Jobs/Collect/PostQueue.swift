internal import AppStore
public import Domain
internal import Logging
internal import Postgres

/// Takes what Apple posts and answers for it only once the database has it on disk.
///
/// Posts that arrive while one transaction is on its way share the next one.
public actor PostQueue {
  /// What became of a post.
  public enum Fate: Sendable {
    /// On disk.
    case stored
    /// Not stored; Apple sends it again.
    case refused
  }

  /// Posts that may wait; one more is refused, so that Apple sends it again later.
  public static let waitingMax = 10_000
  /// Bytes that may wait.
  public static let waitingBytesMax = 256 << 20
  /// Posts of one transaction.
  static let postsPerTransactionMax = 500

  private struct Post: Sendable {
    var body: [UInt8]
    var receivedAt: Timestamp
    var answer: CheckedContinuation<Fate, Never>
  }

  private let context: JobContext
  private let now: @Sendable () -> Timestamp
  private var waiting: [Post] = []
  private var waitingBytes = 0
  private var isWriting = false
  private var session: Session?

  /// - Parameter now: the clock that says when a post arrived.
  public init(context: JobContext, now: @escaping @Sendable () -> Timestamp) {
    self.context = context
    self.now = now
  }

  /// Stores a post's bytes; returns when they are safe, or will not be.
  public func store(_ body: [UInt8]) async -> Fate {
    guard waiting.count < Self.waitingMax, waitingBytes + body.count <= Self.waitingBytesMax else { return .refused }
    let receivedAt = now()
    // Notifications V1 carry a shared secret, which is for nobody to keep.
    let body = SecretRedaction.redacted(body)
    return await withCheckedContinuation { answer in
      waiting.append(Post(body: body, receivedAt: receivedAt, answer: answer))
      waitingBytes += body.count
      guard !isWriting else { return }
      isWriting = true
      Task { await self.write() }
    }
  }

  private func write() async {
    while !waiting.isEmpty {
      let posts = Array(waiting.prefix(Self.postsPerTransactionMax))
      waiting.removeFirst(posts.count)
      waitingBytes -= posts.reduce(0) { $0 + $1.body.count }
      let fate = await insert(posts.map { ($0.body, $0.receivedAt) })
      for post in posts { post.answer.resume(returning: fate) }
    }
    isWriting = false
  }

  private func insert(_ posts: [(body: [UInt8], receivedAt: Timestamp)]) async -> Fate {
    do {
      let session = try await connected()
      _ = try await session.transaction { tx in
        try tx.copyIn("copy received_posts (received_at, body) from stdin (format binary)") { writer in
          for post in posts {
            try writer.beginRow(columns: 2)
            try writer.timestamptz(microseconds: post.receivedAt.microseconds)
            try writer.bytes(post.body)
          }
        }
      }
      return .stored
    } catch {
      // The connection may be spent; the next posts try a new one.
      await session?.close()
      session = nil
      context.log.error(
        "posts refused", metadata: ["post.count": "\(posts.count)", "reason": "could not store them: \(error)"])
      return .refused
    }
  }

  private func connected() async throws -> Session {
    if let session { return session }
    let fresh = try await context.open()
    session = fresh
    return fresh
  }

  /// Whether the database takes posts now.
  public func isReady() async -> Bool {
    do {
      _ = try await connected().transaction(.readOnlySnapshot) { _ in true }
      return true
    } catch {
      await session?.close()
      session = nil
      return false
    }
  }
}
