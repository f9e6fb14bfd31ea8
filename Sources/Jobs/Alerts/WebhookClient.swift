internal import AppStoreServer
internal import Domain
internal import HTTP
internal import JobCore

/// A response whose status is not 2xx.
struct WebhookRefusal: Error, CustomStringConvertible {
  /// Statuses whose `Retry-After` is obeyed: too many requests, and unavailable.
  private static let pausing = [429, 503]
  /// Longest time that a receiver can state in `Retry-After`, in seconds: a day.
  private static let retryAfterSecondsMax: Int64 = 86_400

  var status: Int
  /// Seconds after which the receiver takes requests again, at most a day; nil if it states none.
  var retryAfterSeconds: Int64?

  init(status: Int, retryAfter: String?, now: Timestamp) {
    self.status = status
    guard Self.pausing.contains(status), let retryAfter else { return }
    retryAfterSeconds = Self.seconds(retryAfter, now: now).map { min(max(1, $0), Self.retryAfterSecondsMax) }
  }

  /// Whether the receiver no longer exists.
  ///
  /// - Source: Standard Webhooks 1.0.0, "Webhook endpoint status codes".
  var isGone: Bool { status == 410 }

  var description: String { "the webhook answered with status \(status)" }

  /// Returns the seconds in the field `Retry-After`, which is a number of seconds or an instant; nil for another text.
  ///
  /// - Source: RFC 9110, section 10.2.3.
  private static func seconds(_ field: String, now: Timestamp) -> Int64? {
    let text = field.filter { !$0.isWhitespace }
    if !text.isEmpty, text.allSatisfy(\.isWholeNumber) { return Int64(text) ?? .max }
    return HTTPDate.instant(field).map { ($0.microseconds - now.microseconds) / 1_000_000 + 1 }
  }
}

/// Posts JSON to an address that may be secret.
struct WebhookClient: Sendable {
  /// Largest response, in bytes. Only its status and its `Retry-After` are used.
  private static let answerBytesMax = 65_536
  private static let connectTime = Duration.seconds(5)

  private let client = HTTPClient(connections: 1)

  /// - Parameters:
  ///   - setting: name of the setting, for the error message.
  ///   - fields: header fields besides the content type.
  /// - Throws: `WebhookRefusal` unless the response has a 2xx status, `JobError` or `HTTPError`. None contains the address.
  func post(
    _ body: [UInt8], to address: AlertSettings.Webhook, setting: String, fields: [(String, String)] = [], deadline: Duration
  ) async throws {
    let request = HTTPRequest(
      .post, try Self.url(address, of: setting), headers: [("Content-Type", "application/json")] + fields, body: body,
      deadline: deadline, connectTimeout: Self.connectTime, bodyLimit: Self.answerBytesMax)
    let response = try await client.send(request)
    guard !(200..<300).contains(response.status) else { return }
    throw WebhookRefusal(status: response.status, retryAfter: response.headers["retry-after"], now: WallClock.now())
  }

  /// Returns the URL of an address.
  ///
  /// - Throws: `JobError` if the file with the URL cannot be read.
  static func url(_ address: AlertSettings.Webhook, of setting: String) throws(JobError) -> String {
    switch address {
    case .url(let url): url
    case .file(let path): try SecretFile.line(path, of: "url_file of \(setting)")
    }
  }
}
