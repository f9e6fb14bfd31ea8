public import Domain
public import HTTP

/// What a caller may do after a failure; nothing else.
public enum RetryClass: Sendable, Hashable {
  /// Again later, with a pause of the caller's choice; the client itself has tried as often as it may.
  case retry
  /// Again at this instant, and not before.
  case retryAt(Timestamp)
  /// The other App Store may know it; here it is not found.
  case otherEnvironment
  /// Every request would fail like this: the job stops and touches no state.
  case configurationAlarm(ConfigurationAlarm)
  /// The same request never succeeds.
  case final
}

/// What has to be put right by hand before any request can succeed.
public enum ConfigurationAlarm: Sendable, Hashable {
  /// Apple refused the token: key, key id, issuer id, or bundle id do not fit together.
  case keyRefused
  /// Apple refused the token, and this machine's clock is off by so many seconds (positive: fast).
  case clockSkew(seconds: Int64)
  /// The token could not be signed.
  case signing
}

/// What a caller has to drop before it goes on.
public enum CursorRemedy: Sendable, Hashable {
  /// The stored revision is of no use: read the whole history again.
  case dropRevision
  /// The paging token is of no use: ask for the window again from its start.
  case restartWindow
}

/// Why a request to the App Store Server API has no answer; holds no identifier, token or payload.
public struct APIFault: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Cause: Sendable, Equatable {
    /// Apple's own number.
    case code(APIErrorCode)
    /// A number that Apple added later.
    case unrecognizedCode(Int64)
    /// A status without a body that says more.
    case status
    /// A refusal in words without a number.
    case words(String)
    case transport(HTTPError)
    /// A success whose body cannot be used; says why.
    case malformedAnswer(String)
    /// The budget of the endpoint frees nothing before the deadline of the call.
    case budgetSpent
    /// Nothing can be taken from the budget that processes share, so that nothing was sent; says why.
    case budgetUnreachable(String)
    /// The call's total deadline is over.
    case deadline
    case cancelled
    /// The request was not sent, as Apple would refuse it; says why.
    case refusedArgument(String)
    /// The sandbox has no such endpoint.
    case notInSandbox
    case signing
    /// More pages than a list may have, or a page that leads back to itself.
    case endlessPaging(pages: Int)
  }

  public var endpoint: APIEndpoint
  public var environment: APIEnvironment
  public var cause: Cause
  /// HTTP status; nil when there was no response.
  public var status: Int?
  public var retry: RetryClass
  /// Requests sent for this call.
  public var attempts = 0
  /// Whether Apple may have done what was asked although it did not say so.
  public var isOutcomeUncertain = false

  /// Apple's number; nil when it gave none that is recognized.
  public var code: APIErrorCode? {
    if case .code(let code) = cause { code } else { nil }
  }

  /// Whether this App Store does not know the id; never proof of a revocation.
  public var isNotFoundHere: Bool { retry == .otherEnvironment }

  /// Whether the id itself was refused: Apple does not know it here, or it is no id that Apple would look at.
  ///
  /// Any other refusal says nothing about the id, whoever spoke it: a proxy on the way, Apple about the app or the customer's
  /// account, a number that Apple added later.
  public var isAboutTheID: Bool {
    guard retry == .final else { return isNotFoundHere }
    if case .refusedArgument = cause { return true }
    switch code {
    case .transactionID, .originalTransactionID: return true
    default: return false
    }
  }

  /// Whether the next id may well be answered: this one was refused, or Apple has no account of its customer any more.
  public var isOfThisIDAlone: Bool { isAboutTheID || (retry == .final && code == .accountNotFound) }

  /// Whether nothing can be taken from the budget that processes share.
  public var isBudgetUnreachable: Bool {
    if case .budgetUnreachable = cause { true } else { false }
  }

  /// What to drop before asking again; nil when nothing.
  public var remedy: CursorRemedy? {
    switch code {
    case .requestRevision: .dropRevision
    case .paginationToken, .paginationTokenExpired: .restartWindow
    default: nil
    }
  }

  init(_ call: APICall, _ environment: APIEnvironment, _ cause: Cause, retry: RetryClass, status: Int? = nil)
  {
    endpoint = call.endpoint
    self.environment = environment
    self.cause = cause
    self.status = status
    self.retry = retry
  }

  public var description: String {
    "could not get \(endpoint.rawValue) from Apple (\(environment.rawValue)): \(reason)\(hint)"
  }

  private var reason: String {
    switch cause {
    case .code(let code): "Apple answered \(code.rawValue), \(code.words)"
    case .unrecognizedCode(let number): "Apple answered with the unrecognized code \(number)"
    case .status: "Apple answered with status \(status ?? 0) and no reason"
    case .words(let words): "Apple answered with status \(status ?? 0), \(words)"
    case .transport(let error): "\(error)"
    case .malformedAnswer(let reason): "its answer cannot be read, \(reason)"
    case .budgetSpent: "the endpoint's rate limit leaves no request before the deadline"
    case .budgetUnreachable(let reason): "its rate limit cannot be kept, \(reason)"
    case .deadline: "the time for it is over"
    case .cancelled: "it was cancelled"
    case .refusedArgument(let reason): "it was not asked, \(reason)"
    case .notInSandbox: "the sandbox does not have it"
    case .signing: "the token could not be signed"
    case .endlessPaging(let pages): "the list does not end after \(pages) pages"
    }
  }

  private var hint: String {
    switch retry {
    case .configurationAlarm(.keyRefused):
      endpoint == .reports ? "; check key file, key id and issuer id" : "; check key file, key id, issuer id and bundle id"
    case .configurationAlarm(.clockSkew(let seconds)):
      "; this machine's clock is \(abs(seconds)) seconds \(seconds > 0 ? "fast" : "slow"), set it"
    case .configurationAlarm(.signing): "; check the key file"
    case .retryAt(let instant): "; ask again at \(instant.rfc3339)"
    case .retry, .otherEnvironment, .final: ""
    }
  }
}
