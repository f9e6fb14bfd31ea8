internal import Domain
internal import JobCore
internal import Postgres
internal import Wording

/// The schedules of deferred revenue, streamed line by line in constant memory, and their totals.
enum DeferredSchedules {
  private static let idColumns = ["charge_id", "transaction_id", "original_transaction_id", "web_order_line_item_id", "order_id"]
  private static let kindColumns = ["bundle_id", "product_id", "type", "currency", "state", "method"]
  private static let figures = [
    "total_milliunits", "recognised_milliunits", "refund_reversed_milliunits", "refund_cut_milliunits", "refund_of_cut_milliunits",
    "earned_again_milliunits", "deferred_again_milliunits", "again_of_cut_milliunits", "upgrade_cut_milliunits", "remaining_milliunits",
  ]
  private static let terms = ["basis", "booked_on", "term_start", "term_last", "term_days", "sold_days", "extended_on"]
  private static let bases = ["net_of_tax", "proceeds"].flatMap { basis in
    ["", "recognised_", "remaining_"].map { "\(basis)_\($0)milliunits" }
  }
  private static let columns =
    idColumns + kindColumns + terms + figures + ["status", "cut_on", "cut_reason", "through"] + bases + ["proceeds_basis"]

  /// The schedules of charges with equal facts, by calendar, and the cells of the list after those of a charge's ids.
  private typealias Worked = (versions: [DeferredCharge.Versions], tail: ReportRows.Tail)

  /// Writes the schedules and returns the tables of the report.
  static func write(to folder: inout ReportFolder, context: JobContext, tx: inout DatabaseTransaction) throws -> [FinancialReport.Part] {
    let policies = try BookPolicies.read(context: context, tx: &tx)
    let calendars = try DeferredCharge.calendars(files: context.sql, tx: &tx)
    var (ledger, revenue) = (RevenueLedger(calendars: calendars), RevenueTable(calendars: calendars))
    func add(_ group: ScheduleReader<Worked>.Group) {
      for (calendar, versions) in group.worked.versions.enumerated() {
        ledger.add(group.charge, versions, in: calendar, count: group.count)
        revenue.add(group.charge, versions, in: calendar, count: group.count)
      }
    }
    var list = try folder.begin(table: "schedules")
    list.isNumeric = columns.map { figures.contains($0) || bases.contains($0) || $0.hasSuffix("_days") }
    try list.begin(columns: columns)
    var reader = try ScheduleReader<Worked>(calendars, policies, files: context.sql, tx: &tx)
    try tx.copyRows(context.sql(SchedulesSQL.charges)) { row in
      let ids = try idColumns.map { _ in try row.optionalString() }
      let group = try reader.group(
        of: &row,
        work: { charge in
          let versions = calendars.indices.map { charge.versions(in: $0, by: policies) }
          return (versions, list.tail(cells(of: charge, versions[0])))
        }, total: add)
      try list.add(ids, group.worked.tail)
    }
    try reader.end(add)
    try folder.end(list)
    let totals = try ReportTable.read(ReportsSQL.deferredTotals, files: context.sql, tx: &tx)
    return try parts(of: ledger, revenue, totals: totals)
  }

  private static func parts(of ledger: RevenueLedger, _ revenue: RevenueTable, totals: ReportTable) throws -> [FinancialReport.Part] {
    let rollForward = ledger.rollForward
    let checks = try ReportIdentity.deferred(rollForward, totals: totals) + revenue.identities
    return try [
      FinancialReport.Part(name: "roll_forward", title: "roll_forward.title", note: "roll_forward.note", table: rollForward),
      FinancialReport.Part(name: "revenue", title: "revenue.title", note: "revenue.note", table: revenue.table()),
      FinancialReport.Part(name: "waterfall", title: "waterfall.title", note: "waterfall.note", table: ledger.waterfall()),
      FinancialReport.Part(
        name: "deferred_identities", title: "identities.title", note: "deferred.identities_note",
        table: ReportIdentity.table(checks, keys: ReportIdentity.periodKeys)),
    ]
  }

  /// - Parameter versions: the schedules by months of the app's days.
  private static func cells(of charge: DeferredCharge, _ versions: DeferredCharge.Versions) -> [String?] {
    let through = charge.through(0)
    guard let schedule = versions.gross.last?.schedule else { return [] }
    let flow = schedule.flow(through: through)
    let remaining = schedule.remaining(after: through)
    let date = { (day: Int) in CivilDate(daysSince1970: day).description }
    let refundDay = schedule.refund(after: through)?.day
    let cutDay = refundDay ?? schedule.upgradeDay.flatMap { $0 <= through ? $0 : nil }
    let reason = refundDay != nil ? "refund" : cutDay != nil ? "upgrade" : charge.state == "restored" ? "reversed" : nil
    let status = schedule.total == 0 ? "none" : schedule.bookedOn > through ? "later" : remaining == 0 ? "ended" : "running"
    let amounts: [Int128] = [
      Int128(schedule.total), flow.recognised, flow.reversed, flow.refundCut, flow.refundOfCut, flow.earnedAgain, flow.deferredAgain,
      flow.againOfCut, flow.upgradeCut, Int128(remaining),
    ]
    return [charge.bundleID, charge.productID, charge.type, charge.currency, charge.state, charge.method]
      + ["gross", date(schedule.bookedOn), date(schedule.termStart), date(schedule.termEnd - 1), String(schedule.termDays)]
      + [String(schedule.soldDays), schedule.extensions.last.map { date($0.day) }]
      + amounts.map { String($0) } + [status, cutDay.map(date), reason, date(through)]
      + [RevenueBasis.netOfTax, .proceeds].flatMap { basis -> [String?] in
        guard let schedule = versions[basis].last?.schedule else { return ["0", "0", "0"] }
        return [
          String(schedule.total), String(schedule.flow(through: through).recognised), String(schedule.remaining(after: through)),
        ]
      } + [schedule.total == 0 ? nil : charge.proceedsBasis]
  }
}
