/// A fault that the simulator injects into a number of calls.
public struct Fault: Sendable {
  public enum Kind: Sendable {
    /// 429 with code 4290000; Retry-After is this many milliseconds from now.
    case rateLimited(milliseconds: Int)
    /// An HTTP status with no JSON body.
    case status(Int)
    /// A refusal with an error code, for instance 5000001 or 4040010.
    case failure(code: Int)
    /// Another body, with status 200.
    case answer(String)
    /// Apple's 401, in plain text.
    case unauthenticated
    /// The body in pieces, with a pause in milliseconds before each.
    case slowBody(bytes: Int, pause: Int)
    /// The connection closes after this many bytes of the body.
    case cutConnection(after: Int)
    /// The body lacks its second half.
    case malformedJSON
    /// Enumerations with unknown values, and objects with unknown members.
    case unrecognizedValues
    /// A page repeats this many items of the previous page first.
    case pageOverlap(items: Int)
    /// The first item of a page occurs twice.
    case duplicated
    /// The items of a page are reversed.
    case reordered
    /// A revision or pagination token is refused: 4000005 or 4000014.
    case refusedRevision
    /// verifyReceipt answers with this status, and with `is-retryable` when it is not nil.
    case receiptStatus(Int, isRetryable: Bool?)
  }

  public var kind: Kind
  /// Endpoint of the fault; nil for all.
  public var endpoint: Endpoint?
  /// Environment of the fault; nil for both.
  public var environment: StoreEnvironment?
  /// Number of calls that pass before the fault begins.
  public var after: Int
  /// Number of calls that fail.
  public var count: Int

  public init(_ kind: Kind, endpoint: Endpoint? = nil, environment: StoreEnvironment? = nil, after: Int = 0, count: Int = 1) {
    self.kind = kind
    self.endpoint = endpoint
    self.environment = environment
    self.after = after
    self.count = count
  }

  func applies(to route: Route) -> Bool {
    (endpoint ?? route.endpoint) == route.endpoint && (environment ?? route.environment) == route.environment
  }
}

/// The scripted faults in their order.
struct FaultScript: Sendable {
  var faults: [Fault] = []

  /// Returns the first fault that applies to this call; nil while its waiting calls pass. Each call counts down one fault.
  mutating func take(for route: Route) -> Fault.Kind? {
    guard let place = faults.firstIndex(where: { $0.applies(to: route) }) else { return nil }
    if faults[place].after > 0 {
      faults[place].after -= 1
      return nil
    }
    let kind = faults[place].kind
    faults[place].count -= 1
    if faults[place].count <= 0 { faults.remove(at: place) }
    return kind
  }
}

/// Counts the calls of each endpoint per hour and refuses those beyond the quota.
///
/// - Source: App Store Server API, rate limits.
struct RateLimiter: Sendable {
  private struct Window: Sendable {
    var start: Int64
    var calls: Int
  }

  /// Calls per window by endpoint; these replace Apple's quotas.
  var quotas: [Endpoint: Int] = [:]
  var windowMilliseconds: Int64 = 3_600_000
  private var windows: [String: Window] = [:]

  /// Counts a call. Returns the end of the window, in milliseconds, when the call exceeds the quota; otherwise nil.
  mutating func refuse(_ route: Route, at now: Int64) -> Int64? {
    guard let quota = quota(of: route) else { return nil }
    let key = "\(route.environment.rawValue) \(route.endpoint.rawValue)"
    var window = windows[key] ?? Window(start: now, calls: 0)
    if now - window.start >= windowMilliseconds { window = Window(start: now, calls: 0) }
    defer { windows[key] = window }
    guard window.calls < quota else { return window.start + windowMilliseconds }
    window.calls += 1
    return nil
  }

  private func quota(of route: Route) -> Int? {
    if let own = quotas[route.endpoint] { return own }
    guard let perSecond = route.endpoint.perSecond else { return nil }
    let hourly = perSecond * 3600
    return route.environment == .sandbox ? hourly / 10 : hourly
  }
}
