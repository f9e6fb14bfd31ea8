internal import Domain
internal import JSON

/// A signed payload, recognised by its content.
struct SignedPayload {
  var kind: EvidenceKind
  var bundleID: String?
  /// Apple's number of the app; nil when the payload names none.
  var appleID: Int64?
  var environment: String?
  var signedAt: Timestamp?
  /// Signed texts inside.
  var nested: [ArraySlice<UInt8>] = []
  let object: JSONObject

  private static let renewalMarks = [
    "autoRenewStatus", "autoRenewProductId", "isInBillingRetryPeriod", "expirationIntent", "gracePeriodExpiresDate",
    "renewalDate", "recentSubscriptionStartDate", "priceIncreaseStatus", "renewalPrice",
  ]
  private static let notificationMarks = [
    "notificationType", "notificationUUID", "data", "summary", "externalPurchaseToken", "appData",
  ]
  private static let appTransactionMarks = ["receiptType", "receiptCreationDate", "originalApplicationVersion"]

  init(_ object: JSONObject) throws(SignedFault) {
    self.object = object
    kind = Self.kind(of: object)
    signedAt = try Self.signingInstant(object, kind)
    switch kind {
    case .notification: readNotification()
    case .appTransaction:
      bundleID = object.string("bundleId")
      appleID = Self.number(object["appAppleId"])
      environment = object.string("receiptType")
    default:
      bundleID = object.string("bundleId")
      environment = object.string("environment")
    }
  }

  private static func kind(of object: JSONObject) -> EvidenceKind {
    func hasAny(_ names: [String]) -> Bool { names.contains { object.has($0) } }
    if hasAny(notificationMarks) { return .notification }
    if object.has("transactionId") { return .transaction }
    if hasAny(appTransactionMarks) { return .appTransaction }
    if hasAny(renewalMarks) { return .renewalInfo }
    // A payload without anything of a purchase and without a bundle can only be a renewal info: it names none.
    return !object.has("bundleId") && object.has("environment") ? .renewalInfo : .transaction
  }

  /// When it says it was signed; an app transaction calls that its creation date.
  private static func signingInstant(_ object: JSONObject, _ kind: EvidenceKind) throws(SignedFault) -> Timestamp? {
    let name = kind == .appTransaction && object["signedDate"] == nil ? "receiptCreationDate" : "signedDate"
    switch object[name] {
    case nil, .null?: return nil
    case .number(let digits)?:
      // No certificate was valid before the year 1 or is after the year 9999, so such an instant refuses itself.
      return Milliseconds.clampedInstant(digits)
    default: throw .malformed(field: name, reason: "\(name) is no number")
    }
  }

  private static func number(_ value: JSONValue?) -> Int64? {
    if case .number(let digits)? = value { Int64(digits) } else { nil }
  }

  private mutating func readNotification() {
    if let token = object.object("externalPurchaseToken") {
      bundleID = token.string("bundleId")
      appleID = Self.number(token["appAppleId"])
      let isSandbox = token.string("externalPurchaseId")?.hasPrefix("SANDBOX") ?? false
      environment = (isSandbox ? AppStoreEnvironment.sandbox : .production).rawValue
    }
    for name in ["appData", "summary", "data"] {
      guard let data = object.object(name) else { continue }
      bundleID = data.string("bundleId")
      appleID = Self.number(data["appAppleId"])
      environment = data.string("environment")
      nested += ["signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo"].compactMap { data.utf8($0) }
    }
  }
}
