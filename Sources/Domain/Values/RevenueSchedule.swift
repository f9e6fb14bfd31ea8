/// How the money of one charge is earned: in equal parts over the days of its term, the units left over falling evenly among them.
///
/// What is earned up to a day is the share of the days gone by, cut to whole units, so that the days add up to the total to the unit and no
/// two of them differ by more than one. A refund scales the whole term: what it takes from days gone by is given back on its day, what it
/// takes from days to come is never earned. An upgrade ends the term. An extension leaves what was earned before its day, and spreads the
/// rest over the longer term. Days count from 1970-01-01; money is in milliunits.
public struct RevenueSchedule: Hashable, Sendable {
  /// What was given back, and on which day.
  public struct Refund: Hashable, Sendable {
    public var day: Int
    /// More than 0, and no more than the total.
    public var amount: Int64

    public init(day: Int, amount: Int64) {
      self.day = day
      self.amount = amount
    }
  }

  /// A later end of the term, and the day on which it was told.
  public struct Extension: Hashable, Sendable {
    public var day: Int
    /// First day after the longer term.
    public var termEnd: Int

    public init(day: Int, termEnd: Int) {
      self.day = day
      self.termEnd = termEnd
    }
  }

  /// What became of the money up to the end of a day; all of it is 0 or more.
  public struct Flow: Hashable, Sendable {
    public var booked: Int64 = 0
    /// Earned by the days gone by; what a refund takes back of it is not taken off here.
    public var recognised: Int64 = 0
    /// Given back of what had been earned.
    public var reversed: Int64 = 0
    /// Given back of what had not been earned.
    public var refundCut: Int64 = 0
    /// Given back of what an upgrade had cut before.
    public var refundOfCut: Int64 = 0
    /// Not earned because a better term took over.
    public var upgradeCut: Int64 = 0

    public init() {}

    public static func - (later: Flow, earlier: Flow) -> Flow {
      var flow = Flow()
      flow.booked = later.booked - earlier.booked
      flow.recognised = later.recognised - earlier.recognised
      flow.reversed = later.reversed - earlier.reversed
      flow.refundCut = later.refundCut - earlier.refundCut
      flow.refundOfCut = later.refundOfCut - earlier.refundOfCut
      flow.upgradeCut = later.upgradeCut - earlier.upgradeCut
      return flow
    }
  }

  /// Days of the longest term; a longer one is data that nobody sold, and is earned by then.
  public static let termDaysMax = 36_600

  public let total: Int64
  public let bookedOn: Int
  public let termStart: Int
  /// Days of the term as it was sold; 1 or more.
  public let soldDays: Int
  /// In the order in which they were told; each ends after the one before it.
  public private(set) var extensions: [Extension] = []
  public private(set) var refund: Refund?
  public let upgradeDay: Int?
  /// Smallest part, 1 or more.
  private let unit: Int64

  /// - Parameters:
  ///   - total: 0 or more.
  ///   - unit: smallest amount of the currency, 1 or more; where the total is no multiple of it, a milliunit is.
  ///   - bookedOn: day of the charge.
  ///   - termStart: first day; not before the charge.
  ///   - termEnd: first day after the term; one that is not after `termStart` makes a term of one day.
  ///   - refund: nil for none; one of before the charge counts on its day.
  ///   - upgradeDay: first day of the better term; nil for none.
  ///   - extensions: in the order in which they were told; one that ends no later than the term by then is none.
  public init(
    total: Int64, unit: Int64, bookedOn: Int, termStart: Int, termEnd: Int, refund: Refund? = nil, upgradeDay: Int? = nil,
    extensions: [Extension] = []
  ) {
    self.total = max(0, total)
    self.bookedOn = bookedOn
    self.termStart = max(termStart, bookedOn)
    soldDays = min(max(termEnd - self.termStart, 1), Self.termDaysMax)
    self.upgradeDay = upgradeDay.map { max($0, bookedOn) }
    let amount = min(max(refund?.amount ?? 0, 0), self.total)
    self.unit = unit > 0 && self.total % unit == 0 && amount % unit == 0 ? unit : 1
    if let refund, amount > 0 { self.refund = Refund(day: max(refund.day, bookedOn), amount: amount) }
    for longer in extensions {
      let end = min(longer.termEnd, self.termStart + Self.termDaysMax)
      if end > self.termEnd { self.extensions.append(Extension(day: longer.day, termEnd: end)) }
    }
  }

  /// The first day after the term.
  public var termEnd: Int { extensions.last?.termEnd ?? termStart + soldDays }

  /// 1 or more.
  public var termDays: Int { termEnd - termStart }

  /// The last day on which anything happens.
  public var lastDay: Int { max(termEnd - 1, refund?.day ?? bookedOn, upgradeDay ?? bookedOn) }

  /// The same schedule once the refund was reversed.
  public var restored: RevenueSchedule {
    var schedule = self
    schedule.refund = nil
    return schedule
  }

  /// What became of the money up to the end of a day.
  public func flow(through day: Int) -> Flow {
    var flow = Flow()
    guard day >= bookedOn else { return flow }
    flow.booked = total
    let end = upgradeDay.map { daysGone(before: $0) } ?? termDays
    let gone = min(daysGone(before: day + 1), end)
    flow.recognised = earned(total, gone)
    if let refund, refund.day <= day {
      let cut = daysGone(before: refund.day)
      let rest = total - refund.amount
      let before = min(cut, end)
      flow.reversed = earned(total, before) - earned(rest, before)
      // An upgrade of before, or of the same day, has cut the rest already.
      let isOver = upgradeDay.map { $0 <= refund.day } ?? false
      flow.refundCut = isOver ? 0 : refund.amount - flow.reversed
      flow.refundOfCut = refund.amount - flow.reversed - flow.refundCut
      if gone > before { flow.recognised = earned(total, before) + earned(rest, gone) - earned(rest, before) }
    }
    if let upgradeDay, upgradeDay <= day {
      let left = refund.map { $0.day < upgradeDay ? total - $0.amount : total } ?? total
      flow.upgradeCut = left - earned(left, end)
    }
    return flow
  }

  /// What is still to be earned after a day; worked out by itself, not from what became of the rest.
  public func remaining(after day: Int) -> Int64 {
    guard day >= bookedOn, upgradeDay.map({ $0 > day }) ?? true else { return 0 }
    let left = refund.map { $0.day <= day ? total - $0.amount : total } ?? total
    return left - earned(left, daysGone(before: day + 1))
  }

  private func daysGone(before day: Int) -> Int { min(max(day - termStart, 0), termDays) }

  /// The part of an amount that so many days earn.
  private func earned(_ amount: Int64, _ days: Int) -> Int64 {
    var left = amount / unit
    var (begin, end) = (0, soldDays)
    for longer in extensions {
      let told = min(max(longer.day - termStart, begin), end)
      if days <= told { break }
      left -= Self.share(left, told - begin, of: end - begin)
      (begin, end) = (told, longer.termEnd - termStart)
    }
    left -= Self.share(left, min(days, end) - begin, of: end - begin)
    return (amount / unit - left) * unit
  }

  private static func share(_ parts: Int64, _ days: Int, of all: Int) -> Int64 { Int64(Int128(parts) * Int128(days) / Int128(all)) }
}
