internal import AppStore
public import Domain
internal import Ingest
public import JobCore
internal import Logging
internal import Postgres

/// Accepts posts and confirms each only after the database has stored it on disk.
///
/// Posts that Apple did not sign are separated first. They are counted, partly kept and confirmed, but never delay Apple's posts. A text
/// that Apple signed is queued once, however often it is posted. Posts that arrive during a transaction share the next one.
public actor PostQueue {
  public enum Outcome: Sendable {
    /// Stored on disk, now or earlier.
    case stored
    /// Not stored; Apple sends it again.
    case refused
  }

  /// Maximum number of posts pending for a transaction; further ones are refused, so that Apple sends them again.
  public static let waitingMax = 10_000
  /// Maximum number of bytes pending for a transaction.
  public static let waitingBytesMax = 64 << 20
  /// Maximum wait for an answer, even when the database hangs.
  public static let answerTime = Duration.milliseconds(1500)
  /// Pause between two checks for overdue posts.
  private static let watchPause = Duration.milliseconds(100)
  static let postsPerTransactionMax = 500
  /// Maximum number of quarantine posts pending for a transaction; further ones are only counted.
  public static let quarantinedWaitingMax = 2000
  /// Maximum number of bytes of pending quarantine posts.
  static let quarantinedBytesMax = 32 << 20

  /// A caller who waits for the outcome of a post.
  private struct Answer {
    var due: ContinuousClock.Instant
    var continuation: CheckedContinuation<Outcome, Never>
  }

  private let context: JobContext
  private let reader: EvidenceReader
  private let now: @Sendable () -> Timestamp
  private let revive: @Sendable () async throws -> Void
  private var waiting: [Post] = []
  private var answers: [UInt64: Answer] = [:]
  private var lastID: UInt64 = 0
  private var waitingBytes = 0
  private var quarantinedCount = 0
  private var quarantinedBytes = 0
  /// Quarantined posts that were counted without inspection.
  private var uncounted = QuarantinedCounts()
  private var isWriting = false
  private var isWatching = false
  private var session: Session?
  /// Callers of the health check; one check answers all of them.
  private var healthChecks: [UInt64] = []
  /// Size of the queue in the database; nil while it is unknown.
  private var size: QueueSize?
  private var outages: [PostRefusal: PostOutage] = [:]
  /// Kinds of Apple's signatures that verified under this server's roots and apps.
  private var proved: Set<SignatureKind> = []

  /// - Parameters:
  ///   - now: clock that dates the arrival of a post.
  ///   - revive: restarts our private database after a crash; called before each new connection.
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

  /// Stores a post's bytes. Returns when the post is stored or refused, or after ``answerTime``.
  public nonisolated func store(_ body: [UInt8]) async -> Outcome {
    let receivedAt = now()
    // Notifications V1 contain the shared secret, which must not be stored.
    let body = SecretRedaction.redacted(body)
    let post = UntrustedPost(body, source: .notification, receivedAt: receivedAt, reader: reader)
    return await enqueue(Post(texts: post.texts(of: body), byteCount: body.count, receivedAt: receivedAt, quarantined: post.quarantined))
  }

  private func enqueue(_ post: Post) async -> Outcome {
    proved.formUnion(post.texts.compactMap(\.proof))
    if post.quarantined != nil {
      // Quarantined posts have a separate limit, so that a flood of them does not block Apple's posts.
      guard quarantinedCount < Self.quarantinedWaitingMax, quarantinedBytes + post.byteCount <= Self.quarantinedBytesMax else {
        return overflowed(post)
      }
      quarantinedCount += 1
      quarantinedBytes += post.byteCount
    } else {
      guard waiting.count - quarantinedCount < Self.waitingMax, waitingBytes + post.byteCount <= Self.waitingBytesMax else {
        reportRefusal(1, .unavailable, because: "too many wait to be stored")
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

  /// Counts a quarantined post without inspecting it. A post that may be in quarantine only because of wrong roots is refused instead.
  private func overflowed(_ post: Post) -> Outcome {
    guard post.isDecided(by: proved) else {
      reportRefusal(1, .unproved)
      return .refused
    }
    uncounted.add(bytes: post.byteCount, at: post.receivedAt)
    return .stored
  }

  // MARK: Answers

  /// Starts an operation and waits a limited time for its answer.
  private func answered(_ begin: (UInt64) -> Void) async -> Outcome {
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

  private func answer(_ id: UInt64, _ outcome: Outcome) {
    answers.removeValue(forKey: id)?.continuation.resume(returning: outcome)
  }

  /// Refuses overdue posts while any answer is pending.
  private func watch() async {
    while !answers.isEmpty {
      try? await Task.sleep(for: Self.watchPause)
      let now = ContinuousClock.now
      let late = answers.filter { $0.value.due <= now }.map(\.key)
      guard !late.isEmpty else { continue }
      for id in late { answer(id, .refused) }
      // A health check is not a post.
      let postCount = late.count { !healthChecks.contains($0) }
      if postCount > 0 { reportRefusal(postCount, .unavailable, because: "the database does not answer") }
      // Apple sends an overdue post again. If its transaction still completes, the second post is a repeat.
      let isUnresolved = { (post: Post) in self.answers[post.id] != nil }
      for post in waiting where !isUnresolved(post) { forget(post) }
      waiting.removeAll { !isUnresolved($0) }
    }
    isWatching = false
  }

  /// Removes a post from the pending counts.
  private func forget(_ post: Post) {
    if post.quarantined != nil {
      quarantinedCount -= 1
      quarantinedBytes -= post.byteCount
    } else {
      waitingBytes -= post.byteCount
    }
  }

  /// Logs an outage once at its start and once at its end, however many posts are refused.
  private func reportRefusal(_ count: Int, _ cause: PostRefusal, because reason: String? = nil) {
    guard outages[cause, default: PostOutage()].refused(count) else { return }
    context.log.error("posts refused", metadata: ["reason": "\(reason ?? cause.reason)"])
  }

  private func reportRecovery(_ cause: PostRefusal) {
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
      uncounted = QuarantinedCounts()
      let transaction = PostTransaction(
        context: context, readerSHA256: reader.identity.sha256, posts: posts, uncounted: more, proved: proved, size: size)
      do {
        notify(try await transaction.run(on: try await connected()), of: posts)
      } catch {
        // The connection may be broken; the next posts use a new one.
        await session?.close()
        session = nil
        uncounted.add(more)
        reportRefusal(posts.count, .unavailable, because: "could not store them: \(error)")
        for post in posts { answer(post.id, .refused) }
      }
    }
    isWriting = false
  }

  private func notify(_ outcome: PostTransaction.Outcome, of posts: [Post]) {
    proved.formUnion(outcome.proved)
    size = outcome.size
    for (cause, count) in Dictionary(grouping: outcome.refusals.compactMap(\.self), by: \.self).mapValues(\.count) {
      reportRefusal(count, cause)
    }
    for cause in outcome.taken where !outcome.refusals.contains(cause) { reportRecovery(cause) }
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

  /// Returns whether the database accepts posts; false without an answer within ``answerTime``.
  public func isReady() async -> Bool {
    await answered { id in
      healthChecks.append(id)
      if healthChecks.count == 1 { Task { await self.checkHealth() } }
    } == .stored
  }

  private func checkHealth() async {
    var outcome = Outcome.stored
    do {
      try await connected().transaction(.singleStatement) { tx in try tx.execute("select 1") }
    } catch {
      await session?.close()
      session = nil
      outcome = .refused
    }
    for id in healthChecks { answer(id, outcome) }
    healthChecks = []
  }
}
