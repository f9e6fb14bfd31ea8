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
  private static let internalAccess = 21100...21199

  public enum Action: Sendable, Hashable {
    case use
    case askSandbox
    /// Query production, and find out why the sandbox was queried.
    case askProduction
    /// The answer cannot be used.
    case fail(VerifyReceiptRetry)
  }

  /// Reaction and words of each code.
  private static let known: [Int: (action: Action, words: String)] = [
    // Also for the receipt of an expired subscription; 21006 answers that of an iOS 6 style receipt.
    0: (.use, "the receipt is genuine"),
    21000: (.fail(.configurationAlarm), "the request was no POST"),
    21001: (.fail(.briefly), "which it no longer uses"),
    21002: (.fail(.briefly), "the receipt is not readable, or the service has a temporary problem"),
    21003: (.fail(.rejected), "the receipt could not be authenticated"),
    21004: (.fail(.configurationAlarm), "the shared secret is not the app's"),
    21005: (.fail(.later), "the service could not answer"),
    21006: (.use, "the subscription is over"),
    21007: (.askSandbox, "the receipt is of the sandbox"),
    21008: (.askProduction, "the receipt is of production"),
    21009: (.fail(.later), "it had an internal error"),
    21010: (.fail(.review), "the account is not there or was deleted"),
  ]

  /// Returns the reaction to the status.
  ///
  /// - Parameter isRetryable: Apple's `is_retryable`; nil when the answer has none.
  public func action(isRetryable: Bool? = nil) -> Action {
    if let known = Self.known[code] { return known.action }
    return .fail(isRetryable ?? Self.internalAccess.contains(code) ? .later : .review)
  }

  /// The meaning of the code, as the end of a sentence that begins with Apple's answer.
  public var words: String {
    if let known = Self.known[code] { return known.words }
    return Self.internalAccess.contains(code) ? "it had an internal error" : "which this version does not recognise"
  }

  /// Whether the rows of an answer with this status are Apple's statement.
  ///
  /// A client that queried the sandbox itself can pass on status 21007 together with sandbox rows; the body states their environment.
  public var carriesRows: Bool { [.use, .askSandbox, .askProduction].contains(action()) }
}
