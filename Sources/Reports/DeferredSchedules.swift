internal import Domain
internal import JobCore
internal import Postgres
internal import Wording

/// The schedules of the deferred revenue, one line each in flat memory, and what they add up to.
enum DeferredSchedules {
  /// Columns that are those of the statement.
  private static let told = [
    "charge_id", "transaction_id", "original_transaction_id", "web_order_line_item_id", "order_id", "bundle_id", "product_id", "type",
    "currency", "state", "method",
  ]
  private static let figures = [
    "total_milliunits", "recognised_milliunits", "refund_reversed_milliunits", "refund_cut_milliunits", "refund_of_cut_milliunits",
    "upgrade_cut_milliunits", "remaining_milliunits",
  ]
  private static let terms = ["basis", "booked_on", "term_start", "term_last", "term_days", "sold_days", "extended_on"]
  private static let columns = told + terms + figures + ["status", "cut_on", "cut_reason", "through"]

  /// Writes the schedules.
  ///
  /// - Returns: the tables of the report.
  static func write(
    to folder: inout ReportFolder, files: SQLFiles, tx: inout DatabaseTransaction
  ) throws -> [TieoutReport.Part] {
    var ledger = try RevenueLedger(calendars: [.months, fiscal(files: files, tx: &tx)])
    var list = try folder.begin(table: "schedules")
    do {
      try list.begin(columns: columns)
      var index: [String: Int] = [:]
      _ = try tx.stream(
        files(ReportsSQL.deferredCharges),
        columns: { columns in index = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1, $0) }) },
        row: { row in
          let charge = ReportRecord(index: index, cells: row.texts)
          let money = try schedule(of: charge)
          let through = try Int(charge.int("through_day"))
          try ledger.add(money, currency: charge.text("currency"), through: through)
          try list.add(line(of: charge, money, through: through))
        })
    } catch {
      list.close()
      throw error
    }
    try folder.end(list)
    return try parts(of: ledger, totals: .read(ReportsSQL.deferredTotals, files: files, tx: &tx))
  }

  private static func fiscal(files: SQLFiles, tx: inout DatabaseTransaction) throws -> RevenueLedger.Calendar {
    var calendar = RevenueLedger.Calendar(scope: "fiscal")
    var next = Int.min
    for period in try ReportTable.read(ReportsSQL.deferredPeriods, files: files, tx: &tx).records {
      try calendar.add(period.text("fiscal_period"), from: Int(period.int("start_day")))
      next = try Int(period.int("end_day")) + 1
    }
    // Nobody knows how Apple divides the years after these.
    calendar.add("", from: next)
    return calendar
  }

  private static func parts(of ledger: RevenueLedger, totals: ReportTable) throws -> [TieoutReport.Part] {
    let rollForward = ledger.rollForward
    let checks = try ReportIdentity.deferred(rollForward, totals: totals)
    return try [
      TieoutReport.Part(name: "roll_forward", title: "roll_forward.title", note: "roll_forward.note", table: rollForward),
      TieoutReport.Part(name: "waterfall", title: "waterfall.title", note: "waterfall.note", table: ledger.waterfall),
      TieoutReport.Part(
        name: "deferred_identities", title: "identities.title", note: "deferred.identities_note",
        table: ReportIdentity.table(checks, places: ReportIdentity.moneyPlaces)),
    ]
  }

  private static func schedule(of charge: ReportRecord) throws -> RevenueSchedule {
    let day = { (column: String) -> Int? in try charge[column] == nil ? nil : Int(charge.int(column)) }
    let start = try Int(charge.int("start_day"))
    return try RevenueSchedule(
      total: Int64(clamping: charge.int("total_milliunits")), unit: Int64(clamping: charge.int("unit_milliunits")),
      bookedOn: Int(charge.int("booked_day")), termStart: start, termEnd: day("end_day") ?? start + 1,
      refund: day("refund_day").map { try RevenueSchedule.Refund(day: $0, amount: Int64(clamping: charge.int("refunded_milliunits"))) },
      upgradeDay: day("upgrade_day"), extensions: extensions(charge["extensions"]))
  }

  /// `DAY:END DAY:END …`.
  private static func extensions(_ text: String?) -> [RevenueSchedule.Extension] {
    (text ?? "").split(separator: " ").compactMap { told in
      let days = told.split(separator: ":").compactMap { Int($0) }
      return days.count == 2 ? RevenueSchedule.Extension(day: days[0], termEnd: days[1]) : nil
    }
  }

  private static func line(of charge: ReportRecord, _ schedule: RevenueSchedule, through: Int) throws -> [String?] {
    let flow = schedule.flow(through: through)
    let remaining = schedule.remaining(after: through)
    let date = { (day: Int) in CivilDate(daysSince1970: day).description }
    let refundDay = schedule.refund.flatMap { $0.day <= through ? $0.day : nil }
    let cutDay = refundDay ?? schedule.upgradeDay.flatMap { $0 <= through ? $0 : nil }
    let reason = try refundDay != nil ? "refund" : cutDay != nil ? "upgrade" : charge.text("state") == "restored" ? "reversed" : nil
    let status = schedule.total == 0 ? "none" : schedule.bookedOn > through ? "later" : remaining == 0 ? "ended" : "running"
    let amounts = [
      schedule.total, flow.recognised, flow.reversed, flow.refundCut, flow.refundOfCut, flow.upgradeCut, remaining,
    ]
    return try told.map { try charge[$0] }
      + ["gross", date(schedule.bookedOn), date(schedule.termStart), date(schedule.termEnd - 1), String(schedule.termDays)]
      + [String(schedule.soldDays), schedule.extensions.last.map { date($0.day) }]
      + amounts.map { String($0) } + [status, cutDay.map(date), reason, date(through)]
  }
}
