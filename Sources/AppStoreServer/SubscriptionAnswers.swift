internal import JSON

/// The latest transactions of a customer's subscriptions in all groups.
///
/// - Source: App Store Server API, StatusResponse.
public struct SubscriptionStatuses: Sendable, APIContent {
  public let lastTransactions: [LastTransaction]

  init(_ object: JSONObject) throws(AnswerFault) {
    let groups = object.objects("data") { group in group.objects("lastTransactions") { LastTransaction($0) } ?? [] }
    lastTransactions = try JSONObject.required(groups, "data").flatMap(\.self)
  }
}

public struct LastTransaction: Sendable {
  /// 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked, or a number Apple added later.
  ///
  /// - Source: App Store Server API, status.
  public let status: Int64?
  public let originalTransactionID: String?
  public let signedTransaction: SignedText?
  public let signedRenewalInfo: SignedText?

  init(_ object: JSONObject) {
    status = object.integer("status")
    originalTransactionID = object.string("originalTransactionId")
    signedTransaction = object.signed("signedTransactionInfo")
    signedRenewalInfo = object.signed("signedRenewalInfo")
  }
}
