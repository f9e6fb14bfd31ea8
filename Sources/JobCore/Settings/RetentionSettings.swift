/// Retention of operational rows, in seconds; nil keeps them for ever.
public struct RetentionSettings: Sendable, Hashable {
  /// Bytes of parked input, after its retry or discard.
  public var parkedSeconds: Int64?
  /// Samples in the quarantine. Their counts stay.
  public var quarantineSeconds: Int64? = 90 * 86_400
  /// Finished windows of scheduled jobs, with their attempts.
  public var jobWindowSeconds: Int64?
  /// Leases of cases, after their end.
  public var caseLeaseSeconds: Int64?
  /// Users, after the last activity.
  public var personSeconds: Int64?

  /// Minimum retention in days: time to find a mistake; four equal weekdays for the guards; Apple's refunds, grace and retries.
  public static let parkedDaysMin: Int64 = 7
  public static let quarantineDaysMin: Int64 = 7
  public static let jobWindowDaysMin: Int64 = 60
  public static let caseLeaseDaysMin: Int64 = 1
  public static let personDaysMin: Int64 = 180

  public init() {}
}
