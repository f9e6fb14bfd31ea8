/// The refund report on one world with every kind of refund, before and after later facts.
@Suite(.cleansUp) struct RefundReportTests {
  private static let first = "2026-05-14T12:00:00Z"
  private static let second = "2026-06-02T12:00:00Z"

  private static func order(
    _ id: String, _ transaction: String, refunded: String? = nil, at: String = "2026-05-09T09:59:00Z"
  ) -> TestOrder {
    TestOrder(id, at: at, names: transaction, status: refunded == nil ? "delivered" : "refunded") { $0.refundedAt = refunded }
  }

  private static func coins(_ id: String) -> ApplePurchase { ApplePurchase(id, at: "2026-05-09T10:00:00Z") }
  private static let year = ApplePurchase.month(
    "20", at: "2026-04-20T10:00:00Z", until: "2027-04-20T10:00:00Z", price: 8_990)
  /// The last second of fiscal 2026-P07 (2026-05-02) in its storefront. The refund is a second later, on the same day for Apple.
  private static let lastSecond = ApplePurchase("30", at: "2026-05-02T15:59:59Z").with {
    ($0.currency, $0.priceMilliunits) = ("JPY", 500_000)
  }
  private static let dinar = coins("40").with { ($0.currency, $0.priceMilliunits) = ("KWD", 1_001) }
  private static let family = coins("50").with { $0.ownership = "FAMILY_SHARED" }
  private static let free = coins("51").with { $0.priceMilliunits = 0 }
  private static let shared = coins("52").with { $0.ownership = "FAMILY_SHARED" }

  private static let evidence: [ApplePurchase] = [
    coins("10").refunded(at: "2026-05-11T10:00:00Z"), year.refunded(at: "2026-05-11T11:00:00Z", percent: 37_500),
    lastSecond.refunded(at: "2026-05-02T16:00:00Z"), dinar.refunded(at: "2026-05-12T10:00:00Z", percent: 50_000),
    family.refunded(at: "2026-05-12T11:00:00Z"),
    // Purchases without payment: a free one, and a family-shared one that the family has again.
    free.refunded(at: "2026-05-12T11:10:00Z"), shared.refunded(at: "2026-05-12T11:20:00Z"), shared.signed(at: "2026-05-12T20:00:00Z"),
    // Refunded and charged again.
    coins("60").refunded(at: "2026-05-12T12:00:00Z"), coins("60").signed(at: "2026-05-12T20:00:00Z"), coins("70"), coins("80"),
  ]

  private static let orders = [
    order("PO-10", "10"),
    order("PO-20", "20", refunded: "2026-05-11T12:00:00Z", at: "2026-04-20T09:59:00Z").with {
      ($0.productID, $0.priceMilliunits) = ("vip.month", 8_990)
    },
    order("PO-60", "60", refunded: "2026-05-12T13:00:00Z"), order("PO-70", "70", refunded: "2026-05-10T13:00:00Z"), order("PO-80", "80"),
  ]

  /// Expected cells by transaction: outcome, booking, type, percent, refunded, charged again, periods of refund and purchase, open
  /// break.
  private static let reported: [String: String] = [
    "10": "refunded not_applied full  6000  2026-P08 2026-P08 REFUND_NOT_APPLIED",
    "20": "refunded applied prorated 37.5 3370  2026-P08 2026-P07 ",
    "30": "refunded no_order full  500000  2026-P08 2026-P07 REFUND_NO_ORDER",
    "40": "refunded no_order prorated 50 501  2026-P08 2026-P08 ",
    "50": "revoked no_order family  0  2026-P08 2026-P08 ",
    "51": "revoked no_order full  0  2026-P08 2026-P08 ",
    "52": "restored no_order family  0  2026-P08 2026-P08 ",
    "60": "reversed not_applied full  0 6000 2026-P08 2026-P08 REFUND_REVERSED_NOT_APPLIED",
    "70": "only_ours only_ours   0  2026-P08 2026-P08 REFUND_ONLY_OURS",
  ]

  @Test func everyRefundHasItsOutcomeAndThePastStays() async throws {
    let scenario = try await Scenario()
    try await scenario.decide(orders: Self.orders, evidence: Self.evidence.map(\.jws), asOf: Self.first)
    let before = try await scenario.report(.refunds, asOf: Self.first)
    let rows = try before.rows("refunds.csv")
    let columns =
      "outcome booking refund_type refund_percent refunded_milliunits reversed_milliunits refund_period purchase_period break_class"
    let found = zip(rows.cells("transaction_id"), rows.cells(columns))
    #expect(Dictionary(found) { $0 + $1 } == Self.reported)
    // Days follow the app's zone, Shanghai. Refunds of one user are counted up to each one.
    let yearly = try #require(rows.first { $0["transaction_id"] == "20" })
    #expect(yearly["purchase_day"] == "2026-04-20" && yearly["refund_day"] == "2026-05-11" && yearly["days_to_refund"] == "21")
    #expect(yearly["user_refunds_90d"] == "2" && yearly["revocation_reason"] == "0" && yearly["order_status"] == "refunded")
    try await Self.expectSums(before, holds: true)
    for (name, columns, row) in [
      (
        "refund_months",
        "scope period currency by_refund_milliunits other_purchases_milliunits by_purchase_milliunits not_applied_count by_refund_count",
        "calendar 2026-05 CNY 9370 3370 6000 1 2"
      ),
      (
        "refund_movement", "scope currency given_milliunits reversed_milliunits closing_milliunits given_count reversed_count",
        "fiscal CNY 15370 6000 9370 3 1"
      ),
      ("refund_rates", "product_id currency charge_count refund_rate_bp", "coins60 CNY 4 2500"),
    ] { #expect(try before.rows("\(name).csv").cells(columns).contains(row), "\(name)") }

    try await FigureWalk.expect(scenario, .refunds, least: [.refundMonths: 40], asOf: Self.first)

    try await dayTwo(scenario)
    let after = try await scenario.report(.refunds, asOf: Self.first)
    #expect(before.map(\.name) == after.map(\.name))
    for (then, now) in zip(before, after) { #expect(then.text == now.text, "\(then.name)") }
  }

  @Test func `the instants and the delay are those of the listed refund, also if the charge has two`() async throws {
    let scenario = try await Scenario()
    let part = Self.coins("90").refunded(at: "2026-05-11T10:00:00Z", percent: 40_000)
    let rest = Self.coins("90").refunded(at: "2026-05-13T10:00:00Z", percent: 100_000)
    let lines = [Scenario.upload(part.jws, at: "2026-05-11T10:01:00Z"), Scenario.upload(rest.jws, at: "2026-05-13T10:02:00Z")]
    try await scenario.evidence(lines, asOf: Self.first)
    let rows = try await scenario.report(.refunds, asOf: Self.first).rows("refunds.csv")
    #expect(rows.cells("given_at seen_at lag_s") == ["2026-05-13T10:00:00Z 2026-05-13T10:02:00Z 120"])
  }

  /// Ingests an order that arrives after its refund, a further refund, and a reversal.
  private func dayTwo(_ scenario: Scenario) async throws {
    try await scenario.decide(
      orders: [Self.order("PO-40", "40", refunded: "2026-05-20T13:00:00Z")],
      evidence: [Self.coins("80").refunded(at: "2026-06-01T10:00:00Z"), Self.coins("10").signed(at: "2026-05-20T20:00:00Z")]
        .map(\.jws), asOf: Self.second)
    let files = try await scenario.report(.refunds, asOf: Self.second)
    let rows = try files.rows("refunds.csv")
    let reported = Dictionary(rows.map { ($0["transaction_id"] ?? "", "\($0["outcome"] ?? "") \($0["booking"] ?? "")") }) { $1 }
    #expect([reported].cells("40 80 10") == ["refunded applied refunded not_applied reversed applied"])
    try await Self.expectSums(files, holds: true)
    // The state of the charge is compared with the result of Apple's statements.
    try await scenario.execute("update payrecon.charges set refunded_milliunits = 6010 where transaction_ids = '{80}'")
    let wrong = try await scenario.report(.refunds, asOf: Self.second)
    try await Self.expectSums(wrong, holds: false)
  }

  private static func expectSums(_ files: ReportFiles, holds: Bool) async throws {
    let checks = try files.rows("refund_identities.csv")
    #expect(Set(checks.cells("identity")) == ["bridge", "booked", "both dates", "standing", "counted"])
    let failed = checks.filter { $0["holds"] != "yes" }.cells("identity scope difference")
    #expect(failed == (holds ? [] : ["standing calendar 10", "standing fiscal 10"]))
    #expect(try files.text("refunds.html").contains("refunds.csv"))
    #expect(files.contains { $0.name == "refunds.json" } && files.contains { $0.name == "refund_rates.schema.json" })
  }

  /// Four purchases of each month of 6.00 CNY. One of each month up to April, and two of May, are refunded a month later.
  private static var sales: [ApplePurchase] {
    (1...6).flatMap { month -> [ApplePurchase] in
      let sold = (1...4).map { ApplePurchase("\(month)\($0)", at: "2026-0\(month)-10T10:00:00Z") }
      return sold + sold.prefix(month < 5 ? 1 : month == 5 ? 2 : 0).map { $0.refunded(at: "2026-0\(month + 1)-09T10:00:00Z") }
    } + [
      // After the last complete month.
      ApplePurchase("71", at: "2026-07-02T10:00:00Z"),
      // One month of another currency is too little.
      ApplePurchase("81", at: "2026-06-10T10:00:00Z").with { $0.currency = "EUR" },
      // Refunded and charged again.
      ApplePurchase("61", at: "2026-06-10T10:00:00Z").refunded(at: "2026-06-12T10:00:00Z"),
      ApplePurchase("61", at: "2026-06-10T10:00:00Z").signed(at: "2026-06-14T10:00:00Z"),
    ]
  }

  @Test func `the estimate of refunds still to come, and its back-test`() async throws {
    let asOf = "2026-07-10T12:00:00Z"
    let scenario = try await Scenario()
    try await scenario.decide(evidence: Self.sales.map(\.jws), asOf: asOf)
    let files = try await scenario.report(.refunds, asOf: asOf)
    func rows(_ table: String, _ columns: String) throws -> [String] { try files.rows("\(table).csv").cells(columns) }
    // Six of twenty purchases were refunded a month later.
    #expect(
      try rows(
        "refund_reserve_totals",
        "currency period history charged_milliunits refunded_milliunits to_come_milliunits not_estimated_milliunits"
      ) == ["CNY 2026-06 sufficient 144000 36000 7200 0", "EUR 2026-06 insufficient 0 0  6000"])
    #expect(
      try rows(
        "refund_reserve", "currency purchase_month age_months curve_months charged_milliunits refunded_milliunits to_come_milliunits"
      ) == (1...6).map { "CNY 2026-0\($0) \(6 - $0) 3 24000 \([6000, 6000, 6000, 6000, 12_000, 0][$0 - 1]) \($0 == 6 ? 7200 : 0)" }
        + ["EUR 2026-06 0  6000 0 "])
    // At the end of April and May the share was one of four.
    #expect(
      try rows(
        "refund_backtest", "currency period to_come_milliunits predicted_milliunits actual_milliunits error_milliunits error_bp"
      ) == ["CNY 2026-04 6000 6000 6000 0 0", "CNY 2026-05 6000 6000 12000 -6000 -5000"])
  }
}
