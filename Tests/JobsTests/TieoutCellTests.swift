@Suite(.cleansUp) struct TieoutCellTests {
  typealias Line = FinanceFiles.Line

  /// Facts on both sides, and the tie-out's results for the unproved cells of May.
  struct Case: NamedCase {
    var name = ""
    var purchases: [ApplePurchase] = []
    var may: [Line] = []
    var june: [Line]?
    var july: [Line]?
    /// `sku day sign: cause units …, status`, for each unproved cell.
    var found: [String]
    var breaks: [String] = []
  }

  private static func bought(
    _ day: String, id: String = "1", product: String = "coins60", price: Int64 = 6000
  ) -> ApplePurchase { ApplePurchase(id, at: "\(day)T04:00:00Z", product: product, price: price) }

  /// A purchase of 10 May, and Apple's line of it.
  static let sold = bought("2026-05-10")
  static let tenth = Line("2026-05-10", settled: "2026-05-12")
  /// A line that is no sale of ours.
  static let other = tenth.with { ($0.sku, $0.type) = ("x", "1F") }

  static func yen(_ day: String, settled: String) -> Line {
    Line(day, settled: settled) { ($0.country, $0.region, $0.currency, $0.price, $0.share) = ("JP", "JP", "JPY", "300", "210") }
  }

  /// A return of an older sale that no notification reports, and a refund of 14 May that Apple books later.
  static func older(_ day: String, booked: String) -> Case {
    Case(
      purchases: [bought("2026-03-10"), bought("2026-05-10", id: "2").with { $0.revokedAt = instant("2026-05-14T04:00:00Z") }],
      may: [
        Line("2026-03-10", settled: "2026-05-12"), Line(day, settled: "2026-05-12", units: -1), tenth,
        Line(booked, settled: booked, units: -1),
      ],
      found: [
        "coins60 2026-03-10 1: T1 1, explained", "coins60 \(day) -1: T4 -1, explained", "coins60 2026-05-14 -1: T3 1, explained",
        "coins60 \(booked) -1: T3 -1, explained",
      ], breaks: ["REFUND_UNSEEN"])
  }

  static let cases = Case.table([
    "T35: a purchase after midnight in Beijing, on the day before in Apple's row": Case(
      purchases: [ApplePurchase("1", at: "2026-05-09T16:30:00Z")], may: [Line("2026-05-09", settled: "2026-05-12")],
      found: ["coins60 2026-05-09 1: T14 1, explained", "coins60 2026-05-10 1: T14 -1, explained"]),
    "T36: sold on the last day, settled in the next period": Case(
      purchases: [bought("2026-05-30")], may: [other], june: [Line("2026-05-30", settled: "2026-06-02")],
      found: ["coins60 2026-05-30 1: T1 -1, explained"]),
    "T1: settled 31 days after it was sold is a cut-off": Case(
      purchases: [bought("2026-05-09")], may: [other], june: [Line("2026-05-09", settled: "2026-06-09")],
      found: ["coins60 2026-05-09 1: T1 -1, explained"]),
    "T1: settled 32 days after it was sold is late": Case(
      purchases: [bought("2026-05-09")], may: [other], june: [Line("2026-05-09", settled: "2026-06-10")],
      found: ["coins60 2026-05-09 1: T1 -1, explained"], breaks: ["LATE_SETTLE"]),
    "not yet settled while no later period was read": Case(
      purchases: [bought("2026-05-30")], may: [other], found: ["coins60 2026-05-30 1: open"]),
    "T2: in no report up to the horizon": Case(
      purchases: [bought("2026-05-20")], may: [other], june: [], july: [], found: ["coins60 2026-05-20 1: T2 -1, explained"],
      breaks: ["NEVER_COLLECTED"]),
    "T3: a refund that Apple books days later": Case(
      purchases: [sold.with { $0.revokedAt = instant("2026-05-12T04:00:00Z") }],
      may: [tenth, Line("2026-05-18", settled: "2026-05-20", units: -1)],
      found: ["coins60 2026-05-12 -1: T3 1, explained", "coins60 2026-05-18 -1: T3 -1, explained"]),
    "T3 pairs close days: an older return without a notification takes no refund of ours": older("2026-03-20", booked: "2026-05-16"),
    "T3: a return more than sixty days before takes no refund of ours": older("2026-03-11", booked: "2026-05-20"),
    "T4: a refund that no notification reported": Case(
      purchases: [sold], may: [tenth, Line("2026-05-18", settled: "2026-05-20", units: -1)],
      found: ["coins60 2026-05-18 -1: T4 -1, explained"], breaks: ["REFUND_UNSEEN"]),
    "T4 is of no sale after the return": Case(
      purchases: [sold], may: [tenth, Line("2026-05-09", settled: "2026-05-12", units: -1)],
      found: ["coins60 2026-05-09 -1: unexplained -1"], breaks: ["CELL_DIFF"]),
    "T3: a refund that Apple reversed in the same period, with both in the report": Case(
      purchases: reversed("2026-05-12", on: "2026-05-16"),
      may: [tenth, Line("2026-05-12", settled: "2026-05-14", units: -1), Line("2026-05-17", settled: "2026-05-18")],
      found: ["coins60 2026-05-12 -1: T3 -1, explained", "coins60 2026-05-17 1: T3 1, explained"]),
    "a refund that Apple reversed before a report had it is no return": Case(
      purchases: reversed("2026-05-12", on: "2026-05-13"), may: [tenth], found: []),
    "T13 beside it: no return was booked, so a later sale is not its reversal": Case(
      purchases: reversed("2026-05-12", on: "2026-05-13"), may: [tenth, Line("2026-05-20", settled: "2026-05-22")],
      found: ["coins60 2026-05-20 1: T13 1, explained"], breaks: ["L3_NO_L1"]),
    "T3: reversed in the next period, whose report has the sale again": Case(
      purchases: reversed("2026-05-28", on: "2026-06-03"), may: [tenth, Line("2026-05-28", settled: "2026-05-30", units: -1)],
      june: [Line("2026-06-03", settled: "2026-06-05")], found: ["coins60 2026-05-28 -1: T3 -1, explained"]),
    "T3: reversed, and the report that may have it is not there yet": Case(
      purchases: reversed("2026-05-28", on: "2026-06-03"), may: [tenth, Line("2026-05-28", settled: "2026-05-30", units: -1)],
      found: ["coins60 2026-05-28 -1: T3 -1, explained"]),
    "T4: a notification reversed it, and no report up to the horizon has it": Case(
      purchases: reversed("2026-05-12", on: "2026-05-16"), may: [tenth, Line("2026-05-12", settled: "2026-05-14", units: -1)], june: [],
      july: [], found: ["coins60 2026-05-12 -1: T4 -1, explained"], breaks: ["REFUND_UNSEEN"]),
    "T4 stays: a later refund of ours is in a period without a report": Case(
      purchases: [sold, bought("2026-05-10", id: "2").with { $0.revokedAt = instant("2026-06-05T04:00:00Z") }],
      may: [tenth.with { $0.units = 2 }, Line("2026-05-18", settled: "2026-05-20", units: -1)],
      found: ["coins60 2026-05-18 -1: T4 -1, explained"], breaks: ["REFUND_UNSEEN"]),
    "T30: a third of three coins is one coin": Case(
      purchases: [
        sold.with { ($0.quantity, $0.priceMilliunits) = (3, 18_000) }
          .refunded(at: "2026-05-12T04:00:00Z", percent: 33333, as: "REFUND_PRORATED")
      ], may: [tenth.with { $0.units = 3 }, Line("2026-05-12", settled: "2026-05-14", units: -1)], found: []),
    "T5: the part that Apple signed, at the whole price with that part of its proceeds, is proved": Case(
      purchases: [prorated], may: [tenth, Line("2026-05-12", settled: "2026-05-14", units: -1, share: "1.58")], found: []),
    "T5: the part that Apple signed, as the price of its return, is proved": Case(
      purchases: [prorated],
      may: [tenth, Line("2026-05-12", settled: "2026-05-14") { ($0.units, $0.share, $0.price) = (-1, "1.58", "2.25") }], found: []),
    "T5: the part that Apple signed, beside the whole refund of another purchase, is proved": Case(
      purchases: [
        prorated, ApplePurchase("2", at: "2026-05-10T05:00:00Z").with { $0.revokedAt = instant("2026-05-12T05:00:00Z") },
        ApplePurchase("3", at: "2026-05-10T06:00:00Z").with { $0.revokedAt = instant("2026-05-14T05:00:00Z") },
      ],
      may: [
        tenth.with { $0.units = 3 }, Line("2026-05-12", settled: "2026-05-14", units: -1),
        Line("2026-05-12", settled: "2026-05-14", units: -1, share: "1.58"), Line("2026-05-14", settled: "2026-05-15", units: -1),
      ], found: []),
    "T5: another part than Apple signed is explained": Case(
      purchases: [prorated], may: [tenth, Line("2026-05-12", settled: "2026-05-14", units: -1, share: "1.60")],
      found: ["coins60 2026-05-12 -1: T5 -1, explained", "coins60 2026-05-12 -1: T5 1, explained"]),
    "T5: the part that Apple signed on another day is explained": Case(
      purchases: [prorated], may: [tenth, Line("2026-05-13", settled: "2026-05-14", units: -1, share: "1.58")],
      found: ["coins60 2026-05-12 -1: T5 1, explained", "coins60 2026-05-13 -1: T5 -1, explained"]),
    "T5 pairs close days: an older part that Apple did not book takes no return": Case(
      purchases: [
        bought("2026-05-04", id: "2").refunded(at: "2026-05-05T04:00:00Z", percent: 37500, as: "REFUND_PRORATED"),
        sold.refunded(at: "2026-05-14T04:00:00Z", percent: 37500, as: "REFUND_PRORATED"),
      ], may: [Line("2026-05-04", settled: "2026-05-12"), tenth, Line("2026-05-16", settled: "2026-05-18", units: -1, share: "1.58")],
      found: [
        "coins60 2026-05-05 -1: open", "coins60 2026-05-14 -1: T5 1, explained", "coins60 2026-05-16 -1: T5 -1, explained",
      ]),
    "T32: family members carry no money": Case(
      purchases: [
        bought("2026-05-10", id: "100", product: "vip.year", price: 238_000),
        bought("2026-05-10", id: "101", product: "vip.year").with { $0.ownership = "FAMILY_SHARED" },
      ], may: [tenth.with { ($0.sku, $0.price, $0.share) = ("vip.year", "238.00", "166.60") }], found: []),
    "T34: zero- and three-decimal currencies": Case(
      purchases: [
        bought("2026-05-10", price: 300_000).with { ($0.storefront, $0.currency) = ("JPN", "JPY") },
        bought("2026-05-10", id: "2", price: 1500).with { ($0.storefront, $0.currency) = ("KWT", "KWD") },
      ],
      may: [
        tenth.with { ($0.country, $0.currency, $0.price, $0.share) = ("JP", "JPY", "300", "210") },
        tenth.with { ($0.country, $0.currency, $0.price, $0.share) = ("KW", "KWD", "1.500", "1.050") },
      ], found: []),
    "T37: restored items carry no money": Case(
      purchases: [sold], may: [tenth, tenth.with { $0.type = "IA3" }, tenth.with { $0.type = "7F" }], found: []),
    "T13: a sale that no evidence shows": Case(
      purchases: [sold], may: [tenth, Line("2026-05-16", settled: "2026-05-18")], found: ["coins60 2026-05-16 1: T13 1, explained"],
      breaks: ["L3_NO_L1"]),
    "a sale of a day before the look-back is not proved and has no cause T13": Case(
      purchases: [bought("2025-11-20"), bought("2026-05-10", id: "2")], may: [tenth, Line("2025-11-20", settled: "2026-05-18")],
      found: ["coins60 2025-11-20 1: unexplained 1"], breaks: ["CELL_DIFF"]),
    "T18: a preserved price": Case(
      purchases: [bought("2026-05-10", price: 8000)], may: [tenth],
      found: ["coins60 2026-05-10 1: T18 -1, explained", "coins60 2026-05-10 1: T18 1, explained"]),
    "nothing explains a product that we never sold": Case(
      may: [tenth.with { ($0.sku, $0.units) = ("unknown", 2) }], found: ["unknown 2026-05-10 1: unexplained 2"], breaks: ["CELL_DIFF"]),
    "2^39 units are counted exactly": Case(
      may: [tenth.with { ($0.units, $0.sku) = (1 << 39, "unknown") }], found: ["unknown 2026-05-10 1: unexplained 549755813888"],
      breaks: ["CELL_DIFF"]),
  ])

  static let asOf = "2026-09-01T00:00:00Z"

  /// A purchase of which Apple refunded 37.5 % two days later.
  static let prorated = sold.refunded(at: "2026-05-12T04:00:00Z", percent: 37500, as: "REFUND_PRORATED")

  /// Returns two versions of a purchase of 10 May: refunded, and kept after all.
  private static func reversed(_ refund: String, on reversal: String) -> [ApplePurchase] {
    let kept = sold.signed(at: "\(reversal)T04:00:00Z")
    return [kept, kept.refunded(at: "\(refund)T04:00:00Z")]
  }

  static func load(_ test: Case, into scenario: Scenario, reversed: Bool = false) async throws {
    var steps: [() async throws -> Void] = [
      { if !test.purchases.isEmpty { _ = try await scenario.evidence(test.purchases.map(\.jws), asOf: asOf) } },
      { _ = try await scenario.ingest(.finance, FinanceFiles.may(test.may), name: "may", asOf: asOf) },
    ]
    if let june = test.june { steps.append { _ = try await scenario.ingest(.finance, FinanceFiles.june(june), name: "june", asOf: asOf) } }
    if let july = test.july { steps.append { _ = try await scenario.ingest(.finance, FinanceFiles.july(july), name: "july", asOf: asOf) } }
    for step in reversed ? steps.reversed() : steps { try await step() }
  }

  static func found(_ scenario: Scenario, asOf: String = asOf) async throws -> [String] {
    try await scenario.rows(.cells, asOf: asOf).filter { $0["status"] != "proved" }.map { row in
      let causes = (1...18).compactMap { number -> String? in
        let units = row["explained_T\(number)_units"] ?? "0"
        return units == "0" ? nil : "T\(number) \(units)"
      }
      let rest = row["unexplained_units"] ?? "0"
      let words = causes + [(row["status"] ?? "") + (rest == "0" ? "" : " \(rest)")]
      return "\(row["sku"] ?? "") \(row["transaction_day"] ?? "") \(row["sign"] ?? ""): \(words.joined(separator: ", "))"
    }.sorted()
  }

  @Test(arguments: cases) func cell(_ test: Case) async throws { try await Self.expect(test) }

  static func expect(_ test: Case) async throws {
    let scenario = try await Scenario()
    try await Self.load(test, into: scenario)
    try await scenario.tieOut()
    #expect(try await Self.found(scenario) == test.found.sorted())
    let breaks = try await scenario.rows(.breaks, asOf: Self.asOf).compactMap { $0["class"] }
    #expect(breaks == test.breaks)
    try await CellSums.expect(scenario, asOf: Self.asOf)
    let cells = try await scenario.rows(.cells, asOf: Self.asOf)
    let keys = Set(cells.cells("sku storefront customer_currency customer_price sign transaction_day"))
    #expect(keys.count == cells.count, "both sides of a cell are in one row")
    for row in cells {
      let explained = (1...18).reduce(0) { $0 + (Int(row["explained_T\($1)_units"] ?? "") ?? 0) }
      let rest = (Int(row["unexplained_units"] ?? "") ?? 0) + (Int(row["not_yet_settled_units"] ?? "") ?? 0)
      #expect(Int(row["diff_units"] ?? "") == explained + rest)
    }
    #expect(try await scenario.report(.tieout, asOf: Self.asOf).failures("tieout_identities.csv") == [])
    let alone = "select counter_cell_id from payrecon.tieout_parts where cause in ('T2', 'T4', 'T12') and counter_cell_id <> ''"
    let others: [String] = try await scenario.answers(alone)
    #expect(others.isEmpty, "these units have no other cell")
  }

  @Test func theOrderOfInputsDoesNotMatter() async throws {
    let all = Case(
      name: "all",
      purchases: Self.cases.enumerated().flatMap { index, test in
        test.purchases.map { purchase in
          purchase.with {
            $0.transactionID = "\(index)-\($0.transactionID)"; $0.originalTransactionID = $0.transactionID
          }
        }
      }, may: Self.cases.flatMap(\.may), june: Self.cases.flatMap { $0.june ?? [] }, july: [], found: [])
    var exports: [[UInt8]] = []
    for reversed in [false, true] {
      let scenario = try await Scenario()
      try await Self.load(all, into: scenario, reversed: reversed)
      if reversed { try await Self.load(all, into: scenario) }
      for _ in 0...(reversed ? 1 : 0) { try await scenario.tieOut() }
      exports.append(try await scenario.export(.cells, asOf: Self.asOf) + scenario.export(.financeLines, asOf: Self.asOf))
    }
    #expect(exports[0].count > 1000)
    #expect(exports[0] == exports[1])
  }

  @Test func aBreakResolvesWithARestatedReportAndThePastStays() async throws {
    let scenario = try await Scenario()
    try await scenario.evidence([ApplePurchase("1", at: "2026-05-10T04:00:00Z").jws], asOf: "2026-06-05T00:00:00Z")
    let first = [Self.tenth, Line("2026-05-16", settled: "2026-05-18")]
    try await scenario.ingest(.finance, FinanceFiles.may(first), name: "v1", asOf: "2026-06-05T00:00:00Z")
    try await scenario.tieOut(asOf: "2026-06-05T00:00:00Z")
    #expect(try await scenario.openBreaks(asOf: "2026-06-05T00:00:00Z") == ["L3_NO_L1"])
    let id = try await scenario.rows(.breaks, asOf: "2026-06-05T00:00:00Z").first?["break_id"]
    let past = try await Past(
      scenario, clock: "2026-06-05T00:00:00Z", lists: [.financeLines, .payments, .cells, .proceeds], kinds: [.tieout])
    // Detect evaluates only its own breaks and leaves this one.
    try await scenario.decide(asOf: "2026-06-06T00:00:00Z")
    #expect(try await scenario.openBreaks(asOf: "2026-06-06T00:00:00Z").contains("L3_NO_L1"))

    try await scenario.ingest(.finance, FinanceFiles.may([first[0]]), name: "v2", asOf: "2026-06-20T00:00:00Z")
    try await scenario.tieOut(asOf: "2026-06-20T00:00:00Z")
    let after = try await scenario.rows(.breaks, asOf: "2026-06-20T00:00:00Z").first { $0["break_id"] == id }
    #expect(after?["status"] == "resolved")
    #expect(try await Self.found(scenario, asOf: "2026-06-20T00:00:00Z") == [])
    let lines = try await scenario.rows(.financeLines, asOf: "2026-06-20T00:00:00Z")
    #expect(lines.cells("is_current").sorted() == ["false", "false", "true"])
    let restated = try await scenario.report(.restatement, asOf: "2026-06-20T00:00:00Z").text("restatement.csv")
    #expect(restated.contains(",CNY,Apple gross,12,") && restated.contains(",-6,0,0,-6,"), "\(restated)")
    #expect(try await past.differences(scenario) == [])
    #expect(String(decoding: try await scenario.export(.cells, asOf: "2026-06-20T00:00:00Z"), as: UTF8.self) != past.texts["cells"])
    for (clock, files) in [("2026-06-05T00:00:00Z", 1), ("2026-06-20T00:00:00Z", 2)] {
      try await FigureWalk.expect(scenario, .tieout, least: [.coverage: 5, .bridge: 10, .regions: 2, .files: files], asOf: clock)
      try await FigureWalk.expect(scenario, .restatement, least: [.restatement: 2], asOf: clock)
    }
  }

  @Test func aPeriodWithoutReportIsIncomplete() async throws {
    let scenario = try await Scenario()
    let error = await #expect(throws: JobError.self) { try await scenario.tieOut() }
    #expect(error?.status == .incomplete)
  }

  /// The proceeds of a sale that settled in the next period come from Apple's line of it, not from the average of other days.
  @Test func pairedSaleHasTheProceedsOfItsLine() async throws {
    let scenario = try await Scenario()
    let days = ["2026-05-10", "2026-05-12", "2026-05-30"]
    try await scenario.evidence(days.map { ApplePurchase($0, at: "\($0)T04:00:00Z").jws }, asOf: Self.asOf)
    let early = [Line(days[0], settled: "2026-05-14"), Line(days[1], settled: "2026-05-14", share: "5.10")]
    try await scenario.tieOut(may: early, june: [Line(days[2], settled: "2026-06-02", share: "5.10")])
    let cells = try await scenario.rows(.cells, asOf: Self.asOf)
    #expect(
      cells.cells("transaction_day status l1_expected_proceeds share_basis proceeds_currency").sorted() == [
        "2026-05-10 proved 4.2 actual CNY", "2026-05-12 proved 5.1 actual CNY", "2026-05-30 explained 5.1 actual CNY",
      ])
    let proceeds = try await scenario.rows(.proceeds, asOf: Self.asOf)
    #expect(proceeds.cells("proceeds basis").sorted() == ["4.2 actual", "5.1 actual", "5.1 actual"])
  }

  /// A cell that Apple alone has names the app that alone sells its product: by a charge, the catalogue or an order.
  @Test func cellOfAppleAloneNamesItsApp() async throws {
    let scenario = try await Scenario()
    try await scenario.evidence([Self.bought("2026-04-10").jws], asOf: Self.asOf)
    let catalogue = ["gems", "both"].map { "com.acme.kids,\($0),consumable\n" } + ["com.acme.reader,both,consumable\n"]
    try await scenario.ingest(.catalogue, "bundle_id,product_id,type\n" + catalogue.joined(), name: "catalogue", asOf: Self.asOf)
    try await scenario.orders([TestOrder("PO-1", at: "2026-04-20T03:50:00Z") { $0.productID = "gold" }], asOf: Self.asOf)
    try await scenario.tieOut(may: ["coins60", "gems", "both", "gold", "none"].map { sku in Self.tenth.with { $0.sku = sku } })
    let cells = try await scenario.rows(.cells, asOf: Self.asOf).cells("sku bundle_id").sorted()
    #expect(cells == ["both ", "coins60 com.acme.reader", "gems com.acme.kids", "gold com.acme.reader", "none "])
    let breaks = try await scenario.rows(.breaks, asOf: Self.asOf).cells("class bundle_id").sorted()
    #expect(breaks.contains("L3_NO_L1 com.acme.kids"), "\(breaks)")
  }

  @Test func returnCandidatesAreEarlierPurchases() async throws {
    let scenario = try await Scenario()
    let days = ["2026-05-10", "2026-05-18", "2026-05-19"]
    try await scenario.evidence(days.map { ApplePurchase($0, at: "\($0)T04:00:00Z").jws }, asOf: Self.asOf)
    let lines = days.map { Line($0, settled: "2026-05-20") } + [Line("2026-05-18", settled: "2026-05-20", units: -1)]
    try await scenario.tieOut(may: lines)
    let cell = try await scenario.rows(.cells, asOf: Self.asOf).first { $0["sign"] == "-1" }
    let named = (cell?["candidates"] ?? "").split(separator: "; ").compactMap { $0.split(separator: "bought ").last?.prefix(10) }
    #expect(named == ["2026-05-18", "2026-05-10"], "\(cell ?? [:])")
  }

  @Test func chargesOfProvedCellsGetApplesOwnFigure() async throws {
    let scenario = try await Scenario()
    let old = ApplePurchase.month("y0", original: "y0", lineItem: "1", at: "2025-05-01T04:00:00Z", until: "2025-06-01T04:00:00Z")
    let year = ApplePurchase.month(
      "y1", original: "y0", lineItem: "2", at: "2026-05-10T04:00:00Z", until: "2026-06-10T04:00:00Z", isRenewal: true)
    let new = ApplePurchase.month("z0", original: "z0", lineItem: "3", at: "2026-05-10T05:00:00Z", until: "2026-06-10T05:00:00Z")
    let coins = ApplePurchase("c", at: "2026-05-10T05:00:00Z")
    try await scenario.evidence([old, year, new, coins].map(\.jws), asOf: Self.asOf)
    let month = { (share: String) in
      Self.tenth.with { ($0.sku, $0.type, $0.price, $0.share) = ("vip.month", "IAY", "25.00", share) }
    }
    try await scenario.tieOut(may: [month("17.50"), month("21.25"), Self.tenth])
    let rows = try await scenario.rows(.proceeds, asOf: Self.asOf)
    #expect(rows.cells("unit_proceeds basis").sorted() == ["17.5 actual", "21.25 actual", "4.2 actual"])
    let renewed = try await scenario.chargeID(of: "y1", asOf: Self.asOf)
    #expect(rows.first { $0["charge_id"] == renewed }?["unit_proceeds"] == "21.25")
  }
}
