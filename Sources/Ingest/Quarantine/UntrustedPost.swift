package import AppStore
package import Domain

/// The classified content of a post from an unknown sender: items that Apple signed, and the rest.
///
/// Only texts with a signature of Apple's, of any app, are evidence. The rest, including the text around a signed item, goes to the
/// quarantine and proves nothing. A notification of version 1 is unsigned; its evidence is the receipt of ours in it. Without one it goes
/// to the quarantine.
package struct UntrustedPost: Sendable {
  /// Items to store with their nested items, parent first.
  package var evidence: [[EvidenceItem]] = []
  /// The post as an item of the quarantine; nil when the post itself is evidence.
  package var quarantined: QuarantinedItem?
  /// Whether the whole post is the evidence, not only nested items.
  private var isWhole = false

  /// Kinds of items with their own signature.
  private static let signedKinds: Set<EvidenceKind> = [
    .transaction, .renewalInfo, .notification, .appTransaction, .receipt, .other,
  ]
  /// Maximum depth of the search for signed items in other text; Apple nests at most two levels.
  private static let depthMax = 4

  /// - Parameter body: the post without secrets.
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
    // A post without any signature is treated as a text that lost its signature.
    quarantined = QuarantinedItem(top, body: body, source: source, receivedAt: receivedAt, unverified: kinds.isEmpty ? [.text] : kinds)
  }

  /// Returns whether Apple signed the item.
  private static func isEvidence(_ top: EvidenceItem) -> Bool {
    guard let kind = top.kind, signedKinds.contains(kind) else { return false }
    return top.verdict == .genuine || top.verdict == .foreign || top.lacksOrigin
  }

  /// Returns the evidence nested in other text. Each item is read separately, because the text around it proves nothing.
  private static func signed(in items: [EvidenceItem], reader: EvidenceReader, depth: Int) -> [[EvidenceItem]] {
    guard let top = items.first, depth <= depthMax else { return [] }
    return items.dropFirst().filter { $0.parentSHA256 == top.sha256 }.flatMap { inner -> [[EvidenceItem]] in
      let alone = reader.read(Array(inner.raw))
      guard let first = alone.first else { return [] }
      if isEvidence(first) { return [alone] }
      return signed(in: alone, reader: reader, depth: depth + 1)
    }
  }

  /// Returns the texts to queue.
  ///
  /// - Parameter body: the post that was read.
  package func texts(of body: [UInt8]) -> [PostedText] {
    evidence.compactMap { items in items.first.map { PostedText($0, body: isWhole ? body : Array($0.raw)) } }
  }
}

/// A text signed by Apple that goes to the notification queue.
package struct PostedText: Sendable {
  package let body: [UInt8]
  /// SHA-256 of the signed text alone, as in the evidence store.
  package let sha256: String
  /// SHA-256 of the part that Apple signed; equal for texts that differ only outside it.
  package let signedSHA256: String
  package let verdict: EvidenceVerdict
  /// Limit that applies besides the queue's; nil for none.
  package let bound: Bound?

  /// The kind of signature that verified; nil for a text of another app.
  package let proof: SignatureKind?

  /// A type of signed text that anybody can produce in any number.
  package enum Bound: String, Sendable {
    /// Texts of other apps, which Apple signs as well.
    case foreign
    /// Receipts, which a device can refresh at any time.
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
