/// The kinds of cases; a world is a shuffled list of cases.
enum CaseKind: UInt8, CaseIterable, Sendable {
  // Everyday traffic.
  case byTransactionID, byToken, byOrderTokens, byLineItem, byOriginalID, byEvidenceHash, byUploadedOrder
  case weeklyChain, weeklyCancelled, lostTokenChain, trialConversion, longStanding, monthlyStart, yearlyStart
  case singleCandidate, sharedDevice, askToBuy
  case abandonedCart, cancelledOrder, refundApplied, refundReversed, partialRefund, restoredAlias
  case familyMember, sandboxPair, testerClaim, reviewClaim
  // Orders whose claims are refused.
  case forgedClaim, forgedEvidence, bundleClaim, crossAppClaim, foreignEvidence, appIDClaim, appIDEvidence
  case prodInSandbox, sandboxInProd, replay, replayWithoutToken, userDiff, productDiff, dupDelivery
  case lateVerification, renewalMissingOrder, orderNoTx
  // Charges without a booked order.
  case ambiguous, dupChargeToken, dupChargeUpload, refundNoOrder, renewalNoOrder, txNoOrder, txNoOrderLost
  // Pairs whose sides disagree.
  case paidNotDelivered, currencyDiff, amountDiff, quantityDiff, refundNotApplied, partialNotApplied
  case reversalNotApplied, refundOnlyOurs, entitlementOverrun, entitlementShort, idConflict
  case familyNotShareable, priceOffCatalog, unrecognizedValue, chainStopped
  // Differences within their grace time at the as-of.
  case pendingTx, pendingOrder, pendingDelivery, pendingRefund, pendingReversal, pendingRefundNoOrder
  case pendingRefundOurs, pendingRenewal, pendingShort, pendingChain

  /// Number of order rows that the case writes; always the same.
  var orders: Int {
    switch self {
    case .weeklyChain: 3
    case .byOrderTokens, .weeklyCancelled, .lostTokenChain, .trialConversion, .replay, .replayWithoutToken,
      .dupDelivery, .renewalMissingOrder, .ambiguous, .idConflict:
      2
    case .forgedEvidence, .foreignEvidence, .appIDEvidence, .refundNoOrder, .txNoOrder, .txNoOrderLost,
      .familyNotShareable, .pendingTx, .pendingRefundNoOrder, .pendingRenewal:
      0
    default: 1
    }
  }

  /// Share among everyday cases; 0 for kinds that are planted by count.
  var weight: Int {
    switch self {
    case .byTransactionID: 150
    case .byToken: 240
    case .byOrderTokens: 15
    case .byLineItem: 15
    case .byOriginalID: 25
    case .byEvidenceHash, .byUploadedOrder: 20
    case .weeklyChain: 25
    case .weeklyCancelled: 20
    case .lostTokenChain: 8
    case .trialConversion: 15
    case .longStanding: 45
    case .monthlyStart: 35
    case .yearlyStart: 12
    case .singleCandidate: 50
    case .sharedDevice, .askToBuy: 10
    case .abandonedCart: 90
    case .cancelledOrder: 20
    case .refundApplied: 14
    case .refundReversed: 4
    case .partialRefund: 6
    case .restoredAlias: 12
    case .familyMember: 10
    default: 0
    }
  }

  /// Returns the number of cases of this kind in a world of `orders` orders; 0 for everyday kinds.
  func planted(orders: Int) -> Int {
    guard weight == 0 else { return 0 }
    switch self {
    // Users who are listed individually in the settings.
    case .testerClaim, .reviewClaim: return min(12, max(3, orders / 2000))
    case .sandboxPair: return max(3, orders * 20 / 10000)
    // Differences that occur daily in a real shop.
    case .txNoOrder, .orderNoTx, .refundNotApplied: return max(3, orders * 12 / 10000)
    case .txNoOrderLost, .renewalNoOrder, .paidNotDelivered, .replay, .forgedClaim, .ambiguous:
      return max(3, orders * 6 / 10000)
    default: return max(3, orders * 3 / 10000)
    }
  }

  static let everyday = allCases.filter { $0.weight > 0 }
}

/// The order of cases in a world.
enum Plan {
  /// Minimum number of orders in a world: every class is planted three times.
  static let leastOrders = 400

  /// Returns the kinds by case number; the numbers of their orders add up to `orders`.
  static func make(seed: UInt64, orders: Int) -> [CaseKind] {
    var random = RandomSource(seed: seed, stream: .max)
    var kinds: [CaseKind] = []
    var rest = orders
    for kind in CaseKind.allCases {
      let count = kind.planted(orders: orders)
      kinds += repeatElement(kind, count: count)
      rest -= count * kind.orders
    }
    let weights = CaseKind.everyday.map(\.weight)
    while rest > 0 {
      let kind = CaseKind.everyday[random.weighted(weights)]
      guard kind.orders <= rest else { continue }
      kinds.append(kind)
      rest -= kind.orders
    }
    random.shuffle(&kinds)
    return kinds
  }
}
