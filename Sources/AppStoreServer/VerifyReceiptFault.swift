public import AppStore
public import HTTP

/// What a caller may do after verifyReceipt did not answer for a receipt.
///
/// None of them is a reason to deliver, and only `rejected` speaks against the receipt.
public enum VerifyReceiptRetry: String, Sendable, Hashable {
  /// Ask again later; the client itself has tried as often as it may.
  case later
  /// Ask again a few times, then give the receipt up.
  case briefly
  /// The receipt proves nothing.
  case rejected
  /// Do not ask again; a person decides.
  case review
  /// Our request or our secret is at fault: stop, tell somebody, and leave purchases as they are.
  case configurationAlarm
}

/// Why verifyReceipt did not answer for a receipt; holds neither the receipt nor the shared secret.
public struct VerifyReceiptFault: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Cause: Sendable, Equatable {
    /// Apple's own number.
    case status(VerifyReceiptStatus)
    /// An HTTP status that is no success.
    case http(Int)
    case transport(HTTPError)
    /// Nothing that could be sent, or be read; says why.
    case unreadable(String)
    /// Each store says that the receipt is of the other.
    case sentBackAndForth
    /// The call's total deadline is over.
    case deadline
    case cancelled
  }

  /// The store that was asked last.
  public var store: APIEnvironment
  public var cause: Cause
  public var retry: VerifyReceiptRetry
  /// Requests sent to both stores together.
  public var attempts = 0

  /// Apple's number; nil when it gave none.
  public var statusCode: Int? {
    if case .status(let status) = cause { status.code } else { nil }
  }

  init(_ store: APIEnvironment, _ cause: Cause, retry: VerifyReceiptRetry) {
    self.store = store
    self.cause = cause
    self.retry = retry
  }

  init(_ store: APIEnvironment, transport error: HTTPError) {
    switch error {
    case .cancelled: self.init(store, .cancelled, retry: .later)
    case .refusedURL, .refusedHeader: self.init(store, .transport(error), retry: .configurationAlarm)
    // The same answer would be as large again.
    case .tooLarge: self.init(store, .transport(error), retry: .review)
    case .transport, .timedOut, .tooManyWaiting: self.init(store, .transport(error), retry: .later)
    }
  }

  public var description: String {
    "could not verify a receipt with Apple (\(store.rawValue)): \(reason)"
      + (statusCode == VerifyReceiptStatus.wrongSecret.code ? "; check the app's shared secret" : "")
  }

  private var reason: String {
    switch cause {
    case .status(let status): "Apple answered \(status.code), \(status.words)"
    case .http(let status): "Apple answered with HTTP status \(status)"
    case .transport(let error): "\(error)"
    case .unreadable(let reason): reason
    case .sentBackAndForth: "each App Store says that it is of the other one"
    case .deadline: "the time for it is over"
    case .cancelled: "it was cancelled"
    }
  }
}

extension VerifyReceiptStatus {
  /// Apple's meaning in a few words.
  fileprivate var words: String {
    switch self {
    case .genuine: "the receipt is genuine"
    case .notPosted: "the request was no POST"
    case .retired: "which it no longer uses"
    case .malformedReceipt: "the receipt is not readable, or the service has a temporary problem"
    case .notAuthentic: "the receipt could not be authenticated"
    case .wrongSecret: "the shared secret is not the app's"
    case .unavailable: "the service could not answer"
    case .expired: "the subscription is over"
    case .sandboxReceipt: "the receipt is of the sandbox"
    case .productionReceipt: "the receipt is of production"
    case .internalError, .internalAccess: "it had an internal error"
    case .noAccount: "the account is not there or was deleted"
    case .other: "which this version does not recognise"
    }
  }
}

/// An app's shared secret; it cannot be printed.
public struct SharedSecret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Characters of a secret; Apple's have 32.
  public static let lengthMax = 128

  let secretText: String

  /// Takes the text without the spaces around it; nil when it is empty, too long, or has other characters than visible
  /// ASCII.
  public init?(_ text: [UInt8]) {
    let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    let plain = text.drop { spaces.contains($0) }.reversed().drop { spaces.contains($0) }.reversed()
    guard (1...Self.lengthMax).contains(plain.count), plain.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return nil
    }
    secretText = String(decoding: Array(plain), as: UTF8.self)
  }

  public var description: String { "shared secret" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Where verifyReceipt answers.
public struct VerifyReceiptAddresses: Sendable, Hashable {
  /// Without `/verifyReceipt`.
  ///
  /// - Source: Apple, App Store Receipts, verifyReceipt.
  public var production = "https://buy.itunes.apple.com"
  public var sandbox = "https://sandbox.itunes.apple.com"

  public init() {}

  /// Apple's own, except where the server API was sent elsewhere: then verifyReceipt is at the same base.
  public init(following addresses: APIAddresses) {
    let own = APIAddresses()
    if addresses.production != own.production { production = addresses.production }
    if addresses.sandbox != own.sandbox { sandbox = addresses.sandbox }
  }

  func url(_ store: APIEnvironment) -> String {
    var url = store == .production ? production : sandbox
    while url.hasSuffix("/") { url.removeLast() }
    return url + "/verifyReceipt"
  }
}
