internal import AppStore
public import Domain
internal import Ingest
public import JobCore
internal import Logging
internal import Postgres

/// Takes what is posted and answers for it only once the database has it on disk.
///
/// What Apple did not sign is told apart at the door: it is counted, some of it is kept, and it is answered like the rest,
/// but it never stands in the way of what Apple sends. What Apple signed is queued once, however often it is posted. Posts
/// that arrive while one transaction is on its way share the next one.
public actor PostQueue {
  /// What became of a post.
  public enum Fate: Sendable {
    /// On disk, or there before.
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
  /// Posts for the quarantine that may wait for a transaction; what is more is only counted.
  public static let hostileWaitingMax = 2000
  /// Bytes of these.
  static let hostileBytesMax = 32 << 20

  /// Somebody who waits to be told what became of a post.
  private struct Answer {
    var due: ContinuousClock.Instant
    var continuation: CheckedContinuation<Fate, Never>
  }

  private let context: JobContext
  private let reader: EvidenceReader
  private let now: @Sendable () -> Timestamp
  private let revive: @Sendable () async throws -> Void
  private var waiting: [Post] = []
  private var answers: [UInt64: Answer] = [:]
  private var lastID: UInt64 = 0
  private var waitingBytes = 0
  private var hostileCount = 0
  private var hostileBytes = 0
  /// Hostile posts that there was no time to look at.
  private var uncounted = UncountedPosts()
  private var isWriting = false
  private var isWatching = false
  private var session: Session?
  /// Who asks whether the database is there; one look answers all.
  private var asking: [UInt64] = []
  /// What waits in the database.
  private var size: QueueSize?
  private var outages: [PostRefusal: PostOutage] = [:]
  /// Kinds of what Apple signs that verified under the roots and apps that this server was started with.
  private var proved: Set<SignatureKind> = []

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
  }

  /// Stores a post's bytes; returns when they are safe, or will not be, or after ``answerTime``.
  public nonisolated func store(_ body: [UInt8]) async -> Fate {
    let receivedAt = now()
    // Notifications V1 carry a shared secret, which is for nobody to keep.
    let body = SecretRedaction.redacted(body)
    let post = OutsidePost(body, source: .notification, receivedAt: receivedAt, reader: reader)
    return await enqueue(
      Post(texts: post.texts(of: body), byteCount: body.count, receivedAt: receivedAt, hostile: post.refused))
  }

  private func enqueue(_ post: Post) async -> Fate {
    proved.formUnion(post.texts.compactMap(\.proof))
    if post.hostile != nil {
      // Not even a flood of them keeps Apple's posts out.
      guard hostileCount < Self.hostileWaitingMax, hostileBytes + post.byteCount <= Self.hostileBytesMax else {
        return overflowed(post)
      }
      hostileCount += 1
      hostileBytes += post.byteCount
    } else {
      guard waiting.count - hostileCount < Self.waitingMax, waitingBytes + post.byteCount <= Self.waitingBytesMax else {
        refused(1, .unavailable, because: "too many wait to be stored")
        return .refused
      }
      waitingBytes += post.byteCount
    }
    return await answered { id in
      var post = post
      post.id = id
      waiting.append(post)
      guard !isWriting else { return }
      isWriting = true
      Task { await self.write() }
    }
  }

  /// Of more hostile posts than can be looked at only the number is kept; under wrong roots Apple's own may be among them.
  private func overflowed(_ post: Post) -> Fate {
    guard post.isDecided(by: proved) else {
      refused(1, .unproved)
      return .refused
    }
    uncounted.add(bytes: post.byteCount, at: post.receivedAt)
    return .stored
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
      if postCount > 0 { refused(postCount, .unavailable, because: "the database does not answer") }
      // What nobody waits for any more is sent again by Apple; what is on its way may still arrive, then it is a repeat.
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
  private func refused(_ count: Int, _ cause: PostRefusal, because reason: String? = nil) {
    guard outages[cause, default: PostOutage()].refused(count) else { return }
    context.log.error("posts refused", metadata: ["reason": "\(reason ?? cause.reason)"])
  }

  private func taken(_ cause: PostRefusal) {
    guard let (count, duration) = outages[cause]?.ended() else { return }
    context.log.notice(
      "posts are taken again",
      metadata: ["reason": "\(cause)", "outage.s": "\(duration.components.seconds)", "post.count": "\(count)"])
  }

  // MARK: Storing

  private func write() async {
    while !waiting.isEmpty {
      let posts = Array(waiting.prefix(Self.postsPerTransactionMax))
      waiting.removeFirst(posts.count)
      for post in posts { forget(post) }
      let more = uncounted
      uncounted = UncountedPosts()
      let transaction = PostTransaction(
        context: context, readerSHA256: reader.identity.sha256, posts: posts, uncounted: more, proved: proved, size: size)
      do {
        tell(try await transaction.run(on: try await connected()), of: posts)
      } catch {
        // The connection may be spent; the next posts try a new one.
        await session?.close()
        session = nil
        uncounted.add(more)
        refused(posts.count, .unavailable, because: "could not store them: \(error)")
        for post in posts { answer(post.id, .refused) }
      }
    }
    isWriting = false
  }

  private func tell(_ outcome: PostTransaction.Outcome, of posts: [Post]) {
    proved.formUnion(outcome.proved)
    size = outcome.size
    for (cause, count) in Dictionary(grouping: outcome.refusals.compactMap(\.self), by: \.self).mapValues(\.count) {
      refused(count, cause)
    }
    for cause in outcome.taken where !outcome.refusals.contains(cause) { taken(cause) }
    for (post, refusal) in zip(posts, outcome.refusals) { answer(post.id, refusal == nil ? .stored : .refused) }
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
