internal import AppStore
internal import Domain
internal import HTTP
internal import JSON

extension AppStoreServerClient {
  /// One transaction of any kind, finished or not.
  public func transactionInfo(
    _ transactionID: String, in environment: APIEnvironment
  ) async throws(APIFault) -> APIAnswer<TransactionInfo> {
    try await ask(
      APICall(.transactionInfo, .get, ["v1", "transactions", transactionID]), environment,
      for: TransactionInfo.self)
  }

  /// One page of a customer's transactions.
  ///
  /// - Parameters:
  ///   - anyID: a transaction id, original transaction id or app transaction id of the customer.
  ///   - revision: of the page before, or of an earlier run; nil begins.
  public func transactionHistory(
    of anyID: String, _ query: TransactionHistoryQuery = TransactionHistoryQuery(), revision: String? = nil,
    in environment: APIEnvironment
  ) async throws(APIFault) -> APIAnswer<TransactionHistoryPage> {
    try await ask(
      APICall(.transactionHistory, .get, ["v2", "history", anyID], query: query.items(revision: revision)),
      environment, for: TransactionHistoryPage.self)
  }

  /// All pages of a customer's transactions from a revision on.
  public func transactionHistoryPages(
    of anyID: String, _ query: TransactionHistoryQuery = TransactionHistoryQuery(),
    from revision: String? = nil,
    in environment: APIEnvironment, pagesMax: Int = APIPages<TransactionHistoryPage>.pagesMaxDefault
  ) -> APIPages<TransactionHistoryPage> {
    APIPages(start: revision, pagesMax: pagesMax) { cursor throws(APIFault) in
      try await self.transactionHistory(of: anyID, query, revision: cursor, in: environment)
    }
  }

  /// One page of a customer's refunds, ascending by their date.
  public func refundHistory(
    of anyID: String, revision: String? = nil, in environment: APIEnvironment
  ) async throws(APIFault) -> APIAnswer<RefundHistoryPage> {
    try await ask(
      APICall(
        .refundHistory, .get, ["v2", "refund", "lookup", anyID],
        query: revision.map { [("revision", $0)] } ?? []),
      environment, for: RefundHistoryPage.self)
  }

  /// All pages of a customer's refunds from a revision on.
  public func refundHistoryPages(
    of anyID: String, from revision: String? = nil, in environment: APIEnvironment,
    pagesMax: Int = APIPages<RefundHistoryPage>.pagesMaxDefault
  ) -> APIPages<RefundHistoryPage> {
    APIPages(start: revision, pagesMax: pagesMax) { cursor throws(APIFault) in
      try await self.refundHistory(of: anyID, revision: cursor, in: environment)
    }
  }

  /// The transactions of an order id from a customer's invoice; spaces around and lower case do not matter.
  ///
  /// - Throws: `APIFault.Cause.notInSandbox` without asking, as only production has it.
  public func lookUpOrder(
    _ orderID: String, in environment: APIEnvironment = .production
  ) async throws(APIFault) -> APIAnswer<OrderLookup> {
    let call = APICall(.orderLookup, .get, ["v1", "lookup", Self.normalisedOrderID(orderID)])
    guard environment == .production else { throw APIFault(call, environment, .notInSandbox, retry: .final) }
    return try await ask(call, environment, for: OrderLookup.self)
  }

  /// An order id as Apple writes it.
  public static func normalisedOrderID(_ text: String) -> String {
    let start = text.drop { $0.isWhitespace }
    return String(start.reversed().drop { $0.isWhitespace }.reversed()).uppercased()
  }

  /// The download of the app itself that a customer's purchases belong to.
  public func appTransactionInfo(
    _ anyID: String, in environment: APIEnvironment
  ) async throws(APIFault) -> APIAnswer<AppTransactionInfo> {
    try await ask(
      APICall(.appTransactionInfo, .get, ["v1", "transactions", "appTransactions", anyID]), environment,
      for: AppTransactionInfo.self)
  }

  /// Tells Apple what became of a purchase whose refund was asked for; only with the customer's consent.
  public func sendConsumption(
    _ information: ConsumptionInformation, for transactionID: String, in environment: APIEnvironment
  ) async throws(APIFault) -> APIAnswer<NoContent> {
    let call = APICall(
      .consumption, .put, ["v2", "transactions", "consumption", transactionID],
      body: JSONText.bytes(information.json))
    if let refusal = information.refusal {
      throw APIFault(call, environment, .refusedArgument(refusal), retry: .final)
    }
    return try await ask(call, environment, for: NoContent.self)
  }

  /// The older form of `sendConsumption`, for consumables; only with the customer's consent.
  public func sendConsumption(
    _ information: ConsumptionInformationV1, for transactionID: String, in environment: APIEnvironment
  ) async throws(APIFault) -> APIAnswer<NoContent> {
    let call = APICall(
      .consumptionV1, .put, ["v1", "transactions", "consumption", transactionID],
      body: JSONText.bytes(information.json))
    if let refusal = information.refusal {
      throw APIFault(call, environment, .refusedArgument(refusal), retry: .final)
    }
    return try await ask(call, environment, for: NoContent.self)
  }

  /// Names the customer of a purchase to Apple, in place of a name it may have.
  ///
  /// - Parameter token: a UUID; sent in lower case.
  public func setAppAccountToken(
    _ token: String, for originalTransactionID: String, in environment: APIEnvironment
  ) async throws(APIFault) -> APIAnswer<NoContent> {
    let path = ["v1", "transactions", originalTransactionID, "appAccountToken"]
    guard let uuid = UUIDText.lowercased(token) else {
      throw APIFault(
        APICall(.appAccountToken, .put, path), environment,
        .refusedArgument("an app account token is a UUID"),
        retry: .final)
    }
    let body = JSONText.bytes(JSONObject(members: [("appAccountToken", .string(uuid))]))
    return try await ask(
      APICall(.appAccountToken, .put, path, body: body), environment, for: NoContent.self)
  }
}
