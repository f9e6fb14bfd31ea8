internal import Domain
internal import JobCore
internal import Postgres

/// Revenue by fiscal period on each basis, with the corrections of closed periods and, computed without them, what is known now.
struct ClosedRevenue {
  /// The bases of signed figures.
  static let bases: [RevenueBasis] = [.gross, .netOfTax, .proceeds]
  /// The figures of the table revenue from which its balances follow: booked less recognised less cut.
  static let metrics = RevenueTable.metrics.filter { $0.name != "revenue" }
  /// The sign of each figure in the balance of deferred money.
  static let signs: [String: Int128] = ["opening": 1, "booked": 1, "recognised": -1, "cut": -1]
  /// The calendar of fiscal periods.
  private static let number = 1

  private let closed: [Int]
  private var table: RevenueTable
  /// Flows in closed periods by the newest schedules.
  private var newest: [RevenueTable.PeriodLine: PerBasis<RevenueFlow>] = [:]
  /// Money deferred at the start of the first period, by the newest schedules.
  private var newestOpening: [String: PerBasis<Int128>] = [:]

  private var calendar: RevenueLedger.Calendar { table.calendars[Self.number] }

  /// Reads all charges at the transaction's clock, for the closed periods of these names in their order.
  static func read(_ periods: [String], context: JobContext, tx: inout DatabaseTransaction) throws -> ClosedRevenue {
    let policies = try BookPolicies.read(context: context, tx: &tx)
    let calendars = try DeferredCharge.calendars(files: context.sql, tx: &tx)
    var revenue = ClosedRevenue(periods, calendars)
    try DeferredCharge.sum(in: calendars, by: policies, files: context.sql, tx: &tx) {
      revenue.add($0, $0.versions(in: number, by: policies), count: $1)
    }
    return revenue
  }

  private init(_ periods: [String], _ calendars: [RevenueLedger.Calendar]) {
    table = RevenueTable(calendars: calendars)
    closed = periods.compactMap { calendars[Self.number].index(named: $0) }
  }

  private mutating func add(_ charge: DeferredCharge, _ versions: DeferredCharge.Versions, count: Int) {
    table.add(charge, versions, in: Self.number, count: count)
    let currency = charge.currency
    for basis in Self.bases {
      guard let schedule = versions[basis].last?.schedule, let first = closed.first else { continue }
      newestOpening[currency, default: PerBasis { _ in 0 }][basis] += (schedule.flow(through: calendar.last(first - 1)) * count).deferred
      let moved = calendar.index(of: schedule.bookedOn)...calendar.index(of: schedule.lastDay)
      for period in closed where moved.contains(period) {
        let line = Self.line(period, currency)
        let flow = (schedule.flow(through: calendar.last(period)) - schedule.flow(through: calendar.last(period - 1))) * count
        if flow != RevenueFlow() { newest[line, default: PerBasis { _ in RevenueFlow() }][basis] += flow }
      }
    }
  }

  /// Returns the line of a period's own changes.
  private static func line(_ period: Int, _ currency: String) -> RevenueTable.PeriodLine {
    .init(calendar: number, currency: currency, period: period)
  }

  /// Currencies with a flow in any period.
  var currencies: Set<String> { Set(table.flows.keys.map(\.currency)) }

  /// Returns the flow of a period's own changes, as known now.
  func own(_ period: String, _ currency: String, _ basis: RevenueBasis) -> RevenueFlow {
    calendar.index(named: period).flatMap { table.flows[Self.line($0, currency)]?[basis] } ?? RevenueFlow()
  }

  /// Returns the corrections of the periods before one, in that period and later ones.
  func corrections(before period: String, _ currency: String, _ basis: RevenueBasis) -> [(line: ClosedFigures.Line, flow: RevenueFlow)] {
    guard let index = calendar.index(named: period) else { return [] }
    return corrections(currency, basis) { $0 < index && $1 >= index }
  }

  func corrections(of period: String, _ currency: String, _ basis: RevenueBasis) -> [(line: ClosedFigures.Line, flow: RevenueFlow)] {
    guard let index = calendar.index(named: period) else { return [] }
    return corrections(currency, basis) { restates, _ in restates == index }
  }

  private func corrections(
    _ currency: String, _ basis: RevenueBasis, where isWanted: (_ restates: Int, _ period: Int) -> Bool
  ) -> [(line: ClosedFigures.Line, flow: RevenueFlow)] {
    table.flows.compactMap { line, flow in
      guard let restates = line.restates, line.currency == currency, isWanted(restates, line.period),
        let cause = line.cause.flatMap({ ClosedFigures.Cause(rawValue: $0.rawValue) })
      else { return nil }
      return (ClosedFigures.Line(period: calendar.name(line.period), cause: cause), flow[basis])
    }
  }

  /// Returns the flow of a closed period by the newest schedules.
  func current(_ period: String, _ currency: String, _ basis: RevenueBasis) -> RevenueFlow {
    calendar.index(named: period).flatMap { newest[Self.line($0, currency)]?[basis] } ?? RevenueFlow()
  }

  /// Returns the money deferred at the start of the first closed period, by the newest schedules.
  func currentOpening(_ currency: String, _ basis: RevenueBasis) -> Int128 { newestOpening[currency]?[basis] ?? 0 }

  /// Returns the money deferred at the start of a period.
  func opening(_ period: String, _ currency: String, _ basis: RevenueBasis) -> Int128 {
    guard let index = calendar.index(named: period) else { return 0 }
    return table.flows.reduce(0) { sum, entry in
      entry.key.currency == currency && entry.key.period < index ? sum + entry.value[basis].deferred : sum
    }
  }
}
