/// Limits of the quarantine, for input that is not genuine and concerns no order, and of the notification queue.
public struct QuarantineSettings: Sendable, Hashable {
  /// Maximum number of items per source and day without a storm. More items make one FORGED_STORM break.
  public var stormAbove = stormAboveDefault
  /// Maximum number of samples stored per source and day.
  public var itemsMax: Int64 = 1000
  public var bytesMax: Int64 = 64 << 20
  /// Maximum number of posts in the notification queue. A full queue answers 503.
  public var queuePostsMax: Int64 = 100_000
  public var queueBytesMax: Int64 = 1 << 30
  /// Maximum number of posts of other apps that the notification endpoint accepts per day. More posts get 503.
  public var foreignPostsMax: Int64 = 1000
  /// Maximum number of receipts that the notification endpoint accepts per day. More receipts get 503.
  public var receiptPostsMax: Int64 = 50_000

  /// The limits that change no result, by their keys in the settings file.
  public static let limits: [(key: String, value: any WritableKeyPath<QuarantineSettings, Int64> & Sendable)] = [
    ("keep_items", \.itemsMax), ("keep_bytes", \.bytesMax), ("queue_posts", \.queuePostsMax), ("queue_bytes", \.queueBytesMax),
    ("foreign_posts", \.foreignPostsMax), ("receipt_posts", \.receiptPostsMax),
  ]
  public static let stormAboveDefault: Int64 = 100
  /// Time for which a storm stays a break. Its count stays in the quarantine.
  package static let stormSeconds: Int64 = 30 * 86_400
}
