public import Domain
internal import JSON

/// Interval of the notification history; every page of a list needs the same interval.
///
/// - Source: App Store Server API, NotificationHistoryRequest.
public struct NotificationHistoryQuery: Sendable, Hashable {
  /// Seconds for which a first collection may last before Apple refuses its oldest instant.
  private static let marginSeconds: Int64 = 3600
  /// Seconds by which a run may be later than its clock and still be a run of that day, not of the past.
  private static let lateSecondsMax: Int64 = 2 * 86_400

  /// Returns the earliest instant that Apple accepts from a run. Apple counts the days of its history from the instant of the request, so
  /// a run that is later than its clock begins later.
  ///
  /// - Parameters:
  ///   - now: this machine's clock.
  ///   - isOpen: whether a collection from there has begun; a new one leaves a margin for the time that it takes.
  public static func historyStart(
    _ environment: APIEnvironment, asOf: Timestamp, now: Timestamp, isOpen: Bool = false
  ) -> Timestamp {
    let days: Int64 = environment == .production ? 180 : 30
    let isLate = asOf < now && now <= asOf.advanced(bySeconds: lateSecondsMax)
    return (isLate ? now : asOf).advanced(bySeconds: (isOpen ? 0 : marginSeconds) - days * 86_400)
  }

  public var startsAt: Timestamp
  /// After the start; Apple treats a future instant as now.
  public var endsAt: Timestamp

  public init(from startsAt: Timestamp, to endsAt: Timestamp) {
    self.startsAt = startsAt
    self.endsAt = endsAt
  }

  var json: JSONObject {
    JSONObject(members: [
      ("startDate", .number(String(startsAt.milliseconds))),
      ("endDate", .number(String(endsAt.milliseconds))),
    ])
  }
}
