struct MoneyTests {
  @Test(arguments: [
    (10_990, "USD", "10.99"), (300_000, "JPY", "300"), (1_500, "KWD", "1.500"), (10_000, "USD", "10.00"),
    (10_991, "USD", "10.991"), (300_500, "JPY", "300.5"), (0, "USD", "0.00"), (-990, "EUR", "-0.99"),
    (5, "KWD", "0.005"), (Int64.min, "JPY", "-9223372036854775.808"),
  ])
  func `an amount has the digits of its currency`(milliunits: Int64, currency: String, text: String) {
    #expect(Money.text(milliunits: milliunits, currency: currency) == text)
  }
}
