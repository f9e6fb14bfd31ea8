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
      return "goods that were not delivered have no consumption percentage"
    }
    if refundPreference == .grantProrated, !(1..<100_000).contains(consumptionPercentage) {
      return "a prorated refund needs a consumption percentage of 1 to 99999"
    }
    return nil
  }

  public var body: [UInt8] { JSONText.bytes(json) }

  private var json: JSONObject {
    var object = JSONObject(members: [("customerConsented", .bool(true))])
    if let consumptionPercentage {
      object.append("consumptionPercentage", .number(String(consumptionPercentage)))
    }
    object.append("deliveryStatus", .string(delivery.rawValue))
    if let refundPreference { object.append("refundPreference", .string(refundPreference.rawValue)) }
    object.append("sampleContentProvided", .bool(isSampleProvided))
    return object
  }
}
