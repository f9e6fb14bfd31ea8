/// The reason why a post is refused.
enum PostRefusal: String, Sendable, Hashable, CaseIterable {
  /// The database does not accept posts.
  case unavailable
  /// The queue in the database is full.
  case queue
  /// No signature of this kind has verified yet, and the quarantine is full.
  case unproved
  /// The daily limit of other apps' posts is reached.
  case foreign
  /// The daily limit of receipts is reached.
  case receipt

  var reason: String {
    switch self {
    case .unavailable: "the database does not answer"
    case .queue: "the queue is full; run the nightly job, or raise quarantine.queue_posts or queue_bytes"
    case .unproved:
      "nothing of its kind (signed texts, receipts) has verified under these roots and apps, and no more of it is kept to be "
        + "re-evaluated; see payrecon doctor"
    case .foreign: "more came for other apps than quarantine.foreign_posts takes in a day; see whether apps names all of ours"
    case .receipt: "more receipts came than quarantine.receipt_posts takes in a day"
    }
  }
}

/// An outage: posts refused for one cause, with start and count.
struct PostOutage {
  private var begun: ContinuousClock.Instant?
  private var count = 0

  /// Counts refused posts. Returns whether they start an outage.
  mutating func refused(_ more: Int) -> Bool {
    count += more
    guard begun == nil else { return false }
    begun = ContinuousClock.now
    return true
  }

  /// Ends the outage. Returns the number of refused posts and the duration; nil when there was no outage.
  mutating func ended() -> (count: Int, duration: Duration)? {
    guard let begun else { return nil }
    defer { self = PostOutage() }
    return (count, ContinuousClock.now - begun)
  }
}
