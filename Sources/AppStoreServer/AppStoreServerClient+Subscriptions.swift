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

  /// Postpones one subscription's renewal; cannot be undone.
  ///
  /// - Throws: a fault with `isOutcomeUncertain` when Apple may have postponed it: check before repeating the call.
  public func extendRenewal(
    of originalTransactionID: String, _ extension: RenewalExtension, in environment: APIEnvironment
  ) async throws(APIFault) -> APIAnswer<RenewalExtensionResult> {
    let call = APICall(
      .renewalExtension, .put, ["v1", "subscriptions", "extend", originalTransactionID],
      body: JSONText.bytes(`extension`.json))
    if let refusal = `extension`.refusal {
      throw APIFault(call, environment, .refusedArgument(refusal), retry: .final)
    }
    return try await ask(call, environment, for: RenewalExtensionResult.self)
  }

  /// Postpones the renewal of all active subscribers of a product; Apple needs hours or days for it.
  ///
  /// - Parameter storefronts: three-letter country codes; empty includes all.
  /// - Throws: a fault with `isOutcomeUncertain` when Apple may have started: query the status first.
  public func extendRenewals(
    ofAllSubscribersOf productID: String, _ extension: RenewalExtension, storefronts: [String] = [],
    in environment: APIEnvironment
  ) async throws(APIFault) -> APIAnswer<MassExtensionRequest> {
    var json = `extension`.json
    json.append("productId", .string(productID))
    if !storefronts.isEmpty {
      json.append("storefrontCountryCodes", .array(JSONArray(storefronts.map { .string($0) })))
    }
    let call = APICall(
      .massExtension, .post, ["v1", "subscriptions", "extend", "mass"], body: JSONText.bytes(json))
    if let refusal = `extension`.refusal {
      throw APIFault(call, environment, .refusedArgument(refusal), retry: .final)
    }
    return try await ask(call, environment, for: MassExtensionRequest.self)
  }

  /// Returns the progress of a mass extension.
  public func massExtensionStatus(
    of productID: String, requestID: String, in environment: APIEnvironment
  ) async throws(APIFault) -> APIAnswer<MassExtensionStatus> {
    try await ask(
      APICall(
        .massExtensionStatus, .get, ["v1", "subscriptions", "extend", "mass", productID, requestID]),
      environment, for: MassExtensionStatus.self)
  }
}
