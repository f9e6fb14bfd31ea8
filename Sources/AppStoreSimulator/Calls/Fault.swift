public import SimulatedSigning

/// Something that goes wrong on purpose, for a number of calls.
public struct Fault: Sendable {
  public enum Kind: Sendable {
    /// 429 with code 4290000; Retry-After is so many milliseconds from now.
    case rateLimited(milliseconds: Int)
    /// An HTTP status with no JSON body.
    case status(Int)
    /// A refusal by number, for instance 5000001 or 4040010.
    case failure(code: Int)
    /// Apple's 401, in plain text.
    case unauthenticated
    /// The body in pieces with a pause in milliseconds before each.
    case slowBody(bytes: Int, pause: Int)
    /// The connection ends after so many bytes of the body.
    case cutConnection(after: Int)
    /// The body lacks its second half.
    case malformedJSON
    /// Enumerations carry values, and objects members, that nobody has heard of.
    case unrecognizedValues
    /// A page begins with so many items of the page before.
    case pageOverlap(items: Int)
    /// The first item of a page comes twice.
    case duplicated
    /// A page comes backwards.
    case reordered
    /// Signed with the certificates of another seed or in another variant.
    case rotatedCertificates(seed: UInt64, variant: SimulatedAuthority.Variant)
    /// A revision or pagination token is refused: 4000005 or 4000014.
    case refusedRevision
    /// verifyReceipt answers with this status, and `is-retryable` when given.
    case receiptStatus(Int, isRetryable: Bool?)
  }

  public var kind: Kind
  /// Nil is any.
  public var endpoint: Endpoint?
  /// Nil is both.
  public var environment: StoreEnvironment?
  /// Calls that pass before it begins.
  public var after: Int
  /// Calls that it hits.
  public var count: Int

  public init(
    _ kind: Kind, endpoint: Endpoint? = nil, environment: StoreEnvironment? = nil, after: Int = 0,
    count: Int = 1
  ) {
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

/// What goes wrong with the notifications that are due at one time.
public enum DeliveryFault: String, Sendable, CaseIterable {
  /// The first comes twice.
  case duplicated
  /// The last comes first.
  case reordered
}

/// The scripted faults in their order.
struct FaultScript: Sendable {
  var faults: [Fault] = []

  /// The first fault that hits this call; each call uses up one.
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

  /// Calls per window by endpoint, instead of Apple's.
  var quotas: [Endpoint: Int] = [:]
  var windowMilliseconds: Int64 = 3_600_000
  private var windows: [String: Window] = [:]

  /// Books a call; the instant in milliseconds at which calls are taken again when it is one too many.
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
