public import JobCore
internal import Postgres

/// Verification of the audit chain, the sealed evidence and the recorded actions.
public struct AuditVerification: Sendable {
  static let pageRowsMax: Int64 = 1000

  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// One deviation from the recorded state.
  public struct Finding: Sendable, Hashable {
    public var subject: String
    public var text: String
  }

  public struct Outcome: Sendable {
    public var entryCount: Int64 = 0
    /// Number and hash of the newest entry. A copy kept elsewhere proves later that no entry was removed.
    public var head: (number: Int64, hash: String) = (0, "")
    public var evidenceCount: Int64 = 0
    public var batchCount = 0
    public var sealCount = 0
    /// Whether other tables were compared with the chain. The comparison is skipped if the chain is broken.
    public var isComparedToActs = false
    public var findings: [Finding] = []
  }

  /// A copy of the chain's head that was kept earlier.
  public struct Head: Sendable {
    var number: Int64
    var hash: String

    /// Returns nil unless the text is a number, a colon and a hash.
    public init?(_ text: String) {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, let number = Int64(parts[0]), number > 0, parts[1].count == 64 else { return nil }
      self.number = number
      hash = String(parts[1])
    }
  }

  /// Verifies everything on one database snapshot, in constant memory. An earlier head, if given, must still be in the chain.
  public func run(expected: Head? = nil) async throws -> Outcome {
    return try await context.transaction(as: .report, .readOnlySnapshot) { tx in
      var outcome = Outcome()
      try checkEntries(expected, &outcome, &tx)
      let isWhole = outcome.findings.isEmpty
      // The evidence bytes are assembled from several rows.
      try tx.readDistributedAsWhole(files: context.sql)
      try checkEvidence(&outcome, &tx)
      outcome.findings += try findings(AuditSQL.checkJudgements, &tx)
      guard isWhole else { return outcome }
      outcome.isComparedToActs = true
      outcome.findings += try findings(AuditSQL.checkActs, &tx)
      return outcome
    }
  }

  private func findings(_ statement: Statement<String, String, String>, _ tx: inout DatabaseTransaction) throws -> [Finding] {
    try tx.rows(context.sql(statement)).map { Finding(subject: "\($0.0) \($0.1)", text: $0.2) }
  }

  // MARK: The chain

  private typealias Entry = (number: Int64, previous: String, hash: String, trueHash: String)

  private func checkEntries(_ expected: Head?, _ outcome: inout Outcome, _ tx: inout DatabaseTransaction) throws {
    let file = try context.sql(AuditSQL.checkEntries)
    var seen: (number: Int64, hash: String) = (0, "")
    var hasFoundExpected = expected == nil
    while true {
      let parameters: [String: Value] = ["after": .int8(seen.number), "row_max": .int8(Self.pageRowsMax)]
      let page: [Entry] = try tx.rows(file, parameters).map { ($0, $1, $2, $3) }
      guard !page.isEmpty else { break }
      for entry in page {
        outcome.findings += Self.faults(of: entry, after: seen)
        if let expected, expected.number == entry.number, expected.hash == entry.hash { hasFoundExpected = true }
        seen = (entry.number, entry.hash)
        outcome.entryCount += 1
      }
      context.progress.report(stage: "audit entries", done: Int(outcome.entryCount), total: nil)
    }
    outcome.head = seen
    if let expected, !hasFoundExpected {
      outcome.findings.append(Finding(subject: "entry \(expected.number)", text: "is no longer the one with hash \(expected.hash)"))
    }
  }

  private static func faults(of entry: Entry, after seen: (number: Int64, hash: String)) -> [Finding] {
    var findings: [Finding] = []
    func find(_ subject: String, _ text: String) { findings.append(Finding(subject: subject, text: text)) }
    let missing = seen.number + 1..<max(entry.number, seen.number + 1)
    switch missing.count {
    case 0: break
    case 1: find("entry \(missing.lowerBound)", "is missing")
    default: find("entries \(missing.lowerBound) to \(missing.upperBound - 1)", "are missing")
    }
    let name = "entry \(entry.number)"
    if entry.hash != entry.trueHash { find(name, "was changed: its hash is \(entry.hash), its fields give \(entry.trueHash)") }
    if missing.isEmpty, entry.previous != seen.hash {
      find(name, "does not follow entry \(seen.number): it names hash \(entry.previous), that has \(seen.hash)")
    }
    return findings
  }

  // MARK: Evidence

  private func checkEvidence(_ outcome: inout Outcome, _ tx: inout DatabaseTransaction) throws {
    let file = try context.sql(AuditSQL.checkEvidence)
    var batches: Set<Int64> = []
    // Reads every byte of evidence in one parallel pass, which sorts on disk if memory is short.
    for chunk: EvidenceChunk in try tx.rows(file) {
      outcome.evidenceCount += chunk.rowCount
      outcome.sealCount += chunk.sealNumber == nil ? 0 : 1
      batches.insert(chunk.batchID)
      outcome.findings += Self.findings(in: chunk)
    }
    outcome.batchCount = batches.count
  }

  /// A row of `audit/check_evidence.sql`.
  private typealias EvidenceChunk = (
    batchID: Int64, number: Int64, fileName: String, rowCount: Int64, sealedCount: Int64?, sealNumber: Int64?, isSealed: Bool,
    brokenCount: Int64, firstBroken: String?, changedCount: Int64, firstChanged: String?
  )

  private static func findings(in chunk: EvidenceChunk) -> [Finding] {
    let file = chunk.fileName.isEmpty ? "" : " (\(chunk.fileName))"
    let (place, rowCount) = ("batch \(chunk.batchID)\(file), from item \(chunk.number + 1)", chunk.rowCount)
    var findings: [Finding] = []
    func find(_ subject: String, _ text: String) { findings.append(Finding(subject: "evidence \(subject)", text: text)) }
    func others(_ count: Int64) -> String { count > 1 ? ", and \(count - 1) more there" : "" }
    if let hash = chunk.firstBroken {
      find(hash, "its bytes were changed: they no longer give this hash; \(place)\(others(chunk.brokenCount))")
    }
    if let hash = chunk.firstChanged { find(hash, "its row was changed beside the bytes; \(place)\(others(chunk.changedCount))") }
    if let sealNumber = chunk.sealNumber, let sealedCount = chunk.sealedCount {
      if rowCount != sealedCount {
        find("of \(place)", "entry \(sealNumber) sealed \(sealedCount) rows, there are \(rowCount)")
      } else if !chunk.isSealed, chunk.firstChanged == nil {
        find("of \(place)", "its \(rowCount) rows are not those that entry \(sealNumber) sealed: one was replaced")
      }
    } else {
      find("of \(place)", "\(rowCount) rows that no entry seals")
    }
    return findings
  }
}
