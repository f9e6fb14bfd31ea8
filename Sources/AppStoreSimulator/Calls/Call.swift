/// One call of an endpoint.
struct Call: Sendable {
  let request: StoreRequest
  let route: Route
  let fault: Fault.Kind?
  let signer: Signer
  let tokens: PageTokens

  var argument: String { route.arguments.first ?? "" }
  var body: JSONValue? { JSONValue.parse(request.body) }
}

/// What an endpoint found; it is signed after the store is free again.
typealias Draft = @Sendable () -> StoreResponse
