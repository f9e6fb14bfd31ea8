public import Domain
public import JobCore
package import Postgres
public import Wording

/// A job that runs the break classes. Each class is one SQL file that adds its findings; one merge separates new from persisting breaks.
public struct DetectJob: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// Finds the breaks of everything that changed or became due, and of everything connected to it. Records opened, changed, reopened and
  /// resolved breaks in one transaction, then runs the rules.
  ///
  /// - Parameters:
  ///   - isFull: evaluates everything.
  ///   - isDryRun: computes the same and records nothing.
  package func run(runID: String, isFull: Bool = false, isDryRun: Bool, on session: Session) async throws -> DetectOutcome {
    let job = self
    return try await context.deciding(run: runID, isDryRun: isDryRun, on: session) { tx in
      try job.decide(runID: runID, isFull: isFull, keepsRows: isDryRun, &tx)
    }
  }

  /// Does the work of `run` inside the caller's transaction.
  ///
  /// - Parameter keepsRows: whether the outcome contains the changed rows for a reader.
  package func decide(runID: String, isFull: Bool, keepsRows: Bool, _ tx: inout DatabaseTransaction) throws -> DetectOutcome {
    let scope = DetectScope(context: context, extent: isFull ? .all : .changes)
    let detection = try Detection(context: context, &tx)
    let isNarrow = try scope.open(&tx)
    let rows = try detection.decide(&tx, in: isNarrow ? scope : nil, runID: runID)
    try detection.record(&tx, rows: rows, runID: runID)
    var outcome = try detection.outcome(&tx)
    if try hasUnmatched(&tx) { outcome.staleInputs.append(Self.unmatched) }
    outcome.isWhole = !isNarrow
    let rules = RuleRun(context: context, detected: rows)
    outcome.liveSignalCount = try rules.run(&tx, runID: runID).liveCount
    if keepsRows { outcome.changes = try detection.changes(&tx) }
    return outcome
  }

  private static let unmatched = Phrase.plain(
    "facts came in that no match has seen, so what lacks its other side is not known: run payrecon match, then detect")

  private func hasUnmatched(_ tx: inout DatabaseTransaction) throws -> Bool {
    try tx.rows(context.sql(ScopeSQL.hasChanges)).first ?? false
  }
}

/// The result of a detect run.
public struct DetectOutcome: Sendable {
  /// An event of a break or signal that a dry run would have recorded.
  public struct Change: Sendable {
    public var id: String
    /// Class or rule.
    public var name: String
    /// State of a signal: `live`, `shadow` or `allowed`; empty for a break.
    public var state: String
    /// `open`, or its end: `resolved` for a break, `lapsed` for a signal.
    public var change: String
    /// Such as `order:PO-1` or `user:U1`.
    public var subject: String
    public var orderID: String?
    public var chargeID: String?
    public var detail: String
  }
  public var changedCount: Int
  /// Open breaks without a reviewer's decision, by severity.
  public var openCounts: [Severity: Int]
  /// Open breaks that a reviewer accepted, dismissed or wrote off.
  public var decidedCount = 0
  public var pendingCount: Int
  /// Open signals of live rules.
  public var liveSignalCount = 0
  /// The reasons why input is stale, one line each.
  public var staleInputs: [Phrase]
  /// Changed rows; empty unless the run was dry.
  public var changes: [Change]
  /// Whether the run evaluated everything, not only what changed.
  var isWhole = false

  public static let changesMax = 100_000

  /// Returns the recorded breaks at a clock that the transaction reads, without signals.
  static func breaks(asOf: Value, in sql: SQLFiles, _ tx: inout DatabaseTransaction) throws -> DetectOutcome {
    var outcome = DetectOutcome(changedCount: 0, openCounts: [:], pendingCount: 0, staleInputs: [], changes: [])
    for (name, count) in try tx.rows(sql(RunsSQL.breakCounts), ["as_of": asOf]) {
      if let severity = Severity(rawValue: name) { outcome.openCounts[severity] = Int(count) }
      if name == "decided" { outcome.decidedCount = Int(count) }
      if name == "pending" { outcome.pendingCount = Int(count) }
    }
    return outcome
  }

  /// Returns the recorded breaks and signals at a clock.
  package static func standing(asOf: Value, in sql: SQLFiles, _ tx: inout DatabaseTransaction) throws -> DetectOutcome {
    var outcome = try breaks(asOf: asOf, in: sql, &tx)
    outcome.liveSignalCount = try RuleOutcome.openCounts(asOf: asOf, in: sql, &tx)[RuleState.live.rawValue] ?? 0
    return outcome
  }

  /// Returns the verdict of input, breaks and signals. Missing input is at best incomplete; a signal is at most a warning.
  public func verdict(failAt: Severity) -> Verdict {
    if !staleInputs.isEmpty { return .incomplete }
    return breakVerdict(failAt: failAt)
  }

  /// Returns the verdict of breaks and signals alone.
  package func breakVerdict(failAt: Severity) -> Verdict {
    if openCounts.contains(where: { $0.key >= failAt && $0.value > 0 }) { return .breaks }
    if liveSignalCount > 0 || openCounts.values.contains(where: { $0 > 0 }) { return .warnings }
    return pendingCount > 0 ? .pending : .clean
  }
}

extension DetectOutcome {
  /// `12 breaks (critical 1, high 11), 3 pending`, plus decided breaks and signals if there are any.
  public var summary: Phrase {
    let severities = Severity.allCases.reversed().compactMap { severity in
      openCounts[severity].map { Phrase("said.act", ["first": .code(severity.rawValue), "more": .plain($0)]) }
    }
    let counts = [
      severities.isEmpty
        ? "night.no_breaks"
        : Phrase(
          "night.breaks", ["count": .plain(openCounts.values.reduce(0, +)), "severities": .joined(severities, by: "said.also")]),
      decidedCount > 0 ? Phrase("night.decided", ["count": .plain(decidedCount)]) : nil,
      Phrase("night.pending", ["count": .plain(pendingCount)]),
      liveSignalCount > 0 ? Phrase("night.signals", ["count": .plain(liveSignalCount)]) : nil,
    ]
    return .joined(counts.compactMap(\.self), by: "said.also")
  }
}
