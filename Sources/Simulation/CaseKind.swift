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

  enum Frequency {
    /// Share among everyday cases.
    case everyday(Int)
    /// Number of cases per 10,000 orders, at least three; higher for differences that occur daily in a real shop.
    case planted(Int)
    /// Users who are listed individually in the settings: 3 to 12.
    case listed
  }

  struct Facts {
    let frequency: Frequency
    /// Number of order rows that the case writes; always the same.
    let orders: Int
    /// Adds the rows, the evidence and the truth of the case.
    let make: (inout CaseBuilder) -> Void

    init(_ frequency: Frequency, orders: Int = 1, make: @escaping (inout CaseBuilder) -> Void) {
      (self.frequency, self.orders, self.make) = (frequency, orders, make)
    }
  }

  var facts: Facts {
    switch self {
    case .byTransactionID: Facts(.everyday(150)) { $0.byTransactionID() }
    case .byToken: Facts(.everyday(240)) { $0.byToken() }
    case .byOrderTokens: Facts(.everyday(15), orders: 2) { $0.byOrderTokens() }
    case .byLineItem: Facts(.everyday(15)) { $0.byLineItem() }
    case .byOriginalID: Facts(.everyday(25)) { $0.byOriginalID() }
    case .byEvidenceHash: Facts(.everyday(20)) { $0.byEvidenceHash() }
    case .byUploadedOrder: Facts(.everyday(20)) { $0.byUploadedOrder() }
    case .weeklyChain: Facts(.everyday(25), orders: 3) { $0.weeklyChain() }
    case .weeklyCancelled: Facts(.everyday(20), orders: 2) { $0.weeklyCancelled() }
    case .lostTokenChain: Facts(.everyday(8), orders: 2) { $0.lostTokenChain() }
    case .trialConversion: Facts(.everyday(15), orders: 2) { $0.trialConversion() }
    case .longStanding: Facts(.everyday(45)) { $0.longStanding() }
    case .monthlyStart: Facts(.everyday(35)) { $0.start("plus_monthly") }
    case .yearlyStart: Facts(.everyday(12)) { $0.start("plus_yearly") }
    case .singleCandidate: Facts(.everyday(50)) { $0.singleCandidate() }
    case .sharedDevice: Facts(.everyday(10)) { $0.sharedDevice() }
    case .askToBuy: Facts(.everyday(10)) { $0.askToBuy() }
    case .abandonedCart: Facts(.everyday(90)) { $0.abandonedCart() }
    case .cancelledOrder: Facts(.everyday(20)) { $0.cancelledOrder() }
    case .refundApplied: Facts(.everyday(14)) { $0.refundApplied() }
    case .refundReversed: Facts(.everyday(4)) { $0.refundReversed() }
    case .partialRefund: Facts(.everyday(6)) { $0.partialRefund() }
    case .restoredAlias: Facts(.everyday(12)) { $0.restoredAlias() }
    case .familyMember: Facts(.everyday(10)) { $0.familyMember() }
    case .sandboxPair: Facts(.planted(20)) { $0.sandboxPair() }
    case .testerClaim: Facts(.listed) { $0.allowedSandboxClaim(asTester: true) }
    case .reviewClaim: Facts(.listed) { $0.allowedSandboxClaim(asTester: false) }
    case .forgedClaim: Facts(.planted(6)) { $0.forgedClaim() }
    case .forgedEvidence: Facts(.planted(3), orders: 0) { $0.forgedEvidence() }
    case .bundleClaim: Facts(.planted(3)) { $0.bundleClaim() }
    case .crossAppClaim: Facts(.planted(3)) { $0.crossAppClaim() }
    case .foreignEvidence: Facts(.planted(3), orders: 0) { $0.foreignEvidence() }
    case .appIDClaim: Facts(.planted(3)) { $0.appIDClaim() }
    case .appIDEvidence: Facts(.planted(3), orders: 0) { $0.appIDEvidence() }
    case .prodInSandbox: Facts(.planted(3)) { $0.prodInSandbox() }
    case .sandboxInProd: Facts(.planted(3)) { $0.sandboxInProd() }
    case .replay: Facts(.planted(6), orders: 2) { $0.replay(.perUser) }
    case .replayWithoutToken: Facts(.planted(3), orders: 2) { $0.replay(.none) }
    case .userDiff: Facts(.planted(3)) { $0.userDiff() }
    case .productDiff: Facts(.planted(3)) { $0.productDiff() }
    case .dupDelivery: Facts(.planted(3), orders: 2) { $0.dupDelivery() }
    case .lateVerification: Facts(.planted(3)) { $0.lateVerification() }
    case .renewalMissingOrder: Facts(.planted(3), orders: 2) { $0.renewalMissingOrder() }
    case .orderNoTx: Facts(.planted(12)) { $0.orderNoTx() }
    case .ambiguous: Facts(.planted(6), orders: 2) { $0.ambiguous() }
    case .dupChargeToken: Facts(.planted(3)) { $0.dupCharge(byUpload: false) }
    case .dupChargeUpload: Facts(.planted(3)) { $0.dupCharge(byUpload: true) }
    case .refundNoOrder: Facts(.planted(3), orders: 0) { $0.refundNoOrder() }
    case .renewalNoOrder: Facts(.planted(6)) { $0.renewalNoOrder() }
    case .txNoOrder: Facts(.planted(12), orders: 0) { $0.txNoOrder(.perUser) }
    case .txNoOrderLost: Facts(.planted(6), orders: 0) { $0.txNoOrder(.none) }
    case .paidNotDelivered: Facts(.planted(6)) { $0.paidNotDelivered() }
    case .currencyDiff: Facts(.planted(3)) { $0.currencyDiff() }
    case .amountDiff: Facts(.planted(3)) { $0.amountDiff() }
    case .quantityDiff: Facts(.planted(3)) { $0.quantityDiff() }
    case .refundNotApplied: Facts(.planted(12)) { $0.refundNotApplied(partly: false) }
    case .partialNotApplied: Facts(.planted(3)) { $0.refundNotApplied(partly: true) }
    case .reversalNotApplied: Facts(.planted(3)) { $0.reversalNotApplied(isPending: false) }
    case .refundOnlyOurs: Facts(.planted(3)) { $0.refundOnlyOurs(isPending: false) }
    case .entitlementOverrun: Facts(.planted(3)) { $0.entitlementOverrun() }
    case .entitlementShort: Facts(.planted(3)) { $0.entitlementShort() }
    case .idConflict: Facts(.planted(3), orders: 2) { $0.idConflict() }
    case .familyNotShareable: Facts(.planted(3), orders: 0) { $0.familyNotShareable() }
    case .priceOffCatalog: Facts(.planted(3)) { $0.priceOffCatalog() }
    case .unrecognizedValue: Facts(.planted(3)) { $0.unrecognizedValue() }
    case .chainStopped: Facts(.planted(3)) { $0.chainStopped() }
    case .pendingTx: Facts(.planted(3), orders: 0) { $0.pendingTx() }
    case .pendingOrder: Facts(.planted(3)) { $0.pendingOrder() }
    case .pendingDelivery: Facts(.planted(3)) { $0.pendingDelivery() }
    case .pendingRefund: Facts(.planted(3)) { $0.pendingRefund() }
    case .pendingReversal: Facts(.planted(3)) { $0.reversalNotApplied(isPending: true) }
    case .pendingRefundNoOrder: Facts(.planted(3), orders: 0) { $0.pendingRefundNoOrder() }
    case .pendingRefundOurs: Facts(.planted(3)) { $0.refundOnlyOurs(isPending: true) }
    case .pendingRenewal: Facts(.planted(3), orders: 0) { $0.pendingRenewal() }
    case .pendingShort: Facts(.planted(3)) { $0.pendingShort() }
    case .pendingChain: Facts(.planted(3)) { $0.pendingChain() }
    }
  }

  /// Share among everyday cases; 0 for kinds that are planted by count.
  var weight: Int {
    if case .everyday(let weight) = facts.frequency { weight } else { 0 }
  }

  /// Returns the number of cases of this kind in a world of `orders` orders; 0 for everyday kinds.
  func planted(orders: Int) -> Int {
    switch facts.frequency {
    case .everyday: 0
    case .planted(let count): max(3, orders * count / 10_000)
    case .listed: min(12, max(3, orders / 2000))
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
      rest -= count * kind.facts.orders
    }
    let weights = CaseKind.everyday.map(\.weight)
    while rest > 0 {
      let kind = CaseKind.everyday[random.weighted(weights)]
      let orders = kind.facts.orders
      guard orders <= rest else { continue }
      kinds.append(kind)
      rest -= orders
    }
    random.shuffle(&kinds)
    return kinds
  }
}
