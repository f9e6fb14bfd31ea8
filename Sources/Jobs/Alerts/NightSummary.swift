internal import Domain
internal import JobCore
internal import Postgres

struct NightSummary: Sendable {
  private static let reasonsMax = 10
  private static let largestMax: Int64 = 5
  private static let urgentMax: Int64 = 10
  /// Longest line, in characters. RFC 5322 limits a line to 998 bytes.
  private static let lineMax = 240

  var runID: String
  var asOf: Timestamp
  var verdict: Verdict
  var reasons: [String]
  /// Path or address of the report page; nil if a failed night wrote none.
  var report: String?
  /// Change since the previous night, as in `since the night of …: 3 … came, 1 went`; nil for the first night.
  var change: String?
  /// Undecided breaks with the most money at stake, one line each.
  var largest: [String] = []
  /// Apple's consumption requests with little time left for an answer, one line each; empty if there is none.
  var urgent: [String] = []

  mutating func read(_ session: Session, in context: JobContext) async throws {
    let clock: [String: Value] = ["as_of": context.asOfValue]
    let count: [String: Value] = ["row_count": .int8(Self.largestMax)]
    let (changes, top) = try await session.transaction(.readOnlySnapshot) { tx in
      (
        try ReportTable.read(AlertsSQL.changes, clock, files: context.sql, tx: &tx).records,
        try ReportTable.read(
          ReportsSQL.topExposure, clock.merging(count) { _, new in new }, files: context.sql, tx: &tx
        ).records
      )
    }
    change = try changes.first.map { row in
      try "since the night of \(row.text("as_of")) (\(row.text("verdict"))): \(row.text("come_count")) undecided breaks came, "
        + "\(row.text("gone_count")) went"
    }
    largest = try top.map { row in
      let subject = try row["order_id"].map { "order \($0)" } ?? row["transaction_id"].map { "transaction \($0)" } ?? ""
      let currency = try row.text("currency")
      let amount = try "\(Money.text(milliunits: row.int("amount_milliunits"), currency: currency)) \(currency)"
      return try "\(row.text("severity")) \(row.text("class")) \(amount) \(subject), break \(row.text("break_id")), "
        + "due \(row.text("due_at"))"
    }
  }

  mutating func readUrgent(_ session: Session, in context: JobContext) async throws {
    let parameters: [String: Value] = [
      "as_of": context.asOfValue, "row_count": .int8(Self.urgentMax), "window": interval(seconds: 86_400),
      "answer_within": interval(seconds: ConsumptionSettings.answerWithinSeconds),
      "warn_before": interval(seconds: ConsumptionSettings.urgentSeconds),
    ]
    let rows = try await context.records(AlertsSQL.urgentRequests, parameters, on: session)
    guard let total = try rows.first?.text("total_count") else { return }
    urgent =
      try ["\(total) consumption requests with less than three hours left:"]
      + rows.map { try "  transaction \($0.text("transaction_id")) of \($0.text("bundle_id")), an answer is due by \($0.text("due_at"))" }
  }

  /// The subject line, as in `payrecon: breaks as of 2026-05-11T03:00:00Z`.
  var title: String { "payrecon: \(verdict.rawValue) as of \(asOf.rfc3339)" }

  /// The lines of the alert. Line ends within a reason are removed, and long lines are truncated.
  var lines: [String] {
    var lines = [title] + reasons.prefix(Self.reasonsMax).map { "  \($0)" }
    if reasons.count > Self.reasonsMax { lines.append("  and \(reasons.count - Self.reasonsMax) more reasons") }
    lines += urgent
    if let change { lines.append(change) }
    if !largest.isEmpty { lines += ["largest, undecided:"] + largest.map { "  \($0)" } }
    if let report { lines.append("report: \(report)") }
    lines.append("run: \(runID)")
    return lines.map { line in
      let flat = String(line.map { $0.isNewline ? " " : $0 })
      return flat.count > Self.lineMax ? "\(flat.prefix(Self.lineMax))…" : flat
    }
  }

  /// The body `{"text": …}`. The characters that chat services read as markup are escaped.
  var webhookBody: [UInt8] {
    let text = Markup.escaped(lines.joined(separator: "\n"), quotes: false)
    return Array("{\"text\":\(ReportText.quoted(text))}".utf8)
  }
}
