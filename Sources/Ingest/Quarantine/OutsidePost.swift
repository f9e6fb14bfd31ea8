package import AppStore
package import Domain

/// What a post that anybody could have sent comes to: items that Apple signed, and whatever else it was.
///
/// Only what carries a signature of Apple's, of whichever app, is evidence. The rest, also what lies around a signed item,
/// is for the quarantine: it says nothing about anybody. A notification of version 1 is unsigned; it counts as the receipt of
/// ours that it carries, and without one it is like anything else.
package struct OutsidePost: Sendable {
  /// Items to be stored, each with what lies in it, parent first.
  package var evidence: [[EvidenceItem]] = []
  /// The post, when it is not itself evidence.
  package var refused: QuarantinedItem?
  /// Whether the post as it came is the evidence, not something inside it.
  private var isWhole = false

  /// Kinds that have a signature of their own.
  private static let signedKinds: Set<EvidenceKind> = [
    .transaction, .renewalInfo, .notification, .appTransaction, .receipt, .other,
  ]
  /// How deep signed items are looked for in what is not evidence; Apple's own lie two deep.
  private static let depthMax = 4

  /// - Parameter body: without secrets.
  package init(_ body: [UInt8], source: EvidenceSource, receivedAt: Timestamp, reader: EvidenceReader) {
    let items = reader.read(body)
    guard let top = items.first else { return }
    guard !Self.isEvidence(top) else {
      evidence = [items]
      isWhole = true
      return
    }
    evidence = Self.signed(in: items, reader: reader, depth: 1)
    let isVersionOne = top.kind == .notification && top.verdict == .pending
    if isVersionOne, evidence.contains(where: { $0.first?.verdict == .genuine }) { return }
    // Rows of a receipt share its signature.
    let kinds = Set(items.filter { $0.verdict == .forged && $0.listedIn == nil }.map(SignatureKind.init(of:)))
    // What bears no signature at all is taken for a text that lost it.
    refused = QuarantinedItem(
      top, body: body, source: source, receivedAt: receivedAt, unverified: kinds.isEmpty ? [.text] : kinds)
  }

  /// Apple signed it.
  private static func isEvidence(_ top: EvidenceItem) -> Bool {
    guard let kind = top.kind, signedKinds.contains(kind) else { return false }
    return top.verdict == .genuine || top.verdict == .foreign || top.lacksOrigin
  }

  /// What lies directly in something that is no evidence is read as if it had come alone: nothing around it speaks for it.
  private static func signed(in items: [EvidenceItem], reader: EvidenceReader, depth: Int) -> [[EvidenceItem]] {
    guard let top = items.first, depth <= depthMax else { return [] }
    return items.dropFirst().filter { $0.parentSHA256 == top.sha256 }.flatMap { inner -> [[EvidenceItem]] in
      let alone = reader.read(Array(inner.raw))
      guard let first = alone.first else { return [] }
      if isEvidence(first) { return [alone] }
      return signed(in: alone, reader: reader, depth: depth + 1)
    }
  }

  /// What of the post is queued.
  ///
  /// - Parameter body: the post, as it was read.
  package func texts(of body: [UInt8]) -> [PostedText] {
    evidence.compactMap { items in
      items.first.map { PostedText($0, body: isWhole ? body : Array($0.raw)) }
    }
  }
}

/// A text that Apple signed, on its way to the webhook's queue.
package struct PostedText: Sendable {
  /// As it came.
  package let body: [UInt8]
  /// Of the signed text alone, as evidence is known.
  package let sha256: String
  /// Of what Apple signed: equal for texts that differ only around it.
  package let signedSHA256: String
  package let verdict: EvidenceVerdict
  /// Bound that it counts against besides the queue's; nil for none.
  package let bound: Bound?

  /// The kind of signature that verified; nil where it is not ours.
  package let proof: SignatureKind?

  /// What anybody can have as much of as he likes.
  package enum Bound: String, Sendable {
    /// Apple signs whatever another app sells.
    case foreign
    /// A device has its receipt made anew whenever it asks.
    case receipt
  }

  init(_ item: EvidenceItem, body: [UInt8]) {
    self.body = body
    sha256 = item.sha256
    signedSHA256 = item.signedSHA256
    verdict = item.verdict
    proof = item.verdict == .genuine ? SignatureKind(of: item) : nil
    bound = item.verdict == .foreign || item.lacksOrigin ? .foreign : item.kind == .receipt ? .receipt : nil
  }
}
