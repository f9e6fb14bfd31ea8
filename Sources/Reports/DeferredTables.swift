internal import Domain
internal import JobCore
internal import Wording

/// The column comes from the schedules instead of an SQL file.
private let remainingColumn = "remaining_milliunits"

extension RevenueLedger {
  private static let rollColumns = [
    "opening_milliunits", "booked_count", "booked_milliunits", "recognised_milliunits", "refund_cut_milliunits",
    "deferred_again_milliunits", "upgrade_cut_milliunits", "restated_milliunits", "closing_milliunits", remainingColumn,
    "difference_milliunits", "refund_reversed_milliunits", "earned_again_milliunits", "refund_of_cut_milliunits",
    "again_of_cut_milliunits",
  ]

  /// Deferred revenue before and after each period, up to the last complete day. Rows of late facts, by the period that they restate,
  /// precede the period's own row.
  var rollForward: ReportTable {
    let slices = Dictionary(grouping: rolls.keys) { PeriodLine(calendar: $0.calendar, currency: $0.currency, period: 0) }
    let sorted = slices.sorted { ($0.key.calendar, $0.key.currency) < ($1.key.calendar, $1.key.currency) }
    let rows = sorted.flatMap { slice, lines -> [[String?]] in
      let calendar = calendars[slice.calendar]
      let late = Dictionary(grouping: lines.filter { $0.restates != nil }, by: \.period)
      let first = lines.map(\.period).min() ?? 0
      var opening: Int128 = 0
      return (first...max(first, calendar.index(of: through[slice.calendar] ?? .min))).flatMap { period -> [[String?]] in
        let line = PeriodLine(calendar: slice.calendar, currency: slice.currency, period: period)
        let restating = (late[period] ?? []).sorted { ($0.restates ?? 0) < ($1.restates ?? 0) }
        let restated = restating.reduce(Int128(0)) { $0 + (rolls[$1]?.flow.deferred ?? 0) }
        let closing = opening + restated + (rolls[line]?.flow.deferred ?? 0)
        defer { opening = closing }
        let own = Standing(opening: opening, restated: restated, closing: closing, left: remaining(line))
        return restating.map { row(of: $0, nil) } + [row(of: line, own)]
      }
    }
    return ReportTable(keys: ["scope", "period", "restates_period", "currency"], figures: Self.rollColumns, rows: rows)
  }

  /// The deferred amounts before and after a period.
  private struct Standing {
    var opening, restated, closing, left: Int128
  }

  /// - Parameter standing: nil for a row of late facts, which has changes but no balances.
  private func row(of line: PeriodLine, _ standing: Standing?) -> [String?] {
    let (calendar, roll) = (calendars[line.calendar], rolls[line] ?? Roll())
    let flow = roll.flow
    let figures: [Int128?] = [
      standing?.opening, Int128(roll.bookedCount), flow.booked, flow.recognised, flow.refundCut, flow.deferredAgain, flow.upgradeCut,
      standing?.restated, standing?.closing, standing?.left, standing.map { $0.closing - $0.left }, flow.reversed, flow.earnedAgain,
      flow.refundOfCut, flow.againOfCut,
    ]
    let restated = line.restates.map { calendar.name($0) }
    return [calendar.scope, calendar.name(line.period), restated, line.currency] + figures.map { $0.map { String($0) } }
  }

  /// Returns the periods in which the bookings of each period are earned, up to the last complete day and after it.
  ///
  /// - Throws: `JobError` if there are more rows than a table may have.
  func waterfall() throws -> ReportTable {
    guard cells.count <= ReportTable.rowsMax else {
      throw JobError("could not gather the waterfall: it has more than \(ReportTable.rowsMax) rows")
    }
    let sorted = cells.sorted { one, other in
      let (left, right) = (one.key.booked, other.key.booked)
      return (left.calendar, left.period, one.key.recognised, left.currency)
        < (right.calendar, right.period, other.key.recognised, right.currency)
    }
    let rows = sorted.map { cell, sums -> [String?] in
      let calendar = calendars[cell.booked.calendar]
      return [
        calendar.scope, calendar.name(cell.booked.period), calendar.name(cell.recognised), cell.booked.currency, String(sums.recognised),
        String(sums.reversed), String(sums.earnedAgain), String(sums.toCome),
      ]
    }
    return ReportTable(
      keys: ["scope", "booked_period", WaterfallColumn.recognisedPeriod, "currency"],
      figures: ["recognised_milliunits", "refund_reversed_milliunits", "earned_again_milliunits", WaterfallColumn.toCome], rows: rows)
  }
}

extension ReportIdentity {
  /// Returns the identities of the deferred revenue report:
  /// - Each closing balance equals the amount left in the schedules.
  /// - By period, the schedules book the amounts charged, and move refunds as in the refund report.
  ///
  /// - Parameter totals: amounts charged, refunded and charged again by period, computed without the schedules.
  static func deferred(_ rollForward: ReportTable, totals: ReportTable) throws -> [ReportIdentity] {
    let rows = rollForward.records
    var checks = try rows.filter { try $0["restates_period"] == nil }.map { row in
      try ReportIdentity(
        name: "deferred", slice: row, left: row.int("closing_milliunits"), right: row.int(remainingColumn),
        formula: "formula.deferred")
    }
    let belonging = try Dictionary(grouping: rows) { line in
      try [line.text("scope"), line["restates_period"] ?? line.text("period"), line.text("currency")]
    }
    let totalsByPeriod = try Dictionary(totals.records.map { row in (try periodKeys.map { try row.text($0) }, row) }) { $1 }
    for key in Set(belonging.keys).union(totalsByPeriod.keys).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      let slice = ReportRecord(columns: periodKeys, cells: key)
      func moved(_ columns: String...) throws -> Int128 {
        try (belonging[key] ?? []).reduce(0) { try $0 + $1.sum(columns.map { "\($0)_milliunits" }) }
      }
      func total(_ column: String) throws -> Int128 { try totalsByPeriod[key]?.int("\(column)_milliunits") ?? 0 }
      checks += try [
        ReportIdentity(
          name: "booked", slice: slice, left: moved("booked"), right: total("booked"), formula: "formula.booked"),
        ReportIdentity(
          name: "given back", slice: slice, left: moved("refund_reversed", "refund_cut", "refund_of_cut"), right: total("refunded"),
          formula: "formula.given_back"),
        ReportIdentity(
          name: "charged again", slice: slice, left: moved("earned_again", "deferred_again", "again_of_cut"), right: total("restored"),
          formula: "formula.charged_again"),
      ]
    }
    return checks
  }
}

/// Columns of the waterfall that pages read.
enum WaterfallColumn {
  static let recognisedPeriod = "recognised_period"
  /// Money that is still to be earned.
  static let toCome = "to_come_milliunits"
}
