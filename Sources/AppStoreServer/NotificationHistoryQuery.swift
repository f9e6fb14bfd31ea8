public import Domain
internal import JSON

/// Interval of the notification history; every page of a list needs the same interval.
///
/// - Source: App Store Server API, NotificationHistoryRequest.
public struct NotificationHistoryQuery: Sendable, Hashable {
  /// Returns how many days of history Apple provides.
  public static func historyDays(_ environment: APIEnvironment) -> Int64 { environment == .production ? 180 : 30 }

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
