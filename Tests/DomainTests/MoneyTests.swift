import Domain
import Testing

struct MoneyTests {
  @Test(arguments: [
    (10_990, "USD", "10.99"), (300_000, "JPY", "300"), (1_500, "KWD", "1.500"), (10_000, "USD", "10.00"),
    (10_991, "USD", "10.991"), (300_500, "JPY", "300.5"), (0, "USD", "0.00"), (-990, "EUR", "-0.99"),
    (5, "KWD", "0.005"), (Int64.min, "JPY", "-9223372036854775.808"),
  ])
  func `an amount has the digits of its currency`(milliunits: Int64, currency: String, text: String) {
    #expect(Money.text(milliunits: milliunits, currency: currency) == text)
  }

  @Test(
    arguments: [
      (18_000, 33_333, "CNY", 6_000), (18_000, nil, "CNY", 18_000), (18_000, 100_000, "CNY", 18_000),
      (18_000, 0, "CNY", 0), (10_990, 50_000, "USD", 5_500), (300_000, 33_333, "JPY", 100_000),
      (100_000, 500, "JPY", 1_000), (100_000, 499, "JPY", 0), (1_500, 33_333, "KWD", 500),
      (18_000, -5, "CNY", 0), (.max, 100_001, "USD", .max),
    ] as [(Int64, Int64?, String, Int64)])
  func `a part is rounded to the unit of its currency`(
    milliunits: Int64, percentage: Int64?, currency: String, refunded: Int64
  ) {
    #expect(Money.refunded(milliunits: milliunits, percentage: percentage, currency: currency) == refunded)
  }

  @Test func `no amount traps`() {
    var random = SeededRandom(seed: 30)
    for _ in 0..<2_000 {
      let milliunits = Int64.random(in: .min ... .max, using: &random)
      let percentage = Int64.random(in: -1...100_001, using: &random)
      for currency in ["USD", "JPY", "KWD"] {
        let refunded = Money.refunded(milliunits: milliunits, percentage: percentage, currency: currency)
        #expect(refunded.magnitude <= milliunits.magnitude, "seed \(random.seed)")
      }
    }
  }
}
