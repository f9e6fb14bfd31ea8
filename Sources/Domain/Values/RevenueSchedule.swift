/// How the money of one charge is earned: in equal parts over the days of its term, the units left over falling evenly among them.
///
/// What is earned up to a day is the share of the days gone by, cut to whole units, so that the days add up to the total to the unit and no
/// two of them differ by more than one. A refund scales the whole term: what it takes from days gone by is given back on its day, what it
/// takes from days to come is never earned. A reversal scales the term back on its own day: the days gone by are earned again, those to
/// come are deferred again. An upgrade ends the term. An extension leaves what was earned before its day, and spreads the rest over the
/// longer term. Days count from 1970-01-01; money is in milliunits.
public struct RevenueSchedule: Hashable, Sendable {
  /// What is given back in all from a day on; a reversal is one of 0.
  public struct Refund: Hashable, Sendable {
    public var day: Int
    /// 0 or more, and no more than the total.
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

  /// Days of the longest term; a longer one is data that nobody sold, and is earned by then.
  public static let termDaysMax = 36_600

  public let total: Int64
  public let bookedOn: Int
  public let termStart: Int
  /// Days of the term as it was sold; 1 or more.
  public let soldDays: Int
  /// In the order in which they were told; each ends after the one before it.
  public private(set) var extensions: [Extension] = []
  /// In the order of their days, each of another amount than the one before it.
  public private(set) var refunds: [Refund] = []
  public let upgradeDay: Int?
  /// Smallest part, 1 or more.
  private let unit: Int64

  /// - Parameters:
  ///   - total: 0 or more.
  ///   - unit: smallest amount of the currency, 1 or more; where the total is no multiple of it, a milliunit is.
  ///   - bookedOn: day of the charge.
  ///   - termStart: first day; not before the charge.
  ///   - termEnd: first day after the term; one that is not after `termStart` makes a term of one day.
  ///   - refunds: in the order in which they happened; one of before the charge, or before the step that it follows, counts on that day.
  ///   - upgradeDay: first day of the better term; nil for none.
  ///   - extensions: in the order in which they were told; one that ends no later than the term by then is none.
  public init(
    total: Int64, unit: Int64, bookedOn: Int, termStart: Int, termEnd: Int, refunds: [Refund] = [], upgradeDay: Int? = nil,
    extensions: [Extension] = []
  ) {
    let total = max(0, total)
    self.total = total
    self.bookedOn = bookedOn
    self.termStart = max(termStart, bookedOn)
    soldDays = min(max(termEnd - self.termStart, 1), Self.termDaysMax)
    self.upgradeDay = upgradeDay.map { max($0, bookedOn) }
    let amounts = refunds.map { min(max($0.amount, 0), total) }
    self.unit = unit > 0 && (amounts + [total]).allSatisfy { $0 % unit == 0 } ? unit : 1
    for (refund, amount) in zip(refunds, amounts) where amount != self.refunds.last?.amount ?? 0 {
      self.refunds.append(Refund(day: max(refund.day, self.refunds.last?.day ?? bookedOn), amount: amount))
    }
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
  public var lastDay: Int { max(termEnd - 1, refunds.last?.day ?? bookedOn, upgradeDay ?? bookedOn) }

  /// The refund that stands after a day; nil for none.
  public func refund(after day: Int) -> Refund? {
    refunds.last { $0.day <= day }.flatMap { $0.amount > 0 ? $0 : nil }
  }

  /// What became of the money up to the end of a day.
  public func flow(through day: Int) -> RevenueFlow {
    var flow = RevenueFlow()
    guard day >= bookedOn else { return flow }
    flow.booked = Int128(total)
    let end = upgradeDay.map { daysGone(before: $0) } ?? termDays
    var (left, counted) = (total, 0)
    for refund in refunds where refund.day <= day {
      let gone = min(daysGone(before: refund.day), end)
      let rest = total - refund.amount
      flow.recognised += Int128(earned(left, gone) - earned(left, counted))
      // An upgrade of before, or of the same day, has cut the rest already.
      let isCut = upgradeDay.map { $0 <= refund.day } ?? false
      flow.give(back: left - rest, ofEarned: earned(left, gone) - earned(rest, gone), isCut: isCut)
      (left, counted) = (rest, gone)
    }
    flow.recognised += Int128(earned(left, min(daysGone(before: day + 1), end)) - earned(left, counted))
    if let upgradeDay, upgradeDay <= day {
      let left = total - (refund(after: upgradeDay - 1)?.amount ?? 0)
      flow.upgradeCut = Int128(left - earned(left, end))
    }
    return flow
  }

  /// What is still to be earned after a day; worked out by itself, not from what became of the rest.
  public func remaining(after day: Int) -> Int64 {
    guard day >= bookedOn, upgradeDay.map({ $0 > day }) ?? true else { return 0 }
    let left = total - (refund(after: day)?.amount ?? 0)
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
