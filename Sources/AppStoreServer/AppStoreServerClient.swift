internal import Cryptography
internal import Domain
public import HTTP
internal import JSON

/// Where the two App Stores answer.
public struct APIAddresses: Sendable, Hashable {
  /// - Source: App Store Server API, "Overview".
  public var production = "https://api.storekit.apple.com"
  public var sandbox = "https://api.storekit-sandbox.apple.com"

  public init() {}

  /// Takes `PAYRECON_APPSTORE_URL` and `PAYRECON_APPSTORE_SANDBOX_URL` where they are set.
  public init(variables: [String: String]) {
    if let url = variables["PAYRECON_APPSTORE_URL"], !url.isEmpty { production = url }
    if let url = variables["PAYRECON_APPSTORE_SANDBOX_URL"], !url.isEmpty { sandbox = url }
  }

  func base(_ environment: APIEnvironment) -> String {
    var url = environment == .production ? production : sandbox
    while url.hasSuffix("/") { url.removeLast() }
    return url
  }
}

/// How long and how often the client tries.
public struct APILimits: Sendable, Hashable {
  /// For one request.
  public var requestDeadline = Duration.seconds(30)
  public var connectTimeout = Duration.seconds(10)
  /// For a call with all its pauses and repetitions.
  public var totalDeadline = Duration.seconds(120)
  /// Requests per call, 1 or more.
  public var attemptsMax = 4
  /// Before the second request; it doubles from there.
  public var firstPause = APILimits.firstPauseDefault
  /// Bytes of an answer.
  public var bodyBytesMax = 4 << 20
  /// Gives the same jitter for the same seed.
  public var jitterSeed: UInt64 = 1

  public static let firstPauseDefault = Duration.milliseconds(500)

  public init() {}
}

/// Asks the App Store Server API about one app, in both App Stores.
public final class AppStoreServerClient: Sendable {
  public let bundleID: String
  private let addresses: APIAddresses
  private let limits: APILimits
  private let http: HTTPClient
  private let limiter: RateLimiter
  private let clock: ServerClock
  private let tokens: BearerTokenSource
  private let backoff: Backoff

  /// - Parameter limiter: shared by all clients of a process.
  public init(
    _ credentials: APICredentials, http: HTTPClient, limiter: RateLimiter,
    addresses: APIAddresses = APIAddresses(),
    limits: APILimits = APILimits(), clock: ServerClock = .system
  ) {
    bundleID = credentials.bundleID
    self.addresses = addresses
    self.limits = limits
    self.http = http
    self.limiter = limiter
    self.clock = clock
    tokens = BearerTokenSource(credentials, clock: clock.now)
    backoff = Backoff(seed: limits.jitterSeed, first: limits.firstPause)
  }

  /// Sends a call, again where that may help, and reads the answer.
  func ask<Content: APIContent>(
    _ call: APICall, _ environment: APIEnvironment, for content: Content.Type
  ) async throws(APIFault) -> APIAnswer<Content> {
    guard let target = call.target else {
      throw APIFault(
        call, environment, .refusedArgument("an identifier has 1 to \(APICall.identifierBytesMax) bytes"),
        retry: .final)
    }
    let url = addresses.base(environment) + target
    let deadline = clock.now().advanced(byMicroseconds: limits.totalDeadline.microseconds)
    var attempts = 0
    while true {
      do {
        try await admit(call, environment, deadline: deadline)
        attempts += 1
        let response = try await send(call, environment, url: url, deadline: deadline)
        return try read(response, call, environment, attempts: attempts)
      } catch {
        var fault = error
        fault.attempts = attempts
        try await rest(after: fault, call, environment, deadline: deadline)
      }
    }
  }

  private func key(_ call: APICall, _ environment: APIEnvironment) -> RateKey {
    RateKey(bundleID: bundleID, environment: environment, endpoint: call.endpoint)
  }

  private func admit(
    _ call: APICall, _ environment: APIEnvironment, deadline: Timestamp
  ) async throws(APIFault) {
    do { try await limiter.admit(key(call, environment), deadline: deadline) } catch {
      switch error {
      case .notBefore(let instant):
        throw APIFault(call, environment, .budgetSpent, retry: .retryAt(instant))
      case .unreachable(let reason):
        throw APIFault(call, environment, .budgetUnreachable(reason), retry: .retry)
      case .cancelled: throw APIFault(call, environment, .cancelled, retry: .retry)
      }
    }
  }

  /// Sends one request; any response but a success is a fault.
  private func send(
    _ call: APICall, _ environment: APIEnvironment, url: String, deadline: Timestamp
  ) async throws(APIFault) -> HTTPResponse {
    let left = Duration.microseconds(deadline.microseconds - clock.now().microseconds)
    guard left > .zero else { throw APIFault(call, environment, .deadline, retry: .retry) }
    let token: BearerToken
    do { token = try tokens.token() } catch {
      throw APIFault(call, environment, .signing, retry: .configurationAlarm(.signing))
    }
    var headers = [
      (name: "Authorization", value: "Bearer \(token.secretText)"),
      (name: "Accept", value: "application/json"),
    ]
    if call.body != nil { headers.append((name: "Content-Type", value: "application/json")) }
    let request = HTTPRequest(
      call.method, url, headers: headers, body: call.body, deadline: min(left, limits.requestDeadline),
      connectTimeout: min(left, limits.connectTimeout), bodyLimit: limits.bodyBytesMax)
    let response: HTTPResponse
    do { response = try await http.send(request) } catch {
      let classifier = FaultClassifier(call: call, environment: environment, now: clock.now())
      throw classifier.fault(error as? HTTPError ?? .cancelled)
    }
    if (200..<300).contains(response.status) { return response }
    throw FaultClassifier(call: call, environment: environment, now: clock.now()).fault(response)
  }

  private func read<Content: APIContent>(
    _ response: HTTPResponse, _ call: APICall, _ environment: APIEnvironment, attempts: Int
  ) throws(APIFault) -> APIAnswer<Content> {
    func malformed(_ reason: String) -> APIFault {
      var fault = APIFault(
        call, environment, .malformedAnswer(reason), retry: call.endpoint.isRepeatable ? .retry : .final,
        status: response.status)
      fault.isOutcomeUncertain = !call.endpoint.isRepeatable
      return fault
    }
    var fields = AnswerFields(JSONObject())
    // Endpoints without an answer send an empty body, or whatever they like.
    if Content.self != NoContent.self {
      do { fields = AnswerFields(try JSONObject(parsing: response.body[...])) } catch {
        throw malformed("it is no JSON object of \(response.body.count) bytes")
      }
    }
    let content: Content
    do { content = try Content(&fields) } catch { throw malformed(error.reason) }
    fields.finish()
    return APIAnswer(
      content: content, endpoint: call.endpoint, environment: environment, status: response.status,
      body: response.body, receivedAt: clock.now(), unread: fields.unread, attempts: attempts)
  }

  /// Returns when the call may be tried again; throws the fault when it may not.
  private func rest(
    after fault: APIFault, _ call: APICall, _ environment: APIEnvironment, deadline: Timestamp
  ) async throws(APIFault) {
    switch fault.retry {
    case .retryAt(let end):
      // A refusal by our own limiter is not news to it.
      if fault.status != nil { await limiter.pause(key(call, environment), until: end) }
      guard fault.cause != .budgetSpent, fault.attempts < limits.attemptsMax, end <= deadline else {
        throw fault
      }
    case .retry:
      guard fault.cause != .cancelled, fault.cause != .deadline, !fault.isBudgetUnreachable,
        fault.attempts < limits.attemptsMax
      else { throw fault }
      let pause = backoff.pause(after: fault.attempts)
      guard clock.now().advanced(byMicroseconds: pause) < deadline else { throw fault }
      do { try await clock.sleep(.microseconds(pause)) } catch {
        throw APIFault(call, environment, .cancelled, retry: .retry)
      }
    case .configurationAlarm:
      tokens.discard()
      throw fault
    case .otherEnvironment, .final: throw fault
    }
  }
}
