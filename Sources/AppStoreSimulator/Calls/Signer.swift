internal import Cryptography
internal import SimulatedSigning

/// Creates signed texts from the store's objects.
struct Signer: Sendable {
  var authority: SimulatedAuthority
  let app: SimulatedApp
  let environment: StoreEnvironment
  /// Whether payloads contain unknown values and members.
  var isUnrecognizable = false

  func sign(_ transaction: Transaction, at moment: Moment) -> JSONValue {
    sign(transaction.payload(app: app, environment: environment, signedAt: moment))
  }

  func sign(_ renewal: RenewalInfo, at moment: Moment) -> JSONValue {
    sign(renewal.payload(environment: environment, signedAt: moment))
  }

  /// Returns a signed notification.
  ///
  /// - Source: App Store Server Notifications, responseBodyV2DecodedPayload.
  func sign(_ notification: StoreNotification) -> JSONValue {
    let at = notification.signedAt
    let hasData = notification.summary == nil
    let status = notification.renewal.map { Int64($0.subscription.status.rawValue) }
    let data = JSONValue.members(
      ("appAppleId", environment == .production ? .integer(app.appleID) : nil),
      ("bundleId", .text(app.bundleID)),
      ("bundleVersion", notification.transaction.map { _ in .text(app.version) }),
      ("environment", .text(environment.rawValue)),
      ("signedTransactionInfo", notification.transaction.map { sign($0, at: at) }),
      ("signedRenewalInfo", notification.renewal.map { sign($0, at: at) }),
      ("status", status.map { .integer($0) }),
      ("consumptionRequestReason", notification.consumptionReason.map { .text($0) }))
    return sign(
      .members(
        ("notificationType", .text(notification.type)),
        ("subtype", notification.subtype.map { .text($0) }),
        ("notificationUUID", .text(notification.uuid)),
        ("data", hasData ? data : nil),
        ("summary", notification.summary.map(summary)),
        ("version", "2.0"),
        ("signedDate", .moment(at))))
  }

  private func summary(_ summary: StoreNotification.Summary) -> JSONValue {
    .members(
      ("requestIdentifier", .text(summary.request)),
      ("environment", .text(environment.rawValue)),
      ("appAppleId", environment == .production ? .integer(app.appleID) : nil),
      ("bundleId", .text(app.bundleID)),
      ("productId", .text(summary.productID)),
      ("storefrontCountryCodes", summary.storefronts.map { .array($0.map { .text($0) }) }),
      ("succeededCount", .integer(Int64(summary.succeeded))),
      ("failedCount", .integer(Int64(summary.failed))))
  }

  /// Returns a signed app transaction.
  ///
  /// - Source: App Store Server API, JWSAppTransactionDecodedPayload.
  func sign(_ customer: StoreState.Customer, at moment: Moment) -> JSONValue {
    let isProduction = environment == .production
    return sign(
      .members(
        ("receiptType", .text(environment.rawValue)),
        ("appAppleId", .integer(isProduction ? app.appleID : 0)),
        ("bundleId", .text(app.bundleID)),
        ("applicationVersion", .text(isProduction ? app.version : "1.0")),
        ("versionExternalIdentifier", .integer(isProduction ? 860_000_000 : 0)),
        ("receiptCreationDate", .moment(moment)),
        ("originalPurchaseDate", .moment(isProduction ? customer.installedAt : Receipts.sandboxInstall)),
        ("originalApplicationVersion", .text(isProduction ? app.version : "1.0")),
        ("deviceVerification", .text(Base64.encodeStandard(SHA256.digest(Array(customer.id.utf8))))),
        ("deviceVerificationNonce", "7c1b0a3e-5f0a-4f2d-9d4c-0f3f5b8c2a11"),
        ("appTransactionId", .text(customer.appTransactionID)),
        ("originalPlatform", "iOS"),
        ("signedDate", .moment(moment))))
  }

  private func sign(_ payload: JSONValue) -> JSONValue {
    let content = isUnrecognizable ? Self.unrecognizable(payload) : payload
    return .text(String(decoding: authority.sign(content.bytes), as: UTF8.self))
  }

  /// Returns the payload with unknown enumeration values and unknown members.
  static func unrecognizable(_ payload: JSONValue) -> JSONValue {
    guard case .object(var members) = payload else { return payload }
    let texts = [
      "transactionReason": "GIFT", "inAppOwnershipType": "ASSIGNED", "offerDiscountType": "PAY_LATER",
      "subtype": "FUTURE_SUBTYPE", "originalPlatform": "realityOS",
    ]
    for place in members.indices {
      if let text = texts[members[place].name] { members[place].value = .text(text) }
      if members[place].name == "offerType" { members[place].value = 99 }
    }
    let extra = JSONValue.members(("code", 7), ("words", .array(["a", "b"])), ("nested", .members(("deep", .null))))
    return .object(members + [JSONValue.Member(name: "futureMember", value: extra)])
  }
}
