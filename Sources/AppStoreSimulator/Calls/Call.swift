struct Call: Sendable {
  let request: StoreRequest
  let route: Route
  let fault: Fault.Kind?
  let signer: Signer
  let tokens: PageTokens

  var argument: String { route.argument }
  var body: JSONValue? { JSONValue.parse(request.body) }
}

/// The result of an endpoint, as a closure that signs it after the store's lock was released.
typealias Draft = @Sendable () -> StoreResponse
