internal import Domain
public import JobCore
internal import Matching
package import Postgres
package import Wording

/// A job that writes the daily summary and the break list as files from one snapshot of the database.
public struct ReportJob: Sendable {
  /// Maximum number of rows per list on the page. The CSV and the commands on the page give all rows.
  static let pageRowsMax = 200

  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// Writes reports outside of a run and records their manifest. The open breaks give the verdict.
  ///
  /// The reports contain the facts known at the given clock, or else at the latest instant in the database.
  ///
  /// - Parameters:
  ///   - directory: folder of the files, created if missing.
  ///   - period: fiscal period, or month of a journal; nil for the last fiscal period that has ended.
  /// - Returns: names of the files in `directory`, the manifest last.
  /// - Throws: `JobError` if a file cannot be written; then no partial file remains.
  public func run(kind: ReportKind, formats: Set<ReportFormat>, directory: String, period: String? = nil) async throws -> [String] {
    try ReportWorkbook.checkAvailable(for: formats)
    guard period == nil || kind == .journal else {
      throw JobError("could not write the report \"\(kind.rawValue)\" of one period", hint: "Only journal has --period.", status: .usage)
    }
    let (files, runID) = try await context.withSession(as: .report) { session in
      let asOf = try await context.effectiveAsOf(on: session)
      let judged = try await judge(asOf: asOf, on: session)
      let dated = context.withClock(asOf)
      var header = ReportHeader(
        kind: kind, context: dated, runID: dated.runID(job: "report"), verdict: judged.verdict, reasons: judged.reasons)
      header.period = period
      return (try await write(header, formats: formats, directory: directory, on: session), header.runID)
    }
    try await context.recordReport(directory: directory, runID: runID)
    return files
  }

  /// Writes reports under a header that identifies their run.
  ///
  /// - Returns: names of the files in `directory`, the manifest last.
  /// - Throws: `JobError` if a file cannot be written; then no partial file remains.
  @discardableResult
  package func write(_ header: ReportHeader, formats: Set<ReportFormat>, directory: String, on session: Session) async throws -> [String] {
    try await writeTables(header, formats: formats, directory: directory, on: session).files
  }

  /// Writes reports, and returns the names of the files and the tables of a financial report, nil for other kinds.
  func writeTables(
    _ header: ReportHeader, formats: Set<ReportFormat>, directory: String, on session: Session
  ) async throws -> (files: [String], report: FinancialReport?) {
    try await session.transaction(.readOnlySnapshot) { tx in
      try tx.lookBack(to: header.asOf, files: context.sql)
      var header = try JournalReport.dated(header, files: context.sql, tx: &tx)
      if formats.contains(.html) { header.breaks = try BreakSum.read(asOf: header.asOf, files: context.sql, tx: &tx) }
      var folder = try ReportFolder(
        directory: directory, header: header, formats: formats, sheetRows: context.settings.reportSheetRows,
        words: .read(files: context.sql, tx: &tx))
      do {
        let report = try Self.fill(&folder, header, context: context, tx: &tx)
        return try (folder.publish(), report)
      } catch {
        folder.discard()
        throw error
      }
    }
  }

  private static func fill(
    _ folder: inout ReportFolder, _ header: ReportHeader, context: JobContext, tx: inout DatabaseTransaction
  ) throws -> FinancialReport? {
    if header.kind == .renewals {
      try RenewalReport.write(header, context: context, to: &folder, tx: &tx)
      return nil
    }
    if header.kind.isFinancial { return try FinancialReport.write(header, context: context, to: &folder, tx: &tx) }
    var contents = try ReportContents.read(context: context, asOf: header.asOf, tx: &tx)
    if header.kind.hasBreaks { try contents.writeBreaks(asOf: header.asOf, to: &folder, files: context.sql, tx: &tx) }
    if header.kind.hasDaily { try contents.writeDaily(to: &folder) }
    try folder.addPage(ReportPage(header: header, contents: contents, hasCSV: folder.formats.contains(.csv)).html)
    return nil
  }

  /// Returns the verdict on the facts at `asOf`: the worst of missing input, open breaks and pending items.
  func judge(asOf: Timestamp, on session: Session) async throws -> (verdict: Verdict, reasons: [Phrase]) {
    try await session.transaction(.readOnlySnapshot) { tx in
      let sql = context.sql
      try tx.lookBack(to: asOf, files: sql)
      let asOfValue = asOf.sqlValue
      var findings: [(verdict: Verdict, reason: Phrase)] = []
      findings += try InputState.stale(asOf: asOf, in: context, &tx).map { (.incomplete, $0.reason) }
      findings += try TruncatedInput.open(asOf: asOfValue, in: &tx, sql: sql).map { (.incomplete, $0.phrase) }
      let parked = try tx.rows(sql(RunsSQL.openParked), ["as_of": asOfValue]).first ?? 0
      if parked > 0 { findings.append((.warnings, Self.parkedReason(Int(parked)))) }
      let standing = try DetectOutcome.standing(asOf: asOfValue, in: sql, &tx)
      let breaks = standing.breakVerdict(failAt: context.settings.breaks.failAt)
      if breaks > .clean { findings.append((breaks, standing.summary)) }
      let detected = try tx.rows(sql(ReportsSQL.lastDetection), ["as_of": asOfValue]).first.map { Timestamp(microseconds: $0) }
      if let detected, detected < asOf { findings.append((.clean, Phrase("night.last_look", ["at": .plain(detected.rfc3339)]))) }
      return (findings.map(\.verdict).max() ?? .clean, findings.map(\.reason))
    }
  }

  package static func parkedReason(_ count: Int) -> Phrase {
    count == 1 ? "night.parked_one" : Phrase("night.parked_many", ["count": .plain(count)])
  }
}

extension ReportContents {
  /// Streams the break list to its files in constant memory and keeps the first rows for the page, with their phrases as JSON.
  fileprivate mutating func writeBreaks(
    asOf: Timestamp, to folder: inout ReportFolder, files: SQLFiles, tx: inout DatabaseTransaction
  ) throws {
    try folder.beginJSON("breaks.json", tables: [("ageing", ageing), ("top_exposure", top)])
    try folder.add("breaks", files(ReportsSQL.breakList), ["as_of": asOf.sqlValue], tx: &tx) { try keep($0) }
    try folder.endJSON()
    try folder.add("ageing", ageing)
    try folder.add("top_exposure", top)
  }

  fileprivate func writeDaily(to folder: inout ReportFolder) throws {
    let checks = try ReportIdentity.table(identities, keys: FigureTable.daily.layout.keys)
    var tables = [("daily", daily), ("identities", checks), ("days", days), ("inputs", inputs)]
    tables += [("not_reconciled", notReconciled), ("quarantine", quarantine), ("allowed_sandbox", allowedSandbox)]
      .filter { !$0.1.rows.isEmpty }
    try folder.beginJSON("daily.json")
    for (name, table) in tables { try folder.add(name, table) }
    try folder.endJSON()
  }
}
