public import HTTP
internal import JSON

/// Time limits and attempts of the client.
public struct APILimits: Sendable, Hashable {
  /// Time limit of one request.
  public var requestDeadline = Duration.seconds(30)
  public var connectTimeout = Duration.seconds(10)
  /// Time limit of a call including all pauses and repetitions.
  public var totalDeadline = Duration.seconds(120)
  /// Maximum number of requests per call, 1 or more.
  public var attemptsMax = 4
  /// Pause before the second request; later pauses double.
  public var firstPause = APILimits.firstPauseDefault
  /// Maximum length of an answer in bytes.
  public var bodyBytesMax = 4 << 20

  public static let firstPauseDefault = Duration.milliseconds(500)

  public init() {}
}

/// Sends requests about one app to the App Store Server API of both App Stores.
public final class AppStoreServerClient: Sendable {
  public let bundleID: String
  private let addresses: APIAddresses
  private let channel: APIChannel

  /// - Parameter limiter: shared by all clients of a process.
  public init(
    _ credentials: APICredentials, bundleID: String, http: HTTPClient, limiter: RateLimiter, addresses: APIAddresses = APIAddresses(),
    limits: APILimits = APILimits(), clock: ServerClock = .system
  ) {
    self.bundleID = bundleID
    self.addresses = addresses
    channel = APIChannel(
      name: bundleID, tokens: BearerTokenSource(credentials, bundleID: bundleID, clock: clock.now), http: http, limiter: limiter,
      limits: limits, clock: clock)
  }

  /// Sends a call, repeats it where that may help, and reads the answer.
  func ask<Content: APIContent>(_ call: APICall) async throws(APIFault) -> Content {
    guard let target = call.target else {
      throw APIFault(call, .refusedArgument("an identifier has 1 to \(APICall.identifierBytesMax) bytes"), retry: .final)
    }
    let url = addresses.base(.serverAPI, call.environment) + target
    return try await channel.repeating(call) { _, deadline throws(APIFault) in
      let response = try await channel.send(call, url: url, deadline: deadline)
      guard (200..<300).contains(response.status) else { throw channel.classifier(call).fault(response) }
      return try read(response, call)
    }
  }

  private func read<Content: APIContent>(_ response: HTTPResponse, _ call: APICall) throws(APIFault) -> Content {
    func malformed(_ reason: String) -> APIFault {
      APIFault(call, .malformedAnswer(reason), retry: .retry, status: response.status)
    }
    var object = JSONObject()
    if Content.self == NoContent.self {
      // The body is arbitrary, so only the status distinguishes Apple's answer from a proxy's.
      guard response.status == 202 else { throw malformed("its status is \(response.status), not 202") }
    } else {
      do { object = try JSONObject(parsing: response.body[...]) } catch {
        throw malformed(response.isPage ? HTTPResponse.pageReason : "it is no JSON object of \(response.body.count) bytes")
      }
    }
    do { return try Content(object) } catch { throw malformed(error.reason) }
  }
}

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
