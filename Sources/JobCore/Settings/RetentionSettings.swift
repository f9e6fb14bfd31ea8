/// How long what is only operational is kept, in seconds; nil keeps it for ever.
public struct RetentionSettings: Sendable, Hashable {
  /// Bytes of parked input after it was retried or discarded.
  public var parkedSeconds: Int64?
  /// Samples in the quarantine; their figures stay.
  public var quarantineSeconds: Int64? = 90 * 86_400
  /// Ended windows of scheduled jobs, and their attempts.
  public var jobWindowSeconds: Int64?
  /// Leases of cases after their end.
  public var caseLeaseSeconds: Int64?
  /// People after the last that was heard of them.
  public var personSeconds: Int64?

  /// Shortest spans, in days: what a mistake of a day is found in; the guards' four same weekdays; Apple's refunds,
  /// grace and retries.
  public static let parkedDaysMin: Int64 = 7
  public static let quarantineDaysMin: Int64 = 7
  public static let jobWindowDaysMin: Int64 = 60
  public static let caseLeaseDaysMin: Int64 = 1
  public static let personDaysMin: Int64 = 180

  public init() {}
}
