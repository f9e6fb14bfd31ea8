/// A server notification, stored unsigned. The same content always gives the same signed bytes.
///
/// - Source: App Store Server Notifications, responseBodyV2DecodedPayload.
public struct StoreNotification: Sendable {
  public let uuid: String
  public let type: String
  public let subtype: String?
  public let signedAt: Moment
  /// State of the transaction when the notification was created.
  public let transaction: Transaction
  let renewal: RenewalInfo?
  let consumptionReason: String?
  /// The delivery attempt; nil before it.
  var attempt: Attempt?

  struct Attempt: Sendable {
    let at: Moment
    /// Apple's name of the outcome, for instance `SUCCESS`.
    let result: String
  }
}

/// The reason why a change of the simulated store is refused.
public struct StoreError: Error, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}

/// A refusal with the error code and message of the server API.
///
/// - Source: App Store Server API, error codes.
struct APIFailure: Error, Sendable, Hashable {
  let code: Int
  let message: String

  init(_ code: Int, _ message: String) {
    self.code = code
    self.message = message
  }

  static let badRequest = APIFailure(4_000_000, "Bad request.")
  static let invalidRevision = APIFailure(4_000_005, "Invalid revision.")

  /// HTTP status: the first three digits of the code.
  var status: Int { code / 10000 }
}
