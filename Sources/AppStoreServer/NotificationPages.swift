internal import HTTP

/// The pages of the notification history in sequence. A later run can resume from the token of any page.
///
/// A history that repeats a token, or exceeds `pagesMax`, ends with a fault after its last page.
public struct NotificationPages: AsyncSequence, Sendable {
  public typealias Element = APIAnswer<NotificationHistoryPage>
  public typealias Failure = APIFault

  /// Default limit of pages.
  public static let pagesMaxDefault = 100_000
  /// Number of notifications in a full page.
  private static let elementsMax = 20

  let start: String?
  let pagesMax: Int
  let ask: @Sendable (String?) async throws(APIFault) -> APIAnswer<NotificationHistoryPage>

  public func makeAsyncIterator() -> Iterator { Iterator(cursor: start, pagesMax: pagesMax, ask: ask) }

  public struct Iterator: AsyncIteratorProtocol {
    private var cursor: String?
    private let pagesMax: Int
    private let ask: @Sendable (String?) async throws(APIFault) -> APIAnswer<NotificationHistoryPage>
    private var pages = 0
    private var isOver = false
    /// Fault thrown in place of the next page, after the pages already read were returned.
    private var end: APIFault?

    init(cursor: String?, pagesMax: Int, ask: @escaping @Sendable (String?) async throws(APIFault) -> APIAnswer<NotificationHistoryPage>) {
      self.cursor = cursor
      self.pagesMax = pagesMax
      self.ask = ask
    }

    public mutating func next() async throws(APIFault) -> APIAnswer<NotificationHistoryPage>? { try await step() }

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(APIFault) -> APIAnswer<NotificationHistoryPage>? { try await step() }

    private mutating func step() async throws(APIFault) -> APIAnswer<NotificationHistoryPage>? {
      if let fault = end {
        end = nil
        throw fault
      }
      if isOver { return nil }
      let answer = try await ask(cursor)
      pages += 1
      let page = answer.content
      // If `hasMore` cannot be read, assume that a full page has a next one.
      isOver = !(page.hasMore ?? (page.notifications.count >= NotificationPages.elementsMax))
      if !isOver {
        // The same cursor would return the same page forever.
        guard let next = page.paginationToken, next != cursor, pages < pagesMax else {
          isOver = true
          end = APIFault(endless: answer.endpoint, answer.environment, pages: pages)
          return answer
        }
        cursor = next
      }
      return answer
    }
  }
}

extension APIFault {
  fileprivate init(endless endpoint: APIEndpoint, _ environment: APIEnvironment, pages: Int) {
    self.init(APICall(endpoint, .get, []), environment, .endlessPaging(pages: pages), retry: .retry)
  }
}
