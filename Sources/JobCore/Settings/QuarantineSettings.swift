/// Limits of what is kept of input that is not genuine and concerns nobody, and of the webhook's queue.
public struct QuarantineSettings: Sendable, Hashable {
  /// Items of one source and day that are no storm yet; more are one FORGED_STORM.
  public var stormAbove = stormAboveDefault
  /// Samples of one source and day that are kept.
  public var itemsMax: Int64 = 1000
  /// Bytes of those samples.
  public var bytesMax: Int64 = 64 << 20
  /// Posts that may wait in the webhook's queue; a full queue answers 503.
  public var queuePostsMax: Int64 = 100_000
  /// Bytes that may wait there.
  public var queueBytesMax: Int64 = 1 << 30
  /// Texts of other apps that the webhook takes in a day; more get 503.
  public var foreignPostsMax: Int64 = 1000
  /// Receipts that the webhook takes in a day; more get 503.
  public var receiptPostsMax: Int64 = 50_000

  public static let stormAboveDefault: Int64 = 100
  /// How long a storm stays a break; its figure stays in the quarantine.
  package static let stormSeconds: Int64 = 30 * 86_400

  public init() {}
}
