public struct ConsumptionSettings: Sendable, Hashable {
  /// Whether `consumption send` sends answers; without it nothing is ever sent.
  public var isSending = false
  /// Products that had a free sample or trial before the purchase, or a description of what they do.
  public var sampleProducts: [String] = []
  /// Preferences about the refund; the first that fits a purchase counts. No preference is sent if none fits.
  public var preferences: [RefundPreferenceRule] = []

  public init() {}

  /// Apple's time for an answer after a request, in seconds.
  ///
  /// - Source: App Store Server API, Send Consumption Information.
  public static let answerWithinSeconds: Int64 = 12 * 3600
  /// Time left, in seconds, from which a request without an answer is reported as urgent.
  public static let urgentSeconds: Int64 = 3 * 3600

  var entries: [SettingsEntry] {
    [
      SettingsEntry("consumption.send", "\(isSending)"),
      SettingsEntry("consumption.sample_products", sampleProducts.sorted().joined(separator: ", ")),
      SettingsEntry("consumption.refund_preference", preferences.map(\.text).joined(separator: "; ")),
    ]
  }
}

public enum RefundPreference: String, Sendable, CaseIterable {
  case decline
  case grantFull = "grant_full"
  case grantProrated = "grant_prorated"
  /// No preference is sent.
  case none
}

/// A preference and the purchases that it is for. A condition without a value fits every purchase.
public struct RefundPreferenceRule: Sendable, Hashable {
  /// Apple's words for the customer's reason, of those in `knownReasons`.
  public var reasons: [String] = []
  public var products: [String] = []
  public var isDelivered: Bool?
  public var usedPercentFrom: Int64?
  public var usedPercentTo: Int64?
  public var preference: RefundPreference

  public init(_ preference: RefundPreference) { self.preference = preference }

  /// Apple's words for the reason of a customer who asks for a refund.
  ///
  /// - Source: App Store Server Notifications, consumptionRequestReason.
  public static let knownReasons = ["UNINTENDED_PURCHASE", "FULFILLMENT_ISSUE", "UNSATISFIED_WITH_PURCHASE", "LEGAL", "OTHER"]

  /// Text for `settings show`, as in `reasons UNINTENDED_PURCHASE, used 0 to 10 %: grant_full`.
  var text: String {
    var conditions: [String] = []
    if !reasons.isEmpty { conditions.append("reasons \(reasons.sorted().joined(separator: " "))") }
    if !products.isEmpty { conditions.append("products \(products.sorted().joined(separator: " "))") }
    if let isDelivered { conditions.append(isDelivered ? "delivered" : "not delivered") }
    if usedPercentFrom != nil || usedPercentTo != nil {
      conditions.append("used \(usedPercentFrom ?? 0) to \(usedPercentTo ?? 100) %")
    }
    return (conditions.isEmpty ? "any" : conditions.joined(separator: ", ")) + ": \(preference.rawValue)"
  }
}
