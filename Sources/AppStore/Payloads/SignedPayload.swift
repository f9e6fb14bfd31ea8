internal import Domain
internal import JSON
internal import Wording

/// A signed payload, recognised by its content.
struct SignedPayload {
  var kind: EvidenceKind
  var bundleID: String?
  /// Apple's number of the app; nil when the payload names none.
  var appleID: Int64?
  var environment: String?
  var signedAt: Timestamp?
  var nested: [ArraySlice<UInt8>] = []
  let object: JSONObject

  /// Fields that identify each kind, in the order in which the kinds are tried.
  ///
  /// A field that several kinds share (`originalTransactionId`, `productId`, `environment`, `currency`, …) identifies none of them.
  private static let marks: [(kind: EvidenceKind, names: [String])] = [
    (.notification, ["notificationType", "notificationUUID"]),
    (.appTransaction, ["receiptType", "receiptCreationDate", "originalApplicationVersion"]),
    (.transaction, ["purchaseDate", "inAppOwnershipType", "transactionReason", "webOrderLineItemId", "revocationDate"]),
    // A real-time request of the Retention Messaging API, even if it also names subscription fields.
    (.other, ["requestIdentifier", "userLocale"]),
    (
      .renewalInfo,
      [
        "autoRenewStatus", "autoRenewProductId", "renewalDate", "recentSubscriptionStartDate", "isInBillingRetryPeriod",
        "expirationIntent", "gracePeriodExpiresDate", "priceIncreaseStatus", "renewalPrice", "renewalBillingPlanType",
      ]
    ),
  ]

  /// - Parameter enclosing: the notification or answer that contains the payload; nil for a separate payload.
  init(_ object: JSONObject, in enclosing: EvidenceItem?) throws(SignedFault) {
    self.object = object
    kind = Self.kind(of: object)
    signedAt = try Self.signingInstant(object, kind)
    if kind == .notification {
      readNotification()
    } else {
      bundleID = object.string("bundleId")
      environment = object.string(kind == .appTransaction ? "receiptType" : "environment")
      if kind == .appTransaction || kind == .other { appleID = object.integer("appAppleId") }
    }
    if kind == .renewalInfo, let enclosing { complete(from: enclosing) }
  }

  /// Copies the app, which no renewal info names, and a missing environment from the enclosing item, unless that is forged.
  private mutating func complete(from enclosing: EvidenceItem) {
    guard enclosing.verdict != .forged else { return }
    bundleID = bundleID ?? enclosing.bundleID
    environment = environment ?? enclosing.environment
  }

  /// Returns the first kind with a field in the payload, and `other` if no kind has one.
  private static func kind(of object: JSONObject) -> EvidenceKind {
    marks.first { mark in mark.names.contains { object.has($0) } }?.kind ?? .other
  }

  /// Returns the signing instant; an app transaction states it as its creation date.
  private static func signingInstant(_ object: JSONObject, _ kind: EvidenceKind) throws(SignedFault) -> Timestamp? {
    let name = kind == .appTransaction && object["signedDate"] == nil ? "receiptCreationDate" : "signedDate"
    switch object[name] {
    case nil, .null?: return nil
    case .number(let digits)?:
      // A clamped instant fails verification: no certificate is valid before the year 1 or after the year 9999.
      return Milliseconds.clampedInstant(digits)
    default: throw .malformed(field: name, reason: Phrase("signed.no_number", ["field": .plain(name)]))
    }
  }

  private mutating func readNotification() {
    if let token = object.object("externalPurchaseToken") {
      bundleID = token.string("bundleId")
      appleID = token.integer("appAppleId")
      let isSandbox = token.string("externalPurchaseId")?.hasPrefix("SANDBOX") ?? false
      environment = (isSandbox ? AppStoreEnvironment.sandbox : .production).rawValue
    }
    for name in ["appData", "summary", "data"] {
      guard let data = object.object(name) else { continue }
      bundleID = data.string("bundleId")
      appleID = data.integer("appAppleId")
      environment = data.string("environment")
      nested += ["signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo"].compactMap { data.utf8($0) }
    }
  }
}
