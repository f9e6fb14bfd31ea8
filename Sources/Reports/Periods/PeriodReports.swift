internal import Domain
internal import JobCore
internal import Postgres

/// Writes the reports of a period as of the clock of its close, and reads the figures to be signed.
struct PeriodReports: Sendable {
  /// Number of the bridge's line of charges without an order.
  private static let unmatchedLine = "8"

  /// The context at the clock of the reports.
  let context: JobContext
  let period: String

  struct Content: Sendable {
    var reports: [SignedReport] = []
    var figures: [SignedFigure] = []
  }

  /// Writes all reports.
  ///
  /// - Parameters:
  ///   - out: folder with a subfolder per report; nil keeps no files.
  ///   - clock: clock of the proposal. Corrections of the periods closed at it are signed, also of those signed after the reports' clock.
  func write(to out: String?, proposedAt clock: Timestamp) async throws -> Content {
    try await context.withSession(as: .report) { session in
      var content = Content()
      let judged = try await ReportJob(context: context).judge(asOf: context.asOf, on: session)
      for kind in SignedReport.kinds {
        let header = ReportHeader(
          kind: kind, context: context, runID: context.runID(job: "close-\(period)"), verdict: judged.verdict, reasons: judged.reasons)
        let (report, figures) = try await write(header, to: out, on: session)
        content.reports.append(report)
        content.figures += figures
      }
      content.figures += try await tieoutFigures(on: session)
      content.figures += try await correctionFigures(closedBy: clock, on: session)
      content.figures.sort { ($0.report, $0.slice, $0.currency, $0.metric) < ($1.report, $1.slice, $1.currency, $1.metric) }
      return content
    }
  }

  /// Writes signed reports again and returns their present hashes.
  ///
  /// - Parameter out: folder with a subfolder per report; nil keeps no files.
  func replay(_ signed: [SignedReport], codeVersion: String, to out: String?) async throws -> [SignedReport] {
    try await context.withSession(as: .report) { session in
      var again: [SignedReport] = []
      for report in signed {
        var header = ReportHeader(
          kind: report.kind, context: context, runID: report.runID, verdict: report.verdict, reasons: report.reasons)
        header.codeVersion = codeVersion
        again.append(try await write(header, to: out, on: session).report)
      }
      return again
    }
  }

  private func write(
    _ header: ReportHeader, to out: String?, on session: Session
  ) async throws -> (report: SignedReport, figures: [SignedFigure]) {
    guard let out else { return try await TemporaryFolder.using { try await write(header, into: $0, on: session) } }
    return try await write(header, into: "\(out)/\(header.kind.rawValue)", on: session)
  }

  private func write(
    _ header: ReportHeader, into folder: String, on session: Session
  ) async throws -> (report: SignedReport, figures: [SignedFigure]) {
    let written = try await ReportJob(context: context).writeTables(header, formats: SignedReport.formats, directory: folder, on: session)
    let manifest = try Manifest.read(directory: folder)
    let report = SignedReport(
      kind: header.kind, runID: header.runID, manifestSHA256: manifest.sha256, fileCount: manifest.files.count, verdict: header.verdict,
      reasons: header.reasons)
    return (report, try written.report.map(figures) ?? [])
  }

  // MARK: Figures

  /// Returns the figures of the period in the tables that were written.
  private func figures(of report: FinancialReport) throws -> [SignedFigure] {
    switch report.header.kind {
    case .deferred:
      try rows("revenue", of: report).filter { row in
        try row["scope"] == "fiscal" && row["period"] == period && row["restates_period"] == nil && row["metric"] != "revenue"
      }.flatMap { row in
        try ClosedRevenue.bases.map { basis in
          try SignedFigure(
            report: ClosedFigures.revenueReport, slice: "", currency: row.text("currency"),
            metric: SignedFigure.metric(row.text("metric"), on: basis.rawValue), value: "\(row.int("\(basis.rawValue)_milliunits"))")
        }
      }
    case .tieout:
      try rows("tieout_bridge", of: report).filter { row in
        try row["fiscal_period"] == period && row["section"] == "customer" && row["line_no"] == Self.unmatchedLine
      }.map { row in
        try SignedFigure(
          report: "tieout", slice: "", currency: row.text("currency"), metric: ClosedFigures.unmatchedMetric,
          value: Self.milliunits(row["amount"] ?? "0"))
      }
    default: []
    }
  }

  private func rows(_ table: String, of report: FinancialReport) throws -> [ReportRecord] {
    guard let part = report.part(table) else {
      throw JobError("could not read table \"\(table)\" of the report \"\(report.header.kind.rawValue)\"")
    }
    return part.records
  }

  private func tieoutFigures(on session: Session) async throws -> [SignedFigure] {
    let figures: [String: Value] = ["period": .text(period), "as_of": context.asOfValue]
    return try await context.records(PeriodsSQL.tieoutFigures, figures, on: session).map { row in
      try SignedFigure(
        report: "tieout", slice: "", currency: row.text("currency"), metric: row.text("metric"), value: row.text("milliunits"))
    }
  }

  /// Reads the corrections of earlier closed periods that are booked in this one.
  private func correctionFigures(closedBy clock: Timestamp, on session: Session) async throws -> [SignedFigure] {
    return try await session.transaction(.readOnlySnapshot) { tx in
      try tx.lookBack(to: context.asOf, files: context.sql)
      try tx.setViewed(asOf: context.asOf, of: context)
      return try ClosedRestatement.corrections(bookedIn: period, asOf: context.asOf, closedBy: clock, context: context, tx: &tx)
    }
  }

  /// Converts a decimal in units of a currency to milliunits.
  private static func milliunits(_ amount: String) throws -> String {
    var sum = ExactSum()
    sum.add(amount)
    sum.multiply(by: 1000)
    guard sum.isExact else { throw JobError("could not read the amount \"\(amount)\" of a report") }
    return sum.text
  }
}
