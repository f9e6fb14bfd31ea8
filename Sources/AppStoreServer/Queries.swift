public import Domain
internal import JSON

/// Filter of the notification history; every page of a list needs the same filter.
///
/// - Source: App Store Server API, NotificationHistoryRequest.
public struct NotificationHistoryQuery: Sendable, Hashable {
  /// A notification type or a transaction; Apple rejects both together.
  public enum Filter: Sendable, Hashable {
    case type(String, subtype: String?)
    case transaction(String)
  }

  /// Returns how many days of history Apple provides.
  public static func reachDays(_ environment: APIEnvironment) -> Int64 { environment == .production ? 180 : 30 }

  public var startsAt: Timestamp
  /// After the start; Apple treats a future instant as now.
  public var endsAt: Timestamp
  public var filter: Filter?
  /// Whether only undelivered notifications are listed.
  public var onlyFailures = false

  public init(from startsAt: Timestamp, to endsAt: Timestamp) {
    self.startsAt = startsAt
    self.endsAt = endsAt
  }

  var json: JSONObject {
    var object = JSONObject(members: [
      ("startDate", .number(String(startsAt.milliseconds))),
      ("endDate", .number(String(endsAt.milliseconds))),
    ])
    switch filter {
    case .type(let type, let subtype)?:
      object.append("notificationType", .string(type))
      if let subtype { object.append("notificationSubtype", .string(subtype)) }
    case .transaction(let id)?: object.append("transactionId", .string(id))
    case nil: break
    }
    if onlyFailures { object.append("onlyFailures", .bool(true)) }
    return object
  }
}
