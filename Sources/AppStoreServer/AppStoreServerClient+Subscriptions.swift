internal import HTTP
internal import JSON

extension AppStoreServerClient {
  /// Returns the latest transaction of each of a customer's subscriptions.
  ///
  /// - Parameter states: states to include; empty includes all.
  public func subscriptionStatuses(
    of anyID: String, states: [SubscriptionState] = [], in environment: APIEnvironment
  ) async throws(APIFault) -> APIAnswer<SubscriptionStatuses> {
    try await ask(
      APICall(
        .subscriptionStatuses, .get, ["v1", "subscriptions", anyID],
        query: states.map { ("status", String($0.rawValue)) }),
      environment, for: SubscriptionStatuses.self)
  }
}
