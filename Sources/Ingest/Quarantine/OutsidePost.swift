package import AppStore
package import Domain
internal import FoundationEssentials

/// What a post that anybody could have sent comes to: items that Apple signed, and whatever else it was.
///
/// Only what carries a signature of Apple's, of whichever app, and notifications of version 1 are evidence. The rest,
/// also what lies around a signed item, is for the quarantine: it says nothing about anybody.
package struct OutsidePost: Sendable {
  /// Items to be stored, each with what lies in it, parent first.
  package var evidence: [[EvidenceItem]] = []
  /// The post, when it is not itself evidence.
  package var refused: QuarantinedItem?

  /// Kinds that have a signature of their own.
  private static let signedKinds: Set<EvidenceKind> = [
    .transaction, .renewalInfo, .notification, .appTransaction, .receipt,
  ]
  /// How deep signed items are looked for in what is not evidence; Apple's own lie two deep.
  private static let depthMax = 4

  /// - Parameter body: without secrets.
  package init(_ body: [UInt8], source: EvidenceSource, receivedAt: Timestamp, reader: EvidenceReader) {
    let items = reader.read(body)
    guard let top = items.first else { return }
    guard !Self.isEvidence(top) else {
      evidence = [items]
      return
    }
    refused = QuarantinedItem(top, body: body, source: source, receivedAt: receivedAt)
    evidence = Self.signed(in: items, reader: reader, depth: 1)
  }

  private static func isEvidence(_ top: EvidenceItem) -> Bool {
    guard let kind = top.kind, signedKinds.contains(kind) else { return false }
    switch top.verdict {
    case .genuine, .foreign: return true
    case .pending: return kind == .notification
    case .forged, .malformed: return false
    }
  }

  /// What lies directly in something that is no evidence is read as if it had come alone: nothing around it speaks for it.
  private static func signed(in items: [EvidenceItem], reader: EvidenceReader, depth: Int) -> [[EvidenceItem]] {
    guard let top = items.first, depth <= depthMax else { return [] }
    return items.dropFirst().filter { $0.parentSHA256 == top.sha256 }.flatMap { inner -> [[EvidenceItem]] in
      let alone = reader.read(Array(inner.raw))
      guard let first = alone.first else { return [] }
      if isEvidence(first), first.verdict != .pending { return [alone] }
      return signed(in: alone, reader: reader, depth: depth + 1)
    }
  }
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

  init(_ top: EvidenceItem, body: [UInt8], source: EvidenceSource, receivedAt: Timestamp) {
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
  }

  /// Bytes of a sample as the database keeps them.
  var bodyBase64: String { Data(body).base64EncodedString() }

  /// Bytes of a stored sample; empty when it is no base64.
  static func body(base64: String) -> [UInt8] { [UInt8](Data(base64Encoded: base64) ?? Data()) }
}
