/// Unpaid earnings in the bank's currency, at the exchange rate of the period's last day only.
@Suite(.cleansUp) struct RateSourceTests {
  private static let may = "2026-07-10T00:00:00Z"
  /// 2026-P09 ends on 27 June.
  private static let period = "2026-P09"
  private static let lastDay = "2026-06-27"
  private static let dayAfter = "2026-06-28"

  /// Returns the rows of level B of June, by region.
  private static func regions(_ scenario: Scenario, asOf: String) async throws -> [String] {
    let rows = try #require(try await FigureWalk.tables(.tieout, scenario, asOf: asOf)["tieout_regions"])
    return rows.filter { $0["fiscal_period"] == period }.map { row in
      let columns = ["region", "proceeds_currency", "status", "estimated_rate", "estimated_from", "estimated_proceeds", "estimated_ccy"]
      return columns.map { row[$0] ?? "" }.joined(separator: " | ")
    }
  }

  @Test func rateSourceOfThePeriodsLastDayCounts() async throws {
    var scenario = try await Scenario()
    let lines = [
      FinanceFiles.Line("2026-06-10", settled: "2026-06-12", units: 100),
      FinanceFiles.Line("2026-06-10", settled: "2026-06-12") { ($0.country, $0.region, $0.currency) = ("KZ", "KZ", "KZT") },
    ]
    try await scenario.ingest(.finance, FinanceFiles.june(lines), name: "june", asOf: Self.may)
    let none = try await Self.tieOut(&scenario, [], asOf: "2026-07-10T00:00:00Z")
    #expect(none == ["CN | CNY | no payment yet |  |  |  | ", "KZ | KZT | no payment yet |  |  |  | "])

    // May was paid: 54.59 EUR for 420.00 CNY, while its page prints a rate of 0.13.
    try await scenario.ingest(.finance, FinanceIngestTests.payments, name: "financial_report", asOf: "2026-07-11T00:00:00Z")
    let derived = "CN | CNY | no payment yet | 0.1299761905 | 2026-P08 China mainland, report | 54.59 | EUR"
    let printed = "CN | CNY | no payment yet | 0.13 | 2026-P08 China mainland, printed | 54.60 | EUR"
    let unknown = "KZ | KZT | no payment yet |  |  |  | "
    let source = FinanceSettings.RateSource.init(_:validFrom:)
    for (hour, sources, expected) in [
      (1, [], derived), (2, [source("printed", "0001-01-01")], printed), (3, [source("printed", Self.lastDay)], printed),
      (4, [source("printed", Self.dayAfter)], derived),
      (5, [source("report", Self.lastDay), source("printed", "2026-05-01")], derived),
      (6, [source("report", Self.dayAfter), source("printed", "2026-05-01")], printed),
    ] {
      let asOf = "2026-07-12T0\(hour):00:00Z"
      let outcome = try await Self.tieOut(&scenario, sources, asOf: asOf)
      #expect(outcome == [expected, unknown], "\(sources)")
    }
    // An estimate changes neither the bridge nor any identity. The results of an earlier clock are unchanged.
    let bridge = try await Self.bridge(scenario, asOf: "2026-07-12T03:00:00Z")
    #expect(try await Self.bridge(scenario, asOf: "2026-07-12T04:00:00Z") == bridge && bridge.contains("2026-P09"))
    #expect(try await Self.regions(scenario, asOf: "2026-07-12T03:00:00Z") == [printed, unknown])
  }

  private static func bridge(_ scenario: Scenario, asOf: String) async throws -> String {
    try await scenario.report(.tieout, asOf: asOf).text("tieout_bridge.csv")
  }

  private static func tieOut(_ scenario: inout Scenario, _ sources: [FinanceSettings.RateSource], asOf: String) async throws -> [String] {
    scenario.settings.finance.rateSources = sources
    try await scenario.tieOut(period, asOf: asOf)
    return try await regions(scenario, asOf: asOf)
  }
}
