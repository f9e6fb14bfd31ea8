public import Domain
public import JobCore
internal import Postgres
package import Wording

/// The state of each opened fiscal period, and the verification of closed ones.
public struct PeriodStatus: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// Streams the opened periods with their state.
  ///
  /// - Parameter period: only this period; nil for all.
  /// - Throws: errors of `sink`, and `JobError` if the filter names an unknown column or the period was never opened.
  public func stream(
    _ period: String?, _ format: ExportFormat, filter: RowFilter, sink: @escaping @Sendable ([UInt8]) throws -> Void
  ) async throws {
    let count = try await context.stream(PeriodsSQL.status, parameters(of: period ?? ""), by: filter, as: format, to: sink)
    if let period, count == 0 {
      throw JobError(
        "could not find period \"\(period)\": no report of it was read and it was not tied out",
        hint: "Opened periods are listed by: payrecon period status.", status: .usage)
    }
  }

  private func parameters(of period: String) -> [String: Value] {
    ["as_of": context.asOfValue, "target": .text(context.settings.finance.coverageTargetText), "period": .text(period)]
  }

  /// Returns the opened periods with their state, for a page.
  ///
  /// - Parameter period: only this period; nil for all.
  package func table(_ period: String? = nil) async throws -> ReportTable {
    try await context.table(PeriodsSQL.status, parameters(of: period ?? ""), as: .report)
  }

  /// The steps, conditions and tie-out differences of one period.
  package struct Details: Sendable {
    package var steps: ReportTable
    /// Unmet conditions of a close as of the clock, by their number.
    package var obstacles: [Int64: Phrase]
    /// Differences between the signed and the newest tie-out by cause, none for an open period.
    package var differences: ReportTable
    /// Signed reports, none for an open period.
    package var reports: ReportTable
  }

  package static let conditionCount: Int64 = 8

  package func details(of period: String) async throws -> Details {
    return try await context.transaction(as: .report, .readOnlySnapshot) { tx in
      try tx.setViewed(asOf: context.asOf, of: context)
      let steps = try ReportTable.read(
        PeriodsSQL.steps, ["period": .text(period), "as_of": context.asOfValue], files: context.sql, tx: &tx)
      let conditions = parameters(of: period).merging(["at": context.asOfValue]) { $1 }
      let unmet = try tx.rows(context.sql(PeriodsSQL.obstacles), conditions).map { try ($0.0, Phrase(json: $0.1)) }
      var differences = try ReportTable.read(PeriodsSQL.tieoutCorrections, files: context.sql, tx: &tx)
      differences.rows = try zip(differences.rows, differences.records).filter { _, row in
        try row.text("period") == period && row.text("cause") != "now"
      }.map { cells, _ in cells }
      let closed = try ReportTable.read(PeriodsSQL.closed, ["as_of": context.asOfValue], files: context.sql, tx: &tx).records
      let actID = try closed.first { try $0.text("period") == period }?.text("act_id") ?? ""
      let reports = try ReportTable.read(PeriodsSQL.reports, ["act_id": .text(actID)], files: context.sql, tx: &tx)
      return Details(
        steps: steps, obstacles: Dictionary(unmet) { first, _ in first }, differences: differences, reports: reports)
    }
  }

  /// Returns the context at the clock of a period's signed reports.
  ///
  /// - Throws: `JobError` of usage if the period is not closed, or the settings are not those of the close.
  public func signedContext(of period: String) async throws -> JobContext {
    try await context.withGivenClock(signedClock(of: period, "could not list the figures of \(period) as signed").asOf)
  }

  /// Returns the close of a period and the clock of its reports.
  ///
  /// - Throws: `JobError` that begins with `refusal` if the period is not closed, or the settings are not those of the close.
  func signedClock(of period: String, _ refusal: String) async throws -> (close: ReportRecord, asOf: Timestamp) {
    let closed = try await context.table(PeriodsSQL.closed, ["as_of": context.asOfValue], as: .report).records
    guard let row = try closed.first(where: { try $0.text("period") == period }) else {
      throw JobError("\(refusal): \(period) is not closed", hint: "See payrecon period status.", status: .usage)
    }
    guard try row.text("settings_sha256") == context.settingsSHA256 else {
      throw try JobError(
        "\(refusal): \(period) was closed with other settings (SHA-256 \(row.text("settings_sha256")))",
        hint: "Give it the settings file of the close in PAYRECON_CONFIG.", status: .usage)
    }
    return (row, try row.instant("closed_as_of"))
  }

  /// The result of writing signed reports again.
  public struct Replay: Sendable {
    public var asOf: Timestamp
    public var reportCount: Int
    /// Reports whose bytes differ from the signed ones, one line each.
    public var findings: [String]
  }

  /// Writes the reports of a closed period again and compares them with the signed hashes.
  ///
  /// - Parameter out: folder with a subfolder per report; nil keeps no files.
  /// - Throws: `JobError` if the period is not closed, or the settings are not those of the close.
  public func replay(_ period: String, out: String?) async throws -> Replay {
    let (row, asOf) = try await signedClock(of: period, "could not replay the reports of \(period)")
    let (signed, erasedCount) = try await context.transaction(as: .report, .readOnlySnapshot) { tx in
      let signed = try SignedReport.read(of: row.text("act_id"), files: context.sql, tx: &tx)
      let erased = try tx.rows(context.sql(PeriodsSQL.erasedSince), ["since": .timestamptz(microseconds: asOf.microseconds)])
      return (signed, erased.first ?? 0)
    }
    let reports = PeriodReports(context: context.withGivenClock(asOf), period: period)
    let again = try await reports.replay(signed, codeVersion: row.text("code_version"), to: out)
    let findings = zip(signed, again).filter { $0 != $1 }.map { before, after in
      "\(before.kind.rawValue): manifest \(before.manifestSHA256) was signed, now it is \(after.manifestSHA256)"
        + (erasedCount > 0 ? "; people erased after its clock: \(erasedCount), which may be the reason, see payrecon audit list" : "")
    }
    return Replay(asOf: asOf, reportCount: again.count, findings: findings)
  }
}
