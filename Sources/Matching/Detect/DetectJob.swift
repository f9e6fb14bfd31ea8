public import Domain
public import JobCore
package import Postgres

/// Runs the break classes: each is one SQL file that adds its findings, and one merge tells new from persisting.
public struct DetectJob: Sendable {
  let context: JobContext
  let cut: PieceCut

  public init(context: JobContext, cut: PieceCut = PieceCut()) {
    self.context = context
    self.cut = cut
  }

  private var pieces: Pieces<DetectPieces> { Pieces(job: DetectPieces(context: context), cut: cut) }

  /// Finds the differences of all that changed, or became due, and of what that reaches, and records what opened,
  /// changed, reopened or resolved, in one transaction; then runs the rules.
  ///
  /// - Parameters:
  ///   - isFull: looks at everything, whatever changed; in pieces where there is much.
  ///   - isDryRun: computes the same, in one piece, and keeps nothing.
  package func run(runID: String, isFull: Bool = false, isDryRun: Bool, on session: Session) async throws -> DetectOutcome {
    let job = self
    func decide() async throws -> DetectOutcome {
      try await context.deciding(run: runID, isDryRun: isDryRun, on: session) { tx in
        try job.decide(runID: runID, isFull: isFull, keepsRows: isDryRun, &tx)
      }
    }
    return isDryRun ? try await decide() : try await afterPieces(isFull: isFull, on: session, decide)
  }

  /// Has everything looked at in pieces where that is wanted or due, or where a run that did so was broken off; then decides,
  /// which records them.
  package func afterPieces<Outcome>(
    isFull: Bool, on session: Session, _ decide: () async throws -> Outcome
  ) async throws -> Outcome {
    try await pieces.first(isFull: isFull, on: session, decide)
  }

  /// Helps a run that another process has cut into pieces, until none is left.
  ///
  /// - Returns: pieces looked at; nil when no such run is under way with these settings and this program.
  package func join(on session: Session) async throws -> Int? { try await pieces.join(on: session) }

  /// As `run`, inside the caller's transaction.
  ///
  /// - Parameter keepsRows: for a dry run, which looks at however much it is in this one transaction.
  /// - Throws: `TooMuchAtOnce`, for `afterPieces`, where what is to be looked at is more than a piece holds.
  package func decide(runID: String, isFull: Bool, keepsRows: Bool, _ tx: inout DatabaseTransaction) throws -> DetectOutcome {
    // A dry run shows every change, so it looks once more at what pieces wait to have recorded.
    let isCut = try !keepsRows && pieces.areDecided(&tx)
    let scope = DetectScope(context: context, extent: isCut ? .cut : isFull ? .all : .changes)
    let detection = try Detection(context: context, &tx)
    let isNarrow = try scope.open(&tx)
    if !isNarrow, !keepsRows, try pieces.count(&tx) > 1 { throw TooMuchAtOnce(name: .detect) }
    try detection.decide(&tx, in: isNarrow ? scope : nil, runID: runID)
    try detection.record(&tx, isNarrow: isNarrow, runID: runID)
    var outcome = try detection.outcome(&tx, keepsRows: keepsRows)
    if try hasUnmatched(&tx) { outcome.staleInputs.append(Self.unmatched) }
    if isCut || !isNarrow { try pieces.forget(&tx) }
    let rules = RuleRun(context: context, extent: isNarrow && !isCut ? .near : .all)
    outcome.liveSignalCount = try rules.run(&tx, runID: runID).liveCount
    return outcome
  }

  private static let unmatched =
    "facts came in that no match has seen, so what lacks its other side is not known: run payrecon match, then detect"

  private func hasUnmatched(_ tx: inout DatabaseTransaction) throws -> Bool {
    try tx.rows(context.sql(ScopeSQL.hasChanges)).first ?? false
  }
}

/// What a detect run found.
public struct DetectOutcome: Sendable {
  /// An event that a dry run would have recorded.
  public struct Change: Sendable {
    public var breakID: String
    public var breakClass: String
    public var isOpen: Bool
    public var orderID: String?
    public var chargeID: String?
    public var detail: String
  }
  public var changedCount: Int
  /// Breaks that are open and undecided, by severity.
  public var openCounts: [Severity: Int]
  /// Breaks that are open and that a person accepted, dismissed or wrote off.
  public var decidedCount = 0
  public var pendingCount: Int
  /// Suspicions of live rules that are open.
  public var liveSignalCount = 0
  /// What is the matter with input that is not fresh, one line each.
  public var staleInputs: [String]
  /// Changed rows; empty unless the run was dry.
  public var changes: [Change]

  public static let changesMax = 100_000

  /// How breaks stand at a clock that the transaction reads, whichever run recorded them; signals are not asked about.
  static func breaks(asOf: Value, in sql: SQLFiles, _ tx: inout DatabaseTransaction) throws -> DetectOutcome {
    var outcome = DetectOutcome(changedCount: 0, openCounts: [:], pendingCount: 0, staleInputs: [], changes: [])
    for (name, count) in try tx.rows(sql(RunsSQL.breakCounts), ["as_of": asOf]) {
      if let severity = Severity(rawValue: name) { outcome.openCounts[severity] = Int(count) }
      if name == "decided" { outcome.decidedCount = Int(count) }
      if name == "pending" { outcome.pendingCount = Int(count) }
    }
    return outcome
  }

  /// How breaks and signals stand.
  package static func standing(asOf: Value, in sql: SQLFiles, _ tx: inout DatabaseTransaction) throws -> DetectOutcome {
    var outcome = try breaks(asOf: asOf, in: sql, &tx)
    outcome.liveSignalCount = try RuleOutcome.openCounts(asOf: asOf, in: sql, &tx)[RuleState.live.rawValue] ?? 0
    return outcome
  }

  /// Verdict of input, breaks and signals: missing input is never better than incomplete, a suspicion never more than a
  /// warning.
  public func verdict(failAt: Severity) -> Verdict {
    if !staleInputs.isEmpty { return .incomplete }
    return breakVerdict(failAt: failAt)
  }

  /// Verdict of breaks and signals alone.
  package func breakVerdict(failAt: Severity) -> Verdict {
    if openCounts.contains(where: { $0.key >= failAt && $0.value > 0 }) { return .breaks }
    if liveSignalCount > 0 || openCounts.values.contains(where: { $0 > 0 }) { return .warnings }
    return pendingCount > 0 ? .pending : .clean
  }
}

extension DetectOutcome {
  /// `12 breaks (critical 1, high 11), 3 pending`, and the decided breaks and the signals when there are any.
  public var summary: String {
    let bySeverity = Severity.allCases.reversed().compactMap { severity in
      openCounts[severity].map { "\(severity.rawValue) \($0)" }
    }
    let total = openCounts.values.reduce(0, +)
    let parts = bySeverity.isEmpty ? "" : " (\(bySeverity.joined(separator: ", ")))"
    let signals = liveSignalCount > 0 ? ", \(liveSignalCount) signals" : ""
    let decided = decidedCount > 0 ? ", \(decidedCount) decided" : ""
    return "\(total) breaks\(parts)\(decided), \(pendingCount) pending\(signals)"
  }
}
