internal import JSON

/// - Source: App Store Server API, TransactionInfoResponse.
public struct TransactionInfo: Sendable, APIContent {
  public let signedTransaction: SignedText

  init(_ object: JSONObject) throws(AnswerFault) {
    guard let text = object.signed("signedTransactionInfo") else {
      throw AnswerFault(reason: "it has no \"signedTransactionInfo\"")
    }
    signedTransaction = text
  }
}

/// A page of a customer's transactions or refunds.
///
/// - Source: App Store Server API, HistoryResponse, RefundHistoryResponse.
public struct TransactionPage: Sendable, APIContent {
  public let signedTransactions: [SignedText]
  /// Start of the next page; in an ascending list, a later run can resume from it.
  public let revision: String?
  public let hasMore: Bool
  private static let elementsMax = 20

  init(_ object: JSONObject) throws(AnswerFault) {
    revision = object.string("revision")
    signedTransactions = try JSONObject.required(object.signedList("signedTransactions"), "signedTransactions")
    // If `hasMore` cannot be read, assume that a full page has a next one.
    hasMore = object.flag("hasMore") ?? (signedTransactions.count >= Self.elementsMax)
  }
}

/// Apple's answer about the order id on a customer's invoice.
///
/// - Source: App Store Server API, OrderLookupResponse.
public struct OrderLookup: Sendable, APIContent {
  /// Whether the order is of this app; nil for a status that Apple added later.
  public let isFound: Bool?
  /// 0 found, 1 not found.
  public let status: Int64
  public let signedTransactions: [SignedText]

  init(_ object: JSONObject) throws(AnswerFault) {
    let list = try object.signedList("signedTransactions")
    guard let status = object.integer("status") else { throw AnswerFault(reason: "it has no \"status\"") }
    self.status = status
    isFound = status == 0 ? true : status == 1 ? false : nil
    signedTransactions = isFound == true ? try JSONObject.required(list, "signedTransactions") : list ?? []
  }
}
