internal import SimulatedSigning
internal import Synchronization

/// The state behind the endpoints, without a network.
struct World: Sendable {
  var production: StoreState
  var sandbox: StoreState
  let authority: SimulatedAuthority
  var keys: [AppKey] = []
  var script = FaultScript()
  var limiter = RateLimiter()
  var counters: [String: Int] = [:]
  var reports = ReportStore()

  mutating func with<Result>(_ environment: StoreEnvironment, _ body: (inout StoreState) throws -> Result) rethrows -> Result {
    switch environment {
    case .production: try body(&production)
    case .sandbox: try body(&sandbox)
    }
  }
}

/// Answers requests. Threads can share it, because one lock guards the world.
final class SimulatorCore: Sendable {
  let world: Mutex<World>
  private let bundleID: String
  private let tokens: PageTokens
  let receipts: Receipts
  let wallClock: @Sendable () -> Int64

  init(_ configuration: AppStoreSimulator.Configuration) {
    let seed = configuration.seed
    func store(_ environment: StoreEnvironment) -> StoreState {
      StoreState(environment: environment, app: configuration.app, seed: seed, now: configuration.start)
    }
    var world = World(production: store(.production), sandbox: store(.sandbox), authority: SimulatedAuthority(seed: seed))
    world.production.hasReceiver = configuration.receiver != nil
    world.sandbox.hasReceiver = configuration.receiver != nil
    world.keys = configuration.keys
    self.world = Mutex(world)
    bundleID = configuration.app.bundleID
    tokens = PageTokens(secret: "page tokens of \(seed)")
    receipts = Receipts(secret: "receipts of \(seed)")
    wallClock = configuration.wallClock
  }

  /// Answers one request, except control requests.
  func respond(to request: StoreRequest) -> StoreResponse {
    guard let route = Route(request) else { return .text(404, "Not Found\n") }
    let now = wallClock()
    let (draft, fault) = world.withLock { world -> (Draft, Fault.Kind?) in
      let name = "\(route.environment.rawValue) \(route.endpoint.rawValue)"
      world.counters[name, default: 0] += 1
      let fault = world.script.take(for: route)
      if let refusal = refusal(fault, now: now) { return ({ refusal }, nil) }
      let check = TokenCheck(keys: world.keys, bundleID: route.isReport ? nil : bundleID)
      if route.endpoint != .verifyReceipt, !check.accepts(request.authorization, now: now / 1000) {
        return ({ .unauthenticated }, nil)
      }
      if let until = world.limiter.refuse(route, at: now) {
        world.counters["\(name) refused", default: 0] += 1
        return ({ .rateLimited(until: until) }, nil)
      }
      var signer = Signer(authority: world.authority, app: world.with(route.environment) { $0.app }, environment: route.environment)
      if case .unrecognizedValues? = fault { signer.isUnrecognizable = true }
      let call = Call(request: request, route: route, fault: fault, signer: signer, tokens: tokens)
      return (answer(call, in: &world), fault)
    }
    return distort(draft(), with: fault)
  }

  /// Returns the response of a fault that replaces the answer; otherwise nil.
  private func refusal(_ fault: Fault.Kind?, now: Int64) -> StoreResponse? {
    switch fault {
    case .rateLimited(let milliseconds)?: .rateLimited(until: now + Int64(milliseconds))
    case .status(let status)?: .text(status, "")
    case .failure(let code)?: .failure(APIFailure(code, "Scripted failure."))
    case .answer(let body)?:
      StoreResponse(status: 200, headers: [("Content-Type", "application/json")], body: Array(body.utf8))
    case .unauthenticated?: .unauthenticated
    default: nil
    }
  }

  /// Applies a fault that modifies the answer.
  private func distort(_ response: StoreResponse, with fault: Fault.Kind?) -> StoreResponse {
    var distorted = response
    switch fault {
    case .slowBody(let bytes, let pause)?: distorted.pace = .slow(bytes: max(1, bytes), pause: pause)
    case .cutConnection(let after)?: distorted.pace = .cut(after: max(0, min(after, response.body.count - 1)))
    case .malformedJSON?: distorted.body = Array(response.body.prefix(response.body.count / 2))
    case .unrecognizedValues?:
      if let body = JSONValue.parse(response.body) { distorted.body = Signer.unrecognizable(body).bytes }
    default: break
    }
    return distorted
  }

  private func answer(_ call: Call, in world: inout World) -> Draft {
    if call.route.endpoint == .verifyReceipt {
      return world.with(call.route.environment) { receipts.verify(call, in: $0) }
    }
    if call.route.isReport {
      let response = ReportEndpoints.report(call, &world.reports, now: world.production.now)
      return { response }
    }
    do {
      return try world.with(call.route.environment) { store throws(APIFailure) -> Draft in
        switch call.route.endpoint {
        case .transactionInfo: try TransactionEndpoints.info(call, &store)
        case .history: try HistoryEndpoints.history(call, &store)
        case .refundHistory: try HistoryEndpoints.refunds(call, &store)
        case .orderLookup: try TransactionEndpoints.order(call, &store)
        case .consumption: try ConsumptionEndpoint.report(call, &store)
        case .statuses: try SubscriptionEndpoints.statuses(call, &store)
        case .notificationHistory: try NotificationEndpoints.history(call, &store)
        case .verifyReceipt, .salesReports, .financeReports: throw .badRequest
        }
      }
    } catch {
      let failure = (error as? APIFailure) ?? APIFailure(5_000_000, "An unexpected error occurred.")
      return { .failure(failure) }
    }
  }
}
