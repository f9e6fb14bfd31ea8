internal import HTTP
internal import JobCore

/// Posts JSON to an address that may be secret.
struct WebhookClient: Sendable {
  /// Largest response, in bytes. Only its status is used.
  private static let answerBytesMax = 65_536
  private static let connectTime = Duration.seconds(5)

  private let client = HTTPClient(connections: 1)

  /// - Parameters:
  ///   - setting: name of the setting, for the error message.
  ///   - fields: header fields besides the content type.
  /// - Throws: `JobError` or `HTTPError` unless the response has a 2xx status. Neither contains the address.
  func post(
    _ body: [UInt8], to address: AlertSettings.Webhook, setting: String, fields: [(String, String)] = [], deadline: Duration
  ) async throws {
    let url =
      switch address {
      case .url(let url): url
      case .file(let path): try SecretFile.line(path, of: "url_file of \(setting)")
      }
    let request = HTTPRequest(
      .post, url, headers: [("Content-Type", "application/json")] + fields, body: body, deadline: deadline,
      connectTimeout: Self.connectTime, bodyLimit: Self.answerBytesMax)
    let response = try await client.send(request)
    guard !(200..<300).contains(response.status) else { return }
    throw JobError("the webhook answered with status \(response.status)")
  }
}
