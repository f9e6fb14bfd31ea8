internal import HTTP

/// A page of a list that goes on.
public protocol APIPage: Sendable {
  /// Elements that a full page has.
  static var elementsMax: Int { get }
  /// What asks for the next page; nil when Apple gave none.
  var cursor: String? { get }
  /// nil when Apple's answer cannot be read.
  var hasMore: Bool? { get }
  var count: Int { get }
}

/// The pages of a list, one after the other; the cursor of each is where a later run can go on.
///
/// A list that leads back to itself, or has more pages than it may, ends with a fault after its last page.
public struct APIPages<Page: APIPage>: AsyncSequence, Sendable {
  public typealias Element = APIAnswer<Page>
  public typealias Failure = APIFault

  /// Pages that a list may have when nothing is said.
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
    /// Thrown instead of the next page: what was already read is not lost.
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
      // Where Apple's word cannot be read, a full page is taken to have a next one.
      isOver = !(page.hasMore ?? (page.count >= Page.elementsMax))
      if !isOver {
        // The same cursor gives the same page for ever.
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
