internal import Domain
internal import JobCore

/// What the schedules of the deferred revenue add up to, by calendar month and by fiscal period, as they come one by one.
///
/// It grows with periods and currencies, not with schedules.
struct DeferredLedger {
  /// Periods in order, each from its first day to that of the next one; the last one has no end.
  struct Calendar {
    var scope: String
    private var firsts: [Int] = []
    private var names: [String] = []

    init(scope: String) { self.scope = scope }

    mutating func add(_ name: String, from day: Int) {
      names.append(name)
      firsts.append(day)
    }

    /// Months of the years in which anything can be earned.
    static var months: Calendar {
      var calendar = Calendar(scope: "calendar")
      for year in 1970...2200 {
        for month in 1...12 {
          let first = CivilDate(year: year, month: month, day: 1)
          calendar.add(String(first.description.prefix(7)), from: first.daysSince1970)
        }
      }
      return calendar
    }

    /// The period of a day; the first one for a day before all.
    func index(of day: Int) -> Int {
      var (low, high) = (0, firsts.count)
      while high - low > 1 {
        let middle = (low + high) / 2
        if firsts[middle] <= day { low = middle } else { high = middle }
      }
      return low
    }

    func name(_ index: Int) -> String { names[index] }

    /// The last day of a period.
    func last(_ index: Int) -> Int { index + 1 < firsts.count ? firsts[index + 1] - 1 : .max - 1 }
  }

  private struct Place: Hashable {
    var calendar: Int
    var currency: String
    var period: Int
  }

  /// A place of the waterfall: where money was booked, and the period that earns it.
  private struct Cell: Hashable {
    var booked: Place
    var recognised: Int
  }

  /// What the schedules did in a period.
  private struct Roll {
    var bookedCount = 0
    var booked: Int128 = 0
    var recognised: Int128 = 0
    var reversed: Int128 = 0
    var refundCut: Int128 = 0
    var refundOfCut: Int128 = 0
    var upgradeCut: Int128 = 0
    var remaining: Int128 = 0

    mutating func add(_ flow: RevenueSchedule.Flow) {
      booked += Int128(flow.booked)
      recognised += Int128(flow.recognised)
      reversed += Int128(flow.reversed)
      refundCut += Int128(flow.refundCut)
      refundOfCut += Int128(flow.refundOfCut)
      upgradeCut += Int128(flow.upgradeCut)
    }
  }

  private let calendars: [Calendar]
  private var rolls: [Place: Roll] = [:]
  private var cells: [Cell: (recognised: Int128, reversed: Int128, toCome: Int128)] = [:]
  /// The newest of the last complete days of the apps.
  private var through = Int.min

  init(calendars: [Calendar]) { self.calendars = calendars }

  /// - Parameter day: the last complete day; what comes after it is only what is to come.
  mutating func add(_ schedule: RevenueSchedule, currency: String, through day: Int) {
    through = max(through, day)
    guard schedule.total > 0 else { return }
    for (number, calendar) in calendars.enumerated() {
      let first = calendar.index(of: schedule.bookedOn)
      var (told, all) = (RevenueSchedule.Flow(), RevenueSchedule.Flow())
      var begin = Int.min
      for period in first...max(first, calendar.index(of: schedule.lastDay)) {
        let end = calendar.last(period)
        let (toldByThen, allByThen) = (schedule.flow(through: min(end, day)), schedule.flow(through: end))
        let (step, whole) = (toldByThen - told, allByThen - all)
        (told, all) = (toldByThen, allByThen)
        let place = Place(calendar: number, currency: currency, period: period)
        if begin <= day, schedule.bookedOn <= day {
          var roll = rolls[place] ?? Roll()
          roll.add(step)
          roll.remaining += Int128(schedule.remaining(after: min(end, day)))
          if period == first { roll.bookedCount += 1 }
          rolls[place] = roll
        }
        if whole.recognised > 0 || step.reversed > 0 {
          let cell = Cell(booked: Place(calendar: number, currency: currency, period: first), recognised: period)
          var sums = cells[cell] ?? (0, 0, 0)
          sums.recognised += Int128(step.recognised)
          sums.reversed += Int128(step.reversed)
          sums.toCome += Int128(whole.recognised - step.recognised)
          cells[cell] = sums
        }
        begin = end + 1
      }
    }
  }

  // MARK: Tables

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
        let roll = rolls[Place(calendar: slice.calendar, currency: slice.currency, period: period)] ?? Roll()
        let closing = opening + roll.booked - roll.recognised - roll.refundCut - roll.upgradeCut
        defer { opening = closing }
        let figures = [
          opening, Int128(roll.bookedCount), roll.booked, roll.recognised, roll.refundCut, roll.upgradeCut, closing, roll.remaining,
          closing - roll.remaining, roll.reversed, roll.refundOfCut,
        ]
        return [calendar.scope, calendar.name(period), slice.currency] + figures.map { String($0) }
      }
    }
    return Self.table(
      ReportIdentity.moneyPlaces,
      [
        "opening_milliunits", "booked_count", "booked_milliunits", "recognised_milliunits", "refund_cut_milliunits",
        "upgrade_cut_milliunits", "closing_milliunits", "remaining_milliunits", "difference_milliunits", "refund_reversed_milliunits",
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
          name: "deferred", slice: row, left: row.int("closing_milliunits"), right: row.int("remaining_milliunits"),
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
