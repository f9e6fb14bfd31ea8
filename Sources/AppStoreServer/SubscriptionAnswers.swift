/// State of a subscription in Apple's numbering.
///
/// - Source: App Store Server API, status.
public enum SubscriptionState: Int64, Sendable, CaseIterable {
  case active = 1
  case expired = 2
  case billingRetry = 3
  case gracePeriod = 4
  case revoked = 5
}

/// The latest transactions of a customer's subscriptions, by group.
///
/// - Source: App Store Server API, StatusResponse.
public struct SubscriptionStatuses: Sendable, APIContent {
  /// Environment as Apple names it; may be a word added later.
  public let environment: String?
  public let bundleID: String?
  /// Apple's number of the app; nil in the sandbox.
  public let appAppleID: Int64?
  public let groups: [SubscriptionGroupStatus]

  init(_ fields: AnswerFields) throws(AnswerFault) {
    environment = fields.text("environment")
    bundleID = fields.text("bundleId")
    appAppleID = fields.integer("appAppleId")
    let groups = fields.objects("data") { SubscriptionGroupStatus($0) }
    // A customer without subscriptions may lack the list, but not the app.
    guard groups != nil || bundleID != nil else { throw AnswerFault(reason: "it has no list \"data\"") }
    self.groups = groups ?? []
  }
}

public struct SubscriptionGroupStatus: Sendable {
  public let subscriptionGroupID: String?
  public let lastTransactions: [LastTransaction]

  init(_ fields: AnswerFields) {
    subscriptionGroupID = fields.text("subscriptionGroupIdentifier")
    lastTransactions = fields.objects("lastTransactions") { LastTransaction($0) } ?? []
  }
}

public struct LastTransaction: Sendable {
  /// 1...5, or a number Apple added later.
  public let status: Int64?
  public let originalTransactionID: String?
  public let signedTransaction: SignedText?
  public let signedRenewalInfo: SignedText?

  /// nil for a status Apple added later.
  public var state: SubscriptionState? { status.flatMap(SubscriptionState.init(rawValue:)) }

  init(_ fields: AnswerFields) {
    status = fields.integer("status")
    originalTransactionID = fields.text("originalTransactionId")
    signedTransaction = fields.signed("signedTransactionInfo")
    signedRenewalInfo = fields.signed("signedRenewalInfo")
  }
}

extension NoContent: APIContent {
  init(_ fields: AnswerFields) throws(AnswerFault) {}
}
