/// Notification history and test notifications.
///
/// - Source: App Store Server API, Get Notification History.
enum NotificationEndpoints {
  /// 2022-06-06, the earliest start of a history.
  private static let earliest = Moment(milliseconds: 1_654_473_600_000)
  /// Age limit of history per environment.
  private static let reach: [StoreEnvironment: Moment.Span] = [.production: .days(180), .sandbox: .days(30)]
  private static let testTokenLife = Moment.Span.days(180)
  private static let types: Set<String> = [
    "SUBSCRIBED", "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS", "OFFER_REDEEMED", "DID_RENEW", "EXPIRED",
    "DID_FAIL_TO_RENEW", "GRACE_PERIOD_EXPIRED", "PRICE_INCREASE", "REFUND", "REFUND_DECLINED", "REFUND_REVERSED",
    "CONSUMPTION_REQUEST", "RENEWAL_EXTENDED", "RENEWAL_EXTENSION", "REVOKE", "TEST", "EXTERNAL_PURCHASE_TOKEN",
    "ONE_TIME_CHARGE", "RESCIND_CONSENT", "METADATA_UPDATE", "MIGRATION", "PRICE_CHANGE",
  ]
  private static let subtypes: Set<String> = [
    "INITIAL_BUY", "RESUBSCRIBE", "DOWNGRADE", "UPGRADE", "AUTO_RENEW_ENABLED", "AUTO_RENEW_DISABLED",
    "VOLUNTARY", "BILLING_RETRY", "PRICE_INCREASE", "GRACE_PERIOD", "PENDING", "ACCEPTED", "BILLING_RECOVERY",
    "PRODUCT_NOT_FOR_SALE", "SUMMARY", "FAILURE", "UNREPORTED", "CREATED", "ACTIVE_TOKEN_REMINDER",
  ]

  /// The filter of a history request.
  private struct Query {
    var start: Moment
    var end: Moment
    var type: String?
    var subtype: String?
    var transaction: String?
    var onlyFailures: Bool

    /// The whole query as one text; a token is valid only for the same query.
    var scope: String {
      let range = "\(start.milliseconds) \(end.milliseconds)"
      return "\(range) \(type ?? "") \(subtype ?? "") \(transaction ?? "") \(onlyFailures)"
    }

    func takes(_ notification: StoreNotification) -> Bool {
      if let type, notification.type != type { return false }
      if let subtype, notification.subtype != subtype { return false }
      return !onlyFailures || notification.isFailed
    }
  }

  private static func query(_ call: Call, _ store: StoreState) throws(APIFailure) -> Query {
    let body = call.body
    guard let start = body?["startDate"]?.integer, start >= 0 else {
      throw APIFailure(4_000_015, "Invalid request. The start date is not in milliseconds.")
    }
    guard let end = body?["endDate"]?.integer, end >= 0 else {
      throw APIFailure(4_000_016, "Invalid request. The end date is not in milliseconds.")
    }
    guard start < end else { throw APIFailure(4_000_013, "Invalid request. The end date must be after the start date.") }
    let from = Moment(milliseconds: start)
    guard from >= earliest, store.now - from <= reach[store.environment] ?? .days(180) else {
      throw APIFailure(4_000_012, "Invalid request. The start date is too far in the past.")
    }
    let type = body?["notificationType"]?.text
    let subtype = body?["notificationSubtype"]?.text
    let transaction = body?["transactionId"]?.text
    guard type == nil || transaction == nil else {
      throw APIFailure(4_000_019, "Invalid request. Supply a transaction id or a notification type.")
    }
    guard type.map(types.contains) ?? (subtype == nil), subtype.map(subtypes.contains) ?? true else {
      throw APIFailure(4_000_018, "Invalid request. The notification type or subtype is invalid.")
    }
    if let transaction { try TransactionEndpoints.check(transaction) }
    return Query(
      start: from, end: Moment(milliseconds: end), type: type, subtype: subtype, transaction: transaction,
      onlyFailures: body?["onlyFailures"]?.bool ?? false)
  }

  static func history(_ call: Call, _ store: inout StoreState) throws(APIFailure) -> Draft {
    let query = try query(call, store)
    let scope = "\(store.environment.rawValue) \(query.scope)"
    var next = 0
    if let text = call.request.value("paginationToken") {
      if case .refusedRevision? = call.fault { throw invalidToken }
      guard let token = call.tokens.read(text, scope: scope) else { throw invalidToken }
      guard store.now - Moment(milliseconds: token.issued) <= PageTokens.life else {
        throw APIFailure(4_000_017, "Invalid request. The pagination token has expired.")
      }
      next = Int(token.place)
    }
    let places = places(query, in: store)
    let count = places?.count ?? store.notifications.count
    func notification(_ place: Int) -> StoreNotification { store.notifications[places?[place] ?? place] }
    let earliest = first(count, from: query.start, notification)
    let start = max(earliest, next - Page.overlap(call.fault))
    var page: [StoreNotification] = []
    var place = start
    var hasMore = false
    while place < count {
      let notification = notification(place)
      guard notification.signedAt < query.end else { break }
      if query.takes(notification) {
        guard page.count < PageTokens.pageMax else {
          hasMore = true
          break
        }
        page.append(notification)
      }
      place += 1
    }
    let token = call.tokens.make(Int64(place), issued: store.now.milliseconds, scope: scope)
    let found = page
    let more = hasMore
    return {
      let items = found.map { item($0, call.signer) }
      return .json(
        200,
        .members(
          ("paginationToken", more ? .text(token) : nil), ("hasMore", .bool(more)),
          ("notificationHistory", .array(Page.arrange(items, call.fault)))))
    }
  }

  private static let invalidToken = APIFailure(4_000_014, "Invalid request. The pagination token is invalid.")

  /// Returns the positions of one transaction's notifications; nil when the query names no transaction.
  private static func places(_ query: Query, in store: StoreState) -> [Int]? {
    query.transaction.map { id in
      (store.notificationsOfTransaction[id] ?? []).filter { store.notifications[$0].transaction?.id == id }
    }
  }

  /// Returns the position of the first of `count` notifications at or after an instant. Notifications are sorted, because the clock never
  /// runs back.
  private static func first(_ count: Int, from start: Moment, _ notification: (Int) -> StoreNotification)
    -> Int
  {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if notification(middle).signedAt < start { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func item(_ notification: StoreNotification, _ signer: Signer) -> JSONValue {
    let attempts = notification.attempts.map { attempt in
      JSONValue.members(("attemptDate", .moment(attempt.at)), ("sendAttemptResult", .text(attempt.result)))
    }
    return .members(("signedPayload", signer.sign(notification)), ("sendAttempts", .array(attempts)))
  }

  static func test(_ call: Call, _ store: inout StoreState) throws(APIFailure) -> Draft {
    let token = store.requestTestNotification()
    return { .json(200, .members(("testNotificationToken", .text(token)))) }
  }

  static func testStatus(_ call: Call, _ store: inout StoreState) throws(APIFailure) -> Draft {
    guard call.argument.utf8.count >= 36, TransactionEndpoints.isUUID(String(call.argument.prefix(36))) else {
      throw APIFailure(4_000_020, "Invalid request. The test notification token is invalid.")
    }
    guard let place = store.testNotifications[call.argument],
      store.now - store.notifications[place].signedAt <= testTokenLife,
      !store.notifications[place].attempts.isEmpty
    else {
      throw APIFailure(4_040_008, "The test notification is expired or not yet available.")
    }
    let notification = store.notifications[place]
    return { .json(200, item(notification, call.signer)) }
  }
}
