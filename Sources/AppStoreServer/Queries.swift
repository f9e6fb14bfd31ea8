public import Domain
internal import JSON

/// Which transactions of a customer to list; every page of a list needs the same.
///
/// - Source: App Store Server API, "Get Transaction History".
public struct TransactionHistoryQuery: Sendable, Hashable {
  public enum Product: String, Sendable, CaseIterable {
    case autoRenewable = "AUTO_RENEWABLE"
    case nonRenewable = "NON_RENEWABLE"
    case consumable = "CONSUMABLE"
    case nonConsumable = "NON_CONSUMABLE"
  }

  /// By the time of the last change; a revision is worth keeping only when ascending.
  public enum Order: String, Sendable, CaseIterable {
    case ascending = "ASCENDING"
    case descending = "DESCENDING"
  }

  public enum Ownership: String, Sendable, CaseIterable {
    case purchased = "PURCHASED"
    case familyShared = "FAMILY_SHARED"
  }

  /// First instant of purchase; nil from the beginning.
  public var startsAt: Timestamp?
  /// End of purchase, not included; nil to now.
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

/// Which notifications to list; every page of a list needs the same.
///
/// - Source: App Store Server API, NotificationHistoryRequest.
public struct NotificationHistoryQuery: Sendable, Hashable {
  /// Apple takes a type or a transaction, never both.
  public enum Filter: Sendable, Hashable {
    case type(String, subtype: String?)
    case transaction(String)
  }

  /// How far back Apple answers, in days.
  public static func reachDays(_ environment: APIEnvironment) -> Int64 {
    environment == .production ? 180 : 30
  }

  public var startsAt: Timestamp
  /// After the start; Apple takes one in the future as now.
  public var endsAt: Timestamp
  public var filter: Filter?
  /// Only those whose delivery has not succeeded.
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

/// Days to give to a subscription, or to all subscribers of a product.
///
/// - Source: App Store Server API, ExtendRenewalDateRequest, MassExtendRenewalDateRequest.
public struct RenewalExtension: Sendable, Hashable {
  public enum Reason: Int, Sendable, CaseIterable {
    case undeclared = 0
    case customerSatisfaction = 1
    case other = 2
    case serviceIssue = 3
  }

  static let daysRange = 1...90
  /// Characters of a request identifier.
  static let requestIDCharactersMax = 128

  /// 1...90.
  public var days: Int
  public var reason: Reason
  /// A name of ours for this request, 1...128 characters; one that was used is not used again.
  public var requestID: String

  public init(days: Int, reason: Reason, requestID: String) {
    self.days = days
    self.reason = reason
    self.requestID = requestID
  }

  /// Why Apple would refuse it; nil when it would not.
  var refusal: String? {
    if !Self.daysRange.contains(days) { return "an extension has 1 to 90 days" }
    if requestID.isEmpty || requestID.count > Self.requestIDCharactersMax {
      return "a request identifier has 1 to \(Self.requestIDCharactersMax) characters"
    }
    return nil
  }

  var json: JSONObject {
    JSONObject(members: [
      ("extendByDays", .number(String(days))), ("extendReasonCode", .number(String(reason.rawValue))),
      ("requestIdentifier", .string(requestID)),
    ])
  }
}
