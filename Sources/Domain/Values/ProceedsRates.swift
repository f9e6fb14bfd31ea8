/// Rates of tax and commission, from which net revenue and proceeds are estimated until Apple's reports state them.
public struct ProceedsRates: Sendable, Equatable {
  public struct Rate: Sendable, Equatable {
    /// Three-letter storefront; nil for all.
    public var storefront: String?
    /// First day, counted from 1970-01-01.
    public var from: Int
    /// Hundredths of a percent, 0 to 10000.
    public var basisPoints: Int64

    public init(storefront: String?, from: Int, basisPoints: Int64) {
      self.storefront = storefront
      self.from = from
      self.basisPoints = basisPoints
    }
  }

  /// The estimated amounts of a price, in milliunits.
  public struct Estimate: Sendable, Equatable {
    public var netOfTax, proceeds: Int64

    public init(netOfTax: Int64, proceeds: Int64) {
      self.netOfTax = netOfTax
      self.proceeds = proceeds
    }
  }

  private let taxes: [Rate]
  private let commissions: [Rate]
  private let afterOneYear: [Rate]

  /// - Parameters:
  ///   - taxes: taxes included in the price.
  ///   - commissions: Apple's commission in the programme of the settings.
  ///   - afterOneYear: Apple's commission on a subscription that was paid for a year.
  public init(taxes: [Rate], commissions: [Rate], afterOneYear: [Rate]) {
    self.taxes = Self.ordered(taxes)
    self.commissions = Self.ordered(commissions)
    self.afterOneYear = Self.ordered(afterOneYear)
  }

  /// Returns a price without tax, and without tax and commission. Both are rounded to whole units, halves up.
  ///
  /// - Parameters:
  ///   - price: milliunits, 0 or more.
  ///   - unit: smallest amount of the currency in milliunits.
  ///   - day: day of the purchase at Apple.
  ///   - isAfterOneYear: whether the subscription was first paid a year earlier or more.
  public func estimate(price: Int64, unit: Int64, storefront: String, day: Int, isAfterOneYear: Bool) -> Estimate {
    let all: Int64 = 10_000
    let tax = Self.rate(taxes, storefront, day) ?? 0
    let usual = Self.rate(commissions, storefront, day) ?? 0
    let commission = isAfterOneYear ? min(usual, Self.rate(afterOneYear, storefront, day) ?? usual) : usual
    func part(_ share: Int64) -> Int64 {
      min(price, Money.rounded(Int128(price) * Int128(share), over: Int128(all + tax), unit: price % unit == 0 ? unit : 1))
    }
    return Estimate(netOfTax: tax == 0 ? price : part(all), proceeds: part(all - commission))
  }

  /// Sorts rates so that of those that apply the last one counts: a storefront's own rate, else the newest, else the last one listed.
  private static func ordered(_ rates: [Rate]) -> [Rate] {
    rates.enumerated().sorted { one, other in
      func key(_ rate: EnumeratedSequence<[Rate]>.Element) -> (Int, Int, Int) {
        (rate.element.storefront == nil ? 0 : 1, rate.element.from, rate.offset)
      }
      return key(one) < key(other)
    }.map(\.element)
  }

  private static func rate(_ rates: [Rate], _ storefront: String, _ day: Int) -> Int64? {
    rates.last { $0.from <= day && ($0.storefront == nil || $0.storefront == storefront) }?.basisPoints
  }
}
