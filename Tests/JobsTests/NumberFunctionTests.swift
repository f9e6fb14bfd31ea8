/// Functions of the database that compute with amounts and shares.
@Suite(.cleansUp) struct NumberFunctionTests {
  /// Swift and SQL each store the decimal digits of currencies. The reports of one must equal the sums of the other.
  @Test func everyCodeHasTheSameDigitsInBoth() async throws {
    let text = """
      select code, payrecon.currency_unit(code)
      from (
        select chr(one) || chr(two) || chr(three) as code
        from generate_series(65, 90) as one, generate_series(65, 90) as two, generate_series(65, 90) as three
      ) as codes
      """
    let units = try await Scenario().query(text, gives: .text, .int8)
    try #require(units.count == 26 * 26 * 26)
    let digits: [Int64: Int] = [1000: 0, 10: 2, 1: 3]
    let others: [String] = units.compactMap { known in
      digits[known.1] == Money.fractionDigits(currency: known.0) ? nil : known.0
    }
    #expect(others == [])
    #expect(Set(units.map(\.1)) == Set(digits.keys))
  }

  @Test func `the shares that SQL writes into files add up, and small parts are not rounded away`() async throws {
    let text = """
      select
        coalesce(array_to_string(payrecon.shares_of(given.parts), ' '), 'none'),
        coalesce(payrecon.rate_bp(given.part, given.whole), -1)
      from (
        values (1, array[5754, 156, 4, 11]::bigint[], 4, 5925), (2, array[999999, 0, 1, 0], 1, 1000000),
          (3, array[1, 1, 1], 999999, 1000000),
          (4, array[7, 0], 7, 7), (5, array[0, 0], 0, 0), (6, array[1000000, 1, 1], 0, 7)
      ) as given (place, parts, part, whole)
      order by given.place
      """
    let computed = try await Scenario().query(text, gives: .text, .int8)
    let shares = ["97.11 2.63 0.07 0.19", "99.99 0.00 0.01 0.00", "33.34 33.33 33.33", "100.00 0.00", "none", "99.98 0.01 0.01"]
    #expect(computed.map(\.0) == shares)
    #expect(computed.map(\.1) == [7, 1, 9999, 10_000, -1, 0])
  }
}
