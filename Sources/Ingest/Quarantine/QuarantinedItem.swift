internal import AppStore
internal import Domain
internal import FoundationEssentials

/// What Apple signs, each kind under a root of its own: that one holds proves nothing of the other.
package enum SignatureKind: Sendable, Hashable {
  /// Transactions, renewal infos and notifications, as JWS.
  case text
  /// App receipts, also those in notifications of version 1.
  case receipt

  init(of item: EvidenceItem) { self = item.kind == .receipt ? .receipt : .text }
}

/// Input that is not genuine and concerns nobody, on its way to the quarantine.
package struct QuarantinedItem: Sendable {
  var source: EvidenceSource
  var sha256: String
  var kind: String
  var bundleID: String
  var environment: String
  var verdict: EvidenceVerdict
  var reason: String
  var body: [UInt8]
  var receivedAt: Timestamp
  /// Kinds of signature in it that did not hold; with another root they might.
  package var unverified: Set<SignatureKind>

  init(_ top: EvidenceItem, body: [UInt8], source: EvidenceSource, receivedAt: Timestamp, unverified: Set<SignatureKind>) {
    self.source = source
    sha256 = top.sha256
    kind = top.kind?.rawValue ?? ""
    bundleID = top.bundleID
    environment = top.environment
    let isRefused = top.verdict == .forged || top.verdict == .malformed
    verdict = isRefused ? top.verdict : .pending
    reason = isRefused ? top.reason : "unsigned"
    self.body = body
    self.receivedAt = receivedAt
    self.unverified = unverified
  }

  /// Bytes of a sample as the database keeps them.
  var bodyBase64: String { Data(body).base64EncodedString() }

  /// Bytes of a stored sample; empty when it is no base64.
  static func body(base64: String) -> [UInt8] { [UInt8](Data(base64Encoded: base64) ?? Data()) }
}
