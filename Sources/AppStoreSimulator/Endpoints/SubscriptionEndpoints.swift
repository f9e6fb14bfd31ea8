enum SubscriptionEndpoints {
  /// Returns the statuses of a customer's subscriptions. Apple's filter by status is not simulated.
  ///
  /// - Source: App Store Server API, Get All Subscription Statuses.
  static func statuses(_ call: Call, _ store: inout StoreState) throws(APIFailure) -> Draft {
    let owner = try TransactionEndpoints.owner(call.argument, in: store)
    guard call.request.query.isEmpty else { throw .badRequest }
    let rows = owner.subscriptions.sorted { $0.key < $1.key }.compactMap { _, originalID in
      store.subscriptions[originalID].flatMap { subscription in
        store.transactions[subscription.transactionID].map { (subscription: subscription, transaction: $0) }
      }
    }
    let environment = store.environment
    let app = store.app
    let now = store.now
    return {
      let groups = rows.map { row in
        let renewal = RenewalInfo(subscription: row.subscription, transaction: row.transaction)
        let last = JSONValue.members(
          ("originalTransactionId", .text(row.subscription.originalID)),
          ("status", .integer(Int64(row.subscription.status.rawValue))),
          ("signedTransactionInfo", call.signer.sign(row.transaction, at: now)),
          ("signedRenewalInfo", call.signer.sign(renewal, at: now)))
        return JSONValue.members(
          ("subscriptionGroupIdentifier", .text(row.subscription.group)), ("lastTransactions", .array([last])))
      }
      return .ok(
        ("environment", .text(environment.rawValue)),
        ("bundleId", .text(app.bundleID)),
        ("appAppleId", environment == .sandbox ? nil : .integer(app.appleID)),
        ("data", .array(groups)))
    }
  }
}
