public import AppStore
public import HTTP

/// A failed verifyReceipt request; contains neither the receipt nor the shared secret.
public struct VerifyReceiptFault: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Cause: Sendable, Equatable {
    /// Apple's status code.
    case status(VerifyReceiptStatus)
    /// An unsuccessful HTTP status.
    case http(Int)
    case transport(HTTPError)
    /// A receipt that cannot be sent or an answer that cannot be read; with the reason.
    case unreadable(String)
    /// Each store refers to the other.
    case sentBackAndForth
    /// The call's total deadline has passed.
    case deadline
    case cancelled
  }

  /// The store that was queried last.
  public var store: APIEnvironment
  public var cause: Cause
  public var retry: VerifyReceiptRetry
  /// Number of requests sent to both stores together.
  public var attempts = 0

  /// Apple's status code; nil when there is none.
  public var statusCode: Int? {
    if case .status(let status) = cause { status.code } else { nil }
  }

  /// Whether nobody stated anything about the receipt, as in an outage or a refusal by a proxy: the next run queries it again.
  public var isUnanswered: Bool {
    if case .http = cause { true } else { retry == .later }
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
    // A repeated answer would be as large.
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

/// An app's shared secret; it cannot be printed.
public struct SharedSecret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Maximum number of characters in a secret; Apple's have 32.
  public static let lengthMax = 128

  let secretText: String

  /// Reads a secret without surrounding spaces. Returns nil when it is empty, too long, or not visible ASCII.
  public init?(_ text: [UInt8]) {
    let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    let plain = text.drop { spaces.contains($0) }.reversed().drop { spaces.contains($0) }.reversed()
    guard (1...Self.lengthMax).contains(plain.count), plain.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    secretText = String(decoding: Array(plain), as: UTF8.self)
  }

  public var description: String { "shared secret" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
