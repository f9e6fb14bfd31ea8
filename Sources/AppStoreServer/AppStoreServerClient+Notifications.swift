internal import HTTP
internal import JSON

extension AppStoreServerClient {
  /// Returns one page of the notifications that Apple sent.
  ///
  /// - Parameter paginationToken: token of the previous page; nil for the first page.
  public func notificationHistory(
    _ query: NotificationHistoryQuery, paginationToken: String? = nil, in environment: APIEnvironment
  ) async throws(APIFault) -> NotificationHistoryPage {
    let call = APICall(
      .notificationHistory, in: environment, .post, ["v1", "notifications", "history"],
      query: paginationToken.map { [("paginationToken", $0)] } ?? [], body: JSONText.bytes(query.json))
    // Apple compares milliseconds.
    guard query.startsAt.milliseconds < query.endsAt.milliseconds else {
      throw APIFault(call, .refusedArgument("the range ends before it starts"), retry: .final)
    }
    return try await ask(call)
  }

  /// Returns all pages of the notifications that Apple sent, starting at a token.
  public func notificationHistoryPages(
    _ query: NotificationHistoryQuery, from paginationToken: String? = nil, in environment: APIEnvironment,
    pagesMax: Int = NotificationPages.pagesMaxDefault
  ) -> NotificationPages {
    NotificationPages(client: self, query: query, environment: environment, pagesMax: pagesMax, cursor: paginationToken)
  }
}
