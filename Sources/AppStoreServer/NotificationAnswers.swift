internal import JSON

/// A page of the notifications that Apple sent or tried to send.
///
/// - Source: App Store Server API, NotificationHistoryResponse.
public struct NotificationHistoryPage: Sendable, APIContent {
  public let notifications: [SentNotification]
  public let paginationToken: String?
  public let hasMore: Bool?

  init(_ object: JSONObject) throws(AnswerFault) {
    paginationToken = object.string("paginationToken")
    hasMore = object.flag("hasMore")
    notifications = try JSONObject.required(object.objects("notificationHistory") { SentNotification($0) }, "notificationHistory")
  }
}

/// A notification with its delivery attempts.
///
/// - Source: App Store Server API, NotificationHistoryResponseItem.
public struct SentNotification: Sendable {
  public let signedPayload: SignedText?
  /// The item's JSON text.
  public let text: [UInt8]
  /// Results of the attempts: `SUCCESS`, the reason of a failure, or a word Apple added later.
  ///
  /// - Source: App Store Server API, sendAttemptResult.
  public let attemptResults: [String]

  init(_ object: JSONObject) {
    text = Array(object.text)
    signedPayload = object.signed("signedPayload")
    attemptResults = (object.objects("sendAttempts") { $0.string("sendAttemptResult") } ?? []).compactMap(\.self)
  }
}
