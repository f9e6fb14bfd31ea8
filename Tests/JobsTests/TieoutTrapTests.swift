/// Ends of days and periods, terminated terms, and the limits of learned zones and named charges.
@Suite(.cleansUp) struct TieoutTrapTests {
  typealias Line = FinanceFiles.Line
  typealias Case = TieoutCellTests.Case

  static let (sold, tenth, other) = (TieoutCellTests.sold, TieoutCellTests.tenth, TieoutCellTests.other)
  static let asOf = TieoutCellTests.asOf

  static func dollar(_ id: String, at instant: String) -> ApplePurchase {
    ApplePurchase(id, at: instant, price: 990).with { ($0.storefront, $0.currency) = ("USA", "USD") }
  }
  static func dollarLine(_ day: String, settled: String) -> Line {
    Line(day, settled: settled) { ($0.country, $0.region, $0.currency, $0.price, $0.share) = ("US", "US", "USD", "0.99", "0.69") }
  }

  static func month(_ day: String, _ price: String, _ units: Int) -> Line {
    Line(day, settled: "2026-05-22") { ($0.sku, $0.type, $0.price, $0.share, $0.units) = ("vip.month", "IAY", price, "5.00", units) }
  }

  static let cases = Case.table([
    "the last second of the fiscal Saturday in Apple's zone is the next day in UTC": Case(
      purchases: [dollar("1", at: "2026-05-31T06:59:59Z"), dollar("2", at: "2026-05-31T08:00:00Z")],
      may: [dollarLine("2026-05-30", settled: "2026-05-30")], june: [dollarLine("2026-05-31", settled: "2026-06-02")], found: []),
    "T14: late in the evening in Beijing, on the day after in Apple's row": Case(
      purchases: [ApplePurchase("1", at: "2026-05-10T15:30:00Z")], may: [Line("2026-05-11", settled: "2026-05-12")],
      found: ["coins60 2026-05-10 1: T14 -1, explained", "coins60 2026-05-11 1: T14 1, explained"]),
    "a sale at noon is of no other day, be the hour at which a day begins learned or not": Case(
      purchases: [sold], may: [Line("2026-05-11", settled: "2026-05-12")],
      found: ["coins60 2026-05-10 1: open", "coins60 2026-05-11 1: T13 1, explained"], breaks: ["L3_NO_L1"]),
    "six hours after the day began it is no longer of the day before": Case(
      purchases: [ApplePurchase("1", at: "2026-05-09T21:59:59Z"), ApplePurchase("2", at: "2026-05-09T22:00:00Z")],
      may: [Line("2026-05-09", settled: "2026-05-12", units: 2)],
      found: ["coins60 2026-05-09 1: T13 1, T14 1, explained", "coins60 2026-05-10 1: T14 -1, open"], breaks: ["L3_NO_L1"]),
    "T14: every evening on the day after: a chain of days leaves neither of its ends open": Case(
      purchases: ["09", "10", "11"].map { ApplePurchase($0, at: "2026-05-\($0)T15:30:00Z") },
      may: ["2026-05-10", "2026-05-11", "2026-05-12"].map { Line($0, settled: "2026-05-14") }, june: [], july: [],
      found: ["coins60 2026-05-09 1: T14 -1, explained", "coins60 2026-05-12 1: T14 1, explained"]),
    "T1 at the end of a chain of days": Case(
      purchases: ["28", "29"].map { ApplePurchase($0, at: "2026-05-\($0)T15:30:00Z") }, may: [Line("2026-05-29", settled: "2026-05-30")],
      june: [Line("2026-05-30", settled: "2026-06-02")], found: ["coins60 2026-05-28 1: T1 -1, explained"]),
    "two sales beside one booking: one is paired, the other one is left": Case(
      purchases: [ApplePurchase("1", at: "2026-05-10T15:30:00Z"), ApplePurchase("2", at: "2026-05-11T16:30:00Z")],
      may: ["2026-05-11", "2026-05-13"].map { Line($0, settled: "2026-05-14") },
      found: [
        "coins60 2026-05-10 1: T14 -1, explained", "coins60 2026-05-11 1: T14 1, explained", "coins60 2026-05-12 1: open",
        "coins60 2026-05-13 1: T13 1, explained",
      ], breaks: ["L3_NO_L1"]),
    "T1: settled in the next period, and on the day before ours besides": Case(
      purchases: [ApplePurchase("1", at: "2026-05-29T16:30:00Z")], may: [other], june: [Line("2026-05-29", settled: "2026-06-02")],
      found: ["coins60 2026-05-30 1: T1 -1, explained"]),
    "T1: settled in the next period, and on the day after ours besides": Case(
      purchases: [ApplePurchase("1", at: "2026-05-29T15:30:00Z")], may: [other], june: [Line("2026-05-30", settled: "2026-06-02")],
      found: ["coins60 2026-05-29 1: T1 -1, explained"]),
    "T17: the rest of a term that was left for a better one": Case(
      purchases: [
        .month("1", original: "1", lineItem: "1", at: "2026-05-10T04:00:00Z", until: "2026-06-10T04:00:00Z").with { $0.isUpgraded = true },
        .month("2", original: "1", lineItem: "2", at: "2026-05-20T04:00:00Z", until: "2026-06-20T04:00:00Z", price: 68_000)
          .with { $0.productID = "vip.gold" },
      ],
      may: [
        tenth.with { ($0.sku, $0.type, $0.price, $0.share) = ("vip.month", "IAY", "25.00", "17.50") },
        Line("2026-05-20", settled: "2026-05-22") { ($0.sku, $0.type, $0.price, $0.share) = ("vip.gold", "IAY", "68.00", "47.60") },
        Line("2026-05-21", settled: "2026-05-22") {
          ($0.sku, $0.type, $0.price, $0.share, $0.units) = ("vip.month", "IAY", "16.67", "11.67", -1)
        },
      ], found: ["vip.month 2026-05-21 -1: T17 -1, explained"]),
    "T17 explains no more than the term cost": Case(
      purchases: [
        .month("1", original: "1", lineItem: "1", at: "2026-05-10T04:00:00Z", until: "2026-06-10T04:00:00Z").with { $0.isUpgraded = true },
        .month("2", original: "1", lineItem: "2", at: "2026-05-20T04:00:00Z", until: "2026-06-20T04:00:00Z"),
      ],
      may: [
        month("2026-05-10", "25.00", 1), month("2026-05-20", "25.00", 1), month("2026-05-21", "25.01", -1), month("2026-05-20", "9.00", -1),
      ], found: ["vip.month 2026-05-20 -1: T17 -1, explained", "vip.month 2026-05-21 -1: unexplained -1"], breaks: ["CELL_DIFF"]),
    "T5 explains no more than the charge cost": Case(
      purchases: [
        sold.with {
          ($0.revokedAt, $0.revocationType, $0.revocationPercentage) = (instant("2026-05-12T04:00:00Z"), "REFUND_PRORATED", 50_000)
        }
      ], may: [tenth, Line("2026-05-13", settled: "2026-05-14") { ($0.units, $0.price) = (-1, "500.00") }],
      found: ["coins60 2026-05-12 -1: open", "coins60 2026-05-13 -1: unexplained -1"], breaks: ["CELL_DIFF"]),
    "T18 needs a price at which we sold, not an unknown one above the charge's": Case(
      purchases: [sold], may: [tenth.with { ($0.price, $0.share) = ("600.00", "420.00") }],
      found: ["coins60 2026-05-10 1: T13 1, explained", "coins60 2026-05-10 1: open"], breaks: ["L3_NO_L1"]),
    "T18: a price above ours, at which we sold it on another day": Case(
      purchases: [sold, ApplePurchase("2", at: "2026-05-12T04:00:00Z", price: 8000)],
      may: ["2026-05-10", "2026-05-12"].map { Line($0, settled: "2026-05-14") { ($0.price, $0.share) = ("8.00", "5.60") } },
      found: ["coins60 2026-05-10 1: T18 -1, explained", "coins60 2026-05-10 1: T18 1, explained"]),
    "T13: a product of ours in a storefront without evidence of it": Case(
      purchases: [sold], may: [tenth, TieoutCellTests.yen("2026-05-16", settled: "2026-05-18")],
      found: ["coins60 2026-05-16 1: T13 1, explained"], breaks: ["L3_NO_L1"]),
  ])

  @Test(arguments: cases) func cell(_ test: Case) async throws { try await TieoutCellTests.expect(test) }

  /// A FINANCIAL file without sales is ingested and tied out. Its money is on the bridge beside the sales.
  @Test func periodWithOnlyAdjustments() async throws {
    let scenario = try await Scenario()
    let adjustment = Self.tenth.with { ($0.sku, $0.type, $0.units, $0.share, $0.price) = ("Adjustment", "ADJ", -1, "5.00", "0") }
    try await scenario.ingest(.finance, TieoutSourceTests.may([adjustment]).1, name: "85000000_0526_CN", asOf: Self.asOf)
    try await scenario.tieOut()
    #expect(try await scenario.rows(.cells, asOf: Self.asOf).isEmpty)
    let tables = try await FigureWalk.tables(.tieout, scenario, asOf: Self.asOf)
    let bridge = Dictionary(
      tables["tieout_bridge", default: []].map { ("\($0["line_no"] ?? "") \($0["currency"] ?? "")", $0["amount"] ?? "") }
    ) { $1 }
    #expect(bridge["35 CNY"] == "-5" && bridge["36 CNY"] == "-5", "\(bridge)")
    #expect(tables["tieout_identities", default: []].allSatisfy { $0["holds"] == "yes" })
    // The kind of product is unknown, and the file's warnings name it.
    let file = try #require(tables["finance_files"]?.first)
    #expect(file["warnings"]?.contains("product type \"ADJ\" is not known (1 row); it is no side of a cell") == true, "\(file)")
  }

  /// T12: a charge that two people called the duplicate of another order's, with three coins at an indivisible price. T16: free
  /// products are on another line of the bridge.
  @Test func aBenignDuplicateIsNamedInItsCell() async throws {
    let scenario = try await Scenario()
    let three = { (id: String) in ApplePurchase(id, at: "2026-05-10T04:00:00Z", price: 10_000).with { $0.quantity = 3 } }
    try await scenario.decide(
      orders: [TestOrder("PO-1", at: "2026-05-10T03:59:00Z", names: "1")],
      evidence: [three("1"), three("2")].map(\.jws), asOf: Self.asOf)
    try await scenario.decide(asOf: Self.asOf)
    let row = try await scenario.rows(.cases, asOf: Self.asOf).first { $0["names"]?.contains("TX_NO_ORDER") == true }
    let id = try #require(row?["case_id"])
    let decision = try await scenario.decision(
      .benignDuplicate, "PO-1", "2", outcome: .falsePositive, reason: "one purchase, reported twice", asOf: Self.asOf)
    #expect(try await scenario.cases(asOf: Self.asOf).take(id, deciding: decision, by: .ann).needsSecondPerson)
    try await scenario.login("bob").cases(asOf: Self.asOf).conclude(id, .approved, by: .bob, reason: "seen")
    let lines = [
      Self.tenth.with { ($0.units, $0.price, $0.share) = (3, "3.33", "2.33") },
      Line("2026-05-11", settled: "2026-05-12") { ($0.type, $0.price, $0.share, $0.units) = ("IAY", "0", "0", 4) },
    ]
    try await scenario.tieOut(may: lines)
    #expect(
      try await TieoutCellTests.found(scenario) == ["coins60 2026-05-10 1: T12 -3, explained", "coins60 2026-05-11 1: T16 4, explained"])
    let bridge = try await FigureWalk.tables(.tieout, scenario, asOf: Self.asOf)["tieout_bridge", default: []]
    let line = { (number: Int) in bridge.first { $0["line_no"] == "\(number)" && $0["currency"] == "CNY" } }
    #expect(["source", "count", "amount"].map { line(24)?[$0] ?? "" } == ["T12", "-3", "-9.99"])
    #expect(["source", "count", "amount"].map { line(25)?[$0] ?? "" } == ["T16", "4", "0"])
    let counts = (14...27).map { Int(line($0)?["count"] ?? "") ?? 0 }
    #expect(counts.dropLast().reduce(0, +) == 7 && counts.last == 7, "\(counts)")
    try await FigureWalk.expect(scenario, .tieout, least: [.bridge: 10], asOf: Self.asOf)
  }

  /// With enough sales, the zone of Apple's days is learned, and the report shows the evidence. At most twenty charges are named.
  @Test func zoneIsLearnedAndTwentyChargesAreNamed() async throws {
    let scenario = try await Scenario()
    let lost = (10..<35).map { ApplePurchase("l\($0)", at: "2026-05-20T04:\($0):00Z") }
    let many = ApplePurchase("m", at: "2026-05-10T20:30:00Z", price: 360_000).with { $0.quantity = 60 }
    _ = try await scenario.evidence((lost + [many]).map(\.jws), asOf: Self.asOf)
    try await scenario.tieOut(may: [Self.tenth.with { $0.units = 60 }], june: [], july: [])
    // Beijing's zone would put them on the next day. Among the fitting zones, Moscow's days begin nearest to Beijing's.
    let offset = try #require(try await FigureWalk.tables(.tieout, scenario, asOf: Self.asOf)["tieout_offsets"]?.first)
    #expect(
      ["storefront", "zone", "basis", "hit_count", "runner_up_count"].map { offset[$0] ?? "" }
        == ["CHN", "Europe/Moscow", "learned", "60", "60"])
    #expect(try await TieoutCellTests.found(scenario) == ["coins60 2026-05-20 1: T2 -25, explained"])
    let named = try await scenario.rows(.cells, asOf: Self.asOf).compactMap { $0["candidates"] }.filter { !$0.isEmpty }
    #expect(named.count == 1 && named[0].split(separator: "; ").count == 20)
    // The latest charges of the day are the likeliest.
    let last = try #require(try await scenario.chargeID(of: "l34", asOf: Self.asOf))
    #expect(named[0].hasPrefix(last))
  }
}
