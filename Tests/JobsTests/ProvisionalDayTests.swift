/// A day before its fiscal period closes: an early warning, marked as provisional.
@Suite(.cleansUp) struct ProvisionalDayTests {
  static let asOf = TieoutCellTests.asOf

  /// Returns a SUBSCRIBER file of a day with Apple's number of each event.
  static func subscriber(_ day: Int, _ numbers: [String]) -> String {
    let header = [
      "Event Date", "Subscription Name", "Subscription Apple ID", "Customer Price", "Customer Currency", "Developer Proceeds",
      "Proceeds Currency", "Country", "Subscriber ID", "Refund", "Units",
    ]
    let rows = numbers.map { ["2026-05-\(day)", "Plus", $0, "6.00", "CNY", "4.20", "CNY", "CN", "1", "", "1"] }
    return ([header] + rows).map { $0.joined(separator: "\t") + "\n" }.joined()
  }

  static let purchases = [
    ApplePurchase("1", at: "2026-05-10T04:00:00Z"), ApplePurchase("2", at: "2026-05-10T05:00:00Z"),
    .month("3", original: "3", lineItem: "1", at: "2026-05-10T06:00:00Z", until: "2026-06-10T06:00:00Z", price: 6000),
    .month("4", original: "4", lineItem: "2", at: "2026-05-10T07:00:00Z", until: "2026-06-10T07:00:00Z", price: 6000),
  ]

  /// Returns the cells of the day: product, units on both sides, units that may still settle, causes and status.
  static func cells(_ scenario: Scenario) async throws -> [String] {
    try await scenario.rows(.cells, asOf: asOf).filter { $0["fiscal_period"] == "D2026-05-10" }.map { row in
      let causes = (1...18).filter { (row["explained_T\($0)_units"] ?? "0") != "0" }.map { " T\($0)" }.joined()
      return ["sku", "l1_units", "l3_units", "not_yet_settled_units", "unexplained_units", "status"].map { row[$0] ?? "" }
        .joined(separator: " ") + causes
    }.sorted()
  }

  @Test func aDayAgainstSalesHasNoLossAndNoHeadline() async throws {
    let scenario = try await Scenario()
    _ = try await scenario.evidence(Self.purchases.map(\.jws), asOf: Self.asOf)
    // Restored purchases (IA3) carry no money.
    let sold = [("coins60", "IA1", 1, "150"), ("coins60", "IA3", 5, "150"), ("vip.month", "IAY", 2, "777"), ("app", "1F", 9, "1")]
    for (day, lines) in [(10, sold), (11, [sold[3]]), (12, [sold[3]])] {
      try await scenario.ingest(.finance, FinanceFiles.sales("2026-05-\(day)", lines), name: "S_D_1_85000000_202605\(day)", asOf: Self.asOf)
    }
    #expect(try await scenario.tieOut("D2026-05-10").coverage.first?.units.open == 1)
    #expect(try await Self.cells(scenario) == ["coins60 2 1 -1 0 provisional", "vip.month 2 2 0 0 provisional"])
    #expect(try await scenario.rows(.breaks, asOf: Self.asOf).isEmpty)
    let report = try await scenario.report(.tieout, asOf: Self.asOf)
    #expect(try report.rows("coverage.csv").cells("is_provisional") == ["yes"])
    #expect(try report.text("tieout.html").contains("0 of 0 units"))
    try await CellSums.expect(scenario, asOf: Self.asOf)
  }

  @Test func aDayWithSubscriberAloneIsAboutSubscriptions() async throws {
    let scenario = try await Scenario()
    _ = try await scenario.evidence(Self.purchases.map(\.jws), asOf: Self.asOf)
    // A weekly file does not state the day of a sale.
    try await scenario.ingest(
      .finance, FinanceFiles.sales("2026-05-10", until: "2026-05-16", [("vip.month", "IAY", 9, "777")]), name: "S_W_1_85000000_20260516",
      asOf: Self.asOf)
    // Another day's file reveals the product of a number.
    try await scenario.ingest(
      .finance, FinanceFiles.sales("2026-05-20", [("vip.month", "IAY", 1, "777")]), name: "S_D_1_85000000_20260520", asOf: Self.asOf)
    try await scenario.ingest(.finance, Self.subscriber(10, ["777"]), name: "Subscriber_85000000_20260510", asOf: Self.asOf)
    try await scenario.tieOut("D2026-05-10")
    #expect(try await Self.cells(scenario) == ["vip.month 2 1 -1 0 provisional"])
    try await CellSums.expect(scenario, asOf: Self.asOf)
  }
}
