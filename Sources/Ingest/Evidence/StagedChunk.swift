internal import AppStore
package import Domain
internal import Intake
internal import JobCore
package import Wording

/// Verified and decoded evidence of one transaction, ready to be copied.
package struct StagedChunk: Sendable {
  private(set) var evidence: [StagedEvidence] = []
  var parked: [ParkedItem] = []
  private(set) var pages = StagedPages()
  /// Ignored members of wrappers, with the number of wrappers and the first line.
  private(set) var wrapperNotes: [EvidenceWrapper.Note: (count: Int, line: Int)] = [:]
  /// Items that are not genuine and concern no user or order of ours.
  private(set) var quarantined: [QuarantinedItem] = []
  /// Number of input items that stay in the quarantine, which counts them.
  var ignoredCount = 0
  /// Business clock: items that Apple signed later are pending until a run's clock passes their signing instant.
  private let clock: Timestamp

  package init(clock: Timestamp) { self.clock = clock }

  /// Reads one line: its wrapper, if any, the item and its nested signed items.
  ///
  /// - Parameters:
  ///   - isFromApple: whether this process received the line from Apple over TLS; only then does an unsigned answer prove anything.
  mutating func add(
    _ line: EvidenceLine, file: String, reader: EvidenceReader, source: EvidenceSource, isFromApple: Bool = false
  ) {
    if line.mayBeTruncated, EvidenceReader.isTruncated(line.bytes) {
      park(line, file: file, field: "", reason: InputEnd.openEnd, isTruncated: true)
      return
    }
    let upload: Upload
    let bytes: [UInt8]
    var isWrapped = false
    // Apple's answers are never wrappers of ours, even if they look like one.
    switch isFromApple ? .notAWrapper : EvidenceWrapper.parse(line.bytes) {
    case .notAWrapper:
      upload = Upload(source: source, receivedAt: clock)
      bytes = line.bytes
    case .wrapper(let wrapper):
      upload = Upload(
        source: wrapper.source ?? source, receivedAt: wrapper.receivedAt ?? clock, userID: wrapper.userID ?? "",
        deviceID: wrapper.deviceID ?? "", orderID: wrapper.orderID ?? "")
      bytes = wrapper.evidence
      isWrapped = true
      for note in wrapper.notes { add(note, count: 1, line: line.line) }
    case .refused(let field, let reason):
      park(line, file: file, field: field, reason: reason)
      return
    }
    let items = reader.read(bytes, isFromApple: isFromApple, isWrapped: isWrapped)
    if let top = items.first, top.verdict == .malformed {
      park(line, file: file, field: top.field, reason: Phrase("signed.evidence_malformed", ["why": top.reason ?? .plain("")]))
    }
    pages.add(items, line: line.line)
    stage(items, upload: upload, isFromApple: isFromApple)
  }

  private mutating func add(_ note: EvidenceWrapper.Note, count: Int, line: Int) {
    let known = wrapperNotes[note] ?? (0, line)
    wrapperNotes[note] = (known.count + count, min(known.line, line))
  }

  /// Adds a post from an unknown sender. Only the evidence in it counts; the rest is quarantined.
  package mutating func add(_ post: UntrustedPost, source: EvidenceSource, receivedAt: Timestamp) {
    if let item = post.quarantined { quarantined.append(item) }
    stageEvidence(of: post, source: source, receivedAt: receivedAt)
  }

  /// Adds the evidence of a post that the quarantine has already counted.
  mutating func stageEvidence(of post: UntrustedPost, source: EvidenceSource, receivedAt: Timestamp) {
    for items in post.evidence {
      stage(items, upload: Upload(source: source, receivedAt: receivedAt), isFromApple: false, isCounted: post.quarantined == nil)
    }
  }

  /// Reads stored evidence again with its original upload; nothing is parked again.
  ///
  /// - Returns: whether all of it is genuine now.
  mutating func reevaluate(_ stored: StoredEvidence, reader: EvidenceReader) -> Bool {
    let first = evidence.endIndex
    stage(
      reader.read(stored.bytes, isFromApple: stored.isFromApple),
      upload: Upload(source: stored.source, receivedAt: stored.receivedAt), isFromApple: stored.isFromApple,
      storedAs: stored.sha256)
    return evidence[first...].allSatisfy { $0.content.verdict == .genuine }
  }

  /// Description of the first forged item; nil when there is none.
  package var firstForgery: Phrase? {
    evidence.first { $0.content.verdict == .forged }.map { staged in
      .plain("\(staged.content.kind?.rawValue ?? "item") \(staged.content.sha256.prefix(12)): ") + (staged.content.reason ?? .plain(""))
    }
  }

  private mutating func park(_ line: EvidenceLine, file: String, field: String, reason: Phrase, isTruncated: Bool = false) {
    // Notifications V1 contain the shared secret.
    let bytes = SecretRedaction.redacted(line.bytes)
    parked.append(
      ParkedItem(
        kind: "apple", file: file, line: line.line, field: field, reason: reason,
        raw: Array(bytes.prefix(Self.parkedBytesMax)), byteCount: bytes.count, isTruncated: isTruncated))
  }

  /// Maximum number of bytes kept of a parked item; evidence is kept completely.
  static let parkedBytesMax = 1 << 20

  /// - Parameters:
  ///   - stored: hash under which the whole is already stored; nil for new items.
  ///   - isCounted: whether the first item counts as an input item.
  private mutating func stage(
    _ items: [EvidenceItem], upload: Upload, isFromApple: Bool, storedAs stored: String? = nil,
    isCounted: Bool = true
  ) {
    guard let top = items.first else { return }
    // Apple signs an answer at the time of the request, which is after the clock of the requesting run.
    for (index, item) in (isFromApple ? items : items.pending(after: clock)).enumerated() {
      let staged = StagedEvidence(
        item, upload: upload,
        isTop: isCounted && index == 0 && (item.verdict != .malformed || stored != nil),
        topSHA256: stored ?? top.sha256, isFromApple: isFromApple, isReevaluation: stored != nil,
        formerSHA256: index == 0 && stored != top.sha256 ? stored : item.formerSHA256, isFirst: index == 0)
      evidence.append(staged)
    }
  }

  /// Latest signing instant in the chunk; nil without a genuine item.
  var newestSignedAt: Timestamp? {
    evidence.compactMap { $0.content.verdict == .genuine ? $0.content.signedAt : nil }.max()
  }

  /// Notifications that Apple could not deliver at once.
  var missed: [(sha256: String, attempts: DeliveryAttempts)] {
    evidence.compactMap { item in item.content.deliveryAttempts.map { (item.content.sha256, $0) } }
  }

  mutating func append(_ other: StagedChunk) {
    evidence += other.evidence
    pages.append(other.pages)
    parked += other.parked
    quarantined += other.quarantined
    for (note, found) in other.wrapperNotes { add(note, count: found.count, line: found.line) }
  }

  /// The first transactions of the purchases that the chunk names.
  package var originalTransactionIDs: [String] {
    Set(evidence.lazy.compactMap { $0.content.transaction?.originalTransactionID }.map(ByteText.init)).sorted().map(\.text)
  }

  /// Whether the signature of an item holds.
  package var hasProof: Bool { !proven.isEmpty }

  /// Kinds of signature that were verified.
  var proven: Set<SignatureKind> {
    let signed = evidence.lazy.filter { $0.content.verdict == .genuine && ($0.content.kind == .receipt || $0.packed.headerKey != nil) }
    return Set(signed.map { SignatureKind(of: $0.content) })
  }

  /// The items with those nested in them, in their order.
  var trees: [[StagedEvidence]] {
    var trees: [[StagedEvidence]] = []
    for item in evidence {
      if item.isFirst || trees.isEmpty { trees.append([]) }
      trees[trees.count - 1].append(item)
    }
    return trees
  }
}
