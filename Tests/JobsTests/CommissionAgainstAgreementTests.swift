/// Apple's commission of a sale against the agreed one, by storefront, programme and day.
@Suite(.cleansUp) struct CommissionAgainstAgreementTests {
  typealias Line = FinanceFiles.Line

  typealias Agreed = (storefront: String?, programme: String, from: String, percent: Int64)

  struct Case: NamedCase {
    var name = ""
    /// Agreed percentages by storefront, programme and first day.
    var agreed: [Agreed] = []
    var programme = "standard"
    var tax: [(storefront: String, percent: Int64)] = []
    var lines = [coins]
    var found: [String] = []
  }

  static let coins = Line("2026-05-10", settled: "2026-05-12", units: 3)
  static let later = Line("2026-05-20", settled: "2026-05-22")
  static let german = coins.with { ($0.country, $0.region, $0.currency, $0.price, $0.share) = ("DE", "EU", "EUR", "1.19", "0.70") }
  static let month = coins.with { ($0.sku, $0.type, $0.price, $0.share, $0.units) = ("vip.month", "IAY", "25.00", "21.25", 1) }

  static let thirty: [Agreed] = [(nil, "standard", "2026-01-01", 30)]
  static func chinese(_ percent: Int64) -> [Agreed] { [("CHN", "standard", "2026-01-01", percent)] }

  static let cases = Case.table([
    "rates that are only shipped agree nothing": Case(),
    "the agreed commission is no difference": Case(agreed: chinese(30)),
    "more than agreed, with the amount": Case(
      agreed: chinese(25), found: ["2026-P08 3 of coins60 in CHN: Apple kept 30 %, agreed are 25 %, 0.90 CNY more than agreed | 900"]),
    "less than agreed": Case(
      agreed: chinese(35), found: ["2026-P08 3 of coins60 in CHN: Apple kept 30 %, agreed are 35 %, 0.90 CNY less than agreed | 900"]),
    "each day has the rate of its day": Case(
      agreed: chinese(30) + [("CHN", "standard", "2026-05-15", 25)], lines: [coins, later],
      found: ["2026-P08 1 of coins60 in CHN: Apple kept 30 %, agreed are 25 %, 0.30 CNY more than agreed | 300"]),
    "a storefront's own rate goes before that of all": Case(
      agreed: chinese(30) + [(nil, "standard", "2026-05-01", 15)]),
    "the storefront's own rate of Apple's goes before an agreed one of all, too": Case(
      agreed: thirty, lines: [coins.with { $0.share = "4.50" }]),
    "unless the storefront's own is agreed": Case(
      agreed: chinese(30), lines: [coins.with { $0.share = "4.50" }],
      found: ["2026-P08 3 of coins60 in CHN: Apple kept 25 %, agreed are 30 %, 0.90 CNY less than agreed | 900"]),
    "another storefront's rate does not apply": Case(agreed: [("JPN", "standard", "2026-01-01", 15)]),
    "the programme's rate holds": Case(
      agreed: thirty + [(nil, "small_business", "2026-01-01", 15)], programme: "small_business",
      found: ["2026-P08 3 of coins60 in CHN: Apple kept 30 %, agreed are 15 %, 2.70 CNY more than agreed | 2700"]),
    "the tax is taken out of the price first": Case(agreed: thirty, tax: [("DEU", 19)], lines: [german]),
    "without the tax it would be commission": Case(
      agreed: thirty, lines: [german],
      found: ["2026-P08 3 of coins60 in DEU: Apple kept 41.18 %, agreed are 30 %, 0.40 EUR more than agreed | 400"]),
    "zeros at the end are digits": Case(
      agreed: chinese(25), lines: [coins.with { $0.share = "4.00" }],
      found: ["2026-P08 3 of coins60 in CHN: Apple kept 33.33 %, agreed are 25 %, 1.50 CNY more than agreed | 1500"]),
    "a coin is rounding": Case(
      agreed: thirty,
      lines: [coins.with { ($0.country, $0.region, $0.currency, $0.price, $0.share) = ("US", "US", "USD", "0.99", "0.70") }]),
    "a renewal may have the rate after one year": Case(agreed: thirty, lines: [month]),
    "another rate is not that after one year": Case(
      agreed: thirty, lines: [month.with { $0.share = "16.25" }],
      found: ["2026-P08 1 of vip.month in CHN: Apple kept 35 %, agreed are 30 %, 1.25 CNY more than agreed | 1250"]),
    "or none of the two": Case(
      agreed: thirty + [(nil, "rate_after_one_year", "2026-01-01", 15)], lines: [month.with { $0.share = "20.00" }],
      found: ["2026-P08 1 of vip.month in CHN: Apple kept 20 %, agreed are 15 %, 1.25 CNY more than agreed | 1250"]),
    "a rate after one year alone agrees nothing of first years": Case(
      agreed: [(nil, "rate_after_one_year", "2026-01-01", 15)], lines: [month.with { $0.share = "17.50" }]),
    "what does not renew has no such rate": Case(
      agreed: thirty, lines: [coins.with { ($0.share, $0.units) = ("5.10", 1) }],
      found: ["2026-P08 1 of coins60 in CHN: Apple kept 15 %, agreed are 30 %, 0.90 CNY less than agreed | 900"]),
    "returns are no sales": Case(agreed: chinese(25), lines: [later.with { $0.units = -1 }]),
  ])

  @Test(arguments: cases) func commission(_ test: Case) async throws {
    var scenario = try await Scenario()
    scenario.settings.finance.programme = test.programme
    scenario.settings.finance.agreedCommissions = test.agreed.map {
      FinanceSettings.Rate(storefront: $0.storefront, programme: $0.programme, validFrom: $0.from, basisPoints: $0.percent * 100)
    }
    scenario.settings.finance.taxes = test.tax.map {
      FinanceSettings.Rate(storefront: $0.storefront, programme: nil, validFrom: "2020-01-01", basisPoints: $0.percent * 100)
    }
    try await scenario.tieOut(may: test.lines)
    let breaks = try await scenario.rows(.breaks, asOf: TieoutCellTests.asOf).filter { $0["class"] == "COMMISSION_DIFF" }
    #expect(breaks.map { "\($0["detail"] ?? "") | \($0["amount_milliunits"] ?? "")" } == test.found)
    scenario.settings.finance.agreedCommissions = []
    let next = "2026-09-02T00:00:00Z"
    try await scenario.tieOut(asOf: next)
    #expect(try await scenario.rows(.breaks, asOf: next).allSatisfy { $0["class"] != "COMMISSION_DIFF" || $0["status"] == "resolved" })
  }

  /// The stored text of settings gives back their rates and policies. The last one of several rates with one place and day counts.
  @Test func storedSettingsHaveTheirRates() throws {
    var settings = JobSettings(rules: try RuleCatalogue.read(TestServer.sql()))
    let plain = try RevenueSettings(text: settings.canonicalText)
    #expect(plain.taxes == [] && plain.journal.policyText == "principal" && plain.programme == "standard")
    // A rate of one's own is compared with Apple's lines, even if Apple publishes the same.
    settings.finance.agreedCommissions.append(FinanceSettings.shippedCommissions[0])
    #expect(try settings.canonicalText != JobSettings(rules: RuleCatalogue.read(TestServer.sql())).canonicalText)
    settings.finance.programme = "small_business"
    settings.finance.taxes = [1900, 700].map { .init(storefront: "DEU", programme: nil, validFrom: "2020-01-01", basisPoints: $0) }
    settings.finance.agreedCommissions.append(.init(storefront: nil, programme: "standard", validFrom: "2008-07-10", basisPoints: 2000))
    (settings.journal.policy, settings.journal.appPolicies) = (.agent, ["com.acme.kids": .principal])
    let stored = try RevenueSettings(text: settings.canonicalText)
    #expect(stored.taxes.map(\.basisPoints) == [700] && stored.journal.policyText == settings.journal.policyText)
    #expect(stored.commissions.filter { $0.validFrom == "2008-07-10" }.map(\.basisPoints) == [2000])
    #expect(settings.finance.programme == stored.programme && stored.commissions.count == 6)
    for text in ["", "finance.commissions: \nfinance.taxes: DEU soon\n", "finance.commissions: \nfinance.taxes: \njournal.policy: both\n"] {
      #expect(throws: JobError.self, "\(text)") { try RevenueSettings(text: text) }
    }
  }
}
