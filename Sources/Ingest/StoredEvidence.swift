internal import AppStore
internal import Domain

/// Evidence as it was stored, to be read anew.
struct StoredEvidence: Sendable {
  var sha256: String
  /// This program itself had it from Apple over TLS.
  var isFromApple: Bool
  var source: EvidenceSource
  var receivedAt: Timestamp
  var bytes: [UInt8]
}
