internal import Domain
public import JobCore
internal import Postgres
internal import Wording

/// Downloads Apple's financial reports that are due and not yet stored, one after the other.
public struct FinanceCollectJob: Sendable {
  /// Maximum number of reports requested per run; the next run continues.
  public static let asksMax = 2000

  let context: JobContext
  let access: ReportAccess
  private let asksMax: Int

  public init(context: JobContext, access: ReportAccess, asksMax: Int = FinanceCollectJob.asksMax) {
    self.context = context
    self.access = access
    self.asksMax = asksMax
  }

  /// Requests the due reports of every vendor number.
  ///
  /// - Parameter again: fiscal periods (`2026-P11`) and days (`2026-11-21`) to request even if their reports are known.
  /// - Throws: `JobError` when no vendor number has a key, or a period is invalid.
  public func run(again: [String] = []) async throws -> FinanceOutcome {
    guard !access.accounts.isEmpty else {
      throw JobError(
        "could not ask App Store Connect: no vendor number has a key",
        hint: "Add \"finance: {accounts: [{vendor, issuer_id, key_id, key_file}]}\" to the settings file.", status: .usage)
    }
    return try await context.withSession { session in
      try await JobLock.reports.take(on: session, in: context)
      return try await run(again: again, on: session)
    }
  }

  private func run(again: [String], on session: Session) async throws -> FinanceOutcome {
    let calendar = try await fiscalPeriods(on: session)
    try require(again, calendar)
    return try await context.withRun(job: "collect-finance", on: session) { run in
      var outcome = FinanceOutcome()
      for account in access.accounts {
        let collector = ReportCollector(
          context: context, session: session, account: account, calendar: calendar, again: Set(again), runID: run.runID)
        outcome.add(try await collector.run(asksMax: asksMax - outcome.askCount))
      }
      context.progress.finish()
      let counts = [
        ("input", outcome.tally.input), ("asked", outcome.askCount), ("taken", outcome.takenCount), ("restated", outcome.restatedCount),
      ]
      return RunResult(outcome, outcome.verdict, counts: counts, reasons: outcome.messages.map { .plain($0) })
    }
  }

  /// Returns every fiscal period that Apple may have a report of.
  private func fiscalPeriods(on session: Session) async throws -> [FiscalPeriod] {
    let today = CivilDate(context.asOf)
    let days: [String: Value] = [
      "from_day": .text(today.advanced(byDays: -ReportSchedule.fiscal.retentionDays).description),
      "to_day": .text(today.description),
    ]
    return try await session.rows(context.sql(CollectSQL.financePeriods), days).compactMap { name, from, to in
      guard let from = CivilDate(from), let to = CivilDate(to) else { return nil }
      return FiscalPeriod(name, startsOn: from, endsOn: to)
    }
  }

  private func require(_ again: [String], _ calendar: [FiscalPeriod]) throws(JobError) {
    for period in again where CivilDate(period) == nil && !calendar.contains(where: { $0.name == period }) {
      throw JobError(
        "could not ask for \"\(period)\" again: it is no day and no fiscal period that has begun",
        hint: "Say 2026-11-21 or 2026-P11.", status: .usage)
    }
  }
}
