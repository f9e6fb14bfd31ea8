/// Notification history.
///
/// - Source: App Store Server API, Get Notification History.
enum NotificationEndpoints {
  /// 2022-06-06, the earliest start of a history.
  private static let earliest = Moment(milliseconds: 1_654_473_600_000)
  /// Age limit of history per environment.
  private static let historySpans: [StoreEnvironment: Duration] = [.production: .days(180), .sandbox: .days(30)]

  /// Returns a page of the notifications in a range of time. Apple's filters are not simulated.
  static func history(_ call: Call, _ store: inout StoreState) throws(APIFailure) -> Draft {
    let (start, end) = try range(call, store)
    let scope = "\(store.environment.rawValue) \(start.milliseconds) \(end.milliseconds)"
    let first = position(of: start, in: store)
    let last = position(of: end, in: store)
    let from = try max(first, next(call, store, scope: scope) - Page.overlap(call.fault))
    let page = Array(store.notifications[from..<max(from, min(from + PageTokens.pageMax, last))])
    let hasMore = from + page.count < last
    let token = call.tokens.make(Int64(from + page.count), issued: store.now.milliseconds, scope: scope)
    return {
      let items = page.map { item($0, call.signer) }
      return .ok(
        ("paginationToken", hasMore ? .text(token) : nil), ("hasMore", .bool(hasMore)),
        ("notificationHistory", .array(Page.arrange(items, call.fault))))
    }
  }

  private static func range(_ call: Call, _ store: StoreState) throws(APIFailure) -> (start: Moment, end: Moment) {
    let body = call.body
    guard let start = body?["startDate"]?.integer, start >= 0 else {
      throw APIFailure(4_000_015, "Invalid request. The start date is not in milliseconds.")
    }
    guard let end = body?["endDate"]?.integer, end >= 0 else {
      throw APIFailure(4_000_016, "Invalid request. The end date is not in milliseconds.")
    }
    guard start < end else { throw APIFailure(4_000_013, "Invalid request. The end date must be after the start date.") }
    let from = Moment(milliseconds: start)
    guard from >= earliest, store.now - from <= historySpans[store.environment] ?? .days(180) else {
      throw APIFailure(4_000_012, "Invalid request. The start date is too far in the past.")
    }
    let hasFilter = ["notificationType", "notificationSubtype", "transactionId", "onlyFailures"].contains { (body?[$0] ?? .null) != .null }
    guard !hasFilter else { throw .badRequest }
    return (from, Moment(milliseconds: end))
  }

  /// Returns the position at which a request's token continues; 0 for the first page.
  private static func next(_ call: Call, _ store: StoreState, scope: String) throws(APIFailure) -> Int {
    guard let text = call.request.value("paginationToken") else { return 0 }
    if case .refusedRevision? = call.fault { throw invalidToken }
    guard let token = call.tokens.read(text, scope: scope) else { throw invalidToken }
    guard store.now - Moment(milliseconds: token.issued) <= PageTokens.life else {
      throw APIFailure(4_000_017, "Invalid request. The pagination token has expired.")
    }
    return Int(token.place)
  }

  private static let invalidToken = APIFailure(4_000_014, "Invalid request. The pagination token is invalid.")

  /// Returns the position of the first notification at or after an instant. Notifications are sorted, because the clock never runs back.
  private static func position(of instant: Moment, in store: StoreState) -> Int {
    var low = 0
    var high = store.notifications.count
    while low < high {
      let middle = (low + high) / 2
      if store.notifications[middle].signedAt < instant { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func item(_ notification: StoreNotification, _ signer: Signer) -> JSONValue {
    let attempt = notification.attempt.map { attempt in
      JSONValue.members(("attemptDate", .moment(attempt.at)), ("sendAttemptResult", .text(attempt.result)))
    }
    return .members(("signedPayload", signer.sign(notification)), ("sendAttempts", .array(attempt.map { [$0] } ?? [])))
  }
}
