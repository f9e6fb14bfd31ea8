/// The deferred-revenue report on a world with every kind of term and cut.
@Suite(.cleansUp) struct DeferredReportTests {
  /// The last complete day is 2026-05-11, in Shanghai and in New York.
  private static let asOf = "2026-05-12T12:00:00Z"
  private let scenario: Scenario
  init() async throws { scenario = try await Scenario() }

  private static func month(_ id: String, of original: String? = nil, at: String, until: String, price: Int64) -> ApplePurchase {
    .month(id, original: original ?? id, at: at, until: until, isRenewal: original != nil, price: price)
  }

  private static func coins(_ id: String, at: String = "2026-05-09T10:00:00Z") -> ApplePurchase { ApplePurchase(id, at: at) }

  private static func refunded(_ id: String) -> ApplePurchase {
    coins(id).refunded(at: "2026-05-10T10:00:00Z")
  }

  private static let purchases: [ApplePurchase] = [
    month("m1", at: "2026-04-20T10:00:00Z", until: "2026-05-20T10:00:00Z", price: 30_000),
    month("m2", of: "m1", at: "2026-05-11T08:00:00Z", until: "2026-06-20T10:00:00Z", price: 31_000),
    month("u1", at: "2026-05-01T02:00:00Z", until: "2026-05-31T02:00:00Z", price: 30_000).with { $0.isUpgraded = true },
    month("u2", of: "u1", at: "2026-05-06T02:00:00Z", until: "2027-05-06T02:00:00Z", price: 365_000).with { $0.productID = "vip.year" },
    month("y1", at: "2026-01-01T00:00:00Z", until: "2027-01-01T00:00:00Z", price: 365_000)
      .refunded(at: "2026-03-15T00:00:00Z", percent: 37_500),
    // The term spans the night of the change to summer time: 31 days in New York.
    month("k1", at: "2026-03-01T04:30:00Z", until: "2026-04-01T03:30:00Z", price: 31_000).with { $0.bundleID = "com.acme.kids" },
    month("j1", at: "2026-05-01T02:00:00Z", until: "2026-05-31T02:00:00Z", price: 500_000).with { $0.currency = "JPY" },
    month("f1", at: "2026-05-01T02:00:00Z", until: "2026-05-08T02:00:00Z", price: 0),
    ApplePurchase("n1", at: "2026-05-01T02:00:00Z", product: "pass.quarter", type: "Non-Renewing Subscription", price: 92_000),
    coins("c1"), coins("c2", at: "2026-05-11T20:00:00Z"),
    refunded("c3").with { ($0.currency, $0.priceMilliunits) = ("KWD", 1_001) },
    refunded("c4"), coins("c4").signed(at: "2026-05-10T20:00:00Z"), coins("c5").with { $0.ownership = "FAMILY_SHARED" },
    euros("x1"), euros("x2"),
    euros("x2").with { ($0.expiresAt, $0.signedAt) = (instant("2026-06-04T10:00:00Z"), instant("2026-05-05T02:00:00Z")) },
    euros("x3"), euros("x4"), euros("x5", at: "2026-04-10T10:00:00Z", until: "2026-05-10T10:00:00Z"),
    month("x6", of: "x5", at: "2026-05-10T10:00:00Z", until: "2026-06-10T10:00:00Z", price: 31_000).with { $0.currency = "EUR" },
  ]

  private static func euros(
    _ id: String, at: String = "2026-04-20T10:00:00Z", until: String = "2026-05-20T10:00:00Z"
  ) -> ApplePurchase { month(id, at: at, until: until, price: 30_000).with { $0.currency = "EUR" } }

  /// Apple's renewal dates: x1 was extended, x3 is in grace, x4 was extended after the clock, and x5 is unchanged.
  private static let renewals: [String] = [
    Scenario.renewalInfo("x1", signedAt: "2026-04-20T10:00:05Z", renewalDate: "2026-05-20T10:00:00Z"),
    Scenario.renewalInfo("x1", signedAt: "2026-05-05T02:00:00Z", renewalDate: "2026-06-04T10:00:00Z"),
    Scenario.renewalInfo("x1", signedAt: "2026-05-09T02:00:00Z", renewalDate: "2026-06-04T10:00:00Z"),
    Scenario.renewalInfo(
      "x3", signedAt: "2026-05-05T02:00:00Z", renewalDate: "2026-06-04T10:00:00Z", isRetried: true, graceUntil: "2026-06-04T10:00:00Z"),
    Scenario.renewalInfo("x4", signedAt: "2026-05-12T14:00:00Z", renewalDate: "2026-06-04T10:00:00Z"),
    Scenario.renewalInfo("x5", signedAt: "2026-05-09T10:00:00Z", renewalDate: "2026-06-10T10:00:00Z"),
    Scenario.renewalInfo("x5", signedAt: "2026-05-10T10:00:00Z", renewalDate: "2026-06-10T10:00:00Z"),
  ]

  /// Expected cells by transaction: method, booked, first and last day, total, recognised, reversed, cut by refund and upgrade,
  /// remaining, status, reason. Euro charges have no cuts, and instead show days sold and the day of the extension.
  private static let reported: [String: String] = [
    "m1": "day 2026-04-20 2026-04-20 2026-05-19 30000 22000 0 0 0 8000 running ",
    "m2": "day 2026-05-11 2026-05-20 2026-06-19 31000 0 0 0 0 31000 running ",
    "u1": "day 2026-05-01 2026-05-01 2026-05-30 30000 5000 0 0 25000 0 ended upgrade",
    "u2": "day 2026-05-06 2026-05-06 2027-05-05 365000 6000 0 0 0 359000 running ",
    "y1": "day 2026-01-01 2026-01-01 2026-12-31 365000 109250 27380 109500 0 146250 running refund",
    "k1": "day 2026-02-28 2026-02-28 2026-03-30 31000 31000 0 0 0 0 ended ",
    "j1": "day 2026-05-01 2026-05-01 2026-05-30 500000 183000 0 0 0 317000 running ",
    "f1": "day 2026-05-01 2026-05-01 2026-05-07 0 0 0 0 0 0 none ",
    "n1": "day 2026-05-01 2026-05-01 2026-07-31 92000 11000 0 0 0 81000 running ",
    "c1": "point_in_time 2026-05-09 2026-05-10 2026-05-10 6000 6000 0 0 0 0 ended ",
    "c2": "point_in_time 2026-05-12 2026-05-12 2026-05-12 6000 0 0 0 0 0 later ",
    "c3": "point_in_time 2026-05-09 2026-05-09 2026-05-09 1001 1001 1001 0 0 0 ended refund",
    "c4": "point_in_time 2026-05-09 2026-05-09 2026-05-09 6000 6000 6000 0 0 0 ended reversed",
    "c5": "point_in_time 2026-05-09 2026-05-09 2026-05-09 0 0 0 0 0 0 none ",
    // 15 days at 1.00, and 7 of the 30 days that share the rest.
    "x1": "day 2026-04-20 2026-04-20 2026-06-03 30000 18500 0 0 0 11500 running 30 2026-05-05",
    "x2": "day 2026-04-20 2026-04-20 2026-06-03 30000 18500 0 0 0 11500 running 30 2026-05-05",
    "x3": "day 2026-04-20 2026-04-20 2026-05-19 30000 22000 0 0 0 8000 running 30 ",
    "x4": "day 2026-04-20 2026-04-20 2026-05-19 30000 22000 0 0 0 8000 running 30 ",
    "x5": "day 2026-04-10 2026-04-10 2026-05-09 30000 30000 0 0 0 0 ended 30 ",
    "x6": "day 2026-05-10 2026-05-10 2026-06-09 31000 2000 0 0 0 29000 running 31 ",
  ]

  private func world() async throws -> Scenario {
    var scenario = scenario
    scenario.settings.apps[1].timeZone = "America/New_York"
    try await scenario.ingest(
      .catalogue,
      """
      bundle_id,product_id,type,subscription_group,period,family_shareable,storefront,currency,price_milliunits,valid_from
      com.acme.reader,pass.quarter,non_renewing,,P3M,false,,CNY,92000,

      """, name: "catalogue", asOf: Self.asOf)
    try await scenario.orders(
      [
        TestOrder("PO-1", at: "2026-05-10T09:00:00Z", names: "c1"),
        TestOrder("PO-2", user: "U2", at: "2026-05-10T09:00:00Z", status: "created"),
      ], asOf: Self.asOf)
    try await scenario.decide(evidence: Self.purchases.map(\.jws) + Self.renewals.map { Scenario.sign($0) }, asOf: Self.asOf)
    return scenario
  }

  @Test func everyChargeIsEarnedToTheUnit() async throws {
    let scenario = try await world()
    let files = try await scenario.report(.deferred, asOf: Self.asOf)
    let found = try files.rows("schedules.csv").map { row in
      let columns =
        [
          "method", "booked_on", "term_start", "term_last", "total_milliunits", "recognised_milliunits", "refund_reversed_milliunits",
          "refund_cut_milliunits", "upgrade_cut_milliunits", "remaining_milliunits", "status",
        ] + (row["currency"] == "EUR" ? ["sold_days", "extended_on"] : ["cut_reason"])
      return (row["transaction_id"] ?? "", columns.map { row[$0] ?? "?" }.joined(separator: " "))
    }
    #expect(Dictionary(found) { $0 + $1 } == Self.reported)

    // The deferred sums by schedule and by period are equal. Bookings and refunds equal those of the charges.
    let checks = try files.rows("deferred_identities.csv")
    let names = ["deferred", "booked", "given back", "charged again", "gross", "net_of_tax", "proceeds", "estimated"]
    #expect(Set(checks.cells("identity")) == Set(names))
    #expect(checks.filter { $0["holds"] != "yes" } == [])
    let months = try files.rows("roll_forward.csv").filter { $0["scope"] == "calendar" && $0["currency"] == "CNY" }
    #expect(months.map { $0["period"] } == ["2026-01", "2026-02", "2026-03", "2026-04", "2026-05"])
    let columns = ["opening", "booked", "recognised", "refund_cut", "upgrade_cut", "closing", "remaining", "difference"]
    let march = try #require(months.first { $0["period"] == "2026-03" })
    #expect(columns.map { march["\($0)_milliunits"] ?? "?" } == ["336000", "0", "54620", "109500", "0", "171880", "171880", "0"])
    #expect(months.last?["closing_milliunits"] == "625250")
    let fiscal = try files.rows("roll_forward.csv").filter { $0["scope"] == "fiscal" && $0["currency"] == "JPY" }
    #expect(fiscal.cells("period closing_milliunits") == ["2026-P07 467000", "2026-P08 317000"])
    let fall = try files.text("waterfall.csv")
    #expect(fall.contains("\ncalendar,2026-01,2026-03,CNY,24620,27380,0,0\n"))
    #expect(fall.contains("\ncalendar,2026-05,2026-05,JPY,183000,0,0,317000\n"))

    try await FigureWalk.expect(
      scenario, .deferred, least: [.rollForward: 100, .waterfall: 30, .revenue: 100], asOf: Self.asOf)
    try await FigureWalk.expect(scenario, .journal, least: [.journal: 12, .trialBalance: 12], asOf: Self.asOf)

    try await scenario.execute(
      """
      alter table payrecon.matches drop constraint matches_pkey;
      insert into payrecon.matches select * from payrecon.matches where order_id = 'PO-1'
      """)
    let wrong = try await scenario.report(.deferred, asOf: Self.asOf)
    let failed = try wrong.failures("deferred_identities.csv")
    #expect(failed.cells("identity scope difference") == ["booked calendar 6000", "booked fiscal 6000"])
  }

  @Test func headlineCountsOmittedCurrencies() async throws {
    let codes = ["AUD", "BRL", "CAD", "CNY", "EUR", "GBP", "JPY", "KWD", "USD"]
    let sold = codes.map { code in
      Self.month("m\(code)", at: "2026-05-01T02:00:00Z", until: "2026-05-31T02:00:00Z", price: 30_000).with { $0.currency = code }
    }
    try await scenario.evidence(sold.map(\.jws), asOf: Self.asOf)
    let page = try await scenario.report(.deferred, asOf: Self.asOf).text("deferred.html")
    #expect(page.contains("19.00\u{A0}GBP") && page.contains("and 3 more currencies"))
    // The banner is about this report, and a month without figures has no row.
    #expect(page.contains("<section class=\"verdict clean\">") && page.contains("Opening balances, movements and closing balances agree."))
    #expect(page.contains("The reconciliation as a whole: ") && page.contains("Prepared by, date"))
    #expect(page.split(separator: "<figure>").count >= 4 && page.contains("<svg class=\"plot\""))
  }

  @Test func emptyReportsAreNotSigned() async throws {
    try await scenario.evidence([Self.coins("free").with { $0.priceMilliunits = 0 }.jws], asOf: Self.asOf)
    for (kind, reason) in [(ReportKind.deferred, "No charge with money is known."), (.refunds, "No refund is known.")] {
      let page = try await scenario.report(kind, asOf: Self.asOf).text("\(kind).html")
      #expect(page.contains("<section class=\"verdict empty\">") && page.contains(reason), "\(kind)")
      #expect(page.contains("There are no figures to sign.") && !page.contains("Prepared by, date"), "\(kind)")
    }
  }

  /// In every report, months follow the app's days and fiscal periods follow the storefront's days. In Shanghai a fiscal period and
  /// a month have begun, in the storefront neither has.
  @Test func aChargeIsBookedByTheDaysOfItsScope() async throws {
    let sold = [
      Self.coins("p1", at: "2026-05-02T20:00:00Z"), Self.coins("p2", at: "2026-04-30T20:00:00Z"),
      Self.coins("p2", at: "2026-04-30T20:00:00Z").refunded(at: "2026-05-02T21:00:00Z"),
    ]
    try await scenario.evidence(sold.map { $0.with { $0.storefront = "USA" }.jws }, asOf: Self.asOf)
    let files = try await scenario.report(.deferred, asOf: Self.asOf)
    let booked = try files.rows("roll_forward.csv").filter { $0["booked_milliunits"] != "0" }
    #expect(booked.cells("period booked_milliunits").sorted() == ["2026-05 12000", "2026-P07 12000"])
    // The refund belongs to one fiscal day.
    let given = booked.filter { $0["refund_reversed_milliunits"] != "0" }.cells("period")
    let refunds = try await scenario.report(.refunds, asOf: Self.asOf)
    for name in ["refund_months.csv", "refund_movement.csv"] {
      let rows = try refunds.rows(name).filter { ($0["by_refund_count"] ?? $0["given_count"]) != "0" }
      #expect(rows.cells("period") == given && given == ["2026-05", "2026-P07"], "\(name)")
    }
    for name in ["roll_forward", "waterfall", "deferred_identities"] {
      let schema = try files.text("\(name).schema.json")
      #expect(schema.contains(" by the storefront's fiscal days"), "\(name)")
    }
  }

  /// A refund of April that became known in May is booked in May, with the month that it restates. Its reversal is booked on its
  /// own day. April is unchanged.
  @Test func lateFactsRestateInTheOpenPeriod() async throws {
    let sold = Self.month("m1", at: "2026-04-16T02:00:00Z", until: "2026-05-16T02:00:00Z", price: 30_000)
    try await scenario.evidence([sold.jws], asOf: "2026-04-17T00:00:00Z")
    let first = try await scenario.report(.deferred, asOf: "2026-05-02T00:00:00Z")
    let refund = sold.refunded(at: "2026-04-26T02:00:00Z")
    try await scenario.evidence([refund.jws], asOf: "2026-05-04T00:00:00Z")
    let again = try await scenario.report(.deferred, asOf: "2026-05-02T00:00:00Z")
    for (now, then) in zip(again, first) { #expect(now.name == then.name && now.text == then.text, "\(now.name)") }
    try await scenario.evidence([sold.signed(at: "2026-05-06T02:00:00Z").jws], asOf: "2026-05-06T12:00:00Z")
    let last = try await scenario.report(.deferred, asOf: "2026-06-02T00:00:00Z")
    let figures = [
      "opening", "booked", "recognised", "refund_cut", "refund_reversed", "deferred_again", "earned_again", "restated", "closing",
    ]
    func rows(_ files: ReportFiles) throws -> [String] {
      try files.rows("roll_forward.csv").filter { $0["scope"] == "calendar" }.map { row in
        "\(row["period"] ?? "") \(row["restates_period"] ?? ""): "
          + figures.map { row["\($0)_milliunits"].flatMap { Int($0) }.map { "\($0 / 1000)" } ?? "-" }.joined(separator: " ")
      }
    }
    #expect(try rows(first).first == "2026-04 : 0 30 15 0 0 0 0 0 15")
    #expect(
      try rows(last) == [
        "2026-04 : 0 30 15 0 0 0 0 0 15", "2026-05 2026-04: - 0 -5 20 10 0 0 - -", "2026-05 : 15 0 10 0 0 10 20 -15 0",
        "2026-06 : 0 0 0 0 0 0 0 0 0",
      ])
    let checks = try last.rows("deferred_identities.csv")
    #expect(checks.filter { $0["holds"] != "yes" } == [] && checks.contains { $0["identity"] == "charged again" })
    let refunds = try await scenario.report(.refunds, asOf: "2026-06-02T00:00:00Z")
    let moved = try refunds.rows("refund_movement.csv").filter { $0["scope"] == "calendar" }
    #expect(
      moved.cells("period given_milliunits reversed_milliunits") == ["2026-04 30000 0", "2026-05 0 30000"])
  }

  /// An extension unknown at a clock has no effect. Once known, it counts from the day of Apple's signature.
  @Test func anExtensionCountsOnceItIsKnown() async throws {
    try await scenario.evidence([Self.euros("x1").jws], asOf: Self.asOf)
    let before = try await scenario.report(.deferred, asOf: Self.asOf)
    try await scenario.evidence([Scenario.sign(Self.renewals[1])], asOf: "2026-05-14T12:00:00Z")
    let again = try await scenario.report(.deferred, asOf: Self.asOf)
    for (now, then) in zip(again, before) { #expect(now.name == then.name && now.text == then.text, "\(now.name)") }
    let after = try await scenario.report(.deferred, asOf: "2026-05-14T12:00:00Z")
    let reported = try [before, after].map { files in
      try files.rows("schedules.csv").cells("term_last term_days sold_days extended_on recognised_milliunits")
    }
    #expect(reported == [["2026-05-19 30 30  22000"], ["2026-06-03 45 30 2026-05-05 19500"]])
    #expect(try after.failures("deferred_identities.csv") == [])
    let fall = try after.text("waterfall.csv")
    #expect(fall.contains("\ncalendar,2026-04,2026-06,EUR,0,0,0,1500\n"), "\(fall)")
  }

  /// The days of two apps may fall into different months. The remaining amount of both is reported at the end of each app's month.
  @Test(arguments: ["2026-05-31T17:00:00Z", "2026-06-01T17:00:00Z", "2026-06-02T17:00:00Z", "2026-04-01T03:00:00Z"])
  func monthEndsAtTwoInstants(asOf: String) async throws {
    var scenario = scenario
    scenario.settings.apps[1].timeZone = "America/New_York"
    let term = { (id: String, bundleID: String) in
      Self.month(id, at: "2026-03-20T10:00:00Z", until: "2026-07-20T10:00:00Z", price: 122_000).with { $0.bundleID = bundleID }
    }
    try await scenario.evidence([term("m1", "com.acme.reader").jws, term("k1", "com.acme.kids").jws], asOf: asOf)
    let files = try await scenario.report(.deferred, asOf: asOf)
    #expect(try files.failures("deferred_identities.csv") == [])
    let left = try files.rows("schedules.csv").reduce(0) { $0 + (Int($1["remaining_milliunits"] ?? "") ?? 0) }
    let last = try #require(files.rows("roll_forward.csv").last { $0["scope"] == "calendar" })
    #expect(last["closing_milliunits"] == "\(left)" && last["remaining_milliunits"] == "\(left)", "\(last)")
  }
}
