/// Purchases of one kind by month, from which the refunds still to come are estimated. Months are numbered in sequence; money is in
/// milliunits.
///
/// The curve gives the refunded share of the money charged, by age in months since the purchase. A younger month of purchases is expected
/// to follow it. A plain chain ladder would multiply the refunds so far, and expect none after a month without refunds.
///
/// - Source: T. Mack, "Schadenversicherungsmathematik", the additive method of claims reserving.
public struct RefundCohorts: Sendable {
  /// Age after which no refunds are expected.
  public static let agesMax = 12
  /// Minimum number of months of purchases that must have reached an age.
  public static let monthsMin = 3

  /// Smallest amount of the currency, 1 or more.
  private let unit: Int64
  private var charged: [Int: Int128] = [:]
  /// Net of reversals, by month of purchase and age.
  private var refunded: [Int: [Int: Int128]] = [:]

  public init(unit: Int64) { self.unit = unit }

  /// Adds money of a month of purchases.
  ///
  /// - Parameters:
  ///   - age: months from the purchase to the refund.
  ///   - refunded: negative for a reversal.
  public mutating func add(month: Int, age: Int, charged: Int128, refunded: Int128) {
    self.charged[month, default: 0] += charged
    self.refunded[month, default: [:]][age, default: 0] += refunded
  }

  /// Months with purchases up to another one, in order.
  public func months(through last: Int) -> [Int] { charged.keys.filter { $0 <= last }.sorted() }

  public func charged(in month: Int) -> Int128 { charged[month] ?? 0 }

  /// Returns the refunds of a month's purchases in the months `first` to `last`.
  public func refunded(of month: Int, from first: Int, through last: Int) -> Int128 {
    (refunded[month] ?? [:]).reduce(0) { sum, part in (first...last).contains(month + part.key) ? sum + part.value : sum }
  }

  /// The refunded share of the money charged, by age from 1 on.
  public struct Curve: Sendable {
    fileprivate var shares: [(refunded: Int128, charged: Int128)] = []

    /// The greatest age with a share.
    public var ages: Int { shares.count }
  }

  /// Returns the curve by what was known at the end of a month. The share of an age at which reversals outweigh refunds is negative.
  ///
  /// - Returns: nil if too few months of purchases have reached the age of 1.
  public func curve(after end: Int) -> Curve? {
    var curve = Curve()
    for age in 1...Self.agesMax {
      let reached = charged.filter { $0.key + age <= end && $0.value > 0 }
      guard reached.count >= Self.monthsMin else { break }
      let refunds = reached.keys.reduce(Int128(0)) { $0 + (refunded[$1]?[age] ?? 0) }
      curve.shares.append((refunds, reached.values.reduce(0, +)))
    }
    return curve.shares.isEmpty ? nil : curve
  }

  /// Returns the refunds of a month's purchases to expect after a month, by the curve of that time.
  ///
  /// - Parameter last: the last month to expect refunds of; nil for all.
  public func toCome(of month: Int, after end: Int, through last: Int? = nil, by curve: Curve) -> Int128 {
    guard month <= end else { return 0 }
    return curve.shares.enumerated().reduce(0) { sum, part in
      let date = month + part.offset + 1
      guard date > end, date <= last ?? .max else { return sum }
      return sum
        + Int128(Money.rounded(charged(in: month) * part.element.refunded, over: part.element.charged, unit: unit))
    }
  }
}
