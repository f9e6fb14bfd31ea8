/// Why a post is refused.
enum PostRefusal: String, Sendable, Hashable, CaseIterable {
  /// The database does not take posts.
  case unavailable
  /// The queue in it is full.
  case queue
  /// Nothing of its kind verified yet, and it is more than is kept.
  case unproved
  /// More of other apps' than is taken in a day.
  case foreign
  /// More receipts than are taken in a day.
  case receipt

  var reason: String {
    switch self {
    case .unavailable: "the database does not answer"
    case .queue: "the queue is full; run the nightly job, or raise quarantine.queue_posts or queue_bytes"
    case .unproved:
      "nothing of its kind (signed texts, receipts) has verified under these roots and apps, and no more of it is kept to be "
        + "judged anew; see payrecon doctor"
    case .foreign: "more came for other apps than quarantine.foreign_posts takes in a day; see whether apps names all of ours"
    case .receipt: "more receipts came than quarantine.receipt_posts takes in a day"
    }
  }
}

/// Whether posts are being refused for one cause, since when and how many.
struct PostOutage {
  private var begun: ContinuousClock.Instant?
  private var count = 0

  /// Whether these are the first of an outage.
  mutating func refused(_ more: Int) -> Bool {
    count += more
    guard begun == nil else { return false }
    begun = ContinuousClock.now
    return true
  }

  /// How many were refused and for how long, once posts are taken again; nil when none were.
  mutating func ended() -> (count: Int, duration: Duration)? {
    guard let begun else { return nil }
    defer { self = PostOutage() }
    return (count, ContinuousClock.now - begun)
  }
}
