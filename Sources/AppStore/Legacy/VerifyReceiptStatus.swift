/// The reaction to a verifyReceipt request without a usable answer.
///
/// No case is a reason to deliver, and only `rejected` is evidence against the receipt.
public enum VerifyReceiptRetry: String, Sendable, Hashable {
  /// Retry later, with growing pauses.
  case later
  /// Retry a few times, then give up on the receipt.
  case briefly
  /// The receipt proves nothing.
  case rejected
  /// Do not retry; an operator decides.
  case review
  /// Our request or our secret is wrong: stop, alert an operator, and leave purchases unchanged.
  case configurationAlarm
}

/// The status code of a verifyReceipt answer.
///
/// - Source: Apple, App Store Receipts, status.
public struct VerifyReceiptStatus: Hashable, Sendable {
  public var code: Int

  public init(code: Int) { self.code = code }

  /// The shared secret is not the app's.
  public static let wrongSecret = VerifyReceiptStatus(code: 21004)
  /// A production receipt was sent to the sandbox.
  public static let productionReceipt = VerifyReceiptStatus(code: 21008)
  /// Codes of internal errors that state `is_retryable`.
  public static let internalAccess = 21100...21199

  public enum Action: Sendable, Hashable {
    case use
    case askSandbox
    /// Query production, and find out why the sandbox was queried.
    case askProduction
    /// The answer cannot be used.
    case fail(VerifyReceiptRetry)
  }

  /// Returns the reaction to the status.
  ///
  /// - Parameter isRetryable: Apple's `is_retryable`; nil when the answer has none.
  public func action(isRetryable: Bool? = nil) -> Action {
    switch code {
    // 0 also answers an expired subscription's receipt; 21006 answers that of an iOS 6 style receipt.
    case 0, 21006: .use
    // No longer sent by Apple; not readable, or a temporary problem of the service.
    case 21001, 21002: .fail(.briefly)
    // The service could not answer, or had an internal error.
    case 21005, 21009: .fail(.later)
    case 21007: .askSandbox
    case 21008: .askProduction
    // The receipt could not be authenticated.
    case 21003: .fail(.rejected)
    // The request was no POST, or had another shared secret.
    case 21000, 21004: .fail(.configurationAlarm)
    // The account was not found or was deleted.
    case 21010: .fail(.review)
    case Self.internalAccess: isRetryable == false ? .fail(.review) : .fail(.later)
    default: isRetryable == true ? .fail(.later) : .fail(.review)
    }
  }

  /// Whether the rows of an answer with this status are Apple's statement.
  ///
  /// A client that queried the sandbox itself can pass on status 21007 together with sandbox rows; the body states their environment.
  public var carriesRows: Bool { [.use, .askSandbox, .askProduction].contains(action()) }
}
