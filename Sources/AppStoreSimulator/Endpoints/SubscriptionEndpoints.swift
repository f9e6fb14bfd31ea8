/// Statuses of subscriptions and extensions of their renewal dates.
enum SubscriptionEndpoints {
  /// Maximum length of a request identifier.
  private static let requestMax = 128

  /// Returns the statuses of a customer's subscriptions.
  ///
  /// - Source: App Store Server API, Get All Subscription Statuses.
  static func statuses(_ call: Call, _ store: inout StoreState) throws(APIFailure) -> Draft {
    let owner = try TransactionEndpoints.owner(call.argument, in: store)
    var wanted: Set<Int> = []
    for text in call.request.values("status") {
      guard let status = Int(text), Subscription.Status(rawValue: status) != nil else {
        throw APIFailure(4_000_031, "Invalid request. The status parameter is invalid.")
      }
      wanted.insert(status)
    }
    var rows: [(subscription: Subscription, transaction: Transaction)] = []
    for (_, originalID) in owner.subscriptions.sorted(by: { $0.key < $1.key }) {
      guard let subscription = store.subscriptions[originalID],
        let transaction = store.transactions[subscription.transactionID]
      else { continue }
      if wanted.isEmpty || wanted.contains(subscription.status.rawValue) {
        rows.append((subscription, transaction))
      }
    }
    let found = rows
    let environment = store.environment
    let app = store.app
    let now = store.now
    return {
      let groups = found.map { row in
        let renewal = RenewalInfo(
          subscription: row.subscription, appTransactionID: owner.appTransactionID,
          currency: owner.storefront.currency)
        let last = JSONValue.members(
          ("originalTransactionId", .text(row.subscription.originalID)),
          ("status", .integer(Int64(row.subscription.status.rawValue))),
          ("signedTransactionInfo", call.signer.sign(row.transaction, at: now)),
          ("signedRenewalInfo", call.signer.sign(renewal, at: now)))
        return JSONValue.members(("subscriptionGroupIdentifier", .text(row.subscription.group)), ("lastTransactions", .array([last])))
      }
      return .json(
        200,
        .members(
          ("environment", .text(environment.rawValue)),
          ("bundleId", .text(app.bundleID)),
          ("appAppleId", environment == .sandbox ? nil : .integer(app.appleID)),
          ("data", .array(groups))))
    }
  }

  private static func terms(_ body: JSONValue?) throws(APIFailure) -> (days: Int, request: String) {
    guard let days = body?["extendByDays"]?.integer, let count = Int(exactly: days),
      StoreState.extensionDays.contains(count)
    else { throw APIFailure(4_000_009, "Invalid extend by days value.") }
    guard let reason = body?["extendReasonCode"]?.integer, (0...3).contains(reason) else {
      throw APIFailure(4_000_010, "Invalid extend reason code.")
    }
    guard let request = body?["requestIdentifier"]?.text, (1...requestMax).contains(request.utf8.count) else {
      throw APIFailure(4_000_011, "Invalid request identifier.")
    }
    return (count, request)
  }

  static func extend(_ call: Call, _ store: inout StoreState) throws(APIFailure) -> Draft {
    try TransactionEndpoints.check(call.argument)
    let terms = try terms(call.body)
    let extended = try store.extend(call.argument, days: terms.days)
    let lineItem = store.transactions[extended.transactionID]?.lineItemID
    return {
      .json(
        200,
        .members(
          ("originalTransactionId", .text(extended.originalID)),
          ("webOrderLineItemId", lineItem.map { .text($0) }),
          ("success", true),
          ("effectiveDate", .moment(extended.renewsAt))))
    }
  }

  static func extendAll(_ call: Call, _ store: inout StoreState) throws(APIFailure) -> Draft {
    let terms = try terms(call.body)
    let productID = call.body?["productId"]?.text ?? ""
    guard store.app.products.contains(where: { $0.id == productID && $0.kind == .autoRenewable }) else {
      throw APIFailure(4_000_023, "Invalid request. The product id parameter is invalid.")
    }
    var storefronts: [String]?
    if let listed = call.body?["storefrontCountryCodes"], listed != .null {
      guard let values = listed.array, !values.isEmpty else {
        throw APIFailure(4_000_027, "Invalid request. The storefront country codes list is empty.")
      }
      let codes = values.compactMap(\.text)
      guard codes.count == values.count, codes.allSatisfy({ Storefront.named($0) != nil }) else {
        throw APIFailure(4_000_028, "Invalid request. A storefront country code was invalid.")
      }
      storefronts = codes
    }
    store.extendAll(productID: productID, days: terms.days, storefronts: storefronts, request: terms.request)
    return { .json(200, .members(("requestIdentifier", .text(terms.request)))) }
  }

  static func extendAllStatus(_ call: Call, _ store: inout StoreState) throws(APIFailure) -> Draft {
    guard call.route.arguments.count == 2,
      let found = store.massExtension(productID: call.route.arguments[0], request: call.route.arguments[1])
    else { throw APIFailure(4_040_009, "Server-initiated extension request not found.") }
    return {
      .json(
        200,
        .members(
          ("requestIdentifier", .text(found.request)),
          ("complete", .bool(found.isComplete)),
          ("completeDate", found.isComplete ? .moment(found.dueAt) : nil),
          ("succeededCount", found.isComplete ? .integer(Int64(found.succeeded)) : nil),
          ("failedCount", found.isComplete ? .integer(Int64(found.failed)) : nil)))
    }
  }
}
