/// Refunds still to come by the curve of earlier months of purchases.
@Suite struct RefundCohortsTests {
  struct Case: Sendable {
    var name: String
    var unit: Int64 = 1
    /// Money charged by month of purchase, from month 0 on.
    var charged: [Int128]
    /// Month of purchase, age and refund.
    var refunds: [(month: Int, age: Int, amount: Int128)] = []
    var end: Int
    /// Greatest age of the curve; nil without a curve.
    var ages: Int?
    /// Refunds to come by month of purchase.
    var toCome: [Int128] = []
  }

  static let cases: [Case] = [
    Case(name: "two months have reached the first age", charged: [1000, 1000, 1000], end: 2, ages: nil),
    Case(name: "no purchases", charged: [], end: 12, ages: nil),
    Case(
      name: "the last month follows three others", charged: [1000, 1000, 1000, 2000],
      refunds: [(0, 1, 100), (1, 1, 200), (2, 1, 0)], end: 3, ages: 1, toCome: [0, 0, 0, 200]),
    Case(
      name: "a month without refunds so far has some to come", charged: [1000, 1000, 1000, 1000, 1000],
      refunds: [(0, 2, 30), (1, 2, 30), (2, 2, 30)], end: 4, ages: 2, toCome: [0, 0, 0, 30, 30]),
    Case(
      name: "refunds after the end are unknown", charged: [1000, 1000, 1000, 1000], refunds: [(0, 1, 100), (3, 1, 900), (2, 2, 900)],
      end: 3, ages: 1, toCome: [0, 0, 0, 33]),
    Case(
      name: "a reversal is a negative refund", charged: [1000, 1000, 1000, 1000], refunds: [(0, 0, 300), (0, 1, -300), (1, 1, 600)],
      end: 3, ages: 1, toCome: [0, 0, 0, 100]),
    Case(
      name: "more reversals than refunds", charged: [1000, 1000, 1000, 1000], refunds: [(0, 0, 300), (0, 1, -300)], end: 3, ages: 1,
      toCome: [0, 0, 0, -100]),
    Case(
      name: "the share is rounded to the unit", unit: 10, charged: [1000, 1000, 1000, 1000], refunds: [(0, 1, 50)], end: 3, ages: 1,
      toCome: [0, 0, 0, 20]),
  ]

  private func cohorts(_ test: Case) -> RefundCohorts {
    var cohorts = RefundCohorts(unit: test.unit)
    for (month, amount) in test.charged.enumerated() { cohorts.add(month: month, age: 0, charged: amount, refunded: 0) }
    for refund in test.refunds { cohorts.add(month: refund.month, age: refund.age, charged: 0, refunded: refund.amount) }
    return cohorts
  }

  @Test(arguments: cases.indices) func estimate(_ index: Int) {
    let test = Self.cases[index]
    let cohorts = cohorts(test)
    let curve = cohorts.curve(after: test.end)
    #expect(curve?.ages == test.ages, "\(test.name)")
    guard let curve else { return }
    let toCome = test.charged.indices.map { cohorts.toCome(of: $0, after: test.end, by: curve) }
    #expect(toCome == test.toCome, "\(test.name)")
  }

  /// If every month follows one curve, the estimate at each month's end is the refunds of the ages that the curve has.
  @Test(arguments: 0..<20 as Range<UInt64>) func curveOfEqualMonthsComesTrue(_ seed: UInt64) throws {
    var dice = Dice(seed: seed)
    let shares = (0...RefundCohorts.agesMax).map { _ in Int128(dice.number(0...80)) }
    var cohorts = RefundCohorts(unit: 1)
    let months = 30
    for month in 0..<months {
      let charged = Int128(dice.number(0...900)) * 1000
      for (age, share) in shares.enumerated() {
        cohorts.add(month: month, age: age, charged: age == 0 ? charged : 0, refunded: charged / 1000 * share)
      }
    }
    for end in 4..<months {
      guard let curve = cohorts.curve(after: end) else { continue }
      for month in 0...end {
        let last = min(month + curve.ages, end + dice.number(1...15))
        let came = last > end ? cohorts.refunded(of: month, from: end + 1, through: last) : 0
        #expect(cohorts.toCome(of: month, after: end, through: last, by: curve) == came)
      }
    }
    #expect(cohorts.curve(after: months - 1)?.ages == RefundCohorts.agesMax)
  }
}
