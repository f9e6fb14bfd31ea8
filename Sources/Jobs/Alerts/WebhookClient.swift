internal import HTTP
internal import JobCore

/// Posts JSON to an address that may be a secret.
struct WebhookClient: Sendable {
  /// Bytes of an answer that are read; nothing in it counts but its status.
  private static let answerBytesMax = 65_536
  private static let connectTime = Duration.seconds(5)

  private let client = HTTPClient(lanes: 1)

  /// - Parameters:
  ///   - setting: what the settings call it, for the message.
  ///   - fields: header fields beside the content type.
  /// - Throws: `JobError` or `HTTPError`, which never hold the address, when no answer says that it was taken (2xx).
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
