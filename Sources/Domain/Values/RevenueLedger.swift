/// Totals of schedules by calendar and currency, added one by one.
///
/// Memory grows with periods and currencies, not with schedules. Days count from 1970-01-01; money is in milliunits.
public struct RevenueLedger: Sendable {
  /// Consecutive periods, each from its first day to the first day of the next one. The last period has no end.
  public struct Calendar: Sendable {
    public var scope: String
    private var firsts: [Int] = []
    private var names: [String] = []

    public init(scope: String) { self.scope = scope }

    public mutating func add(_ name: String, from day: Int) {
      names.append(name)
      firsts.append(day)
    }

    /// Calendar months of the years 1970 to 2200.
    public static var months: Calendar {
      var calendar = Calendar(scope: "calendar")
      for year in 1970...2200 {
        for month in 1...12 {
          let first = CivilDate(year: year, month: month, day: 1)
          calendar.add(String(first.description.prefix(7)), from: first.daysSince1970)
        }
      }
      return calendar
    }

    /// Returns the period of a day; the first period for any earlier day.
    public func index(of day: Int) -> Int {
      var (low, high) = (0, firsts.count)
      while high - low > 1 {
        let middle = (low + high) / 2
        if firsts[middle] <= day { low = middle } else { high = middle }
      }
      return low
    }

    /// Returns the period of a name; nil if there is none.
    public func index(named name: String) -> Int? { names.firstIndex(of: name) }

    public func name(_ index: Int) -> String { names[index] }

    /// Returns the first day of a period; the first period has no start.
    func first(_ index: Int) -> Int { index > 0 ? firsts[index] : .min + 1 }

    /// Returns the last day of a period; the last period has no end.
    public func last(_ index: Int) -> Int { index + 1 < firsts.count ? firsts[index + 1] - 1 : .max - 1 }
  }

  /// A period of a calendar in one currency.
  public struct PeriodLine: Hashable, Sendable {
    public var calendar: Int
    public var currency: String
    public var period: Int
    /// The earlier period that late facts restate here; nil for the period's own changes.
    public var restates: Int?

    public init(calendar: Int, currency: String, period: Int, restates: Int? = nil) {
      self.calendar = calendar
      self.currency = currency
      self.period = period
      self.restates = restates
    }
  }

  /// Changes within a period, and the money still deferred at its end.
  public struct Roll: Sendable {
    public fileprivate(set) var bookedCount = 0
    public fileprivate(set) var flow = RevenueFlow()
    public fileprivate(set) var remaining: Int128 = 0

    public init() {}
  }

  /// A cell of the waterfall: the period that booked money and the period that earns it.
  public struct Cell: Hashable, Sendable {
    public var booked: PeriodLine
    public var recognised: Int
  }

  /// Money that one period earns of another period's bookings.
  public struct Earned: Sendable {
    public fileprivate(set) var recognised: Int128 = 0
    public fileprivate(set) var reversed: Int128 = 0
    public fileprivate(set) var earnedAgain: Int128 = 0
    public fileprivate(set) var toCome: Int128 = 0
  }

  public let calendars: [Calendar]
  public private(set) var rolls: [PeriodLine: Roll] = [:]
  public private(set) var cells: [Cell: Earned] = [:]
  /// The newest last complete day, by calendar.
  public private(set) var through: [Int: Int] = [:]
  /// Money still deferred after the last complete day of each app, by the period of that day.
  private var left: [PeriodLine: Int128] = [:]

  public init(calendars: [Calendar]) { self.calendars = calendars }

  /// Adds charges with equal schedules to one calendar. Each period counts the facts known at its end. Later facts are booked in the
  /// period in which they became known, under the period that they restate.
  ///
  /// - Parameters:
  ///   - versions: the charge's schedules, in the order in which they became known; 1 or more.
  ///   - number: the calendar, by whose days the schedules count.
  ///   - day: the last complete day. Later days count only as money to come.
  ///   - count: number of charges.
  public mutating func add(
    _ versions: [RevenueFacts.Version], calendar number: Int, currency: String, through day: Int, count: Int = 1
  ) {
    through[number] = max(through[number] ?? day, day)
    guard let newest = versions.last?.schedule, newest.total > 0 else { return }
    let calendar = calendars[number]
    let known = Self.periods(versions, calendar)
    let first = max(known[0].period, known.map { calendar.index(of: $0.schedule.bookedOn) }.min() ?? 0)
    let last = max(first, known.map { max($0.period, calendar.index(of: $0.schedule.lastDay)) }.max() ?? first)
    let booked = PeriodLine(calendar: number, currency: currency, period: first)
    for period in first...last {
      guard let now = known.last(where: { $0.period <= period })?.schedule else { continue }
      let line = PeriodLine(calendar: number, currency: currency, period: period)
      var earned = RevenueFlow()
      if calendar.first(period) <= day, now.bookedOn <= day {
        let before = known.last { $0.period < period }?.schedule
        earned = addChanges(of: now, to: line, through: day, count) + addRestatements(from: before, to: now, in: line, count)
      }
      let (begin, end) = (calendar.first(period), calendar.last(period))
      let toCome = newest.flow(through: end).recognised - newest.flow(through: min(end, max(begin - 1, day))).recognised
      add(earned, toCome: toCome * Int128(count), to: Cell(booked: booked, recognised: period))
    }
    if newest.bookedOn <= day {
      left[PeriodLine(calendar: number, currency: currency, period: calendar.index(of: day)), default: 0] +=
        Int128(newest.remaining(after: day)) * Int128(count)
    }
  }

  /// Adds the changes within a period up to a day, and the money still deferred after it. Returns the changes.
  private mutating func addChanges(of schedule: RevenueSchedule, to line: PeriodLine, through day: Int, _ count: Int) -> RevenueFlow {
    let calendar = calendars[line.calendar]
    let end = min(calendar.last(line.period), day)
    let flow = (schedule.flow(through: end) - schedule.flow(through: calendar.first(line.period) - 1)) * count
    rolls[line, default: Roll()].flow += flow
    rolls[line, default: Roll()].remaining += Int128(schedule.remaining(after: end)) * Int128(count)
    if calendar.index(of: schedule.bookedOn) == line.period { rolls[line, default: Roll()].bookedCount += count }
    return flow
  }

  /// Adds the changes of earlier periods by facts that became known in a period. Returns their sum.
  private mutating func addRestatements(
    from before: RevenueSchedule?, to now: RevenueSchedule, in line: PeriodLine, _ count: Int
  ) -> RevenueFlow {
    guard before != now else { return RevenueFlow() }
    return Self.restated(from: before, to: now, before: line.period, calendars[line.calendar]).reduce(RevenueFlow()) { sum, entry in
      var line = line
      line.restates = entry.period
      let flow = (entry.now - entry.before) * count
      rolls[line, default: Roll()].flow += flow
      if before == nil, flow.booked > 0 { rolls[line, default: Roll()].bookedCount += count }
      return sum + flow
    }
  }

  private mutating func add(_ earned: RevenueFlow, toCome: Int128, to cell: Cell) {
    guard earned.recognised != 0 || earned.reversed != 0 || earned.earnedAgain != 0 || toCome != 0 else { return }
    cells[cell, default: Earned()].recognised += earned.recognised
    cells[cell, default: Earned()].reversed += earned.reversed
    cells[cell, default: Earned()].earnedAgain += earned.earnedAgain
    cells[cell, default: Earned()].toCome += toCome
  }

  /// Returns the schedules, each with the period from which it counts: the period in which it became known.
  static func periods(_ versions: [RevenueFacts.Version], _ calendar: Calendar) -> [(period: Int, schedule: RevenueSchedule)] {
    var known: [(period: Int, schedule: RevenueSchedule)] = []
    for version in versions {
      let period = calendar.index(of: version.knownOn)
      if known.last?.period == period { known.removeLast() }
      known.append((period, version.schedule))
    }
    return known
  }

  /// Returns the changes of money by two schedules in each earlier period in which they differ.
  static func restated(
    from before: RevenueSchedule?, to now: RevenueSchedule, before period: Int, _ calendar: Calendar
  ) -> [(period: Int, before: RevenueFlow, now: RevenueFlow)] {
    let first = calendar.index(of: min(now.bookedOn, before?.bookedOn ?? now.bookedOn))
    return (min(first, period)..<period).compactMap { earlier in
      let (begin, end) = (calendar.first(earlier) - 1, calendar.last(earlier))
      func moved(_ schedule: RevenueSchedule) -> RevenueFlow { schedule.flow(through: end) - schedule.flow(through: begin) }
      let (old, new) = (before.map(moved) ?? RevenueFlow(), moved(now))
      return old == new ? nil : (earlier, old, new)
    }
  }

  /// A ledger without charges that reports the same periods as this one, for the part of some charges in its figures.
  public var emptied: RevenueLedger {
    var ledger = RevenueLedger(calendars: calendars)
    ledger.through = through
    return ledger
  }

  /// Returns the money still deferred at the end of a period. It includes apps whose last complete day is in an earlier period, because
  /// apps end their days at different times.
  public func remaining(_ line: PeriodLine) -> Int128 {
    let behind = left.filter { $0.key.calendar == line.calendar && $0.key.currency == line.currency && $0.key.period < line.period }
    return behind.values.reduce(rolls[line]?.remaining ?? 0, +)
  }
}
