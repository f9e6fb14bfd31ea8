internal import Domain
internal import HTTP

extension AppStoreServerClient {
  /// Returns one transaction of any type, finished or not.
  public func transactionInfo(_ transactionID: String, in environment: APIEnvironment) async throws(APIFault) -> TransactionInfo {
    try await ask(APICall(.transactionInfo, in: environment, .get, ["v1", "transactions", transactionID]))
  }

  /// Returns one transaction from production, or from the sandbox if production refuses the key or does not know the id. Production
  /// refuses the key of an app without a release, and an id as unknown or invalid.
  ///
  /// Any other failure of production ends the search, because a sandbox answer would then prove nothing.
  /// - Returns: nil when neither App Store knows the id now, or each refuses it as invalid. Apple can lose an id temporarily, so nil
  ///   proves no revocation: query again later.
  /// - Throws: production's refusal of the key if the sandbox accepts the key and does not know the id.
  public func findTransaction(_ transactionID: String) async throws(APIFault) -> TransactionInfo? {
    var keyRefusal: APIFault?
    for environment in [APIEnvironment.production, .sandbox] {
      do { return try await transactionInfo(transactionID, in: environment) } catch {
        if error.isKeyRefusedByProduction { keyRefusal = error } else if !error.isAboutTheID { throw error }
      }
    }
    if let keyRefusal { throw keyRefusal }
    return nil
  }

  /// Returns one page of a customer's transactions, in ascending order of their last change: only that order can be resumed.
  ///
  /// - Parameters:
  ///   - anyID: a transaction id, original transaction id or app transaction id of the customer.
  ///   - revision: revision of the previous page or of an earlier run; nil for the first page.
  public func transactionHistory(
    of anyID: String, revision: String? = nil, in environment: APIEnvironment
  ) async throws(APIFault) -> TransactionPage {
    try await ask(
      APICall(
        .transactionHistory, in: environment, .get, ["v2", "history", anyID],
        query: (revision.map { [("revision", $0)] } ?? []) + [("sort", "ASCENDING")]))
  }

  /// Returns one page of a customer's refunds in ascending order of date.
  public func refundHistory(
    of anyID: String, revision: String? = nil, in environment: APIEnvironment
  ) async throws(APIFault) -> TransactionPage {
    try await ask(
      APICall(
        .refundHistory, in: environment, .get, ["v2", "refund", "lookup", anyID], query: revision.map { [("revision", $0)] } ?? []))
  }

  /// Returns the latest transaction of each of a customer's subscriptions.
  public func subscriptionStatuses(of anyID: String, in environment: APIEnvironment) async throws(APIFault) -> SubscriptionStatuses {
    try await ask(APICall(.subscriptionStatuses, in: environment, .get, ["v1", "subscriptions", anyID]))
  }

  /// Returns the transactions of an order id from a customer's invoice; surrounding spaces and letter case are ignored.
  ///
  /// Only production has the endpoint.
  public func lookUpOrder(_ orderID: String) async throws(APIFault) -> OrderLookup {
    try await ask(APICall(.orderLookup, in: .production, .get, ["v1", "lookup", orderID.trimmed(\.isWhitespace).uppercased()]))
  }

  /// Sends Apple the consumption data of a purchase whose refund was requested; only with the customer's consent.
  ///
  /// The recorded answer is sent byte for byte. Apple keeps one answer per request, so a repetition changes nothing.
  /// - Parameter body: `ConsumptionInformation.body` of an answer that Apple would not refuse.
  public func sendConsumption(body: [UInt8], for transactionID: String, in environment: APIEnvironment) async throws(APIFault) {
    let path = ["v2", "transactions", "consumption", transactionID]
    let _: NoContent = try await ask(APICall(.consumption, in: environment, .put, path, body: body))
  }
}
