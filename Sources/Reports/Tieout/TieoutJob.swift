public import Domain
public import JobCore
internal import Postgres
public import Wording

/// A job that compares our charges with Apple's payments cell by cell (tie-out): one fiscal period at a time, in one transaction.
///
/// Every step depends only on the facts known at the clock. The same facts in any order give the same cells.
public struct TieoutJob: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// The result of a tie-out.
  public struct Outcome: Sendable {
    public var runID: String
    public var verdict: Verdict
    /// The input whose absence or early end makes the verdict incomplete; empty for none.
    public var missing: [Phrase]
    /// Units by the degree to which they are proved, one line per currency.
    public var coverage: [Coverage]
    /// Number of breaks of the period that opened, changed or resolved.
    public var changedCount: Int
    /// Open and undecided breaks of all tie-outs, by severity.
    public var openCounts: [Severity: Int]

    /// The number of breaks, for the last line of the command.
    public var breakText: String {
      let open = openCounts.values.reduce(0, +)
      return "\(open) breaks open, \(changedCount) changed"
    }
  }

  /// The proved part of one currency of a period.
  public struct Coverage: Sendable {
    public var currency: String
    public var units: (proved: Int64, explained: Int64, unexplained: Int64, open: Int64)
    public var percent: (proved: String, explained: String, unexplained: String, open: String)

    /// `USD: proved 99.20 % (1240), explained 0.80 % (10), …`.
    public var text: String {
      "\(currency): proved \(percent.proved) % (\(units.proved) units), explained \(percent.explained) % (\(units.explained)), "
        + "unexplained \(percent.unexplained) % (\(units.unexplained)), not yet settled \(percent.open) % (\(units.open))"
    }
  }

  /// Ties out a fiscal period such as `2026-P11`, or provisionally a day such as `D2026-08-12`.
  ///
  /// A day is compared with SALES or SUBSCRIBER reports and raises no break.
  ///
  /// - Throws: `JobError` with status 3 if no report of the period was read, 4 if another tie-out is running; also if the reports of a
  ///   signed close have this clock or a later one.
  public func run(period: String) async throws -> Outcome {
    try await context.withRun(job: "tieout", part: period, lock: .tieout) { run, session in
      let outcome = try await decide(period: period, runID: run.runID, on: session)
      let units = outcome.coverage.reduce(into: (Int64(0), Int64(0))) { sum, part in
        sum.0 += part.units.proved + part.units.explained
        sum.1 += part.units.unexplained + part.units.open
      }
      return RunResult(
        outcome, outcome.verdict, counts: [("settled", units.0), ("unsettled", units.1)],
        reasons: outcome.missing.isEmpty ? nil : outcome.missing)
    }
  }

  private func decide(period: String, runID: String, on session: Session) async throws -> Outcome {
    do {
      return try await session.deciding(isDryRun: false) { tx in
        try tx.lookBack(to: context.asOf, files: context.sql)
        var run = TieoutRun(context: context, period: period, runID: runID)
        try run.gather(&tx)
        try run.assignCauses(&tx)
        try run.record(&tx)
        let changed = try run.raiseBreaks(&tx)
        return try run.outcome(changedCount: changed, &tx)
      }
    } catch PostgresError.server(let error) where error.constraint == "signed_tieout" {
      throw JobError(error.message, hint: "payrecon report tieout shows the tie-out as it was signed.")
    }
  }
}
