public import Domain
internal import Postgres

/// Runs the break classes: each is one SQL file that adds its findings, and one merge tells new from persisting.
public struct DetectJob: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// Finds the differences of all that changed, or became due, and of what that reaches, and records what opened,
  /// changed, reopened or resolved, in one transaction; then runs the rules.
  ///
  /// - Parameters:
  ///   - isFull: looks at everything, whatever changed.
  ///   - isDryRun: computes the same and keeps nothing.
  func run(runID: String, isFull: Bool = false, isDryRun: Bool, on session: Session) async throws -> DetectOutcome {
    let job = self
    return try await session.deciding(isDryRun: isDryRun) { tx in
      try job.decide(runID: runID, isFull: isFull, keepsRows: isDryRun, &tx)
    }
  }

  /// As `run`, inside the caller's transaction.
  func decide(runID: String, isFull: Bool, keepsRows: Bool, _ tx: inout Transaction) throws -> DetectOutcome {
    try RunLedger.nameLastBatch(of: runID, &tx, in: context)
    let scope = DetectScope(context: context, extent: isFull ? .all : .changes)
    let detection = try Detection(context: context, &tx)
    let isNarrow = try scope.open(&tx)
    try detection.decide(&tx, in: isNarrow ? scope : nil, runID: runID)
    try detection.record(&tx, isNarrow: isNarrow, runID: runID)
    if isNarrow { try scope.widen(&tx) }
    var outcome = try detection.outcome(&tx, keepsRows: keepsRows)
    let rules = RuleRun(context: context, extent: isNarrow ? .near : .all)
    outcome.liveSignalCount = try rules.run(&tx, runID: runID).liveCount
    return outcome
  }

  /// Finds the differences of a sample anew, with all it reaches, and compares them with what is recorded; keeps nothing.
  ///
  /// - Returns: what differs, in words; empty when nothing does, or when facts came in meanwhile that no run has seen.
  func check(on session: Session) async throws -> [String] {
    let context = context
    return try await session.deciding(isDryRun: true) { tx in
      let scope = DetectScope(context: context, extent: .sample)
      guard try scope.open(&tx) else { return [] }
      try Detection(context: context, &tx).decide(&tx, in: scope, runID: "check")
      return try SelfCheck.differences(
        stale: "detect/99_stale.sql", behind: "detect/99_is_behind.sql", &tx, in: context)
    }
  }
}

extension Transaction {
  /// Rows of a name and a count.
  mutating func counts(_ file: SQLFile, _ values: [String: Value]) throws -> [(name: String, count: Int)] {
    try rows(file, values) { row throws(PostgresError) in (try row.text(), Int(try row.int8())) }
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
  static func breaks(asOf: Value, in sql: SQLFiles, _ tx: inout Transaction) throws -> DetectOutcome {
    var outcome = DetectOutcome(changedCount: 0, openCounts: [:], pendingCount: 0, staleInputs: [], changes: [])
    for (name, count) in try tx.counts(sql("runs/break_counts.sql"), ["as_of": asOf]) {
      if let severity = Severity(rawValue: name) { outcome.openCounts[severity] = count }
      if name == "decided" { outcome.decidedCount = count }
      if name == "pending" { outcome.pendingCount = count }
    }
    return outcome
  }

  /// How breaks and signals stand.
  static func standing(asOf: Value, in sql: SQLFiles, _ tx: inout Transaction) throws -> DetectOutcome {
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
  func breakVerdict(failAt: Severity) -> Verdict {
    if openCounts.contains(where: { $0.key >= failAt && $0.value > 0 }) { return .breaks }
    if liveSignalCount > 0 || openCounts.values.contains(where: { $0 > 0 }) { return .warnings }
    return pendingCount > 0 ? .pending : .clean
  }
}
