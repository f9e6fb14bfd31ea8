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
    notifications = try JSONObject.page(
      object.objects("notificationHistory") { SentNotification($0) }, "notificationHistory",
      hasMore: hasMore)
  }
}

/// A notification with its delivery attempts.
///
/// - Source: App Store Server API, NotificationHistoryResponseItem.
public struct SentNotification: Sendable {
  public let signedPayload: SignedText?
  public let attempts: [SendAttempt]
  /// The item's JSON text.
  public let text: [UInt8]

  init(_ object: JSONObject) {
    text = Array(object.text)
    signedPayload = object.signed("signedPayload")
    attempts = object.objects("sendAttempts") { SendAttempt($0) } ?? []
  }
}

public struct SendAttempt: Sendable {
  /// `SUCCESS`, the reason of a failure, or a word Apple added later.
  ///
  /// - Source: App Store Server API, sendAttemptResult.
  public let result: String?

  init(_ object: JSONObject) {
    result = object.string("sendAttemptResult")
  }
}
