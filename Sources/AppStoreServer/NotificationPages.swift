/// The pages of the notification history in sequence. A later run can resume from the token of any page.
///
/// A history that repeats a token, or exceeds `pagesMax`, ends with a fault after its last page.
public struct NotificationPages: Sendable {
  public static let pagesMaxDefault = 100_000
  private static let elementsMax = 20

  let client: AppStoreServerClient
  let query: NotificationHistoryQuery
  let environment: APIEnvironment
  let pagesMax: Int
  private(set) var cursor: String?
  private(set) var askedTokens: Set<String> = []
  private(set) var pageCount = 0
  private(set) var isOver = false
  /// Whether the list has no end; the fault follows the pages already read.
  private(set) var isEndless = false

  /// Returns the next page; nil after the last one.
  public mutating func next() async throws(APIFault) -> NotificationHistoryPage? {
    if isEndless {
      throw APIFault(APICall(.notificationHistory, in: environment), .endlessPaging(pages: pageCount), retry: .retry)
    }
    if isOver { return nil }
    let page = try await client.notificationHistory(query, paginationToken: cursor, in: environment)
    pageCount += 1
    if let cursor { askedTokens.insert(cursor) }
    // If `hasMore` cannot be read, assume that a full page has a next one.
    isOver = !(page.hasMore ?? (page.notifications.count >= Self.elementsMax))
    // A repeated token would return the same pages forever.
    let leadsOn = page.paginationToken.map { !askedTokens.contains($0) } ?? false
    isEndless = !isOver && (!leadsOn || pageCount >= pagesMax)
    cursor = page.paginationToken
    return page
  }
}
