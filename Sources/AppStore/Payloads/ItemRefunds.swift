internal import Domain

/// Refunds of the items of an Advanced Commerce purchase.
///
/// - Source: App Store Server API, advancedCommerceInfo. Such a transaction has no revocationType: each item lists its refunds.
struct ItemRefunds {
  /// Sum of the refunds; nil when the amount of one is unknown.
  private(set) var milliunits: Int64? = 0
  private(set) var newestAt: Timestamp?
  /// Whether an item states a refund or a revocation.
  private(set) var isRefunded = false
  /// Whether Apple revoked every item.
  var isRevoked: Bool { isRefunded && !hasStandingItem }
  private var hasStandingItem = false

  private static let types: Set = ["FULL", "PRORATED", "CUSTOM"]
  private static let reasons: Set = [
    "UNINTENDED_PURCHASE", "FULFILLMENT_ISSUE", "UNSATISFIED_WITH_PURCHASE", "LEGAL", "OTHER", "MODIFY_ITEMS_REFUND",
    "SIMULATE_REFUND_DECLINE",
  ]

  init(_ fields: inout PayloadFields) {
    var found = self
    fields.nested("advancedCommerceInfo") { info in
      info.readPeriod()
      info.each("items") { item in found.add(&item) }
    }
    self = found
  }

  private mutating func add(_ item: inout PayloadFields) {
    item.readOffer()
    let price = item.integer("price", in: SaneLimits.milliunits)
    let revokedAt = item.instant("revocationDate")
    var amounts: [Int64?] = []
    var dates = [revokedAt]
    item.each("refunds") { refund in
      let amount = refund.integer("refundAmount", in: SaneLimits.milliunits)
      let type = refund.word("refundType", of: Self.types)
      _ = refund.word("refundReason", of: Self.reasons)
      amounts.append(amount ?? (type == "FULL" ? price : nil))
      dates.append(refund.instant("refundDate"))
    }
    hasStandingItem = hasStandingItem || revokedAt == nil
    // A revoked item without refunds was refunded in full, like a revoked transaction without a percentage.
    if amounts.isEmpty, revokedAt != nil { amounts = [price] }
    guard !amounts.isEmpty else { return }
    isRefunded = true
    newestAt = (dates + [newestAt]).compactMap(\.self).max()
    add(amounts.contains(nil) ? nil : min(Self.sum(amounts.compactMap(\.self)), price ?? .max))
  }

  private mutating func add(_ amount: Int64?) {
    milliunits = milliunits.flatMap { sum in amount.map { Self.sum([sum, $0]) } }
  }

  /// Returns the sum, limited to the largest plausible amount.
  private static func sum(_ amounts: [Int64]) -> Int64 {
    amounts.reduce(0) { min($0 + $1, SaneLimits.milliunits.upperBound) }
  }
}

/// Values of an Advanced Commerce purchase that nothing uses. Reading them notes values that Apple added later.
extension PayloadFields {
  private static let periods: Set = ["P1W", "P1M", "P2M", "P3M", "P6M", "P1Y"]
  private static let offerReasons: Set = ["ACQUISITION", "WIN_BACK", "RETENTION"]

  mutating func readPeriod() { _ = word("period", of: Self.periods) }

  mutating func readOffer() {
    nested("offer") { offer in
      _ = offer.word("period", of: Self.periods.union(["P3D", "P2W", "P9M"]))
      _ = offer.word("reason", of: Self.offerReasons)
    }
  }
}
