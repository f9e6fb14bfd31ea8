internal import AppStore
public import Domain
internal import Ingest
public import JobCore
internal import Logging
internal import Postgres

/// Takes what is posted and answers for it only once the database has it on disk.
///
/// What Apple did not sign is told apart at the door: it is counted, some of it is kept, and it is answered like the rest,
/// but it never stands in the way of what Apple sends. Posts that arrive while one transaction is on its way share the
/// next one.
public actor PostQueue {
  /// What became of a post.
  public enum Fate: Sendable {
    /// On disk.
    case stored
    /// Not stored; Apple sends it again.
    case refused
  }

  /// Posts that may wait for a transaction; one more is refused, so that Apple sends it again later.
  public static let waitingMax = 10_000
  /// Bytes that may wait for one.
  public static let waitingBytesMax = 64 << 20
  /// Longest wait for an answer; a database that hangs keeps nobody longer.
  public static let answerTime = Duration.milliseconds(1500)
  /// Pause between two looks for posts that waited too long.
  private static let watchPause = Duration.milliseconds(100)
  /// Posts of one transaction.
  static let postsPerTransactionMax = 500
  /// Posts for the quarantine that may wait for a transaction; what is more is answered and not counted.
  static let hostileWaitingMax = 2000
  /// Bytes of these.
  static let hostileBytesMax = 32 << 20
  /// How long the size of the queue in the database is taken as known.
  private static let sizeAge = Duration.seconds(1)

  private struct Post: Sendable {
    var id: UInt64
    /// What is stored: the post, or when Apple did not sign it what in it Apple did.
    var bodies: [[UInt8]]
    var byteCount: Int
    var receivedAt: Timestamp
    /// Set when Apple did not sign it.
    var hostile: QuarantinedItem?
  }

  /// Somebody who waits to be told what became of a post.
  private struct Answer {
    var due: ContinuousClock.Instant
    var continuation: CheckedContinuation<Fate, Never>
  }

  private let context: JobContext
  private let reader: EvidenceReader
  private let quarantine: Quarantine
  private let now: @Sendable () -> Timestamp
  private let revive: @Sendable () async throws -> Void
  private var waiting: [Post] = []
  private var answers: [UInt64: Answer] = [:]
  private var lastID: UInt64 = 0
  private var waitingBytes = 0
  private var hostileCount = 0
  private var hostileBytes = 0
  private var isWriting = false
  private var isWatching = false
  private var session: Session?
  /// Who asks whether the database is there; one look answers all.
  private var asking: [UInt64] = []
  /// What waits in the database, and when that was asked.
  private var queued: (posts: Int64, bytes: Int64, at: ContinuousClock.Instant)?
  private var outage = PostOutage()
  /// Whether something that Apple signed verified under the roots and apps that this server was started with.
  private var isProved = false

  /// - Parameters:
  ///   - now: the clock that says when a post arrived.
  ///   - revive: starts a database of our own that died; called before each new connection.
  /// - Throws: when the trusted roots cannot be read.
  public init(
    context: JobContext, now: @escaping @Sendable () -> Timestamp,
    revive: @escaping @Sendable () async throws -> Void = {}
  ) throws {
    self.context = context
    self.now = now
    self.revive = revive
    reader = try context.evidenceReader()
    quarantine = Quarantine(context: context, readerSHA256: reader.identity.sha256)
  }

  /// Stores a post's bytes; returns when they are safe, or will not be, or after ``answerTime``.
  public nonisolated func store(_ body: [UInt8]) async -> Fate {
    let receivedAt = now()
    // Notifications V1 carry a shared secret, which is for nobody to keep.
    let body = SecretRedaction.redacted(body)
    let post = OutsidePost(body, source: .notification, receivedAt: receivedAt, reader: reader)
    let bodies = post.refused == nil ? [body] : post.evidence.compactMap { $0.first.map { Array($0.raw) } }
    let isProof = post.evidence.contains { $0.first?.verdict == .genuine }
    return await enqueue(
      bodies, byteCount: body.count, receivedAt: receivedAt, hostile: post.refused, isProof: isProof)
  }

  private func enqueue(
    _ bodies: [[UInt8]], byteCount: Int, receivedAt: Timestamp, hostile: QuarantinedItem?, isProof: Bool
  ) async -> Fate {
    if isProof { isProved = true }
    if hostile != nil {
      // Not even a flood of them keeps Apple's posts out.
      guard hostileCount < Self.hostileWaitingMax, hostileBytes + byteCount <= Self.hostileBytesMax else {
        return .stored
      }
      hostileCount += 1
      hostileBytes += byteCount
    } else {
      guard waiting.count - hostileCount < Self.waitingMax, waitingBytes + byteCount <= Self.waitingBytesMax else {
        refused(1, reason: "too many wait to be stored")
        return .refused
      }
      waitingBytes += byteCount
    }
    return await answered { id in
      waiting.append(
        Post(id: id, bodies: bodies, byteCount: byteCount, receivedAt: receivedAt, hostile: hostile))
      guard !isWriting else { return }
      isWriting = true
      Task { await self.write() }
    }
  }

  // MARK: Answers

  /// Waits for the answer to what is begun; for a limited time.
  private func answered(_ begin: (UInt64) -> Void) async -> Fate {
    lastID += 1
    let id = lastID
    return await withCheckedContinuation { continuation in
      answers[id] = Answer(due: ContinuousClock.now + Self.answerTime, continuation: continuation)
      begin(id)
      guard !isWatching else { return }
      isWatching = true
      Task { await self.watch() }
    }
  }

  private func answer(_ id: UInt64, _ fate: Fate) {
    answers.removeValue(forKey: id)?.continuation.resume(returning: fate)
  }

  /// Refuses what waited too long, as long as anything waits.
  private func watch() async {
    while !answers.isEmpty {
      try? await Task.sleep(for: Self.watchPause)
      let now = ContinuousClock.now
      let late = answers.filter { $0.value.due <= now }.map(\.key)
      guard !late.isEmpty else { continue }
      for id in late { answer(id, .refused) }
      // Who only asks whether the database is there posted nothing.
      let postCount = late.count { !asking.contains($0) }
      if postCount > 0 { refused(postCount, reason: "the database does not answer") }
      // What nobody waits for any more is sent again by Apple; what is on its way may still arrive, then it is there twice.
      let isWaitedFor = { (post: Post) in self.answers[post.id] != nil }
      for post in waiting where !isWaitedFor(post) { forget(post) }
      waiting.removeAll { !isWaitedFor($0) }
    }
    isWatching = false
  }

  /// Takes a post out of what is counted as waiting.
  private func forget(_ post: Post) {
    if post.hostile != nil {
      hostileCount -= 1
      hostileBytes -= post.byteCount
    } else {
      waitingBytes -= post.byteCount
    }
  }

  /// An outage is told once when it begins and once when it is over, however many posts come meanwhile.
  private func refused(_ count: Int, reason: String, isQueueFull: Bool = false) {
    guard outage.refused(count, isQueueFull: isQueueFull) else { return }
    context.log.error("posts refused", metadata: ["reason": "\(reason)"])
  }

  private func taken() {
    guard let (count, duration) = outage.ended() else { return }
    context.log.notice(
      "posts are taken again", metadata: ["outage.s": "\(duration.components.seconds)", "post.count": "\(count)"])
  }

  // MARK: Storing

  private func write() async {
    while !waiting.isEmpty {
      let posts = Array(waiting.prefix(Self.postsPerTransactionMax))
      waiting.removeFirst(posts.count)
      for post in posts { forget(post) }
      let (hostile, own) = (posts.filter { $0.hostile != nil }, posts.filter { $0.hostile == nil })
      let isTaking = await hasRoom(for: own.flatMap(\.bodies))
      // What lies in hostile posts takes nobody's place.
      let inner = await hasRoom(for: hostile.flatMap(\.bodies)) ? hostile : []
      let bodies = ((isTaking ? own : []) + inner).flatMap { post in post.bodies.map { ($0, post.receivedAt) } }
      let isShut = await isShut(for: hostile)
      let fate = await insert(bodies, isShut ? [] : hostile.compactMap(\.hostile))
      if isShut {
        refused(
          hostile.count, reason: "nothing has verified under these roots and apps, and no more of it is kept to be judged anew;"
            + " see payrecon doctor", isQueueFull: true)
      } else if !isTaking {
        refused(
          own.count, reason: "the queue is full; run the nightly job, or raise quarantine.queue_posts or queue_bytes",
          isQueueFull: true)
      } else if fate == .stored, !own.isEmpty || !outage.isOfFullQueue {
        taken()
      }
      for post in posts { answer(post.id, (post.hostile == nil ? isTaking : !isShut) ? fate : .refused) }
    }
    isWriting = false
  }

  /// Whether what does not verify must come again: under wrong roots that is all that Apple sends, and it would be lost.
  private func isShut(for posts: [Post]) async -> Bool {
    guard !isProved, let receivedAt = posts.first?.receivedAt else { return false }
    do {
      let parameters: [String: Value] = [
        "reader_sha256": .text(reader.identity.sha256), "received_at": .timestamptz(microseconds: receivedAt.microseconds),
        "items_max": .int8(context.settings.quarantine.itemsMax), "byte_max": .int8(context.settings.quarantine.bytesMax),
      ]
      let file = try context.sql("quarantine/is_shut.sql")
      let session = try await connected()
      return try await session.transaction(.readOnlySnapshot) { tx in
        try tx.rows(file, parameters) { row throws(PostgresError) in try row.bool() }.first ?? false
      }
    } catch {
      // Who cannot ask cannot store either, and says so there.
      await session?.close()
      session = nil
      return false
    }
  }

  /// Whether the queue in the database may grow by these posts.
  private func hasRoom(for bodies: [[UInt8]]) async -> Bool {
    guard !bodies.isEmpty else { return true }
    let limits = context.settings.quarantine
    if queued.map({ ContinuousClock.now - $0.at > Self.sizeAge }) ?? true { queued = await size(limits) }
    // Who cannot ask cannot store either, and says so there.
    guard var known = queued else { return true }
    known.posts += Int64(bodies.count)
    known.bytes += Int64(bodies.reduce(0) { $0 + $1.count })
    guard known.posts <= limits.queuePostsMax, known.bytes <= limits.queueBytesMax else { return false }
    queued = known
    return true
  }

  private func size(_ limits: QuarantineSettings) async -> (posts: Int64, bytes: Int64, at: ContinuousClock.Instant)? {
    do {
      let file = try context.sql("quarantine/queue_size.sql")
      let session = try await connected()
      let sizes = try await session.transaction(.readOnlySnapshot) { tx in
        try tx.rows(file, ["row_max": .int8(limits.queuePostsMax)]) { row throws(PostgresError) in
          (try row.int8(), try row.int8())
        }
      }
      return sizes.first.map { ($0.0, $0.1, ContinuousClock.now) }
    } catch {
      await session?.close()
      session = nil
      return nil
    }
  }

  private func insert(_ posts: [(body: [UInt8], receivedAt: Timestamp)], _ hostile: [QuarantinedItem]) async -> Fate {
    guard !posts.isEmpty || !hostile.isEmpty else { return .stored }
    let quarantine = quarantine
    do {
      let session = try await connected()
      _ = try await session.transaction { tx in
        if !hostile.isEmpty {
          try quarantine.prepare(&tx)
          try quarantine.take(hostile, at: .door, in: &tx)
        }
        guard !posts.isEmpty else { return }
        _ = try tx.copyIn("copy received_notifications (received_at, body) from stdin (format binary)") { writer in
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
      refused(posts.count + hostile.count, reason: "could not store them: \(error)")
      return .refused
    }
  }

  private func connected() async throws -> Session {
    if let session { return session }
    try await revive()
    let fresh = try await context.open()
    session = fresh
    return fresh
  }

  // MARK: Health

  /// Whether the database takes posts now; false when it does not say so within ``answerTime``.
  public func isReady() async -> Bool {
    await answered { id in
      asking.append(id)
      if asking.count == 1 { Task { await self.look() } }
    } == .stored
  }

  private func look() async {
    var fate = Fate.stored
    do {
      _ = try await connected().transaction(.readOnlySnapshot) { _ in true }
    } catch {
      await session?.close()
      session = nil
      fate = .refused
    }
    for id in asking { answer(id, fate) }
    asking = []
  }
}
