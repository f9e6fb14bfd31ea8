internal import AppStoreServer
internal import Domain
internal import JobCore

/// The reason why a request gets no answer.
enum ConsumptionObstacle: String, Sendable, CaseIterable {
  case answered
  case refused
  case expired
  case refunded
  case noOrder = "no_order"
  case erased
  case consentRefused = "consent_refused"
  case noConsent = "no_consent"
  case noKey = "no_key"
  case switchedOff = "switched_off"

  /// Whether nothing may be sent, whatever else holds.
  var isAboutConsent: Bool { self == .erased || self == .consentRefused || self == .noConsent }

  var text: String {
    switch self {
    case .answered: "an answer was sent already"
    case .refused: "Apple refused the answer"
    case .expired: "Apple's time for an answer is over"
    case .refunded: "Apple refunded the purchase already"
    case .noOrder: "no order is matched to the purchase"
    case .erased: "the user was erased"
    case .consentRefused: "the order or its user states that the customer does not consent"
    case .noConsent: "neither the order nor its user states the customer's consent"
    case .noKey: "the app has no API key (apps.api.key_file)"
    case .switchedOff: "the settings do not state consumption: {send: true}"
    }
  }
}

/// Decides what is sent to Apple about a request; a pure function of its facts, the settings and the clock.
struct ConsumptionDecision: Sendable {
  let settings: ConsumptionSettings
  /// Apps with an API key.
  let bundleIDs: Set<String>

  /// Time before Apple's deadline from which no answer is started, in seconds: the longest duration of a call with its repetitions, and
  /// a difference of clocks.
  static let marginSeconds: Int64 = 300

  /// Returns why no answer may be sent at an instant; nil if it may.
  func obstacle(_ request: ConsumptionRequest, at now: Timestamp) -> ConsumptionObstacle? {
    switch request.end?.outcome {
    case "sent": return .answered
    case "refused": return .refused
    case "refunded": return .refunded
    case nil: break
    default: return .expired
    }
    if now >= request.dueAt.advanced(bySeconds: -Self.marginSeconds) { return .expired }
    return obstacle(request)
  }

  /// Returns why no answer may be sent, regardless of the time.
  func obstacle(_ request: ConsumptionRequest) -> ConsumptionObstacle? {
    if request.isRefunded { return .refunded }
    guard let order = request.order else { return .noOrder }
    if order.isErased { return .erased }
    if order.consent == false || order.userConsent == false { return .consentRefused }
    if order.consent != true, order.userConsent != true { return .noConsent }
    if !bundleIDs.contains(request.key.bundleID) { return .noKey }
    return settings.isSending ? nil : .switchedOff
  }

  /// Returns the answer about an order's purchase.
  ///
  /// Apple accepts a used share neither of goods that were not delivered nor of a subscription that renews. The answer states none if
  /// the type of the product is unknown.
  func answer(_ request: ConsumptionRequest, _ order: ConsumptionRequest.Order) -> ConsumptionInformation {
    let isDelivered = order.hasDelivery || order.status == "delivered" || order.status == "revoked"
    var answer = ConsumptionInformation(
      delivery: isDelivered ? .delivered : .other, isSampleProvided: settings.sampleProducts.contains(request.productID))
    let used = isDelivered ? order.usedMillipercent : 0
    if request.acceptsShare { answer.consumptionPercentage = used }
    let fitting = settings.preferences.first { rule in
      Self.fits(rule, request, isDelivered: isDelivered, used: used) && Self.isAccepted(rule.preference, request, used: used)
    }
    answer.refundPreference = fitting.flatMap { Self.word($0.preference) }
    return answer
  }

  private static func fits(_ rule: RefundPreferenceRule, _ request: ConsumptionRequest, isDelivered: Bool, used: Int?) -> Bool {
    if !rule.reasons.isEmpty, !rule.reasons.contains(request.reason ?? "") { return false }
    if !rule.products.isEmpty, !rule.products.contains(request.productID) { return false }
    if let wanted = rule.isDelivered, wanted != isDelivered { return false }
    guard rule.usedPercentFrom != nil || rule.usedPercentTo != nil else { return true }
    guard let used else { return false }
    return used >= Int(rule.usedPercentFrom ?? 0) * 1000 && used <= Int(rule.usedPercentTo ?? 100) * 1000
  }

  /// Whether Apple accepts a preference about the purchase. A prorated refund needs a share between nothing and everything, except of a
  /// subscription that renews, whose share Apple computes.
  ///
  /// - Source: App Store Server API, consumptionPercentage.
  private static func isAccepted(_ preference: RefundPreference, _ request: ConsumptionRequest, used: Int?) -> Bool {
    guard preference == .grantProrated, !request.isAutoRenewable else { return true }
    return request.acceptsShare && used.map { (1..<100_000).contains($0) } ?? false
  }

  private static func word(_ preference: RefundPreference) -> ConsumptionInformation.RefundPreference? {
    switch preference {
    case .decline: .decline
    case .grantFull: .grantFull
    case .grantProrated: .grantProrated
    case .none: nil
    }
  }
}
