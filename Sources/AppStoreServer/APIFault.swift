public import Domain
public import HTTP
public import Wording

/// The only reactions that a failure allows.
public enum RetryClass: Sendable, Hashable {
  /// Retry later, after a pause that the caller chooses; the client has used up its attempts.
  case retry
  /// Retry at this instant, not earlier.
  case retryAt(Timestamp)
  /// Try the other App Store; this one does not know the id.
  case otherEnvironment
  /// Every request would fail in this way: stop the job and leave the state unchanged.
  case configurationAlarm(ConfigurationAlarm)
  /// The same request never succeeds.
  case final
}

/// The problem that an operator must fix before any request can succeed.
public enum ConfigurationAlarm: Sendable, Hashable {
  /// Apple refused the token: key, key id, issuer id, or bundle id do not belong together.
  case keyRefused
  /// Apple refused the token, and this machine's clock is wrong by this many seconds (positive: fast).
  case clockSkew(seconds: Int64)
  /// The token could not be signed.
  case signing
}

/// The stored position that a caller must drop before it continues.
public enum CursorRemedy: Sendable, Hashable {
  /// The stored revision is invalid: read the whole history again.
  case dropRevision
  /// The paging token is invalid: restart the window.
  case restartWindow
}

/// A failed request to the App Store Server API. It contains no identifier, token or payload.
public struct APIFault: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Cause: Sendable, Equatable {
    /// Apple's error code.
    case code(APIErrorCode)
    /// An error code that Apple added later.
    case unrecognizedCode(Int64)
    /// A status without further explanation in the body.
    case status
    /// A refusal in words without a code.
    case words(String)
    case transport(HTTPError)
    /// A successful response with an unusable body, and the reason.
    case malformedAnswer(String)
    /// The endpoint's budget admits no request before the call's deadline.
    case budgetSpent
    /// The shared budget cannot be reached, so nothing was sent; with the reason.
    case budgetUnreachable(Phrase)
    /// The call's total deadline has passed.
    case deadline
    case cancelled
    /// The request was not sent, because Apple would refuse it; with the reason.
    case refusedArgument(String)
    case signing
    /// The list has too many pages, or a page repeats its own cursor.
    case endlessPaging(pages: Int)
  }

  public var endpoint: APIEndpoint
  public var environment: APIEnvironment
  public var cause: Cause
  /// HTTP status; nil when there was no response.
  public var status: Int?
  public var retry: RetryClass
  /// Number of requests sent for this call.
  public var attempts = 0

  /// Apple's error code; nil when there is none or it is not recognized.
  public var code: APIErrorCode? {
    if case .code(let code) = cause { code } else { nil }
  }

  /// Whether this App Store does not know the id; this never proves a revocation.
  public var isNotFoundHere: Bool { retry == .otherEnvironment }

  /// Whether the id itself was refused: it is unknown to this App Store, or not a valid id.
  ///
  /// Any other refusal says nothing about the id. It may be a proxy's, concern the app or the customer's account, or have a new code.
  public var isAboutTheID: Bool {
    guard retry == .final else { return isNotFoundHere }
    if case .refusedArgument = cause { return true }
    switch code {
    case .transactionID, .originalTransactionID: return true
    default: return false
    }
  }

  /// Whether production refused the key. Such an app may have no release and purchases in the sandbox alone.
  public var isKeyRefusedByProduction: Bool { status == 401 && environment == .production }

  /// Whether other ids may succeed: only this id was refused, or its customer's account no longer exists.
  public var isOfThisIDAlone: Bool { isAboutTheID || (retry == .final && code == .accountNotFound) }

  /// Whether the shared budget cannot be reached.
  public var isBudgetUnreachable: Bool {
    if case .budgetUnreachable = cause { true } else { false }
  }

  /// The stored position to drop before the next request; nil when there is none.
  public var remedy: CursorRemedy? {
    switch code {
    case .requestRevision: .dropRevision
    case .paginationToken, .paginationTokenExpired: .restartWindow
    default: nil
    }
  }

  init(_ call: APICall, _ cause: Cause, retry: RetryClass, status: Int? = nil) {
    endpoint = call.endpoint
    environment = call.environment
    self.cause = cause
    self.status = status
    self.retry = retry
  }

  public var description: String { phrase.english }

  /// The failure in the language of a reader.
  public var phrase: Phrase {
    let what = Phrase(
      endpoint == .consumption ? "api_fault.sent" : "api_fault.what",
      ["what": .plain(endpoint.rawValue), "environment": .plain(environment.rawValue), "why": reason])
    switch retry {
    case .configurationAlarm(.keyRefused):
      return Phrase(endpoint == .reports ? "api_fault.check_key_reports" : "api_fault.check_key", ["what": what])
    case .configurationAlarm(.clockSkew(let seconds)):
      return Phrase(
        "api_fault.skew", ["what": what, "seconds": .plain("\(abs(seconds))"), "way": .code(seconds > 0 ? "fast" : "slow")])
    case .configurationAlarm(.signing): return Phrase("api_fault.check_file", ["what": what])
    case .retryAt(let instant): return Phrase("api_fault.again", ["what": what, "at": .plain(instant.rfc3339)])
    case .retry, .otherEnvironment, .final: return what
    }
  }

  private var reason: Phrase {
    let status = Phrase.plain("\(status ?? 0)")
    return switch cause {
    case .code(let code): Phrase("api_fault.answered", ["code": .plain("\(code.rawValue)"), "words": .plain(code.words)])
    case .unrecognizedCode(let number): Phrase("api_fault.code", ["code": .plain("\(number)")])
    case .status: Phrase("api_fault.status", ["status": status])
    case .words(let words): Phrase("api_fault.words", ["status": status, "words": .plain(words)])
    case .transport(let error): error.phrase
    case .malformedAnswer(let reason): Phrase("api_fault.unreadable", ["why": .plain(reason)])
    case .budgetSpent: "api_fault.limit"
    case .budgetUnreachable(let reason): Phrase("api_fault.budget", ["why": reason])
    case .deadline: "api_fault.time"
    case .cancelled: "api_fault.cancelled"
    case .refusedArgument(let reason): Phrase("api_fault.unasked", ["why": .plain(reason)])
    case .signing: "api_fault.signing"
    case .endlessPaging(let pages): Phrase("api_fault.endless", ["pages": .plain("\(pages)")])
    }
  }
}
