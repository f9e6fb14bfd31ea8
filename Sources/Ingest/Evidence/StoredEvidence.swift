internal import AppStore
internal import Domain

/// Stored evidence for re-evaluation.
struct StoredEvidence: Sendable {
  var sha256: String
  /// Whether this program received it from Apple over TLS.
  var isFromApple: Bool
  var source: EvidenceSource
  var receivedAt: Timestamp
  var bytes: [UInt8]
}
