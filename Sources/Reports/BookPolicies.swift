internal import Domain
internal import JobCore
internal import Postgres

/// The settings from which revenue is computed, each from the day on which it became known.
///
/// Until the clock of a close, the settings of that close count, so that undated changes do not re-estimate what was signed. The
/// difference is a correction by `policy` on the day of that clock.
struct BookPolicies {
  private let rates: [RevenueFacts.Known<ProceedsRates>]
  private let journals: [RevenueFacts.Known<JournalSettings>]
  /// By the name of the closed fiscal period.
  private let closed: [String: JournalSettings]
  /// Clock of the reports of the first close, in microseconds since 1970; `Int64.max` without a close.
  let firstClose: Int64

  /// Reads the settings of the closes at the transaction's clock. Those of the context count after the last one.
  static func read(context: JobContext, tx: inout DatabaseTransaction) throws -> BookPolicies {
    var (known, closed, day) = ([RevenueFacts.Known<RevenueSettings>](), [String: JournalSettings](), RevenueFacts.history)
    let closes = try tx.rows(context.sql(PeriodsSQL.closedSettings))
    for (period, clock, text) in closes {
      let settings = try RevenueSettings(text: text)
      known.append(.init(settings, knownOn: day))
      closed[period] = settings.journal
      day = Int(clock / 86_400_000_000)
    }
    known.append(.init(try RevenueSettings(text: context.settings.canonicalText), knownOn: day))
    return BookPolicies(
      rates: RevenueFacts.changes(known.map { .init($0.fact.proceedsRates, knownOn: $0.knownOn) }),
      journals: RevenueFacts.changes(known.map { .init($0.fact.journal, knownOn: $0.knownOn) }), closed: closed,
      firstClose: closes.first?.1 ?? .max)
  }

  /// Returns the settings of the journal with which a period was closed; nil for periods that are open, and for months.
  func closedJournal(of period: String) -> JournalSettings? { closed[period] }

  /// Returns the estimates of a charge, by all rates in their order.
  func estimates(_ estimate: (ProceedsRates) throws -> ProceedsRates.Estimate) rethrows -> [RevenueFacts.Known<ProceedsRates.Estimate>] {
    try rates.map { .init(try estimate($0.fact), knownOn: $0.knownOn) }
  }

  /// Returns the revenue policies of an app in their order, without repetitions. The first one counts from the first period.
  func policies(of bundleID: String) -> [RevenueFacts.Known<RevenuePolicy>] {
    RevenueFacts.changes(journals.map { .init($0.fact.policy(of: bundleID), knownOn: $0.knownOn) })
  }
}
