import Domain
import Foundation
import Postgres
import Testing
import TestSupport

/// Swift and SQL each store the decimal digits of currencies. The reports of one must equal the sums of the other.
@Suite(.cleansUp) struct CurrencyUnitTests {
  @Test func everyCodeHasTheSameDigitsInBoth() async throws {
    let scenario = try await Scenario()
    let text = """
      select code, payrecon.currency_unit(code)
      from (
        select chr(one) || chr(two) || chr(three) as code
        from generate_series(65, 90) as one, generate_series(65, 90) as two, generate_series(65, 90) as three
      ) as codes
      """
    let units = try await scenario.query(text, gives: .text, .int8)
    try #require(units.count == 26 * 26 * 26)
    let digits: [Int64: Int] = [1000: 0, 10: 2, 1: 3]
    let others: [String] = units.compactMap { known in
      digits[known.1] == Money.fractionDigits(currency: known.0) ? nil : known.0
    }
    #expect(others == [])
    #expect(Set(units.map(\.1)) == Set(digits.keys))
  }
}
