internal import Domain

/// Stored evidence for re-evaluation.
struct StoredEvidence: Sendable {
  /// Key in the list of pending work: `IS_FROM_APPLE|HASH`; of a sample of the quarantine, `SOURCE|DAY|HASH`.
  var key: String
  var sha256: String
  /// Whether this program received it from Apple over TLS.
  var isFromApple = false
  var source: EvidenceSource
  var receivedAt: Timestamp
  var bytes: [UInt8]
}
