internal import HTTP

/// A page of a paged list.
public protocol APIPage: Sendable {
  /// Number of elements in a full page.
  static var elementsMax: Int { get }
  /// Token that requests the next page; nil when Apple gave none.
  var cursor: String? { get }
  /// Whether another page follows; nil when Apple's answer cannot be read.
  var hasMore: Bool? { get }
  var count: Int { get }
}

/// The pages of a list in sequence. A later run can resume from the cursor of any page.
///
/// A list that repeats a cursor, or exceeds `pagesMax`, ends with a fault after its last page.
public struct APIPages<Page: APIPage>: AsyncSequence, Sendable {
  public typealias Element = APIAnswer<Page>
  public typealias Failure = APIFault

  /// Default limit of pages in a list.
  public static var pagesMaxDefault: Int { 100_000 }

  let start: String?
  let pagesMax: Int
  let ask: @Sendable (String?) async throws(APIFault) -> APIAnswer<Page>

  public func makeAsyncIterator() -> Iterator { Iterator(cursor: start, pagesMax: pagesMax, ask: ask) }

  public struct Iterator: AsyncIteratorProtocol {
    private var cursor: String?
    private let pagesMax: Int
    private let ask: @Sendable (String?) async throws(APIFault) -> APIAnswer<Page>
    private var pages = 0
    private var isOver = false
    /// Fault thrown in place of the next page, after the pages already read were returned.
    private var end: APIFault?

    init(
      cursor: String?, pagesMax: Int,
      ask: @escaping @Sendable (String?) async throws(APIFault) -> APIAnswer<Page>
    ) {
      self.cursor = cursor
      self.pagesMax = pagesMax
      self.ask = ask
    }

    public mutating func next() async throws(APIFault) -> APIAnswer<Page>? { try await step() }

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(APIFault) -> APIAnswer<Page>? { try await step() }

    private mutating func step() async throws(APIFault) -> APIAnswer<Page>? {
      if let fault = end {
        end = nil
        throw fault
      }
      if isOver { return nil }
      let answer = try await ask(cursor)
      pages += 1
      let page = answer.content
      // If `hasMore` cannot be read, assume that a full page has a next one.
      isOver = !(page.hasMore ?? (page.count >= Page.elementsMax))
      if !isOver {
        // The same cursor would return the same page forever.
        guard let next = page.cursor, next != cursor, pages < pagesMax else {
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
