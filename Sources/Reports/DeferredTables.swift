internal import Domain
internal import JobCore

/// No file of sql gives it: the schedules do.
private let remainingColumn = "remaining_milliunits"

/// The tables of the deferred revenue.
extension RevenueLedger {
  private static func table(_ places: [String], _ figures: [String], _ rows: [[String?]]) -> ReportTable {
    ReportTable(columns: places + figures, isNumeric: places.map { _ in false } + figures.map { _ in true }, rows: rows)
  }

  /// From what was deferred before each period to what is deferred after it, up to the last complete day.
  var rollForward: ReportTable {
    let slices = Dictionary(grouping: rolls.keys) { Place(calendar: $0.calendar, currency: $0.currency, period: 0) }
    let rows = slices.sorted { ($0.key.calendar, $0.key.currency) < ($1.key.calendar, $1.key.currency) }.flatMap { slice, places in
      let calendar = calendars[slice.calendar]
      let first = places.map(\.period).min() ?? 0
      var opening: Int128 = 0
      return (first...max(first, calendar.index(of: through))).map { period -> [String?] in
        let place = Place(calendar: slice.calendar, currency: slice.currency, period: period)
        let roll = rolls[place] ?? Roll()
        let left = remaining(place)
        let closing = opening + roll.booked - roll.recognised - roll.refundCut - roll.upgradeCut
        defer { opening = closing }
        let figures = [
          opening, Int128(roll.bookedCount), roll.booked, roll.recognised, roll.refundCut, roll.upgradeCut, closing, left,
          closing - left, roll.reversed, roll.refundOfCut,
        ]
        return [calendar.scope, calendar.name(period), slice.currency] + figures.map { String($0) }
      }
    }
    return Self.table(
      ReportIdentity.moneyPlaces,
      [
        "opening_milliunits", "booked_count", "booked_milliunits", "recognised_milliunits", "refund_cut_milliunits",
        "upgrade_cut_milliunits", "closing_milliunits", remainingColumn, "difference_milliunits", "refund_reversed_milliunits",
        "refund_of_cut_milliunits",
      ], rows)
  }

  /// When what was booked in a period is earned: up to the last complete day, and after it.
  ///
  /// - Throws: `JobError` for more rows than a table has.
  var waterfall: ReportTable {
    get throws {
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
          String(sums.reversed), String(sums.toCome),
        ]
      }
      return Self.table(
        ["scope", "booked_period", "recognised_period", "currency"],
        ["recognised_milliunits", "refund_reversed_milliunits", "to_come_milliunits"], rows)
    }
  }
}

extension ReportIdentity {
  /// The sums that must hold in the report of the deferred revenue: the periods follow each other and end with what the schedules have
  /// left, and the schedules book and cut what the charges say.
  ///
  /// - Parameter totals: what was charged and given back by period, from the charges alone.
  static func deferred(_ rollForward: ReportTable, totals: ReportTable) throws -> [ReportIdentity] {
    let key = { (row: ReportRecord) in try moneyPlaces.map { try row.text($0) } }
    let charges = try Dictionary(totals.records.map { (try key($0), $0) }) { $1 }
    var checks: [ReportIdentity] = []
    var known: Set<[String]> = []
    for row in rollForward.records {
      let place = try key(row)
      known.insert(place)
      let refunds = try ["refund_reversed", "refund_cut", "refund_of_cut"].reduce(0) { try $0 + row.int("\($1)_milliunits") }
      checks += try [
        ReportIdentity(
          name: "deferred", slice: row, left: row.int("closing_milliunits"), right: row.int(remainingColumn),
          formula: "opening + booked - recognised - cut = left of the schedules"),
        ReportIdentity(
          name: "booked", slice: row, left: row.int("booked_milliunits"), right: charges[place]?.int("booked_milliunits") ?? 0,
          formula: "booked by the schedules = charged"),
        ReportIdentity(
          name: "given back", slice: row, left: refunds, right: charges[place]?.int("refunded_milliunits") ?? 0,
          formula: "taken back + cut by refunds = given back"),
      ]
    }
    // What no schedule knows.
    for row in try totals.records.filter({ try !known.contains(key($0)) }) {
      checks.append(
        try ReportIdentity(
          name: "booked", slice: row, left: 0, right: row.int("booked_milliunits") + row.int("refunded_milliunits"),
          formula: "booked by the schedules = charged"))
    }
    return checks
  }
}
