internal import AppStore
internal import Domain
internal import FoundationEssentials
internal import Wording

/// The kinds of Apple's signatures. Each has a separate root, so a valid signature of one kind says nothing about the other.
package enum SignatureKind: Sendable, Hashable {
  /// Transactions, renewal infos and notifications, as JWS.
  case text
  /// App receipts, including those in notifications of version 1.
  case receipt

  init(of item: EvidenceItem) { self = item.kind == .receipt ? .receipt : .text }
}

/// Input for the quarantine: not genuine and concerning no user or order of ours.
package struct QuarantinedItem: Sendable {
  var source: EvidenceSource
  var sha256: String
  var kind: String
  var bundleID: String
  var environment: String
  var verdict: EvidenceVerdict
  var reason: Phrase
  var body: [UInt8]
  var receivedAt: Timestamp
  /// Kinds of signatures that failed in it; another root might verify them.
  package var unverified: Set<SignatureKind>

  init(_ top: EvidenceItem, body: [UInt8], source: EvidenceSource, receivedAt: Timestamp, unverified: Set<SignatureKind>) {
    self.source = source
    sha256 = top.sha256
    kind = top.kind?.rawValue ?? ""
    bundleID = top.bundleID
    environment = top.environment
    let isRefused = top.verdict == .forged || top.verdict == .malformed
    verdict = isRefused ? top.verdict : .pending
    reason = isRefused ? top.reason ?? .plain("") : .unsigned
    self.body = body
    self.receivedAt = receivedAt
    self.unverified = unverified
  }

  /// The bytes of a sample in the database's format.
  var bodyBase64: String { Data(body).base64EncodedString() }

  /// Returns the bytes of a stored sample; empty for invalid base64.
  static func body(base64: String) -> [UInt8] { [UInt8](Data(base64Encoded: base64) ?? Data()) }
}
