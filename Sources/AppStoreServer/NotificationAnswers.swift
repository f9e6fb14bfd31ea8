/// A page of the notifications that Apple sent or tried to send.
///
/// - Source: App Store Server API, NotificationHistoryResponse.
public struct NotificationHistoryPage: Sendable, APIContent {
  public let notifications: [SentNotification]
  public let paginationToken: String?
  public let hasMore: Bool?

  init(_ fields: AnswerFields) throws(AnswerFault) {
    paginationToken = fields.text("paginationToken")
    hasMore = fields.flag("hasMore")
    notifications = try AnswerFields.page(
      fields.objects("notificationHistory") { SentNotification($0) }, "notificationHistory",
      hasMore: hasMore)
  }
}

/// A notification with its delivery attempts.
///
/// - Source: App Store Server API, NotificationHistoryResponseItem.
public struct SentNotification: Sendable {
  public let signedPayload: SignedText?
  public let attempts: [SendAttempt]

  init(_ fields: AnswerFields) {
    signedPayload = fields.signed("signedPayload")
    attempts = fields.objects("sendAttempts") { SendAttempt($0) } ?? []
  }
}

public struct SendAttempt: Sendable {
  /// `SUCCESS`, the reason of a failure, or a word Apple added later.
  ///
  /// - Source: App Store Server API, sendAttemptResult.
  public let result: String?

  init(_ fields: AnswerFields) {
    result = fields.text("sendAttemptResult")
  }
}
