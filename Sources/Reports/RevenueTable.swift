internal import Domain
internal import JobCore
internal import Wording

/// Revenue by period on three bases side by side. True-ups and other corrections are lines of the period in which they became known.
struct RevenueTable {
  /// Changes of a period, or those that it books for an earlier one by one cause.
  struct Place: Hashable {
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
  private(set) var flows: [Place: PerBasis<RevenueFlow>] = [:]
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
  mutating func add(_ charge: DeferredCharge, _ money: DeferredCharge.Money, in number: Int, count: Int = 1) {
    let calendar = calendars[number]
    newest[number] = max(newest[number] ?? 0, calendar.index(of: money.through))
    var (bookings, booked): ([RevenueBooking], [RevenueFacts.Version]) = ([], [])
    for basis in RevenueBasis.allCases {
      let versions = money.versions[basis]
      // Without tax or without proof, neighbouring bases have the same schedules.
      if versions != booked {
        (bookings, booked) = (calendar.bookings(of: versions, through: money.through), versions)
      }
      for booking in bookings {
        let place = Place(
          calendar: number, currency: charge.currency, period: booking.period, restates: booking.restates, cause: booking.cause)
        var sum = flows[place] ?? PerBasis { _ in RevenueFlow() }
        sum[basis] = sum[basis] + booking.flow * count
        flows[place] = sum
      }
      guard let schedule = versions.last?.schedule, schedule.bookedOn <= money.through else { continue }
      left[Slice(calendar: number, currency: charge.currency), default: PerBasis { _ in 0 }][basis] +=
        Int128(schedule.remaining(after: money.through)) * Int128(count)
    }
  }

  /// The figures of a place, without the balances.
  static let metrics: [(name: String, value: @Sendable (RevenueFlow) -> Int128)] = [
    ("booked", { $0.booked }), ("recognised", { $0.recognised }), ("refunded", { $0.reversed - $0.earnedAgain }),
    ("revenue", { $0.recognised - $0.reversed + $0.earnedAgain }),
    ("cut", { $0.refundCut - $0.deferredAgain + $0.upgradeCut }),
  ]

  /// - Throws: `JobError` if there are more rows than a table may have.
  func table() throws -> ReportTable {
    var rows: [[String?]] = []
    for (slice, places) in slices {
      var balance = PerBasis<Int128> { _ in 0 }
      let byPeriod = Dictionary(grouping: places, by: \.period)
      let first = byPeriod.keys.min() ?? 0
      for period in first...max(first, newest[slice.calendar] ?? 0, byPeriod.keys.max() ?? 0) {
        let own = Place(calendar: slice.calendar, currency: slice.currency, period: period)
        rows += row("opening", own, balance)
        for place in (byPeriod[period] ?? []).sorted(by: Self.precedes) {
          guard let flow = flows[place] else { continue }
          rows += Self.metrics.flatMap { metric in row(metric.name, place, PerBasis { metric.value(flow[$0]) }) }
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

  private var slices: [(slice: Slice, places: [Place])] {
    Dictionary(grouping: flows.keys) { Slice(calendar: $0.calendar, currency: $0.currency) }
      .sorted { ($0.key.calendar, $0.key.currency) < ($1.key.calendar, $1.key.currency) }.map { ($0.key, $0.value) }
  }

  private static func precedes(_ one: Place, _ other: Place) -> Bool {
    (one.restates ?? .max, one.cause?.rawValue ?? "") < (other.restates ?? .max, other.cause?.rawValue ?? "")
  }

  /// Returns the row of a figure, none if it is 0 on each basis.
  private func row(_ metric: String, _ place: Place, _ value: PerBasis<Int128>) -> [[String?]] {
    guard RevenueBasis.allCases.contains(where: { value[$0] != 0 }) else { return [] }
    let calendar = calendars[place.calendar]
    guard shownPeriod == nil || shownPeriod == calendar.name(place.period) else { return [] }
    let source = value.estimated == 0 ? "actual" : value.estimated == value.proceeds ? "estimate" : "mixed"
    let figures = [
      value.gross, value.gross - value.netOfTax, value.netOfTax, value.netOfTax - value.proceeds, value.proceeds, value.estimated,
    ]
    return [
      [
        calendar.scope, calendar.name(place.period), place.restates.map { calendar.name($0) }, place.cause?.rawValue, place.currency,
        metric,
      ]
        + figures.map { String($0) } + [source]
    ]
  }

  /// The identities of the table: on each basis, the last closing balance is what the schedules have left.
  var identities: [ReportIdentity] {
    slices.flatMap { slice, places in
      let calendar = calendars[slice.calendar]
      let period = max(newest[slice.calendar] ?? 0, places.map(\.period).max() ?? 0)
      let record = ReportRecord(
        columns: ReportIdentity.periodKeys, cells: [calendar.scope, calendar.name(period), slice.currency])
      return RevenueBasis.allCases.map { basis in
        ReportIdentity(
          name: basis.rawValue, slice: record, left: places.reduce(Int128(0)) { $0 + (flows[$1]?[basis].deferred ?? 0) },
          right: left[slice]?[basis] ?? 0, formula: "formula.basis")
      }
    }
  }
}

extension RevenueLedger {
  mutating func add(_ charge: DeferredCharge, _ money: DeferredCharge.Money, in calendar: Int, count: Int = 1) {
    add(money.versions.gross, calendar: calendar, currency: charge.currency, through: money.through, count: count)
  }
}
