internal import JobCore
internal import Postgres
internal import Wording

/// The contents of a financial report: tables from one snapshot, at most one streamed list, and a page.
struct FinancialReport {
  /// One table of a report and its file name.
  struct Part {
    var name: String
    var title: Phrase
    var note: Phrase
    var table: ReportTable
  }

  let header: ReportHeader
  let parts: [Part]
  /// Number of refunds in force by the days since their purchase; empty for other reports.
  var refundDays: [Int: Int] = [:]

  /// Maximum number of cells in the list of the largest unexplained amounts.
  static let topRowsMax: Int64 = 20

  /// Writes the files of the report from one snapshot of the database.
  static func write(
    _ header: ReportHeader, context: JobContext, to folder: inout ReportFolder, tx: inout DatabaseTransaction
  ) throws -> FinancialReport {
    tx.send("set local work_mem = '256MB'")
    // Few rows are selected from whole tables, and whole tables are joined. Hash joins fit better than the planner's estimate.
    if [.refunds, .deferred, .journal].contains(header.kind) {
      tx.send("set local enable_nestloop = off; set local enable_mergejoin = off")
    }
    try tx.setViewed(asOf: header.asOf, of: context)
    try folder.beginJSON("\(header.kind.rawValue).json")
    let parts =
      switch header.kind {
      case .deferred: try DeferredSchedules.write(to: &folder, context: context, tx: &tx)
      case .journal: try JournalReport.write(header, to: &folder, context: context, tx: &tx)
      default:
        try parts(of: header, files: context.sql, &tx)
          + (header.kind == .restatement ? try ClosedRestatement.parts(header, context: context, tx: &tx) : [])
      }
    var report = FinancialReport(header: header, parts: parts)
    for part in report.parts { try folder.add(part.name, part.table) }
    if let list = list(of: header.kind) {
      let file = try context.sql(list.statement)
      try folder.add(list.name, file, file.picking(from: ["as_of": header.asOf.sqlValue]), tx: &tx) { row in
        guard header.kind == .refunds, try row["outcome"] == "refunded" else { return }
        if let days = try row["days_to_refund"].flatMap({ Int($0) }) { report.refundDays[max(0, days), default: 0] += 1 }
      }
    }
    try folder.endJSON()
    try folder.addPage(FinancialPage(report: report, columns: folder.words).html)
    return report
  }

  private static func parts(of header: ReportHeader, files: SQLFiles, _ tx: inout DatabaseTransaction) throws -> [Part] {
    let clock: [String: Value] = ["as_of": header.asOf.sqlValue]
    let all = clock.merging(["row_max": .int8(topRowsMax)]) { $1 }
    var parts = try layout(of: header.kind).map { name, statement, title, note in
      let table = try ReportTable.read(statement, files(statement).picking(from: all), files: files, tx: &tx)
      return Part(name: name, title: title, note: note, table: table)
    }
    if header.kind == .refunds {
      let checks =
        try ReportIdentity.refunds(months: parts[0].table, movement: parts[1].table)
        + ReportIdentity.requests(parts[3].table)
      parts += try RefundReserve.parts(files: files, tx: &tx)
      parts.append(
        Part(
          name: "refund_identities", title: "identities.title", note: "tieout.identities_note",
          table: try ReportIdentity.table(checks, keys: ReportIdentity.periodKeys)))
    }
    return parts
  }

  private typealias Source = (name: String, statement: Listing, title: Phrase, note: Phrase)

  private static func layout(of kind: ReportKind) -> [Source] {
    let coverage: Source = ("coverage", ReportsSQL.coverage, "title.coverage", "coverage.note")
    let identities: Source = ("tieout_identities", ReportsSQL.tieoutIdentities, "identities.title", "tieout.identities_note")
    let files: Source = ("finance_files", ReportsSQL.financeFiles, "inputs.title", "tieout.files_note")
    switch kind {
    case .coverage:
      return [
        coverage,
        ("unexplained", ReportsSQL.unexplained, "unexplained.title", Phrase("unexplained.note", ["max": .plain("\(topRowsMax)")])),
        files,
      ]
    case .refunds:
      return [
        ("refund_months", ReportsSQL.refundMonths, "refund_months.title", "refund_months.note"),
        ("refund_movement", ReportsSQL.refundMovement, "refund_movement.title", "refund_movement.note"),
        ("refund_rates", ReportsSQL.refundRates, "refund_rates.title", "refund_rates.note"),
        ("refund_requests", ReportsSQL.refundRequests, "refund_requests.title", "refund_requests.note"),
        ("refund_preferences", ReportsSQL.refundPreferences, "refund_preferences.title", "refund_preferences.note"),
      ]
    case .restatement: return [("restatement", ReportsSQL.restatement, "restatement.title", "restatement.note"), files]
    default:
      return [
        coverage,
        ("tieout_regions", ReportsSQL.tieoutRegions, "regions.title", "regions.note"),
        ("tieout_bridge", ReportsSQL.tieoutBridge, "auditors.title", "auditors.note"),
        identities,
        ("tieout_offsets", ReportsSQL.tieoutOffsets, "offsets.title", "offsets.note"),
        files,
      ]
    }
  }

  /// Returns the list of a report that is streamed in constant memory; nil for none.
  private static func list(of kind: ReportKind) -> (name: String, statement: Listing)? {
    switch kind {
    case .tieout: ("tieout_cells", ExportList.cells.statement)
    case .refunds: ("refunds", ReportsSQL.refunds)
    default: nil
    }
  }

  func part(_ name: String) -> ReportTable? { parts.first { $0.name == name }?.table }

  func records(_ name: String) -> [ReportRecord] { part(name)?.records ?? [] }

  /// Returns the units of each fiscal period by what is known of them.
  func coverage() throws -> CoverageSums { try CoverageSums(records("coverage")) }

  var identities: [ReportRecord] { parts.first { $0.name.hasSuffix("_identities") }?.table.records ?? [] }

  /// Text that replaces a table without rows.
  var emptyText: Phrase {
    switch header.kind {
    case .refunds: "refunds.none"
    case .deferred, .journal: "deferred.none"
    default: "tieout.none"
    }
  }
}
