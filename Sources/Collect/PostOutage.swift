/// Whether posts are being refused, since when and how many.
struct PostOutage {
  private var begun: ContinuousClock.Instant?
  private var count = 0
  /// Whether the database answers and its queue has no room.
  private(set) var isOfFullQueue = false

  /// Whether these are the first of an outage.
  mutating func refused(_ more: Int, isQueueFull: Bool) -> Bool {
    count += more
    isOfFullQueue = isQueueFull
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
