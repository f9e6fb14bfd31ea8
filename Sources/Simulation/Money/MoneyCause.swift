/// The causes of differences between our charges and Apple's money; no two causes are planted near each other.
///
/// - Source: the catalogue of causes T1 to T18; T6, T7, T9 and T10 concern payments and are planted there.
enum MoneyCause: Int, CaseIterable, Sendable {
  case settledLate, settledFromBefore, neverCollected, refundBookedLate, refundUnseen, partialRefund, secondYear
  case sandbox, duplicate, missed, otherDay, family, free, upgraded, otherPrice, unknownSale, unknownReturn
  case refundReversed, refundReversedLater

  struct Facts {
    /// Code of the cause in the truth and in the tie-out.
    let code: String
    /// Number of planted units per million charges.
    let perMillion: Int
    /// Adds the story of the cause to both sides.
    let write: (inout MoneyBuilder, MoneyPlan.Spot) -> Void
  }

  var facts: Facts {
    switch self {
    case .settledLate: Facts(code: "T1", perMillion: 4000) { $0.settledLate(.settledLate, $1) }
    case .settledFromBefore: Facts(code: "T1", perMillion: 500) { $0.settledLate(.settledFromBefore, $1) }
    case .neverCollected: Facts(code: "T2", perMillion: 1000) { $0.neverCollected($1) }
    case .refundBookedLate: Facts(code: "T3", perMillion: 1000) { $0.refundBookedLate($1) }
    case .refundUnseen: Facts(code: "T4", perMillion: 500) { $0.refundUnseen($1) }
    case .partialRefund: Facts(code: "T5", perMillion: 500) { $0.partialRefund($1) }
    case .secondYear: Facts(code: "T8", perMillion: 2000) { $0.secondYear($1) }
    case .sandbox: Facts(code: "T11", perMillion: 500) { $0.sandbox($1) }
    case .duplicate: Facts(code: "T12", perMillion: 100) { $0.duplicate($1) }
    case .missed: Facts(code: "T13", perMillion: 500) { $0.missed($1) }
    case .otherDay: Facts(code: "T14", perMillion: 1000) { $0.otherDay($1) }
    case .family: Facts(code: "T15", perMillion: 1000) { $0.family($1) }
    case .free: Facts(code: "T16", perMillion: 5000) { $0.free($1) }
    case .upgraded: Facts(code: "T17", perMillion: 500) { $0.upgraded($1) }
    case .otherPrice: Facts(code: "T18", perMillion: 500) { $0.otherPrice($1) }
    case .unknownSale: Facts(code: "unknown", perMillion: 200) { $0.unknownSale($1) }
    case .unknownReturn: Facts(code: "unknown", perMillion: 200) { $0.unknownReturn($1) }
    case .refundReversed: Facts(code: "T3", perMillion: 300) { $0.refundReversed(.refundReversed, $1) }
    case .refundReversedLater: Facts(code: "T3", perMillion: 300) { $0.refundReversed(.refundReversedLater, $1) }
    }
  }

  /// Whether the cause concerns returns. Its product and storefront have no other cause of returns.
  var isReturn: Bool {
    switch self {
    case .refundBookedLate, .refundUnseen, .partialRefund, .upgraded, .unknownReturn: true
    default: isReversal
    }
  }

  /// Whether a sale follows the return.
  var isReversal: Bool { self == .refundReversed || self == .refundReversedLater }

  /// Days around the planted day that stay free of other causes on the same side.
  var freeDays: ClosedRange<Int> { isReversal ? -1...12 : isReturn ? -1...7 : -3...3 }

  /// Sides on which the cause occupies days: 0 sales, 1 returns.
  var sides: [Int] { isReversal ? [0, 1] : [isReturn ? 1 : 0] }

  /// Products that the cause can affect.
  var goods: [Int] {
    switch self {
    case .unknownSale: [Tariff.retired]
    case .secondYear, .free, .refundReversed, .refundReversedLater: Tariff.goods(named: ["plus_monthly"])
    case .upgraded: Tariff.goods(named: ["plus_weekly"])
    case .duplicate: Tariff.goods(named: ["coins_60", "coins_300", "coins_980"])
    case .family: Tariff.goods(named: ["full_unlock"])
    case .refundBookedLate, .refundUnseen, .partialRefund, .unknownReturn:
      Tariff.goods(named: ["coins_60", "coins_300", "coins_980", "full_unlock", "pass_30d", "plus_yearly"])
    default: Array(0..<Tariff.retired)
    }
  }

  /// Returns the storefronts in which the cause can affect a product. They are divided among the causes of returns; half a price must be in
  /// whole coins.
  func stores(of good: Int) -> [Int] {
    let all = Array(Storefront.all.indices)
    switch self {
    case .partialRefund: return good % 2 == 0 ? [0, 2] : []
    case .refundBookedLate: return all.filter { $0 == 0 || $0 == 2 ? good % 2 == 1 : (good + $0) % 3 == 0 }
    case .refundUnseen: return all.filter { $0 != 0 && $0 != 2 && (good + $0) % 3 == 1 }
    case .unknownReturn: return all.filter { $0 != 0 && $0 != 2 && (good + $0) % 3 == 2 }
    default: return all
    }
  }

  /// Returns the days on which the cause can be planted, so that all its lines are in the same period.
  func days(in period: Int) -> ClosedRange<Int> {
    let span = FiscalSpan.periods[period]
    return switch self {
    case .settledFromBefore: (span.first - 7)...(span.first - 1)
    case .refundReversedLater: (span.last - 3)...span.last
    default: (span.first + 8)...(span.last - 7)
    }
  }
}
