internal import Domain
public import HTTP

/// Asks App Store Connect for the reports of a team.
///
/// - Source: App Store Connect API, "Download Sales and Trends Reports", "Download Finance Reports".
public final class ConnectReportClient: Sendable {
  /// - Source: App Store Connect API, "Overview".
  public static let addressDefault = "https://api.appstoreconnect.apple.com"

  /// The usual limits, with room for a large report: 64 MiB, five minutes.
  public static var limitsDefault: APILimits {
    var limits = APILimits()
    limits.bodyBytesMax = 64 << 20
    limits.requestDeadline = .seconds(300)
    limits.totalDeadline = .seconds(600)
    return limits
  }

  private let address: String
  private let limits: APILimits
  private let http: HTTPClient
  private let limiter: RateLimiter
  private let clock: ServerClock
  private let tokens: BearerTokenSource
  private let backoff: Backoff
  private let key: RateKey
  private static let call = APICall(.reports, .get, [])

  /// - Parameters:
  ///   - limiter: shared by all clients of a process.
  ///   - address: where App Store Connect answers.
  public init(
    _ credentials: ConnectCredentials, http: HTTPClient, limiter: RateLimiter,
    address: String = ConnectReportClient.addressDefault, limits: APILimits = ConnectReportClient.limitsDefault,
    clock: ServerClock = .system
  ) {
    var base = address
    while base.hasSuffix("/") { base.removeLast() }
    self.address = base
    self.limits = limits
    self.http = http
    self.limiter = limiter
    self.clock = clock
    tokens = BearerTokenSource(credentials, clock: clock.now)
    backoff = Backoff(seed: limits.jitterSeed, first: limits.firstPause)
    // Apple counts the requests of a key, whatever they ask for.
    key = RateKey(bundleID: credentials.keyID, environment: .production, endpoint: .reports)
  }

  /// Apple's own, except where the server API was sent elsewhere: then App Store Connect is at the same base.
  public static func address(following addresses: APIAddresses) -> String {
    addresses.production == APIAddresses().production ? addressDefault : addresses.production
  }

  /// Asks for one report, again where that may help.
  ///
  /// - Returns: the report, or why there is none as far as Apple said.
  /// - Throws: `APIFault` where nothing is known of the report.
  public func download(_ query: ConnectQuery) async throws(APIFault) -> ConnectAnswer {
    let deadline = clock.now().advanced(byMicroseconds: limits.totalDeadline.microseconds)
    var attempts = 0
    var version = query.version
    while true {
      do throws(APIFault) {
        try await admit(deadline)
        attempts += 1
        let response = try await send(query.target(version: version), deadline: deadline)
        if (200..<300).contains(response.status) { return try report(response, attempts: attempts) }
        let refusal = ConnectRefusal(response)
        if let outcome = refusal.outcome {
          return ConnectAnswer(
            outcome: outcome, words: refusal.words, body: [], receivedAt: clock.now(), attempts: attempts)
        }
        if let latest = refusal.latestVersion, latest != version, attempts < limits.attemptsMax {
          version = latest
          continue
        }
        throw fault(response, refusal)
      } catch {
        var fault = error
        fault.attempts = attempts
        try await rest(after: fault, deadline: deadline)
      }
    }
  }

  private func admit(_ deadline: Timestamp) async throws(APIFault) {
    do { try await limiter.admit(key, deadline: deadline) } catch {
      switch error {
      case .notBefore(let instant): throw fault(.budgetSpent, .retryAt(instant))
      case .unreachable(let reason): throw fault(.budgetUnreachable(reason), .retry)
      case .cancelled: throw fault(.cancelled, .retry)
      }
    }
  }

  private func send(_ target: String, deadline: Timestamp) async throws(APIFault) -> HTTPResponse {
    let left = Duration.microseconds(deadline.microseconds - clock.now().microseconds)
    guard left > .zero else { throw fault(.deadline, .retry) }
    let token: BearerToken
    do { token = try tokens.token() } catch { throw fault(.signing, .configurationAlarm(.signing)) }
    var request = HTTPRequest(
      .get, address + target,
      headers: [
        // Anything else in the list of what is taken is answered by 406.
        (name: "Authorization", value: "Bearer \(token.secretText)"), (name: "Accept", value: "application/a-gzip"),
      ],
      deadline: min(left, limits.requestDeadline), connectTimeout: min(left, limits.connectTimeout),
      bodyLimit: limits.bodyBytesMax)
    request.keepsCoding = true
    do { return try await http.send(request) } catch {
      throw classifier.fault(error as? HTTPError ?? .cancelled)
    }
  }

  private var classifier: FaultClassifier {
    FaultClassifier(call: Self.call, environment: .production, now: clock.now())
  }

  private func report(_ response: HTTPResponse, attempts: Int) throws(APIFault) -> ConnectAnswer {
    guard !response.body.isEmpty else { throw fault(.malformedAnswer("it is empty"), .retry, status: response.status) }
    return ConnectAnswer(
      outcome: .report, words: "", body: response.body, receivedAt: clock.now(), attempts: attempts)
  }

  private func fault(_ cause: APIFault.Cause, _ retry: RetryClass, status: Int? = nil) -> APIFault {
    APIFault(Self.call, .production, cause, retry: retry, status: status)
  }

  private func fault(_ response: HTTPResponse, _ refusal: ConnectRefusal) -> APIFault {
    var fault = classifier.fault(response)
    if fault.cause == .status, !refusal.words.isEmpty { fault.cause = .words(refusal.words) }
    return fault
  }

  /// Returns when the report may be asked for again; throws the fault when it may not.
  private func rest(after fault: APIFault, deadline: Timestamp) async throws(APIFault) {
    switch fault.retry {
    case .retryAt(let end):
      if fault.status != nil { await limiter.pause(key, until: end) }
      guard fault.cause != .budgetSpent, fault.attempts < limits.attemptsMax, end <= deadline else { throw fault }
    case .retry:
      guard fault.cause != .cancelled, fault.cause != .deadline, !fault.isBudgetUnreachable,
        fault.attempts < limits.attemptsMax
      else { throw fault }
      let pause = backoff.pause(after: fault.attempts)
      guard clock.now().advanced(byMicroseconds: pause) < deadline else { throw fault }
      do { try await clock.sleep(.microseconds(pause)) } catch {
        throw APIFault(Self.call, .production, .cancelled, retry: .retry)
      }
    case .configurationAlarm:
      tokens.discard()
      throw fault
    case .otherEnvironment, .final: throw fault
    }
  }
}
