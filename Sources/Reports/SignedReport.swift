internal import Domain
internal import JobCore
internal import Postgres
internal import Wording

/// A report of a close, as bound to the audit chain.
struct SignedReport: Sendable, Hashable {
  /// Reports that two people sign for a period.
  static let kinds: [ReportKind] = [.coverage, .daily, .deferred, .refunds, .tieout]
  static let formats: Set<ReportFormat> = [.csv, .json, .html]

  var kind: ReportKind
  var runID: String
  var manifestSHA256: String
  var fileCount: Int
  var verdict: Verdict
  var reasons: [Phrase]

  /// The report's entry in the audit chain.
  var entry: String { "\(runID) \(kind.rawValue) \(manifestSHA256)" }

  /// Reads the reports of a close.
  ///
  /// - Throws: `JobError` if a row is not one that payrecon wrote.
  static func read(of actID: String, files: SQLFiles, tx: inout DatabaseTransaction) throws -> [SignedReport] {
    try ReportTable.read(PeriodsSQL.reports, ["act_id": .text(actID)], files: files, tx: &tx).records.map { row in
      guard let kind = ReportKind(rawValue: try row.text("report")), let verdict = Verdict(rawValue: try row.text("verdict")) else {
        throw try JobError("could not read the signed report \"\(row.text("report"))\" of close \(actID): its row was changed")
      }
      return try SignedReport(
        kind: kind, runID: row.text("run_id"), manifestSHA256: row.text("manifest_sha256"), fileCount: Int(row.int("file_count")),
        verdict: verdict, reasons: Phrase.apart(json: row.text("reasons")))
    }
  }

  func record(of actID: String, files: SQLFiles, tx: inout DatabaseTransaction) throws {
    try tx.send(
      files(PeriodsSQL.recordReport),
      [
        "act_id": .text(actID), "report": .text(kind.rawValue), "run_id": .text(runID), "manifest_sha256": .text(manifestSHA256),
        "file_count": .int8(Int64(fileCount)), "verdict": .text(verdict.rawValue), "verdict_reasons": .text(Phrase.json(apart: reasons)),
      ])
  }
}

struct SignedFigure: Sendable, Hashable {
  var report: String
  var slice: String
  var currency: String
  var metric: String
  /// Milliunits of the currency, or a count.
  var value: String

  /// Returns the metric of a figure on a basis of revenue, such as `gross booked`. The basis is empty for a figure without one.
  static func metric(_ metric: String, on basis: String) -> String { basis.isEmpty ? metric : "\(basis) \(metric)" }

  /// The basis of revenue, empty for a figure without one, and the metric on it.
  var basisAndMetric: (basis: String, metric: String) {
    guard report == ClosedFigures.revenueReport, let end = metric.firstIndex(of: " ") else { return ("", metric) }
    return (String(metric[..<end]), String(metric[metric.index(after: end)...]))
  }

  static func read(of actID: String, files: SQLFiles, tx: inout DatabaseTransaction) throws -> [SignedFigure] {
    try ReportTable.read(PeriodsSQL.figures, ["act_id": .text(actID)], files: files, tx: &tx).records.map { row in
      try SignedFigure(
        report: row.text("report"), slice: row.text("slice"), currency: row.text("currency"), metric: row.text("metric"),
        value: row.text("value"))
    }
  }

  static func record(_ figures: [SignedFigure], of actID: String, files: SQLFiles, tx: inout DatabaseTransaction) throws {
    try tx.send(
      files(PeriodsSQL.recordFigures),
      [
        "act_id": .text(actID), "reports": .textArray(figures.map(\.report)), "slices": .textArray(figures.map(\.slice)),
        "currencies": .textArray(figures.map(\.currency)), "metrics": .textArray(figures.map(\.metric)),
        "figures": .textArray(figures.map(\.value)),
      ])
  }
}
