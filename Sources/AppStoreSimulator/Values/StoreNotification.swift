/// A server notification, kept unsigned: the same content gives the same bytes whenever it is signed.
///
/// - Source: App Store Server Notifications, responseBodyV2DecodedPayload.
public struct StoreNotification: Sendable {
  public let uuid: String
  public let type: String
  public let subtype: String?
  public let signedAt: Moment
  /// The transaction as it was then; nil when the notification is about none.
  public let transaction: Transaction?
  let renewal: RenewalInfo?
  let consumptionReason: String?
  let summary: Summary?
  public internal(set) var attempts: [Attempt] = []
  /// When it is sent next; nil when that is over.
  public internal(set) var nextAttemptAt: Moment?

  public struct Attempt: Sendable, Hashable {
    public let at: Moment
    /// Apple's word for the outcome, `SUCCESS` for one.
    public let result: String
  }

  /// How a mass extension went.
  struct Summary: Sendable {
    let request: String
    let productID: String
    let storefronts: [String]?
    let succeeded: Int
    let failed: Int
  }

  /// Whether it never arrived, or not yet.
  public var isFailed: Bool { attempts.last.map { $0.result != "SUCCESS" } ?? false }

  /// Seconds from each failed attempt to the next one in production; the sandbox tries once.
  ///
  /// - Source: App Store Server Notifications, responding to notifications.
  public static let retryHours = [1, 12, 24, 48, 72]
  /// Most attempts that Apple makes.
  static let attemptsMax = 6
}

/// What refuses a change of the simulated store.
public struct StoreError: Error, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}

/// A refusal by number, as the server API words it.
///
/// - Source: App Store Server API, error codes.
public struct APIFailure: Error, Sendable, Hashable {
  public let code: Int
  public let message: String

  public init(_ code: Int, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The HTTP status: the first three digits of the code.
  var status: Int { code / 10000 }
}
