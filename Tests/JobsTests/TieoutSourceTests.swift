/// The result of a tie-out depends on the ingested reports: months without a report, and months with FINANCIAL only.
@Suite(.cleansUp) struct TieoutSourceTests {
  typealias Line = FinanceFiles.Line

  struct Case: NamedCase {
    var name = ""
    var purchases: [ApplePurchase]
    var files: [(String, String)]
    var periods = ["2026-P08"]
    /// As in `TieoutCellTests`, for all periods.
    var found: [String]
    var breaks: [String] = []
  }

  static let (sold, tenth, other) = (TieoutCellTests.sold, TieoutCellTests.tenth, TieoutCellTests.other)
  static let late = Line("2026-05-29", settled: "2026-06-02")
  static let ends = ApplePurchase("1", at: "2026-05-29T04:00:00Z")

  static let japan = ApplePurchase("2", at: "2026-05-20T04:00:00Z", price: 300_000).with { ($0.storefront, $0.currency) = ("JPN", "JPY") }

  static let yen = TieoutCellTests.yen("2026-05-20", settled: "2026-05-22")

  static func april(_ lines: [Line]) -> (String, String) { financial("04", lines, "2026-03-29", "2026-05-02") }
  static func may(_ lines: [Line]) -> (String, String) { financial("05", lines, "2026-05-03", "2026-05-30") }
  static func june(_ lines: [Line]) -> (String, String) { financial("06", lines, "2026-05-31", "2026-06-27") }
  static func july(_ lines: [Line]) -> (String, String) { financial("07", lines, "2026-06-28", "2026-08-01") }
  private static func financial(_ month: String, _ lines: [Line], _ from: String, _ to: String) -> (String, String) {
    ("85000000_\(month)26_CN", FinanceFiles.financial(lines, from: from, to: to))
  }

  static let cases = Case.table([
    "a sale is no loss while the report between is missing": Case(
      purchases: [ApplePurchase("1", at: "2026-05-20T04:00:00Z")],
      files: [("may", FinanceFiles.may([other])), ("july", FinanceFiles.july([]))], found: ["coins60 2026-05-20 1: open"]),
    "nor is the sale that a reversed refund should bring back": Case(
      purchases: [sold.signed(at: "2026-05-16T04:00:00Z"), sold.refunded(at: "2026-05-12T04:00:00Z")],
      files: [("may", FinanceFiles.may([tenth, Line("2026-05-12", settled: "2026-05-14", units: -1)])), ("july", FinanceFiles.july([]))],
      found: ["coins60 2026-05-12 -1: T3 -1, explained"]),
    "T1 between two periods of FINANCIAL, files as of 2014": Case(
      purchases: [ends], files: [may([other]), june([late])], periods: ["2026-P08", "2026-P09"],
      found: ["coins60 2026-05-03 1: T1 -1, explained", "coins60 2026-05-31 1: T1 1, explained"]),
    "T1 from FINANCIAL into FINANCE_DETAIL": Case(
      purchases: [ends], files: [may([other]), ("june", FinanceFiles.june([late, Line("2026-05-01", settled: "2026-06-02")]))],
      periods: ["2026-P08", "2026-P09"],
      found: ["coins60 2026-05-01 1: T13 1, explained", "coins60 2026-05-03 1: T1 -1, explained", "coins60 2026-05-29 1: T1 1, explained"],
      breaks: ["L3_NO_L1"]),
    "T1 from FINANCE_DETAIL into FINANCIAL": Case(
      purchases: [ends], files: [("may", FinanceFiles.may([other])), june([late])], periods: ["2026-P08", "2026-P09"],
      found: ["coins60 2026-05-29 1: T1 -1, explained", "coins60 2026-05-31 1: T1 1, explained"]),
    "T1 two periods later": Case(
      purchases: [ends], files: [may([other]), june([]), july([late])], found: ["coins60 2026-05-03 1: T1 -1, explained"]),
    "T1 is of the period before, and T2 of the one before that": Case(
      purchases: [ends, ApplePurchase("2", at: "2026-04-20T04:00:00Z")], files: [april([other]), may([other]), june([late])],
      periods: ["2026-P07", "2026-P08"], found: ["coins60 2026-03-29 1: T2 -1, explained", "coins60 2026-05-03 1: T1 -1, explained"],
      breaks: ["NEVER_COLLECTED"]),
    "T14 between two periods of FINANCIAL: after midnight in Beijing, in the report before": Case(
      purchases: [ApplePurchase("1", at: "2026-05-30T16:30:00Z")],
      files: [may([Line("2026-05-30", settled: "2026-05-30")]), june([other]), july([other])], periods: ["2026-P08", "2026-P09"],
      found: ["coins60 2026-05-03 1: T14 1, explained", "coins60 2026-05-31 1: T14 -1, explained"]),
    "T14 on the last day of a period, in the report of the next one": Case(
      purchases: [ApplePurchase("1", at: "2026-05-30T16:30:00Z")],
      files: [("may", FinanceFiles.may([other])), ("june", FinanceFiles.june([Line("2026-05-30", settled: "2026-06-02")]))],
      periods: ["2026-P08", "2026-P09"], found: ["coins60 2026-05-30 1: T14 1, explained", "coins60 2026-05-31 1: T14 -1, explained"]),
    "a sale is no loss where its region's FINANCIAL was not read": Case(
      purchases: [ApplePurchase("1", at: "2026-05-20T04:00:00Z"), japan], files: [may([other]), june([other]), july([other])],
      found: ["coins60 2026-05-03 1: T2 -1, explained", "coins60 2026-05-03 1: open"], breaks: ["NEVER_COLLECTED"]),
    "of two vendors one has FINANCE_DETAIL and the other FINANCIAL alone: both count, by period": Case(
      purchases: [ends, ApplePurchase("2", at: "2026-05-20T04:00:00Z", product: "gem")],
      files: [
        ("85000000_2026-08_Z1", FinanceFiles.may([Line("2026-05-29", settled: "2026-05-30"), other])),
        ("86000000_0526_CN", may([Line("2026-05-20", settled: "2026-05-22") { $0.sku = "gem" }]).1),
        ("june", FinanceFiles.june([])), ("july", FinanceFiles.july([])),
      ], found: []),
  ])

  @Test(arguments: cases) func cell(_ test: Case) async throws {
    let scenario = try await Scenario()
    let asOf = TieoutCellTests.asOf
    _ = try await scenario.evidence(test.purchases.map(\.jws), asOf: asOf)
    for (name, text) in test.files { try await scenario.ingest(.finance, text, name: name, asOf: asOf) }
    for period in test.periods { try await scenario.tieOut(period) }
    #expect(try await TieoutCellTests.found(scenario) == test.found.sorted())
    let breaks = try await scenario.rows(.breaks, asOf: asOf)
    #expect(breaks.compactMap { $0["class"] }.sorted() == test.breaks)
    // A cell without any collected money names its charges.
    #expect(breaks.allSatisfy { $0["class"] != "NEVER_COLLECTED" || $0["charge_id"]?.isEmpty == false })
    try await CellSums.expect(scenario, asOf: asOf)
  }

  @Test func `after the horizon, a region without any report is missing input, named with its currency`() async throws {
    let scenario = try await Scenario()
    let asOf = TieoutCellTests.asOf
    try await scenario.evidence([Self.sold.jws, Self.japan.jws], asOf: asOf)
    for (name, text) in [Self.may([Self.tenth]), Self.june([Self.other])] {
      try await scenario.ingest(.finance, text, name: name, asOf: asOf)
    }
    let early = try await scenario.tieOut(asOf: asOf)
    #expect(early.verdict != .incomplete && early.missing == [])
    let (name, july) = Self.july([Self.other])
    try await scenario.ingest(.finance, july, name: name, asOf: asOf)
    let late = try await scenario.tieOut(asOf: asOf)
    #expect(late.verdict == .incomplete && late.missing.map(\.english) == ["no report of 2026-P08 was read for JP in JPY (units: 1)"])
    try await scenario.ingest(.finance, Self.may([Self.yen]).1, name: "85000000_0526_JP", asOf: asOf)
    #expect(try await scenario.tieOut(asOf: asOf).missing == [])
  }

  /// A first report of a region that is ingested later counts as late. Unchanged figures do not count as a policy change.
  @Test func laterFirstReportIsNotARestatement() async throws {
    var scenario = try await Scenario()
    _ = try await scenario.evidence([Self.ends.jws, Self.japan.jws], asOf: "2026-06-05T00:00:00Z")
    for (asOf, name, line) in [
      ("2026-06-05T00:00:00Z", "85000000_0526_CN", Self.late), ("2026-06-20T00:00:00Z", "85000000_0526_JP", Self.yen),
    ] {
      try await scenario.ingest(.finance, Self.may([line]).1, name: name, asOf: asOf)
      try await scenario.tieOut(asOf: asOf)
      scenario.settings.finance.horizonPeriods += 1
    }
    let rows = try #require(try await FigureWalk.tables(.restatement, scenario, asOf: "2026-06-20T00:00:00Z")["restatement"])
    let amounts = rows.filter { $0["slice"] == "JPY" }.cells("metric delta delta_late_facts delta_restated_by_apple delta_policy")
    #expect(amounts == ["Apple gross 300 300 0 0", "not yet settled 300 300 0 0", "our gross 0 0 0 0", "unexplained 0 0 0 0"])
  }

  @Test func configuredRateOverridesTheShippedOne() async throws {
    var scenario = try await Scenario()
    scenario.settings.finance.agreedCommissions = [
      FinanceSettings.Rate(storefront: "CHN", programme: "standard", validFrom: "2026-03-15", basisPoints: 2000)
    ]
    scenario.settings.finance.taxes = [100, 600].map {
      FinanceSettings.Rate(storefront: "CHN", programme: nil, validFrom: "2020-01-01", basisPoints: $0)
    }
    let asOf = TieoutCellTests.asOf
    _ = try await scenario.evidence([ApplePurchase("1", at: "2026-05-20T04:00:00Z", price: 5300).jws], asOf: asOf)
    try await scenario.tieOut(may: [Self.other])
    let cell = try #require(try await scenario.rows(.cells, asOf: asOf).first)
    #expect(cell["l1_expected_proceeds"] == "4" && cell["share_basis"] == "estimate")
  }

  /// Three coins for 10.00 cost 3.33 each at Apple. Every search for the charges of a cell finds them.
  @Test func indivisiblePricesHaveTheirRows() async throws {
    let scenario = try await Scenario()
    let asOf = TieoutCellTests.asOf
    let three = { (id: String, at: String) in ApplePurchase(id, at: at, price: 10_000).with { $0.quantity = 3 } }
    let won = ApplePurchase("w", at: "2026-05-10T04:00:00Z", price: 10_000_000).with {
      ($0.quantity, $0.storefront, $0.currency) = (3, "KOR", "KRW")
    }
    _ = try await scenario.evidence(
      [
        three("1", "2026-05-10T04:00:00Z"), three("2", "2026-05-20T04:00:00Z"), won,
        three("3", "2026-05-10T05:00:00Z").with {
          ($0.revokedAt, $0.revocationType, $0.revocationPercentage) = (instant("2026-05-12T04:00:00Z"), "REFUND_PRORATED", 50_000)
        },
        // A single coin at the price of that refunded part.
        ApplePurchase("4", at: "2026-05-10T05:00:00Z", price: 5000).with { $0.revokedAt = instant("2026-05-12T05:00:00Z") },
      ].map(\.jws), asOf: asOf)
    let line = { (day: String, units: Int, price: String) in
      Line(day, settled: "2026-05-22") { ($0.units, $0.price, $0.share) = (units, price, "2.33") }
    }
    try await scenario.tieOut(
      may: [
        line("2026-05-10", 6, "3.33"), line("2026-05-10", 1, "5.00"), line("2026-05-12", -1, "5.00"),
        Self.tenth.with { ($0.units, $0.country, $0.region, $0.currency, $0.price, $0.share) = (3, "KR", "WW", "KRW", "3333", "2333") },
        // None of these lines belongs to a cell.
        line("2026-05-10", 2, "3.33").with { $0.type = "IA3" },
      ], june: [], july: [])
    #expect(
      try await TieoutCellTests.found(scenario) == ["coins60 2026-05-12 -1: unexplained 1", "coins60 2026-05-20 1: T2 -3, explained"])
    try await CellSums.expect(scenario, asOf: asOf)
    let cells = try await scenario.rows(.cells, asOf: asOf)
    let lost = try #require(try await scenario.chargeID(of: "2", asOf: asOf))
    #expect(cells.first { $0["transaction_day"] == "2026-05-20" }?["candidates"]?.hasPrefix(lost) == true)
    #expect(try await scenario.rows(.breaks, asOf: asOf).first { $0["class"] == "NEVER_COLLECTED" }?["charge_id"] == lost)
    // The next detect run evaluates the rules that read the break.
    #expect(try await scenario.answers("select id from payrecon.detect_due") == ["2"])
  }
}
