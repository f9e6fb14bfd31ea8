internal import Domain
internal import JSON

/// Statements to Apple about a purchase whose refund was requested.
///
/// Create one only when the customer consented: every request that is sent states the consent.
/// - Source: App Store Server API, ConsumptionRequest.
public struct ConsumptionInformation: Sendable, Hashable {
  public enum Delivery: String, Sendable, CaseIterable {
    case delivered = "DELIVERED"
    case qualityIssue = "UNDELIVERED_QUALITY_ISSUE"
    case wrongItem = "UNDELIVERED_WRONG_ITEM"
    case serverOutage = "UNDELIVERED_SERVER_OUTAGE"
    case other = "UNDELIVERED_OTHER"
  }

  public enum RefundPreference: String, Sendable, CaseIterable {
    case decline = "DECLINE"
    case grantFull = "GRANT_FULL"
    case grantProrated = "GRANT_PRORATED"
  }

  public var delivery: Delivery
  public var isSampleProvided: Bool
  /// Consumed share in thousandths of a percent, 0...100000; 0 or nil when nothing was delivered.
  public var consumptionPercentage: Int?
  public var refundPreference: RefundPreference?

  public init(delivery: Delivery, isSampleProvided: Bool) {
    self.delivery = delivery
    self.isSampleProvided = isSampleProvided
  }

  /// Reason why Apple would refuse the request; nil when it is valid.
  ///
  /// - Source: App Store Server API, consumptionPercentage.
  public var refusal: String? {
    guard let consumptionPercentage else { return nil }
    if !(0...100_000).contains(consumptionPercentage) { return "a consumption percentage is 0 to 100000" }
    if delivery != .delivered, consumptionPercentage != 0 {
      return "what was not delivered has no consumption percentage"
    }
    if refundPreference == .grantProrated, !(1..<100_000).contains(consumptionPercentage) {
      return "a prorated refund needs a consumption percentage of 1 to 99999"
    }
    return nil
  }

  /// The request body as JSON.
  public var body: [UInt8] { JSONText.bytes(json) }

  private var json: JSONObject {
    var object = JSONObject(members: [("customerConsented", .bool(true))])
    if let consumptionPercentage {
      object.append("consumptionPercentage", .number(String(consumptionPercentage)))
    }
    object.append("deliveryStatus", .string(delivery.rawValue))
    if let refundPreference {
      object.append("refundPreference", .string(refundPreference.rawValue))
    }
    object.append("sampleContentProvided", .bool(isSampleProvided))
    return object
  }
}

/// The older form, which Apple accepts for consumables.
///
/// Create one only when the customer consented: every request that is sent states the consent.
/// - Source: App Store Server API, ConsumptionRequestV1; values as defined there, 0 undeclared unless noted.
public struct ConsumptionInformationV1: Sendable, Hashable {
  /// Account age, 0...7: up to 3, 10, 30, 90, 180, 365 days, more.
  public var accountTenure = 0
  /// UUID; nil omits it.
  public var appAccountToken: String?
  /// 0...3: not, partly, fully consumed.
  public var consumptionStatus = 0
  /// 0...5: 0 delivered, 1 quality, 2 wrong item, 3 outage, 4 currency change, 5 other.
  public var deliveryStatus = 0
  /// 0...7: 0, up to 49.99, 99.99, 499.99, 999.99, 1999.99 USD, more.
  public var lifetimeDollarsPurchased = 0
  /// 0...7, same steps as `lifetimeDollarsPurchased`.
  public var lifetimeDollarsRefunded = 0
  /// 0...2: Apple, other.
  public var platform = 0
  /// Play time, 0...7: up to 5, 60 minutes, 6, 24 hours, 4, 16 days, more.
  public var playTime = 0
  public var isSampleProvided = false
  /// Account status, 0...4: active, suspended, terminated, limited.
  public var userStatus = 0
  /// 0...3: grant, decline, none.
  public var refundPreference = 0

  public init() {}

  private var numbers: [(name: String, value: Int, max: Int)] {
    [
      ("accountTenure", accountTenure, 7), ("consumptionStatus", consumptionStatus, 3),
      ("deliveryStatus", deliveryStatus, 5), ("lifetimeDollarsPurchased", lifetimeDollarsPurchased, 7),
      ("lifetimeDollarsRefunded", lifetimeDollarsRefunded, 7), ("platform", platform, 2),
      ("playTime", playTime, 7), ("userStatus", userStatus, 4), ("refundPreference", refundPreference, 3),
    ]
  }

  /// Reason why Apple would refuse the request; nil when it is valid.
  var refusal: String? {
    for number in numbers where !(0...number.max).contains(number.value) {
      return "\"\(number.name)\" is 0 to \(number.max)"
    }
    if let appAccountToken, UUIDText.lowercased(appAccountToken) == nil {
      return "an app account token is a UUID"
    }
    return nil
  }

  var json: JSONObject {
    var object = JSONObject(members: [
      ("customerConsented", .bool(true)), ("sampleContentProvided", .bool(isSampleProvided)),
      ("appAccountToken", .string(appAccountToken.flatMap(UUIDText.lowercased) ?? "")),
    ])
    for number in numbers { object.append(number.name, .number(String(number.value))) }
    return object
  }
}
