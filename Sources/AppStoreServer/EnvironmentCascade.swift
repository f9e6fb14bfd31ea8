/// The result of querying both App Stores.
public enum CascadeAnswer<Content: Sendable>: Sendable {
  /// One App Store knows the id; the answer states which.
  case found(APIAnswer<Content>)
  /// Neither App Store knows the id now, or each refuses it as invalid.
  ///
  /// Query again later: Apple can lose an id temporarily, so this proves no revocation.
  case notFoundAnywhere
}

extension AppStoreServerClient {
  /// Queries production, then the sandbox if production does not know the id or refuses it as invalid.
  ///
  /// Any other failure of production ends the search: a sandbox answer would then prove nothing.
  /// - Parameter environments: App Stores in the order of the queries. An unreleased app queries the sandbox only, because Apple refuses
  ///   its token in production.
  public func askBoth<Content: Sendable>(
    _ environments: [APIEnvironment] = [.production, .sandbox],
    _ ask: (APIEnvironment) async throws(APIFault) -> APIAnswer<Content>
  ) async throws(APIFault) -> CascadeAnswer<Content> {
    for environment in environments {
      do { return .found(try await ask(environment)) } catch {
        if !error.isAboutTheID { throw error }
      }
    }
    return .notFoundAnywhere
  }

  /// Returns one transaction from the App Store that knows it.
  public func findTransaction(
    _ transactionID: String, in environments: [APIEnvironment] = [.production, .sandbox]
  ) async throws(APIFault) -> CascadeAnswer<TransactionInfo> {
    try await askBoth(environments) { environment throws(APIFault) in
      try await self.transactionInfo(transactionID, in: environment)
    }
  }
}
