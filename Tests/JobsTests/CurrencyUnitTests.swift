import Domain
import Foundation
import Postgres
import Testing
import TestSupport

/// Swift and SQL each store the decimal digits of currencies. The reports of one must equal the sums of the other.
@Suite struct CurrencyUnitTests {
  @Test func everyCodeHasTheSameDigitsInBoth() async throws {
    let scenario = try await Scenario()
    let text = """
      select code, payrecon.currency_unit(code)
      from (
        select chr(one) || chr(two) || chr(three) as code
        from generate_series(65, 90) as one, generate_series(65, 90) as two, generate_series(65, 90) as three
      ) as codes
      """
    try Data(text.utf8).write(to: URL(filePath: "\(scenario.directory)/units.sql"))
    let file = try SQLFiles(directory: scenario.directory)(Statement("units.sql", gives: .text, .int8))
    let session = try await Session.open(scenario.connection)
    let units = try await session.transaction { tx in try tx.rows(file) }
    await session.close()
    await scenario.end()
    try #require(units.count == 26 * 26 * 26)
    let digits: [Int64: Int] = [1000: 0, 10: 2, 1: 3]
    let others: [String] = units.compactMap { known in
      digits[known.1] == Money.fractionDigits(currency: known.0) ? nil : known.0
    }
    #expect(others == [])
    #expect(Set(units.map(\.1)) == Set(digits.keys))
  }
}
