internal import Domain
internal import JobCore
internal import Postgres
internal import Wording

/// The schedules of deferred revenue, streamed line by line in constant memory, and their totals.
enum DeferredSchedules {
  /// Columns that are copied from the statement.
  private static let reportedColumns = [
    "charge_id", "transaction_id", "original_transaction_id", "web_order_line_item_id", "order_id", "bundle_id", "product_id", "type",
    "currency", "state", "method",
  ]
  private static let figures = [
    "total_milliunits", "recognised_milliunits", "refund_reversed_milliunits", "refund_cut_milliunits", "refund_of_cut_milliunits",
    "earned_again_milliunits", "deferred_again_milliunits", "again_of_cut_milliunits", "upgrade_cut_milliunits", "remaining_milliunits",
  ]
  private static let terms = ["basis", "booked_on", "term_start", "term_last", "term_days", "sold_days", "extended_on"]
  private static let columns = reportedColumns + terms + figures + ["status", "cut_on", "cut_reason", "through"]

  /// Writes the schedules.
  ///
  /// - Returns: the tables of the report.
  static func write(to folder: inout ReportFolder, files: SQLFiles, tx: inout DatabaseTransaction) throws -> [TieoutReport.Part] {
    var list = try folder.begin(table: "schedules")
    let ledger: RevenueLedger
    do {
      try list.begin(columns: columns)
      ledger = try self.ledger(files: files, tx: &tx) { charge, schedule, through in
        try list.add(line(of: charge, schedule, through: through))
      }
    } catch {
      list.close()
      throw error
    }
    try folder.end(list)
    return try parts(of: ledger, totals: .read(ReportsSQL.deferredTotals, files: files, tx: &tx))
  }

  /// Returns the totals of all schedules.
  ///
  /// - Parameter line: takes each charge with its newest schedule and its last complete calendar day.
  static func ledger(
    files: SQLFiles, tx: inout DatabaseTransaction, line: (ReportRecord, RevenueSchedule, Int) throws -> Void = { _, _, _ in }
  ) throws -> RevenueLedger {
    var ledger = try RevenueLedger(calendars: [.months, fiscal(files: files, tx: &tx)])
    var index: [String: Int] = [:]
    _ = try tx.stream(
      files(ReportsSQL.deferredCharges),
      columns: { columns in index = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1, $0) }) },
      row: { row in
        let charge = ReportRecord(index: index, cells: row.texts)
        for calendar in ledger.calendars.indices {
          let days = DeferredDays(charge: charge, calendar: calendar)
          let (versions, through) = try (days.facts().versions, days.lastComplete("clock_days"))
          try ledger.add(
            versions, begunOn: days.lastComplete("begun_days"), calendar: calendar, currency: charge.text("currency"), through: through)
          if calendar == 0, let newest = versions.last { try line(charge, newest.schedule, through) }
        }
      })
    return ledger
  }

  private static func fiscal(files: SQLFiles, tx: inout DatabaseTransaction) throws -> RevenueLedger.Calendar {
    var calendar = RevenueLedger.Calendar(scope: "fiscal")
    var next = Int.min
    for period in try ReportTable.read(ReportsSQL.deferredPeriods, files: files, tx: &tx).records {
      try calendar.add(period.text("fiscal_period"), from: Int(period.int("start_day")))
      next = try Int(period.int("end_day")) + 1
    }
    // Apple's calendar after these years is not known.
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

  private static func line(of charge: ReportRecord, _ schedule: RevenueSchedule, through: Int) throws -> [String?] {
    let flow = schedule.flow(through: through)
    let remaining = schedule.remaining(after: through)
    let date = { (day: Int) in CivilDate(daysSince1970: day).description }
    let refundDay = schedule.refund(after: through)?.day
    let cutDay = refundDay ?? schedule.upgradeDay.flatMap { $0 <= through ? $0 : nil }
    let reason = try refundDay != nil ? "refund" : cutDay != nil ? "upgrade" : charge.text("state") == "restored" ? "reversed" : nil
    let status = schedule.total == 0 ? "none" : schedule.bookedOn > through ? "later" : remaining == 0 ? "ended" : "running"
    let amounts: [Int128] = [
      Int128(schedule.total), flow.recognised, flow.reversed, flow.refundCut, flow.refundOfCut, flow.earnedAgain, flow.deferredAgain,
      flow.againOfCut, flow.upgradeCut, Int128(remaining),
    ]
    return try reportedColumns.map { try charge[$0] }
      + ["gross", date(schedule.bookedOn), date(schedule.termStart), date(schedule.termEnd - 1), String(schedule.termDays)]
      + [String(schedule.soldDays), schedule.extensions.last.map { date($0.day) }]
      + amounts.map { String($0) } + [status, cutDay.map(date), reason, date(through)]
  }
}

/// The facts of a charge, in the days of one calendar.
private struct DeferredDays {
  let charge: ReportRecord
  /// 0 for the days of the app; 1 for the fiscal days of the storefront.
  let calendar: Int

  /// Returns the last complete day at an instant.
  func lastComplete(_ column: String) throws -> Int { try day(charge.text(column)) - 1 }

  func facts() throws -> RevenueFacts {
    var facts = try RevenueFacts(
      total: Int64(clamping: charge.int("total_milliunits")), unit: Int64(clamping: charge.int("unit_milliunits")),
      bookedOn: .init(day(charge.text("booked_days")), knownOn: lastComplete("known_days")), termStart: day(charge.text("start_days")),
      termEnd: charge["end_days"].map { try day($0) })
    facts.deliveredOn = try list("delivery") { try RevenueFacts.Known(day($0[0]), knownOn: day($0[1]) - 1) }.first
    facts.upgradeDay = try list("upgrade") { try RevenueFacts.Known(day($0[0]), knownOn: day($0[1]) - 1) }.first
    facts.refunds = try list("refunds") { step in
      try RevenueFacts.Known(RevenueSchedule.Refund(day: day(step[0]), amount: Int64(step[2]) ?? 0), knownOn: day(step[1]) - 1)
    }
    facts.extensions = try list("extensions") { step in
      try RevenueFacts.Known(RevenueSchedule.Extension(day: day(step[0]), termEnd: day(step[1])), knownOn: day(step[2]) - 1)
    }
    return facts
  }

  /// Parses `20571/20570,20572/20572,6000 …`: facts of several parts each.
  private func list<Fact>(_ column: String, _ fact: ([Substring]) throws -> Fact) throws -> [Fact] {
    try (charge[column] ?? "").split(separator: " ").map { try fact($0.split(separator: ",")) }
  }

  /// Parses `20571/20570`, the day in each calendar, and returns that of this calendar.
  private func day(_ pair: some StringProtocol) throws -> Int {
    let days = pair.split(separator: "/").compactMap { Int($0) }
    guard days.count == 2 else { throw JobError("could not read the days \"\(pair)\" of charge \"\(try charge.text("charge_id"))\"") }
    return days[calendar]
  }
}
