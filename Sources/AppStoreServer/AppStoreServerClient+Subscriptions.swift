internal import HTTP

extension AppStoreServerClient {
  /// Returns the latest transaction of each of a customer's subscriptions.
  public func subscriptionStatuses(of anyID: String, in environment: APIEnvironment) async throws(APIFault) -> SubscriptionStatuses {
    try await ask(APICall(.subscriptionStatuses, .get, ["v1", "subscriptions", anyID]), environment, for: SubscriptionStatuses.self)
  }
}
