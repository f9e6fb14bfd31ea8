internal import SimulatedSigning

/// Creates signed texts from the store's objects.
struct Signer: Sendable {
  let authority: SimulatedAuthority
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
    let status = notification.renewal.map { Int64($0.subscription.status.rawValue) }
    let data = JSONValue.members(
      ("appAppleId", environment == .production ? .integer(app.appleID) : nil),
      ("bundleId", .text(app.bundleID)),
      ("bundleVersion", .text(app.version)),
      ("environment", .text(environment.rawValue)),
      ("signedTransactionInfo", sign(notification.transaction, at: at)),
      ("signedRenewalInfo", notification.renewal.map { sign($0, at: at) }),
      ("status", status.map { .integer($0) }),
      ("consumptionRequestReason", notification.consumptionReason.map { .text($0) }))
    return sign(
      .members(
        ("notificationType", .text(notification.type)),
        ("subtype", notification.subtype.map { .text($0) }),
        ("notificationUUID", .text(notification.uuid)),
        ("data", data),
        ("version", "2.0"),
        ("signedDate", .moment(at))))
  }

  private func sign(_ payload: JSONValue) -> JSONValue {
    let content = isUnrecognizable ? Self.unrecognizable(payload) : payload
    return .text(String(decoding: authority.sign(content.bytes), as: UTF8.self))
  }

  /// Returns the payload with unknown enumeration values and unknown members.
  static func unrecognizable(_ payload: JSONValue) -> JSONValue {
    guard case .object(var members) = payload else { return payload }
    let texts = ["transactionReason": "GIFT", "inAppOwnershipType": "ASSIGNED", "subtype": "FUTURE_SUBTYPE"]
    for place in members.indices {
      if let text = texts[members[place].name] { members[place].value = .text(text) }
    }
    let extra = JSONValue.members(("code", 7), ("words", .array(["a", "b"])), ("nested", .members(("deep", .null))))
    return .object(members + [JSONValue.Member(name: "futureMember", value: extra)])
  }
}
