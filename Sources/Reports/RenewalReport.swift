internal import JobCore
internal import Postgres

/// The contents of the renewal report: cells, members, identities and a page.
struct RenewalReport {
  let header: ReportHeader
  let cells: ReportTable
  let identities: [ReportIdentity]

  /// Writes the files of the report from one snapshot of the database.
  static func write(_ header: ReportHeader, context: JobContext, to folder: inout ReportFolder, tx: inout DatabaseTransaction) throws {
    tx.send("set local enable_nestloop = off; set local enable_mergejoin = off; set local work_mem = '256MB'")
    try tx.setViewed(asOf: header.asOf, of: context)
    let cells = try ReportTable.read(ReportsSQL.renewals, files: context.sql, tx: &tx)
    let report = try RenewalReport(header: header, cells: cells, identities: cells.records.flatMap(ReportIdentity.renewals))
    if folder.formats != [.html] {
      try folder.beginJSON("renewals.json")
      try folder.add("renewals", cells)
      try folder.add("renewal_identities", ReportIdentity.table(report.identities, keys: FigureTable.renewals.layout.keys))
      let nextPoll = NextPoll.column(
        expiresAt: "current_expires_at", isRenewing: "is_renewing", askedAt: "requested_at", hiddenCount: 6, at: header.asOf)
      try folder.add(
        "renewal_details", context.sql(ReportsSQL.renewalDetails), ["as_of": header.asOf.sqlValue], computed: nextPoll, tx: &tx)
      try folder.endJSON()
    }
    try folder.addPage(RenewalPage(report: report).html)
  }
}

extension ReportIdentity {
  /// Columns of the outcomes of a plan's members.
  static let renewalOutcomes = [
    "renewed_on_time_count", "renewed_in_grace_count", "recovered_retry_count", "expired_voluntary", "expired_billing",
    "expired_price", "expired_unavailable", "expired_unknown", "upgraded", "downgraded", "crossgraded",
    "revoked_before_due", "extended", "still_retry", "still_grace", "poll_error",
  ]

  private static let renewalKinds = ["renewed_on_time", "renewed_in_grace", "recovered_retry", "renewed_changed"]

  static func renewals(_ cell: ReportRecord) throws -> [ReportIdentity] {
    try [
      due(cell), actual(cell, "count"), actual(cell, "amount_milliunits"),
      sum(
        "variance", cell, "diff_amount_milliunits",
        of: ["rate_variance_milliunits", "price_variance_milliunits", "mix_variance_milliunits"], formula: "formula.variance"),
    ]
  }

  private static func due(_ cell: ReportRecord) throws -> ReportIdentity {
    let outcomes = try cell.sum(renewalOutcomes)
    let open = try (unpolled: cell.int("unpolled"), later: cell.int("not_yet_due"))
    return try ReportIdentity(
      name: "due", slice: cell, left: cell.int("due_count"), right: outcomes + open.unpolled + open.later,
      formula: equation("formula.due", [cell.int("due_count"), outcomes, open.unpolled, open.later]))
  }

  private static func actual(_ cell: ReportRecord, _ measure: String) throws -> ReportIdentity {
    let renewed = try cell.sum(renewalKinds.map { "\($0)_\(measure)" })
    let outside = try cell.int("not_in_plan_\(measure)")
    let total = try cell.int("actual_\(measure)")
    return ReportIdentity(
      name: measure == "count" ? "actual" : "actual amount", slice: cell, left: total, right: renewed + outside,
      formula: equation("formula.actual", [total, renewed, outside]))
  }
}
