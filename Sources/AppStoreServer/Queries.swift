public import Domain
internal import JSON

/// Filter of a customer's transaction history; every page of a list needs the same filter.
///
/// - Source: App Store Server API, "Get Transaction History".
public struct TransactionHistoryQuery: Sendable, Hashable {
  public enum Product: String, Sendable, CaseIterable {
    case autoRenewable = "AUTO_RENEWABLE"
    case nonRenewable = "NON_RENEWABLE"
    case consumable = "CONSUMABLE"
    case nonConsumable = "NON_CONSUMABLE"
  }

  /// Order by the instant of the last change; only a revision of an ascending list can be resumed.
  public enum Order: String, Sendable, CaseIterable {
    case ascending = "ASCENDING"
    case descending = "DESCENDING"
  }

  public enum Ownership: String, Sendable, CaseIterable {
    case purchased = "PURCHASED"
    case familyShared = "FAMILY_SHARED"
  }

  /// Earliest purchase instant; nil for no limit.
  public var startsAt: Timestamp?
  /// End of the purchase interval, exclusive; nil means now.
  public var endsAt: Timestamp?
  public var productIDs: [String] = []
  public var products: [Product] = []
  public var subscriptionGroupIDs: [String] = []
  public var order = Order.ascending
  public var ownership: Ownership?
  /// true only revoked, false only others, nil both.
  public var isRevoked: Bool?

  public init() {}

  func items(revision: String?) -> [(name: String, value: String)] {
    var items: [(name: String, value: String)] = []
    if let revision { items.append(("revision", revision)) }
    if let startsAt { items.append(("startDate", String(startsAt.milliseconds))) }
    if let endsAt { items.append(("endDate", String(endsAt.milliseconds))) }
    items += productIDs.map { ("productId", $0) }
    items += products.map { ("productType", $0.rawValue) }
    items.append(("sort", order.rawValue))
    items += subscriptionGroupIDs.map { ("subscriptionGroupIdentifier", $0) }
    if let ownership { items.append(("inAppOwnershipType", ownership.rawValue)) }
    if let isRevoked { items.append(("revoked", isRevoked ? "true" : "false")) }
    return items
  }
}

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
