/// Whether revenue is the price without tax, with Apple's commission as an expense, or what Apple pays out.
public enum RevenuePolicy: String, Sendable, CaseIterable {
  /// Revenue net of tax.
  case principal
  /// Revenue is the proceeds.
  case agent

  public var basis: RevenueBasis { self == .principal ? .netOfTax : .proceeds }
}

public enum JournalAccount: String, Sendable, CaseIterable, Comparable {
  /// Money that Apple owes.
  case receivable
  /// Apple's commission on revenue that is not yet earned.
  case deferredCommission = "deferred_commission"
  case deferredRevenue = "deferred_revenue"
  case revenue
  /// Refunds of earned revenue.
  case refunds
  case commission
  /// Differences of exchange rates on deferred balances, in the base currency.
  case revaluation

  /// Account number without a setting.
  public var usualCode: String {
    switch self {
    case .receivable: "1200"
    case .deferredCommission: "1400"
    case .deferredRevenue: "2400"
    case .revenue: "4000"
    case .refunds: "4100"
    case .commission: "5000"
    case .revaluation: "7000"
    }
  }

  public static func < (one: JournalAccount, other: JournalAccount) -> Bool { one.usualCode < other.usualCode }
}

public enum JournalEvent: String, Sendable, CaseIterable {
  case sale, recognition, refund
  /// A refund of revenue that is not yet earned.
  case refundOfDeferred = "refund_of_deferred"
  case refundReversal = "refund_reversal"
  /// A reversed refund of revenue that is not yet earned.
  case deferredAgain = "deferred_again"
  case upgrade
  case revaluation

  func amount(_ flow: RevenueFlow) -> Int128 {
    switch self {
    case .sale: flow.booked
    case .recognition: flow.recognised
    case .refund: flow.reversed
    case .refundOfDeferred: flow.refundCut
    case .refundReversal: flow.earnedAgain
    case .deferredAgain: flow.deferredAgain
    case .upgrade: flow.upgradeCut
    case .revaluation: 0
    }
  }
}

/// An amount on an account: a debit if positive, a credit if negative.
public struct JournalPosting: Sendable, Hashable {
  public var event: JournalEvent
  public var account: JournalAccount
  public var milliunits: Int128

  /// Returns the postings of a flow of money. They add up to 0.
  ///
  /// Revenue is on the policy's basis. Commission is the difference between revenue and proceeds, and 0 for an agent. A refund of money
  /// that an upgrade had cut has no posting, because the upgrade returned that money.
  public static func postings(of flow: PerBasis<RevenueFlow>, policy: RevenuePolicy) -> [JournalPosting] {
    JournalEvent.allCases.flatMap { event -> [JournalPosting] in
      let revenue = event.amount(flow[policy.basis])
      let proceeds = event.amount(flow.proceeds)
      let commission = revenue - proceeds
      let entries: [(JournalAccount, Int128)] =
        switch event {
        case .sale, .deferredAgain: [(.receivable, proceeds), (.deferredCommission, commission), (.deferredRevenue, -revenue)]
        case .recognition:
          [(.deferredRevenue, revenue), (.revenue, -revenue), (.commission, commission), (.deferredCommission, -commission)]
        case .refund: [(.refunds, revenue), (.receivable, -proceeds), (.commission, -commission)]
        case .refundReversal: [(.refunds, -revenue), (.receivable, proceeds), (.commission, commission)]
        case .refundOfDeferred, .upgrade:
          [(.deferredRevenue, revenue), (.receivable, -proceeds), (.deferredCommission, -commission)]
        case .revaluation: []
        }
      return entries.filter { $0.1 != 0 }.map { JournalPosting(event: event, account: $0.0, milliunits: $0.1) }
    }
  }
}

/// Dated exchange rates into one currency.
public struct ExchangeRates: Sendable, Hashable {
  /// The worth of one unit of a currency from a day on.
  public struct Rate: Sendable, Hashable {
    public var currency: String
    /// First day, such as `2026-01-31`.
    public var from: String
    /// The rate as written, such as `0.1398`.
    public var text: String
    /// The rate in parts of 1 / `scale`, 1 or more.
    fileprivate var parts: Int128

    /// Returns nil if the text is no positive decimal with at most 10 digits before and behind the point.
    public init?(currency: String, from: String, text: String) {
      let halves = text.split(separator: ".", omittingEmptySubsequences: false)
      let digits = ExchangeRates.digits
      guard (1...2).contains(halves.count), halves.allSatisfy({ (1...digits).contains($0.utf8.count) }),
        text.utf8.allSatisfy({ $0 == 0x2E || (0x30...0x39).contains($0) })
      else { return nil }
      let fraction = (halves.count > 1 ? halves[1] : "") + String(repeating: "0", count: digits)
      guard let whole = Int128(halves[0]), let part = Int128(fraction.prefix(digits)) else { return nil }
      self.currency = currency
      self.from = from
      self.text = text
      parts = whole * ExchangeRates.scale + part
      guard parts > 0 else { return nil }
    }
  }

  /// Maximum number of digits on each side of a rate's point.
  static let digits = 10
  fileprivate static let scale: Int128 = 10_000_000_000

  public var base: String
  public var rates: [Rate]

  public init(base: String, rates: [Rate]) {
    self.base = base
    self.rates = rates
  }

  /// Returns the rate of a currency on a day; nil if no rate is as old.
  public func rate(_ currency: String, on day: String) -> Rate? {
    if currency == base { return Rate(currency: base, from: day, text: "1") }
    return rates.filter { $0.currency == currency && $0.from <= day }.max { $0.from < $1.from }
  }

  /// Returns an amount in milliunits of the base currency, rounded to its smallest unit, halves away from zero.
  public func convert(_ milliunits: Int128, at rate: Rate) -> Int128 {
    Int128(Money.rounded(milliunits * rate.parts, over: Self.scale, unit: Money.unit(currency: base)))
  }
}
