/// What became of deferred money up to a day or within a period, in milliunits.
public struct RevenueFlow: Hashable, Sendable {
  public var booked: Int128 = 0
  /// Earned by the days gone by; what a refund takes back of it is not taken off here.
  public var recognised: Int128 = 0
  /// Given back of what had been earned.
  public var reversed: Int128 = 0
  /// Given back of what had not been earned.
  public var refundCut: Int128 = 0
  /// Given back of what an upgrade had cut before.
  public var refundOfCut: Int128 = 0
  /// Earned again, as a reversal charged it again.
  public var earnedAgain: Int128 = 0
  /// Deferred again, as a reversal charged it again.
  public var deferredAgain: Int128 = 0
  /// Charged again of what an upgrade had cut before.
  public var againOfCut: Int128 = 0
  /// Not earned because a better term took over.
  public var upgradeCut: Int128 = 0

  public init() {}

  /// What it adds to the money that is deferred.
  public var deferred: Int128 { booked - recognised - refundCut + deferredAgain - upgradeCut }

  /// What it gives back, and what of it was charged again.
  public var givenBack: Int128 { reversed + refundCut + refundOfCut }
  public var chargedAgain: Int128 { earnedAgain + deferredAgain + againOfCut }

  /// Books a refund, or a reversal where less than nothing is given back.
  ///
  /// - Parameters:
  ///   - earned: part of the amount that had been earned.
  ///   - isCut: whether an upgrade had cut what was not earned.
  mutating func give(back amount: Int64, ofEarned earned: Int64, isCut: Bool) {
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

  public static func + (one: RevenueFlow, other: RevenueFlow) -> RevenueFlow { one.combined(other, +) }
  public static func - (later: RevenueFlow, earlier: RevenueFlow) -> RevenueFlow { later.combined(earlier, -) }
}
