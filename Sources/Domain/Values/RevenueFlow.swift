/// Changes of deferred money up to a day or within a period, in milliunits.
public struct RevenueFlow: Hashable, Sendable {
  public var booked: Int128 = 0
  /// Earned by elapsed days. Refunds are not subtracted here.
  public var recognised: Int128 = 0
  /// Refunded from earned money.
  public var reversed: Int128 = 0
  /// Refunded from unearned money.
  public var refundCut: Int128 = 0
  /// Refunded from money that an upgrade had cut before.
  public var refundOfCut: Int128 = 0
  /// Earned again because a refund was reversed.
  public var earnedAgain: Int128 = 0
  /// Deferred again because a refund was reversed.
  public var deferredAgain: Int128 = 0
  /// Charged again, by a reversed refund, of money that an upgrade had cut before.
  public var againOfCut: Int128 = 0
  /// Not earned because an upgrade replaced the term.
  public var upgradeCut: Int128 = 0

  public init() {}

  /// The net change of deferred money.
  public var deferred: Int128 { booked - recognised - refundCut + deferredAgain - upgradeCut }

  /// Books a refund, or a reversal if the amount is negative.
  ///
  /// - Parameters:
  ///   - earned: part of the amount that had been earned.
  ///   - isCut: whether an upgrade had cut the unearned part.
  mutating func bookRefund(_ amount: Int64, ofEarned earned: Int64, isCut: Bool) {
    let (part, rest) = (Int128(earned), Int128(amount - earned))
    if amount > 0 {
      reversed += part
      if isCut { refundOfCut += rest } else { refundCut += rest }
    } else {
      earnedAgain -= part
      if isCut { againOfCut -= rest } else { deferredAgain -= rest }
    }
  }

  private func combined(_ other: RevenueFlow, _ combine: (Int128, Int128) -> Int128) -> RevenueFlow {
    var flow = RevenueFlow()
    flow.booked = combine(booked, other.booked)
    flow.recognised = combine(recognised, other.recognised)
    flow.reversed = combine(reversed, other.reversed)
    flow.refundCut = combine(refundCut, other.refundCut)
    flow.refundOfCut = combine(refundOfCut, other.refundOfCut)
    flow.earnedAgain = combine(earnedAgain, other.earnedAgain)
    flow.deferredAgain = combine(deferredAgain, other.deferredAgain)
    flow.againOfCut = combine(againOfCut, other.againOfCut)
    flow.upgradeCut = combine(upgradeCut, other.upgradeCut)
    return flow
  }

  public static func * (flow: RevenueFlow, count: Int) -> RevenueFlow { flow.combined(flow) { amount, _ in amount * Int128(count) } }
  public static func + (one: RevenueFlow, other: RevenueFlow) -> RevenueFlow { one.combined(other, +) }
  public static func += (sum: inout RevenueFlow, other: RevenueFlow) { sum = sum + other }
  public static func - (later: RevenueFlow, earlier: RevenueFlow) -> RevenueFlow { later.combined(earlier, -) }
}
