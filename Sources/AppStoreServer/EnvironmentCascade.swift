/// What asking both App Stores gave.
public enum CascadeAnswer<Content: Sendable>: Sendable {
  /// The answer says which one knows it.
  case found(APIAnswer<Content>)
  /// Neither knows it now.
  ///
  /// Ask again later: Apple can lose sight of an id for a while, so this revokes nothing.
  case notFoundAnywhere
}

extension AppStoreServerClient {
  /// Asks production, and the sandbox where production does not know the id.
  ///
  /// Any other failure of production ends it: a sandbox answer would then prove nothing.
  /// - Parameter environments: in this order; an app without a release asks the sandbox only, as Apple
  ///   refuses its token in production.
  public func askBoth<Content: Sendable>(
    _ environments: [APIEnvironment] = [.production, .sandbox],
    _ ask: (APIEnvironment) async throws(APIFault) -> APIAnswer<Content>
  ) async throws(APIFault) -> CascadeAnswer<Content> {
    for environment in environments {
      do { return .found(try await ask(environment)) } catch {
        if !error.isNotFoundHere { throw error }
      }
    }
    return .notFoundAnywhere
  }

  /// One transaction, wherever it is.
  public func findTransaction(
    _ transactionID: String, in environments: [APIEnvironment] = [.production, .sandbox]
  ) async throws(APIFault) -> CascadeAnswer<TransactionInfo> {
    try await askBoth(environments) { environment throws(APIFault) in
      try await self.transactionInfo(transactionID, in: environment)
    }
  }
}
