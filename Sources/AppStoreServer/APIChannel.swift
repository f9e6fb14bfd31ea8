internal import Domain
internal import HTTP

/// Sends the requests of one credential: within its budget, signed, and repeated where that may help.
struct APIChannel: Sendable {
  /// The credential's name, under which Apple counts requests.
  let name: String
  let http: HTTPClient
  let limiter: RateLimiter
  let limits: APILimits
  let clock: ServerClock
  private let tokens: BearerTokenSource
  private let backoff: Backoff

  /// - Parameter limiter: shared by all clients of a process.
  init(name: String, tokens: BearerTokenSource, http: HTTPClient, limiter: RateLimiter, limits: APILimits, clock: ServerClock) {
    self.name = name
    self.tokens = tokens
    self.http = http
    self.limiter = limiter
    self.limits = limits
    self.clock = clock
    backoff = Backoff(first: limits.firstPause)
  }

  /// Sends a request within the rate budget, and repeats it after faults that may pass.
  ///
  /// - Parameter send: sends attempt number `attempt`, from 1. If it returns nil, the next attempt follows without a pause.
  /// - Returns: the first answer.
  /// - Throws: the last `APIFault`, with the number of attempts, if the request may not be repeated.
  func repeating<Answer>(
    _ call: APICall, _ send: (_ attempt: Int, _ deadline: Timestamp) async throws(APIFault) -> Answer?
  ) async throws(APIFault) -> Answer {
    let deadline = clock.now().advanced(byMicroseconds: limits.totalDeadline.microseconds)
    var attempts = 0
    while true {
      do throws(APIFault) {
        try await admit(call, deadline: deadline)
        attempts += 1
        if let answer = try await send(attempts, deadline) { return answer }
      } catch {
        var fault = error
        fault.attempts = attempts
        try await wait(after: fault, call, deadline: deadline)
      }
    }
  }

  private func key(_ call: APICall) -> RateKey {
    RateKey(bundleID: name, environment: call.environment, endpoint: call.endpoint)
  }

  /// Waits until the budget admits the request.
  private func admit(_ call: APICall, deadline: Timestamp) async throws(APIFault) {
    do { try await limiter.admit(key(call), deadline: deadline) } catch {
      switch error {
      case .notBefore(let instant): throw APIFault(call, .budgetSpent, retry: .retryAt(instant))
      case .unreachable(let reason): throw APIFault(call, .budgetUnreachable(reason), retry: .retry)
      case .cancelled: throw APIFault(call, .cancelled, retry: .retry)
      }
    }
  }

  /// Sends one request.
  ///
  /// - Returns: the response, whatever its status.
  func send(
    _ call: APICall, url: String, accept: String = "application/json",
    keepsCoding: Bool = false, deadline: Timestamp
  ) async throws(APIFault) -> HTTPResponse {
    let left = Duration.microseconds(deadline.microseconds - clock.now().microseconds)
    guard left > .zero else { throw APIFault(call, .deadline, retry: .retry) }
    let token: BearerToken
    do { token = try tokens.token() } catch {
      throw APIFault(call, .signing, retry: .configurationAlarm(.signing))
    }
    var headers = [(name: "Authorization", value: "Bearer \(token.secretText)"), (name: "Accept", value: accept)]
    if call.body != nil { headers.append((name: "Content-Type", value: "application/json")) }
    var request = HTTPRequest(
      call.method, url, headers: headers, body: call.body, deadline: min(left, limits.requestDeadline),
      connectTimeout: min(left, limits.connectTimeout), bodyLimit: limits.bodyBytesMax)
    request.keepsCoding = keepsCoding
    do { return try await http.send(request) } catch {
      throw classifier(call).fault(error as? HTTPError ?? .cancelled)
    }
  }

  /// Returns a classifier of failures for the current time.
  func classifier(_ call: APICall) -> FaultClassifier {
    FaultClassifier(call: call, now: clock.now())
  }

  /// Waits until the call may be repeated. Throws the fault when it may not.
  private func wait(after fault: APIFault, _ call: APICall, deadline: Timestamp) async throws(APIFault) {
    switch fault.retry {
    case .retryAt(let end):
      // Our own limiter already knows its refusal.
      if fault.status != nil { await limiter.pause(key(call), until: end) }
      guard fault.cause != .budgetSpent, fault.attempts < limits.attemptsMax, end <= deadline else { throw fault }
    case .retry:
      guard fault.cause != .cancelled, fault.cause != .deadline, !fault.isBudgetUnreachable,
        fault.attempts < limits.attemptsMax
      else { throw fault }
      let pause = backoff.pause(after: fault.attempts)
      guard clock.now().advanced(byMicroseconds: pause) < deadline else { throw fault }
      do { try await clock.sleep(.microseconds(pause)) } catch {
        throw APIFault(call, .cancelled, retry: .retry)
      }
    case .configurationAlarm:
      tokens.discard()
      throw fault
    case .otherEnvironment, .final: throw fault
    }
  }
}
