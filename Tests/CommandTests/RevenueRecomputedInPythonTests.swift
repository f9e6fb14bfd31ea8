import FoundationEssentials

/// Revenue on three bases and the journal, in a world of two apps and four currencies, recomputed by a program in Python.
@Suite(.cleansUp) struct RevenueRecomputedInPythonTests {
  private static let april = "2026-04-11T00:00:00Z"
  private static let earlyMay = "2026-05-06T00:00:00Z"
  private static let may = "2026-05-29T00:00:00Z"
  private static let tieOut = "2026-06-04T12:00:00Z"
  private static let june = "2026-06-10T00:00:00Z"
  private static let july = "2026-07-02T00:00:00Z"
  private static let clock = "2026-07-05T00:00:00Z"

  /// A fact of the program in Python, with the instants at which it happened and became known.
  struct Fact: Encodable {
    var at: String?
    var known: String
    var amount: String?
    var until: String?
    var start: String?
    var end: String?
  }

  /// A charge of the program in Python.
  struct Charge: Encodable {
    var app, product, storefront, currency, price, purchased: String
    var start: String
    var end: String?
    var known: String
    var refunds: [Fact] = []
    var extensions: [Fact] = []
    var terms: [Fact] = []
    var upgrade: Fact?
    var proved: [Fact] = []
  }

  /// A purchase, the clock of its evidence, and the facts that the program in Python gets.
  private struct Sale {
    var purchase: ApplePurchase
    var known: String
    var later: [(known: String, purchase: ApplePurchase)] = []
    var facts: Charge

    init(_ purchase: ApplePurchase, known: String, _ change: (inout Sale) -> Void = { _ in }) {
      self.purchase = purchase
      self.known = known
      facts = Charge(
        app: purchase.bundleID, product: purchase.productID, storefront: purchase.storefront, currency: purchase.currency,
        price: Money.text(milliunits: purchase.priceMilliunits, currency: purchase.currency), purchased: purchase.purchasedAt.rfc3339,
        start: purchase.purchasedAt.rfc3339, end: purchase.expiresAt?.rfc3339, known: known)
      change(&self)
    }

    /// Adds a refund of an amount, or a reversal if it is nil.
    mutating func refund(_ amount: String?, percentage: Int? = nil, at: String, known: String) {
      later.append(
        (
          known,
          purchase.with {
            $0.signedAt = instant(at)
            if amount != nil { ($0.revokedAt, $0.revocationPercentage) = (instant(at), percentage) }
          }
        ))
      facts.refunds.append(Fact(at: at, known: known, amount: amount ?? "0"))
    }

    mutating func prove(_ amount: String) { facts.proved.append(Fact(known: tieOut, amount: amount)) }
  }

  private static func month(
    _ id: String, of original: String? = nil, at: String, until: String, price: Int64, _ storefront: String, _ currency: String,
    app: String = "com.acme.reader", product: String = "vip.month"
  ) -> ApplePurchase {
    .month(id, original: original ?? id, lineItem: "97\(id)", at: at, until: until, isRenewal: original != nil, price: price).with {
      ($0.storefront, $0.currency, $0.bundleID, $0.productID) = (storefront, currency, app, product)
    }
  }

  private static func kids(_ id: String, of original: String? = nil, at: String, until: String, price: Int64 = 9_990) -> ApplePurchase {
    month(id, of: original, at: at, until: until, price: price, "USA", "USD", app: "com.acme.kids")
  }

  private static func pass(_ id: String, at: String) -> ApplePurchase {
    ApplePurchase(id, at: at, product: "pass.month", type: "Non-Renewing Subscription", price: 92_000)
  }

  private static let sales: [Sale] = [
    Sale(month("1", at: "2026-04-05T04:00:00Z", until: "2026-05-05T04:00:00Z", price: 30_000, "CHN", "CNY"), known: april),
    Sale(month("2", of: "1", at: "2026-05-05T04:00:00Z", until: "2026-06-05T04:00:00Z", price: 30_000, "CHN", "CNY"), known: earlyMay) {
      let (signed, until) = ("2026-05-30T04:00:00Z", "2026-06-20T04:00:00Z")
      $0.later = [(june, $0.purchase.with { ($0.signedAt, $0.expiresAt) = (instant(signed), instant(until)) })]
      $0.facts.extensions = [Fact(at: signed, known: june, until: until)]
    },
    // A sale of April known in May, of which a quarter is refunded.
    Sale(month("3", at: "2026-04-20T10:00:00Z", until: "2026-05-20T10:00:00Z", price: 12_000, "DEU", "EUR"), known: earlyMay) {
      $0.refund("3.00", percentage: 25_000, at: "2026-05-15T10:00:00Z", known: may)
    },
    Sale(
      month("4", at: "2026-05-01T03:00:00Z", until: "2027-05-01T03:00:00Z", price: 9_800_000, "JPN", "JPY", product: "vip.year"),
      known: earlyMay),
    Sale(ApplePurchase("5", at: "2026-05-10T04:00:00Z"), known: may) { $0.prove("4.20") },
    Sale(ApplePurchase("6", at: "2026-05-12T04:00:00Z"), known: may) { $0.prove("4.20") },
    Sale(month("7", at: "2026-05-15T04:00:00Z", until: "2026-06-15T04:00:00Z", price: 25_000, "CHN", "CNY"), known: may) {
      $0.prove("17.50")
      $0.refund("25.00", at: "2026-06-01T04:00:00Z", known: june)
    },
    // A refund known a month later, which Apple reverses.
    Sale(kids("8", at: "2026-04-06T18:00:00Z", until: "2026-05-06T18:00:00Z"), known: april) {
      $0.refund("9.99", at: "2026-05-02T18:00:00Z", known: june)
      $0.refund(nil, at: "2026-06-20T18:00:00Z", known: july)
    },
    Sale(kids("10", at: "2026-05-08T10:00:00Z", until: "2026-06-08T10:00:00Z").with { $0.isUpgraded = true }, known: may) {
      $0.facts.upgrade = Fact(at: "2026-05-20T10:00:00Z", known: may)
    },
    Sale(kids("11", of: "10", at: "2026-05-20T10:00:00Z", until: "2027-05-20T10:00:00Z", price: 99_990), known: may),
    Sale(ApplePurchase("12", at: "2026-05-18T20:00:00Z", price: 990).with { ($0.storefront, $0.currency) = ("USA", "USD") }, known: july),
    // Two passes of one user: the second one begins when the first one ends.
    Sale(pass("13", at: "2026-05-03T02:00:00Z"), known: may) {
      $0.facts.terms = [Fact(known: may, start: "2026-05-03T02:00:00Z", end: "2026-06-02T02:00:00Z")]
    },
    Sale(pass("14", at: "2026-05-11T02:00:00Z"), known: may) {
      $0.facts.terms = [Fact(known: may, start: "2026-06-02T02:00:00Z", end: "2026-07-02T02:00:00Z")]
    },
  ]

  private static let settings = """
    apps:
      - {bundle_id: com.acme.reader, apple_id: 1500000001, time_zone: Asia/Shanghai}
      - {bundle_id: com.acme.kids, apple_id: 1500000002, time_zone: America/New_York}
    inputs: {orders: {max_age: 3650d}, apple: {max_age: 3650d}}
    finance:
      tax:
        - {storefront: DEU, valid_from: 2020-01-01, percent: 19}
        - {storefront: CHN, valid_from: 2020-01-01, percent: 6}
      # The commission changes in mid-month.
      commission: [{valid_from: 2026-05-09, percent: 20}]
    journal:
      apps: [{bundle_id: com.acme.kids, policy: agent}]
      accounts: {revenue: "4711"}
      base_currency: USD
      rates:
        - {currency: CNY, valid_from: 2026-01-01, rate: 0.14}
        - {currency: CNY, valid_from: 2026-06-01, rate: 0.1395}
        - {currency: EUR, valid_from: 2026-01-01, rate: 1.1}
        - {currency: JPY, valid_from: 2026-01-01, rate: 0.0067}

    """

  /// Apple's lines of fiscal 2026-P08: it kept 30 % of the prices and no tax.
  private static let detail = FinanceFiles.may([
    .init("2026-05-10", settled: "2026-05-20"), .init("2026-05-12", settled: "2026-05-20"),
    .init("2026-05-15", settled: "2026-05-20") { ($0.sku, $0.type, $0.share, $0.price) = ("vip.month", "IAY", "17.50", "25.00") },
  ])

  private static func world() async throws -> Setup {
    let setup = try await Setup()
    try setup.write("payrecon.yaml", settings)
    let passes = [("13", "2026-05-03T02:00:00Z", "2026-06-02T02:00:00Z"), ("14", "2026-05-11T02:00:00Z", "2026-07-02T02:00:00Z")]
    let orders = passes.map { pass in
      TestOrder("PO-\(pass.0)", at: pass.1) {
        ($0.productID, $0.transactionID, $0.priceMilliunits, $0.entitlementExpiresAt) = ("pass.month", pass.0, 92_000, pass.2)
      }
    }
    try setup.write("orders.csv", Setup.table(Scenario.orderHeader, orders.map(\.line)))
    try setup.write("detail.txt", detail)
    let items = sales.flatMap { sale in [(known: sale.known, purchase: sale.purchase)] + sale.later }
    for known in Set(items.map(\.known)).sorted() {
      let lines = items.filter { $0.known == known }.map { $0.purchase.jws }
      try setup.write("apple.ndjson", lines.joined(separator: "\n") + "\n")
      if known == may { try await run(setup, ["ingest", "orders", "orders.csv"], asOf: known) }
      try await run(setup, ["ingest", "apple", "apple.ndjson"], asOf: known)
      try await run(setup, ["match"], asOf: known)
      guard known == may else { continue }
      try await run(setup, ["ingest", "finance", "detail.txt"], asOf: "2026-06-04T00:00:00Z")
      try await run(setup, ["tieout", "--period", "2026-P08"], asOf: tieOut)
    }
    return setup
  }

  private static func run(_ setup: Setup, _ words: [String], asOf: String) async throws {
    try await setup.program.run([Program.path] + words + ["--as-of", asOf], exits: 0, 1)
  }

  private struct Rate: Encodable {
    var storefront: String?
    var from: String
    var percent: String
  }

  private struct App: Encodable {
    var zone, begun, policy: String
  }

  private struct Facts: Encodable {
    var charges: [Charge]
    var apps: [String: App]
    var storefronts = ["CHN": "Asia/Shanghai", "DEU": "Europe/Berlin", "JPN": "Asia/Tokyo", "USA": "America/Los_Angeles"]
    var fiscal_periods = [
      ["2026-P07", "2026-03-29"], ["2026-P08", "2026-05-03"], ["2026-P09", "2026-05-31"], ["2026-P10", "2026-06-28"],
      ["2026-P11", "2026-08-02"],
    ]
    var tax = [Rate(storefront: "DEU", from: "2020-01-01", percent: "19"), Rate(storefront: "CHN", from: "2020-01-01", percent: "6")]
    var commission = [
      Rate(from: "2008-07-10", percent: "30"), Rate(storefront: "CHN", from: "2026-03-15", percent: "25"),
      Rate(from: "2026-05-09", percent: "20"),
    ]
    var clock: String
    var period: String
    var base_currency = "USD"
  }

  @Test func pythonComputesTheSameFigures() async throws {
    let setup = try await Self.world()
    try await Self.run(setup, ["report", "deferred", "--out", "deferred"], asOf: Self.clock)
    let checks = CSVRows.decode(try Setup.bytes("\(setup.directory)/deferred/deferred_identities.csv"))
    #expect(checks.count > 30 && checks.allSatisfy { $0["holds"] == "yes" })
    // The estimates were 4.25, 4.25 and 17.69 at 25 % of the price without tax.
    let rows = CSVRows.decode(try Setup.bytes("\(setup.directory)/deferred/revenue.csv"))
    let ups = rows.filter { $0["cause"] == "true_up" && $0["metric"] == "booked" }.cells(
      "period restates_period currency gross_milliunits proceeds_milliunits estimated_milliunits")
    #expect(ups == ["2026-06 2026-05 CNY 0 -290 -26190", "2026-P09 2026-P08 CNY 0 -290 -26190"])
    let header = try Setup.text("\(setup.directory)/deferred/deferred.json")
    #expect(header.contains("\"revenue_policy\":\"principal, com.acme.kids agent\""))
    for period in ["2026-P09", "2026-P10"] { try await Self.expectPython(setup, period) }
    try await Self.expectRows(setup)
    try await setup.program(
      "report", "journal", "--period", "2026-P99", "--out", "none", "--as-of", Self.clock, exits: 64,
      complains: "could not find the period \"2026-P99\"")
  }

  private static func expectPython(_ setup: Setup, _ period: String) async throws {
    try await run(setup, ["report", "journal", "--period", period, "--out", period, "--format", "csv", "--format", "html"], asOf: clock)
    let facts = Facts(
      charges: sales.map(\.facts),
      apps: [
        "com.acme.reader": App(zone: "Asia/Shanghai", begun: april, policy: "principal"),
        "com.acme.kids": App(zone: "America/New_York", begun: april, policy: "agent"),
      ], clock: clock, period: period)
    try JSONEncoder().encode(facts).write(to: URL(filePath: "\(setup.directory)/\(period)/facts.json"))
    let script = "\(TestServer.repository)/Tests/money_check/revenue.py"
    let tables = ["\(period)/facts.json", "deferred/revenue.csv", "\(period)/journal.csv", "\(period)/trial_balance.csv"]
    try await setup.program.run(["python3", script] + tables, exits: 0)
    let lines = CSVRows.decode(try Setup.bytes("\(setup.directory)/\(period)/journal.csv"))
    #expect(Set(lines.cells("line_id")).count == lines.count)
    let reversals = lines.filter { $0["entry"] == "reversal" }
    #expect(reversals.allSatisfy { $0["reverses_line_id"]?.count == 16 } && (period != "2026-P09" || reversals.count > 8), "\(period)")
    for layout in ["sap", "netsuite"] {
      let booked = CSVRows.decode(try Setup.bytes("\(setup.directory)/\(period)/journal_\(layout).csv"))
      #expect(booked.count == lines.count && booked.contains { ($0["HKONT"] ?? $0["Account"]) == "4711" }, "\(layout)")
    }
  }

  /// Verifies that figures of each table lead to charges, and a charge to its evidence.
  private static func expectRows(_ setup: Setup) async throws {
    for table in ["roll_forward", "waterfall", "revenue", "journal", "trial_balance"] {
      let listed = try await setup.printed("rows", table, "--as-of", clock, exits: 0)
      let figure = try #require(listed.first, "\(table)")
      let rows = try await setup.printed("rows", table, figure["figure"] ?? "", "--as-of", clock, exits: 0)
      #expect(rows.reduce(0) { $0 + (Int($1["value"] ?? "") ?? 0) } == Int(figure["value"] ?? ""), "\(table)")
      #expect(rows.allSatisfy { $0["evidence_sha256"]?.count == 64 }, "\(table)")
    }
  }
}
