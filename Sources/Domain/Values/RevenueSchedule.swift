/// The schedule that earns the money of one charge in equal parts over the days of its term. Days count from 1970-01-01; money is in
/// milliunits.
///
/// The share of the elapsed days is rounded down to whole units. The days add up to the total, and no two differ by more than one unit.
///
/// - A refund scales the whole term. Money of elapsed days is refunded on the refund's day; money of later days is never earned.
/// - A reversal scales the term back on its own day. Elapsed days are earned again; later days are deferred again.
/// - An upgrade ends the term.
/// - An extension keeps the money earned before its day and spreads the rest over the longer term.
public struct RevenueSchedule: Hashable, Sendable {
  /// The total refunded from a day on; a reversal has the amount 0.
  public struct Refund: Hashable, Sendable {
    public var day: Int
    /// From 0 to the total.
    public var amount: Int64

    public init(day: Int, amount: Int64) {
      self.day = day
      self.amount = amount
    }
  }

  /// A later end of the term, and the day on which Apple reported it.
  public struct Extension: Hashable, Sendable {
    public var day: Int
    /// First day after the longer term.
    public var termEnd: Int

    public init(day: Int, termEnd: Int) {
      self.day = day
      self.termEnd = termEnd
    }
  }

  /// Maximum length of a term in days. A longer term is faulty data and is truncated.
  public static let termDaysMax = 36_600

  public let total: Int64
  public let bookedOn: Int
  public let termStart: Int
  /// Days of the original term; 1 or more.
  public let soldDays: Int
  /// In the order of their reports; each ends after the one before it.
  public private(set) var extensions: [Extension] = []
  /// By day, each with another amount than the one before it.
  public private(set) var refunds: [Refund] = []
  public let upgradeDay: Int?
  /// Smallest amount that is earned, 1 or more.
  private let unit: Int64

  /// Builds a schedule and corrects inconsistent days.
  ///
  /// - Parameters:
  ///   - total: 0 or more.
  ///   - unit: smallest amount of the currency, 1 or more; 1 is used if the total is no multiple of it.
  ///   - bookedOn: day of the charge.
  ///   - termStart: first day; not before the charge.
  ///   - termEnd: first day after the term. The term has at least one day.
  ///   - refunds: by time. A refund dated before the charge or the previous refund counts on that day.
  ///   - upgradeDay: first day of the upgraded term; nil for none.
  ///   - extensions: in the order of their reports; those that do not lengthen the term are ignored.
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

  public var termDays: Int { termEnd - termStart }

  /// The last day with a change.
  public var lastDay: Int { max(termEnd - 1, refunds.last?.day ?? bookedOn, upgradeDay ?? bookedOn) }

  /// Returns the refund in force after a day; nil for none.
  public func refund(after day: Int) -> Refund? { refunds.last { $0.day <= day }.flatMap { $0.amount > 0 ? $0 : nil } }

  public func flow(through day: Int) -> RevenueFlow {
    var flow = RevenueFlow()
    guard day >= bookedOn else { return flow }
    flow.booked = Int128(total)
    let earningDays = upgradeDay.map { elapsedDays(before: $0) } ?? termDays
    // The amount that a refund has left, and the days of which it has been earned.
    var (amount, days) = (total, 0)
    for refund in refunds where refund.day <= day {
      let daysBefore = min(elapsedDays(before: refund.day), earningDays)
      let rest = total - refund.amount
      flow.recognised += Int128(earned(amount, daysBefore) - earned(amount, days))
      // An upgrade on the same day or earlier has already cut the rest.
      let isCut = upgradeDay.map { $0 <= refund.day } ?? false
      flow.bookRefund(amount - rest, ofEarned: earned(amount, daysBefore) - earned(rest, daysBefore), isCut: isCut)
      (amount, days) = (rest, daysBefore)
    }
    flow.recognised += Int128(earned(amount, min(elapsedDays(before: day + 1), earningDays)) - earned(amount, days))
    if let upgradeDay, upgradeDay <= day {
      let left = total - (refund(after: upgradeDay - 1)?.amount ?? 0)
      flow.upgradeCut = Int128(left - earned(left, earningDays))
    }
    return flow
  }

  /// Returns the money still to be earned after a day. It is computed independently of `flow`.
  public func remaining(after day: Int) -> Int64 {
    guard day >= bookedOn, upgradeDay.map({ $0 > day }) ?? true else { return 0 }
    let left = total - (refund(after: day)?.amount ?? 0)
    return left - earned(left, elapsedDays(before: day + 1))
  }

  private func elapsedDays(before day: Int) -> Int { min(max(day - termStart, 0), termDays) }

  /// Returns the part of an amount that a number of elapsed days earns.
  private func earned(_ amount: Int64, _ days: Int) -> Int64 {
    var left = amount / unit
    var (begin, end) = (0, soldDays)
    for longer in extensions {
      let statedDay = min(max(longer.day - termStart, begin), end)
      if days <= statedDay { break }
      left -= Self.share(left, statedDay - begin, of: end - begin)
      (begin, end) = (statedDay, longer.termEnd - termStart)
    }
    left -= Self.share(left, min(days, end) - begin, of: end - begin)
    return (amount / unit - left) * unit
  }

  private static func share(_ parts: Int64, _ days: Int, of all: Int) -> Int64 { Int64(Int128(parts) * Int128(days) / Int128(all)) }
}
