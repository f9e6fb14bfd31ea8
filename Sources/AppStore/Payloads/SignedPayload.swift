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

  /// Fields by which each kind is recognised, in the order in which the kinds are tried.
  ///
  /// A field that several kinds have (`originalTransactionId`, `productId`, `environment`, `currency`, …) tells none of them.
  private static let marks: [(kind: EvidenceKind, names: [String])] = [
    (.notification, ["notificationType", "notificationUUID"]),
    (.appTransaction, ["receiptType", "receiptCreationDate", "originalApplicationVersion"]),
    (.transaction, ["purchaseDate", "inAppOwnershipType", "transactionReason", "webOrderLineItemId", "revocationDate"]),
    // A real-time request of the Retention Messaging API, whatever else it says of the subscription.
    (.other, ["requestIdentifier", "userLocale"]),
    (
      .renewalInfo,
      [
        "autoRenewStatus", "autoRenewProductId", "renewalDate", "recentSubscriptionStartDate", "isInBillingRetryPeriod",
        "expirationIntent", "gracePeriodExpiresDate", "priceIncreaseStatus", "renewalPrice", "renewalBillingPlanType",
      ]
    ),
  ]

  /// - Parameter enclosing: the notification or answer it was found in; nil if it came alone.
  init(_ object: JSONObject, in enclosing: EvidenceItem?) throws(SignedFault) {
    self.object = object
    kind = Self.kind(of: object)
    signedAt = try Self.signingInstant(object, kind)
    switch kind {
    case .notification: readNotification()
    case .appTransaction:
      bundleID = object.string("bundleId")
      appleID = Self.number(object["appAppleId"])
      environment = object.string("receiptType")
    case .other:
      bundleID = object.string("bundleId")
      appleID = Self.number(object["appAppleId"])
      environment = object.string("environment")
    default:
      bundleID = object.string("bundleId")
      environment = object.string("environment")
    }
    if kind == .renewalInfo, let enclosing { complete(from: enclosing) }
  }

  /// Takes the app, which no renewal info names, and a missing environment from what it was found in, unless that is forged.
  private mutating func complete(from enclosing: EvidenceItem) {
    guard enclosing.verdict != .forged else { return }
    bundleID = bundleID ?? enclosing.bundleID
    environment = environment ?? enclosing.environment
  }

  /// Returns the kind whose fields the payload has, and `other` if it has none of any kind.
  private static func kind(of object: JSONObject) -> EvidenceKind {
    marks.first { mark in mark.names.contains { object.has($0) } }?.kind ?? .other
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
