internal import Domain
internal import Ingest
internal import JobCore
internal import Postgres

/// A post that is pending for the database.
struct Post: Sendable {
  var id: UInt64 = 0
  /// Signed texts of Apple in the post.
  var texts: [PostedText]
  var byteCount: Int
  var receivedAt: Timestamp
  /// The post as an item of the quarantine; nil when Apple signed the post itself.
  var quarantined: QuarantinedItem?

  /// Returns whether the post is certainly not Apple's: every kind of signature that failed in it has verified elsewhere.
  func isDecided(by proved: Set<SignatureKind>) -> Bool { quarantined?.unverified.isSubset(of: proved) ?? true }
}

/// Size of the queue in the database, and the time of the measurement.
struct QueueSize: Sendable {
  var posts: Int64
  var bytes: Int64
  var askedAt: ContinuousClock.Instant

  /// Time after which the size is measured again.
  private static let age = Duration.seconds(1)

  var isOld: Bool { ContinuousClock.now - askedAt > Self.age }
}

/// Numbers of quarantined posts by day.
struct QuarantinedCounts: Sendable {
  struct Figure: Sendable {
    var count = 0
    var bytes = 0
    var firstAt: Timestamp
    var lastAt: Timestamp
  }

  private(set) var days: [Int64: Figure] = [:]

  mutating func add(bytes: Int, at instant: Timestamp) {
    add(Figure(count: 1, bytes: bytes, firstAt: instant, lastAt: instant))
  }

  mutating func add(_ other: QuarantinedCounts) {
    for figure in other.days.values { add(figure) }
  }

  private mutating func add(_ more: Figure) {
    let day = more.firstAt.wholeSeconds / 86_400
    var figure = days[day] ?? Figure(firstAt: more.firstAt, lastAt: more.lastAt)
    figure.count += more.count
    figure.bytes += more.bytes
    figure.firstAt = min(figure.firstAt, more.firstAt)
    figure.lastAt = max(figure.lastAt, more.lastAt)
    days[day] = figure
  }
}

/// A transaction for several posts: texts signed by Apple are queued, others are counted.
struct PostTransaction: Sendable {
  let context: JobContext
  let readerSHA256: String
  let posts: [Post]
  /// Quarantined posts that were counted without inspection.
  let uncounted: QuarantinedCounts
  /// Kinds of signature that have verified for this server.
  let proved: Set<SignatureKind>
  /// Known size of the queue; nil when unknown.
  let size: QueueSize?

  struct Outcome: Sendable {
    /// Reason of refusal per post; nil when the post is stored.
    var refusals: [PostRefusal?]
    /// Refusal causes that no longer apply.
    var taken: Set<PostRefusal>
    var proved: Set<SignatureKind>
    var size: QueueSize
  }

  /// A text with the index of its post.
  private typealias Staged = (post: Int, text: PostedText)

  private var quarantine: Quarantine { Quarantine(context: context, readerSHA256: readerSHA256) }

  func run(on session: Session) async throws -> Outcome {
    // Genuine posts first, so that texts nested in quarantined posts never take their place in the queue.
    let order = posts.indices.filter { posts[$0].quarantined == nil } + posts.indices.filter { posts[$0].quarantined != nil }
    let staged = order.flatMap { index in posts[index].texts.map { (post: index, text: $0) } }
    return try await session.transaction { tx in
      var outcome = Outcome(refusals: posts.map { _ in nil }, taken: [.unavailable], proved: proved, size: try queueSize(in: &tx))
      try refuseUnproven(&outcome, in: &tx)
      for (text, result) in zip(staged, try queue(staged, size: outcome.size, in: &tx)) {
        if result.isQueued {
          outcome.size.posts += 1
          outcome.size.bytes += Int64(text.text.body.count)
        }
        guard posts[text.post].quarantined == nil else { continue }
        if let refusal = result.refusal { outcome.refusals[text.post] = refusal }
        guard result.isQueued else { continue }
        outcome.taken.insert(.queue)
        if let bound = text.text.bound.flatMap({ PostRefusal(rawValue: $0.rawValue) }) { outcome.taken.insert(bound) }
      }
      let quarantined = zip(posts, outcome.refusals).filter { $0.quarantined != nil && $1 == nil }.map(\.0)
      if !quarantined.isEmpty {
        outcome.taken.insert(.unproved)
        try quarantine.keep(quarantined.compactMap(\.quarantined), batchID: nil, in: &tx)
      }
      var counts = uncounted
      for post in quarantined { counts.add(bytes: post.byteCount, at: post.receivedAt) }
      for (_, figure) in counts.days.sorted(by: { $0.key < $1.key }) {
        try quarantine.count(figure.count, bytes: figure.bytes, from: figure.firstAt, to: figure.lastAt, in: &tx)
      }
      return outcome
    }
  }

  /// Refuses posts that may be Apple's and for which there is no room. Under wrong roots no post of Apple's verifies, and without the
  /// refusal it would be lost.
  private func refuseUnproven(_ outcome: inout Outcome, in tx: inout DatabaseTransaction) throws {
    guard let first = posts.first(where: { !$0.isDecided(by: proved) }) else { return }
    let parameters = quarantine.limits.merging(["received_at": first.receivedAt.sqlValue]) { $1 }
    let found = try tx.rows(context.sql(QuarantineSQL.unprovenRoom), parameters).first
    guard var room = found.map({ (hasText: $0, hasReceipt: $1, items: $2, bytes: $3) }) else { return }
    outcome.proved.formUnion((room.hasText ? [.text] : []) + (room.hasReceipt ? [.receipt] : []))
    for (index, post) in posts.enumerated() where !post.isDecided(by: outcome.proved) {
      guard room.items > 0, room.bytes >= Int64(post.byteCount) else {
        outcome.refusals[index] = .unproved
        continue
      }
      room.items -= 1
      room.bytes -= Int64(post.byteCount)
    }
  }

  private func queueSize(in tx: inout DatabaseTransaction) throws -> QueueSize {
    if let size, !size.isOld { return size }
    let parameters: [String: Value] = ["row_max": .int8(context.settings.quarantine.queuePostsMax)]
    let (posts, bytes): (Int64, Int64) = try tx.rows(context.sql(QuarantineSQL.queueSize), parameters).first ?? (0, 0)
    return QueueSize(posts: posts, bytes: bytes, askedAt: ContinuousClock.now)
  }

  /// Queues texts.
  ///
  /// - Returns: the outcome of each text, in their order.
  private func queue(_ staged: [Staged], size: QueueSize, in tx: inout DatabaseTransaction) throws -> [(
    refusal: PostRefusal?, isQueued: Bool
  )] {
    guard !staged.isEmpty else { return [] }
    try tx.send(context.sql(CollectSQL.stagePosts))
    _ = try tx.copyIn(
      """
      copy staged_posts (place, is_quarantined, signed_sha256, sha256, verdict, kind, received_at, body) from stdin
        (format binary)
      """
    ) { writer in
      for (place, item) in staged.enumerated() {
        let post = posts[item.post]
        try writer.row(
          Int64(place), post.quarantined != nil, item.text.signedSHA256, HashValue(item.text.sha256), item.text.verdict.rawValue,
          item.text.bound?.rawValue ?? "", post.receivedAt, item.text.body[...])
      }
    }
    let limits = context.settings.quarantine
    let parameters: [String: Value] = [
      "posts_left": .int8(limits.queuePostsMax - size.posts), "bytes_left": .int8(limits.queueBytesMax - size.bytes),
      "foreign_max": .int8(limits.foreignPostsMax), "receipt_max": .int8(limits.receiptPostsMax),
    ]
    return try tx.rows(context.sql(CollectSQL.queuePosts), parameters).sorted { $0.0 < $1.0 }
      .map { _, refusal, isQueued in (refusal: PostRefusal(rawValue: refusal), isQueued: isQueued) }
  }
}
