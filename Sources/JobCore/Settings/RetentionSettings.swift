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

  /// The periods by their keys in the settings file, each with its minimum in days.
  ///
  /// Parked input and samples need a week in which a mistake is found. The guards compare four equal weekdays. Apple may refund or retry a
  /// person's purchases for half a year.
  public static let periods: [(key: String, seconds: any WritableKeyPath<RetentionSettings, Int64?> & Sendable, daysMin: Int64)] = [
    ("parked", \.parkedSeconds, 7), ("quarantine", \.quarantineSeconds, 7), ("job_windows", \.jobWindowSeconds, 60),
    ("case_leases", \.caseLeaseSeconds, 1), ("persons", \.personSeconds, 180),
  ]

  public init() {}
}
