internal import Cryptography
internal import Domain
internal import FoundationEssentials
internal import JobCore

/// Header fields with which a receiver verifies the sender, time and integrity of a post.
///
/// - Source: Standard Webhooks 1.0.0, "Signature scheme" and "Webhook headers".
struct WebhookSignature {
  private static let prefix = "whsec_"
  private static let keyBytes = 24...64

  private let key: [UInt8]

  /// - Throws: `JobError` with usage status if the file contains no key. The message omits the key.
  init(of webhook: WebhookSettings) throws(JobError) {
    let setting = "secret_file of the webhook \"\(webhook.name)\""
    let line = try SecretFile.line(webhook.secretFile, of: setting)
    let bytes = line.hasPrefix(Self.prefix) ? Data(base64Encoded: String(line.dropFirst(Self.prefix.count))) : nil
    guard let bytes, Self.keyBytes.contains(bytes.count) else {
      throw JobError(
        "could not read \(setting): it holds no key, which is \(Self.prefix) and base64 of \(Self.keyBytes.lowerBound) to "
          + "\(Self.keyBytes.upperBound) bytes",
        hint: "One is made by: printf 'whsec_%s' \"$(openssl rand -base64 32)\"", status: .usage)
    }
    key = Array(bytes)
  }

  /// - Parameter seconds: time of the attempt, in seconds since 1970. Receivers refuse old posts.
  func fields(id: String, seconds: Int64, body: [UInt8]) -> [(String, String)] {
    let code = HMAC.sha256(Array("\(id).\(seconds).".utf8) + body, key: key)
    return [
      ("webhook-id", id), ("webhook-timestamp", "\(seconds)"), ("webhook-signature", "v1,\(Data(code).base64EncodedString())"),
    ]
  }
}
