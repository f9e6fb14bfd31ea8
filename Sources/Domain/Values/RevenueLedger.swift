/// What schedules add up to, by calendar and currency, as they come one by one.
///
/// It grows with periods and currencies, not with schedules. Days count from 1970-01-01; money is in milliunits.
public struct RevenueLedger: Sendable {
  /// Periods in order, each from its first day to that of the next one; the last one has no end.
  public struct Calendar: Sendable {
    /// Its name among calendars.
    public var scope: String
    private var firsts: [Int] = []
    private var names: [String] = []

    public init(scope: String) { self.scope = scope }

    /// Adds the period that follows those that are there.
    public mutating func add(_ name: String, from day: Int) {
      names.append(name)
      firsts.append(day)
    }

    /// Months of the years in which anything can be earned.
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

    /// The period of a day; the first one for a day before all.
    public func index(of day: Int) -> Int {
      var (low, high) = (0, firsts.count)
      while high - low > 1 {
        let middle = (low + high) / 2
        if firsts[middle] <= day { low = middle } else { high = middle }
      }
      return low
    }

    /// What a period is called.
    public func name(_ index: Int) -> String { names[index] }

    /// The last day of a period.
    fileprivate func last(_ index: Int) -> Int { index + 1 < firsts.count ? firsts[index + 1] - 1 : .max - 1 }
  }

  /// A period of a calendar, and a currency.
  public struct Place: Hashable, Sendable {
    public var calendar: Int
    public var currency: String
    public var period: Int

    public init(calendar: Int, currency: String, period: Int) {
      self.calendar = calendar
      self.currency = currency
      self.period = period
    }
  }

  /// What the schedules did in a period, and what they had left at its end.
  public struct Roll: Sendable {
    public fileprivate(set) var bookedCount = 0
    public fileprivate(set) var booked: Int128 = 0
    public fileprivate(set) var recognised: Int128 = 0
    public fileprivate(set) var reversed: Int128 = 0
    public fileprivate(set) var refundCut: Int128 = 0
    public fileprivate(set) var refundOfCut: Int128 = 0
    public fileprivate(set) var upgradeCut: Int128 = 0
    public fileprivate(set) var remaining: Int128 = 0

    public init() {}

    fileprivate mutating func add(_ flow: RevenueSchedule.Flow, remaining left: Int64) {
      booked += Int128(flow.booked)
      recognised += Int128(flow.recognised)
      reversed += Int128(flow.reversed)
      refundCut += Int128(flow.refundCut)
      refundOfCut += Int128(flow.refundOfCut)
      upgradeCut += Int128(flow.upgradeCut)
      remaining += Int128(left)
    }
  }

  /// A place of the waterfall: where money was booked, and the period that earns it.
  public struct Cell: Hashable, Sendable {
    public var booked: Place
    public var recognised: Int
  }

  /// What a period earns of what another one booked.
  public struct Earned: Sendable {
    public fileprivate(set) var recognised: Int128 = 0
    public fileprivate(set) var reversed: Int128 = 0
    public fileprivate(set) var toCome: Int128 = 0
  }

  public let calendars: [Calendar]
  public private(set) var rolls: [Place: Roll] = [:]
  public private(set) var cells: [Cell: Earned] = [:]
  /// The newest of the last complete days; the least day there is before any schedule came.
  public private(set) var through = Int.min
  /// What schedules have left after the last complete day of their app, by the period of that day.
  private var left: [Place: Int128] = [:]

  public init(calendars: [Calendar]) { self.calendars = calendars }

  /// Adds what one schedule does.
  ///
  /// - Parameter day: the last complete day; what comes after it is only what is to come.
  public mutating func add(_ schedule: RevenueSchedule, currency: String, through day: Int) {
    through = max(through, day)
    guard schedule.total > 0 else { return }
    for (number, calendar) in calendars.enumerated() {
      let first = calendar.index(of: schedule.bookedOn)
      let booked = Place(calendar: number, currency: currency, period: first)
      var (told, all) = (RevenueSchedule.Flow(), RevenueSchedule.Flow())
      var begin = Int.min
      for period in first...max(first, calendar.index(of: schedule.lastDay)) {
        let end = calendar.last(period)
        let (toldByThen, allByThen) = (schedule.flow(through: min(end, day)), schedule.flow(through: end))
        let (step, whole) = (toldByThen - told, allByThen - all)
        (told, all) = (toldByThen, allByThen)
        if begin <= day, schedule.bookedOn <= day {
          let place = Place(calendar: number, currency: currency, period: period)
          rolls[place, default: Roll()].add(step, remaining: schedule.remaining(after: min(end, day)))
          if period == first { rolls[place, default: Roll()].bookedCount += 1 }
        }
        if whole.recognised > 0 || step.reversed > 0 {
          let cell = Cell(booked: booked, recognised: period)
          cells[cell, default: Earned()].recognised += Int128(step.recognised)
          cells[cell, default: Earned()].reversed += Int128(step.reversed)
          cells[cell, default: Earned()].toCome += Int128(whole.recognised - step.recognised)
        }
        begin = end + 1
      }
      if schedule.bookedOn <= day {
        left[Place(calendar: number, currency: currency, period: calendar.index(of: day)), default: 0] += Int128(
          schedule.remaining(after: day))
      }
    }
  }

  /// What all schedules have left at the end of a period: those of apps whose last complete day lies in an earlier one, too, as another
  /// app's day is already that of the next month.
  public func remaining(_ place: Place) -> Int128 {
    let behind = left.filter { $0.key.calendar == place.calendar && $0.key.currency == place.currency && $0.key.period < place.period }
    return behind.values.reduce(rolls[place]?.remaining ?? 0, +)
  }
}
