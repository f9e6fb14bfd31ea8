/// The status code of a verifyReceipt answer.
///
/// - Source: Apple, App Store Receipts, status.
public enum VerifyReceiptStatus: Hashable, Sendable {
  /// 0; also returned for an expired subscription's receipt.
  case genuine
  /// 21000: the request was no POST.
  case notPosted
  /// 21001: Apple no longer sends it.
  case retired
  /// 21002: the receipt is not readable, or the service had a temporary problem.
  case malformedReceipt
  /// 21003: the receipt could not be authenticated.
  case notAuthentic
  /// 21004: the shared secret is not the app's.
  case wrongSecret
  /// 21005: the service could not answer.
  case unavailable
  /// 21006: genuine, but the subscription has expired; iOS 6 style receipts only.
  case expired
  /// 21007: a sandbox receipt was sent to production.
  case sandboxReceipt
  /// 21008: a production receipt was sent to the sandbox.
  case productionReceipt
  /// 21009: internal error.
  case internalError
  /// 21010: the account was not found or was deleted.
  case noAccount
  /// 21100...21199: internal error, with `is_retryable`.
  case internalAccess(Int)
  /// A status Apple added later.
  case other(Int)

  private static let fixed: [(Int, VerifyReceiptStatus)] = [
    (0, .genuine), (21000, .notPosted), (21001, .retired), (21002, .malformedReceipt), (21003, .notAuthentic),
    (21004, .wrongSecret), (21005, .unavailable), (21006, .expired), (21007, .sandboxReceipt),
    (21008, .productionReceipt), (21009, .internalError), (21010, .noAccount),
  ]

  public init(code: Int) {
    if let known = Self.fixed.first(where: { $0.0 == code }) {
      self = known.1
    } else {
      self = 21100...21199 ~= code ? .internalAccess(code) : .other(code)
    }
  }

  /// Apple's status code.
  public var code: Int {
    switch self {
    case .internalAccess(let code), .other(let code): code
    default: Self.fixed.first { $0.1 == self }?.0 ?? 0
    }
  }

  /// The reaction to a status.
  public enum Action: String, Sendable {
    /// Use the answer.
    case use
    /// Retry a few times, then give up on the receipt.
    case retryBriefly
    /// Retry later, with growing pauses.
    case retryLater
    /// Query the sandbox.
    case askSandbox
    /// Query production, and find out why the sandbox was queried.
    case askProduction
    /// The receipt proves nothing.
    case reject
    /// Our request or our secret is wrong: stop, alert an operator, and leave purchases unchanged.
    case alarm
    /// Do not retry; an operator decides.
    case review
  }

  /// Returns the reaction to the status.
  ///
  /// - Parameter isRetryable: Apple's `is_retryable`; nil when the answer has none.
  public func action(isRetryable: Bool? = nil) -> Action {
    switch self {
    case .genuine, .expired: .use
    case .retired, .malformedReceipt: .retryBriefly
    case .unavailable, .internalError: .retryLater
    case .internalAccess: isRetryable == false ? .review : .retryLater
    case .sandboxReceipt: .askSandbox
    case .productionReceipt: .askProduction
    case .notAuthentic: .reject
    case .notPosted, .wrongSecret: .alarm
    case .noAccount: .review
    case .other: isRetryable == true ? .retryLater : .review
    }
  }

  /// Whether the rows of an answer with this status are Apple's statement.
  ///
  /// A client that queried the sandbox itself can pass on status 21007 together with sandbox rows; the body states their environment.
  public var carriesRows: Bool {
    switch self {
    case .genuine, .expired, .sandboxReceipt, .productionReceipt: true
    default: false
    }
  }
}
