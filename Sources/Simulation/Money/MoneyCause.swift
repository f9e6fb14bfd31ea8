/// The causes of differences between our charges and Apple's money; no two causes are planted near each other.
///
/// - Source: the catalogue of causes T1 to T18; T6, T7, T9 and T10 concern payments and are planted there.
enum MoneyCause: Int, CaseIterable, Sendable {
  case settledLate, settledFromBefore, neverCollected, refundBookedLate, refundUnseen, partialRefund, secondYear
  case sandbox, duplicate, missed, otherDay, family, free, upgraded, otherPrice, unknownSale, unknownReturn
  case refundReversed, refundReversedLater

  /// The code of the cause in the truth and in the tie-out.
  var code: String {
    switch self {
    case .settledLate, .settledFromBefore: "T1"
    case .neverCollected: "T2"
    case .refundBookedLate, .refundReversed, .refundReversedLater: "T3"
    case .refundUnseen: "T4"
    case .partialRefund: "T5"
    case .secondYear: "T8"
    case .sandbox: "T11"
    case .duplicate: "T12"
    case .missed: "T13"
    case .otherDay: "T14"
    case .family: "T15"
    case .free: "T16"
    case .upgraded: "T17"
    case .otherPrice: "T18"
    case .unknownSale, .unknownReturn: "unknown"
    }
  }

  /// Number of planted units per million charges.
  var perMillion: Int {
    switch self {
    case .settledLate: 4000
    case .free: 5000
    case .secondYear: 2000
    case .neverCollected, .refundBookedLate, .otherDay, .family: 1000
    case .settledFromBefore, .refundUnseen, .partialRefund, .sandbox, .missed, .upgraded, .otherPrice: 500
    case .refundReversed, .refundReversedLater: 300
    case .duplicate: 100
    case .unknownSale, .unknownReturn: 200
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
  var reach: ClosedRange<Int> { isReversal ? -1...12 : isReturn ? -1...7 : -3...3 }

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
