internal import Domain
internal import JobCore
internal import Wording

/// Revenue by period on three bases side by side. True-ups and other corrections are lines of the period in which they became known.
struct RevenueTable {
  /// Changes of a period, or those that it books for an earlier one by one cause.
  struct PeriodLine: Hashable {
    var calendar: Int
    var currency: String
    var period: Int
    var restates: Int?
    var cause: RevenueCause?
  }

  private struct Slice: Hashable {
    var calendar: Int
    var currency: String
  }

  private static let keys = FigureTable.revenue.layout.keys
  private static let figures = [
    "gross_milliunits", "tax_milliunits", "net_of_tax_milliunits", "commission_milliunits", "proceeds_milliunits",
    "estimated_milliunits",
  ]

  let calendars: [RevenueLedger.Calendar]
  private(set) var flows: [PeriodLine: PerBasis<RevenueFlow>] = [:]
  /// Money left in the schedules after the last complete day.
  private var left: [Slice: PerBasis<Int128>] = [:]
  /// The newest complete period, by calendar.
  private var newest: [Int: Int] = [:]

  /// The only period of the table's rows; nil for all.
  var shownPeriod: String?

  init(calendars: [RevenueLedger.Calendar]) { self.calendars = calendars }

  /// A table without charges that has the same periods as this one.
  var emptied: RevenueTable {
    var table = RevenueTable(calendars: calendars)
    table.newest = newest
    return table
  }

  /// - Parameter count: number of charges with these schedules.
  mutating func add(_ charge: DeferredCharge, _ versions: DeferredCharge.Versions, in number: Int, count: Int) {
    let (calendar, through) = (calendars[number], charge.through(number))
    newest[number] = max(newest[number] ?? 0, calendar.index(of: through))
    var (bookings, booked): ([RevenueBooking], [RevenueFacts.Version]) = ([], [])
    for basis in RevenueBasis.allCases {
      let known = versions[basis]
      // Without tax or without proof, neighbouring bases have the same schedules.
      if known != booked { (bookings, booked) = (calendar.bookings(of: known, through: through), known) }
      for booking in bookings {
        let line = PeriodLine(
          calendar: number, currency: charge.currency, period: booking.period, restates: booking.restates, cause: booking.cause)
        flows[line, default: PerBasis { _ in RevenueFlow() }][basis] += booking.flow * count
      }
      guard let schedule = known.last?.schedule, schedule.bookedOn <= through else { continue }
      left[Slice(calendar: number, currency: charge.currency), default: PerBasis { _ in 0 }][basis] +=
        Int128(schedule.remaining(after: through)) * Int128(count)
    }
  }

  /// The figures of a line, without the balances.
  static let metrics: [(name: String, value: @Sendable (RevenueFlow) -> Int128)] = [
    ("booked", { $0.booked }), ("recognised", { $0.recognised }), ("refunded", { $0.reversed - $0.earnedAgain }),
    ("revenue", { $0.recognised - $0.reversed + $0.earnedAgain }),
    ("cut", { $0.refundCut - $0.deferredAgain + $0.upgradeCut }),
  ]

  /// - Throws: `JobError` if there are more rows than a table may have.
  func table() throws -> ReportTable {
    var rows: [[String?]] = []
    for (slice, lines) in slices {
      var balance = PerBasis<Int128> { _ in 0 }
      let byPeriod = Dictionary(grouping: lines, by: \.period)
      let first = byPeriod.keys.min() ?? 0
      for period in first...max(first, newest[slice.calendar] ?? 0, byPeriod.keys.max() ?? 0) {
        let own = PeriodLine(calendar: slice.calendar, currency: slice.currency, period: period)
        rows += row("opening", own, balance)
        for line in (byPeriod[period] ?? []).sorted(by: Self.precedes) {
          guard let flow = flows[line] else { continue }
          rows += Self.metrics.flatMap { metric in row(metric.name, line, PerBasis { metric.value(flow[$0]) }) }
          balance = PerBasis { balance[$0] + flow[$0].deferred }
        }
        rows += row("closing", own, balance)
      }
    }
    guard rows.count <= ReportTable.rowsMax else {
      throw JobError("could not gather the revenue by basis: it has more than \(ReportTable.rowsMax) rows")
    }
    let columns = Self.keys + Self.figures + ["proceeds_basis"]
    return ReportTable(columns: columns, isNumeric: columns.map(Self.figures.contains), rows: rows)
  }

  private var slices: [(slice: Slice, lines: [PeriodLine])] {
    Dictionary(grouping: flows.keys) { Slice(calendar: $0.calendar, currency: $0.currency) }
      .sorted { ($0.key.calendar, $0.key.currency) < ($1.key.calendar, $1.key.currency) }.map { ($0.key, $0.value) }
  }

  private static func precedes(_ one: PeriodLine, _ other: PeriodLine) -> Bool {
    (one.restates ?? .max, one.cause?.rawValue ?? "") < (other.restates ?? .max, other.cause?.rawValue ?? "")
  }

  /// Returns the row of a figure, none if it is 0 on each basis.
  private func row(_ metric: String, _ line: PeriodLine, _ value: PerBasis<Int128>) -> [[String?]] {
    guard RevenueBasis.allCases.contains(where: { value[$0] != 0 }) else { return [] }
    let calendar = calendars[line.calendar]
    guard shownPeriod == nil || shownPeriod == calendar.name(line.period) else { return [] }
    let source = value.estimated == 0 ? "actual" : value.estimated == value.proceeds ? "estimate" : "mixed"
    let figures = [
      value.gross, value.gross - value.netOfTax, value.netOfTax, value.netOfTax - value.proceeds, value.proceeds, value.estimated,
    ]
    return [
      [
        calendar.scope, calendar.name(line.period), line.restates.map { calendar.name($0) }, line.cause?.rawValue, line.currency,
        metric,
      ]
        + figures.map { String($0) } + [source]
    ]
  }

  /// The identities of the table: on each basis, the last closing balance is what the schedules have left.
  var identities: [ReportIdentity] {
    slices.flatMap { slice, lines in
      let calendar = calendars[slice.calendar]
      let period = max(newest[slice.calendar] ?? 0, lines.map(\.period).max() ?? 0)
      let record = ReportRecord(
        columns: ReportIdentity.periodKeys, cells: [calendar.scope, calendar.name(period), slice.currency])
      return RevenueBasis.allCases.map { basis in
        ReportIdentity(
          name: basis.rawValue, slice: record, left: lines.reduce(Int128(0)) { $0 + (flows[$1]?[basis].deferred ?? 0) },
          right: left[slice]?[basis] ?? 0, formula: "formula.basis")
      }
    }
  }
}

extension RevenueLedger {
  mutating func add(_ charge: DeferredCharge, _ versions: DeferredCharge.Versions, in calendar: Int, count: Int) {
    add(versions.gross, calendar: calendar, currency: charge.currency, through: charge.through(calendar), count: count)
  }
}
