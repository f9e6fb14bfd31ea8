/// A first night in the middle of history: what is not reconciled, and why.
@Suite(.cleansUp) struct NotReconciledTests {
  private static let asOf = "2026-05-11T06:00:00Z"
  private static let start = "2026-05-03T16:00:00Z"
  private static let breakFollows = "; without the other side a break follows after the grace time"

  /// Two years of Apple's history, one purchase a month, and the orders of the last week.
  private static func world(start: String?) async throws -> Scenario {
    var scenario = try await Scenario()
    scenario.settings.apps[0].reconcileFrom = start.map { instant($0) }
    let months = (0..<24).map { "\(2024 + (4 + $0) / 12)-\((4 + $0) % 12 + 1 < 10 ? "0" : "")\((4 + $0) % 12 + 1)-02T10:00:00Z" }
    let days = (4...9).map { "2026-05-0\($0)T10:00:00Z" }
    let purchases = (months + days).enumerated().map { ApplePurchase("\(1000 + $0)", at: $1).jws }
    try await scenario.evidence(purchases, asOf: asOf)
    let orders = days.enumerated().map { index, at in
      TestOrder("PO-\(index)", user: "U\(index)", at: at, names: "\(1024 + index)")
    }
    let older = TestOrder("PO-old", user: "U9", at: "2026-05-01T10:00:00Z")
    let later = TestOrder("PO-new", user: "U9", at: "2026-05-11T05:00:00Z")
    try await scenario.orders(orders + (start == nil ? [later] : [older, later]), asOf: asOf)
    return scenario
  }

  private static func table(_ scenario: Scenario) async throws -> (rows: [String], page: String) {
    let report = try await scenario.report(.all, asOf: asOf)
    let rows = report.first { $0.name == "not_reconciled.csv" }?.text.split(separator: "\n").dropFirst().map(String.init) ?? []
    return (rows, try report.text("report.html"))
  }

  @Test func historyBeforeTheStartDateIsNamedAndNoBreak() async throws {
    let scenario = try await Self.world(start: Self.start)
    let night = try await scenario.night(asOf: Self.asOf)
    #expect(
      night.notReconciled == [
        "com.acme.reader: 24 charges (144.00 CNY) are not reconciled, because they are before 2026-05-04, the app's reconcile_from",
        "com.acme.reader: 1 order (6.00 CNY) cannot be matched, because it is after 2026-05-09, the day of Apple's newest evidence"
          + Self.breakFollows,
        "com.acme.reader: 1 order (6.00 CNY) is not reconciled, because it is before 2026-05-04, the app's reconcile_from",
      ])
    #expect(try await scenario.openBreaks(asOf: Self.asOf).filter { !$0.hasPrefix("STALE") } == [])
    #expect(try await scenario.matches(asOf: Self.asOf).count == 6)
    let (rows, page) = try await Self.table(scenario)
    #expect(
      rows == [
        "com.acme.reader,charges_before_start,CNY,24,144000,2024-05-02,2026-04-02,2026-05-04",
        "com.acme.reader,orders_after_apple,CNY,1,6000,2026-05-11,2026-05-11,2026-05-09",
        "com.acme.reader,orders_before_start,CNY,1,6000,2026-05-01,2026-05-01,2026-05-04",
      ])
    #expect(page.contains("Outside the reconciliation") && page.contains("Charges before the start date"))
  }

  @Test func withoutAStartDateOlderChargesAreBreaks() async throws {
    let scenario = try await Self.world(start: nil)
    let night = try await scenario.night(asOf: Self.asOf)
    #expect(
      night.notReconciled.first
        == "com.acme.reader: 24 charges (144.00 CNY) cannot be matched, because they are before 2026-05-04, the day of "
        + "the app's first order\(Self.breakFollows), unless reconcile_from is 2026-05-04 or later")
    #expect(try await scenario.openBreaks(asOf: Self.asOf).count { $0 == "TX_NO_ORDER" } == 24)
  }

  /// Reason, number of items, their limit, the end of the sentence.
  @Test(arguments: [
    ("orders_after_apple", 28, nil, "28 orders (112220 JPY) cannot be matched, because the app has no charge\(breakFollows)"),
    (
      "orders_after_apple", 1, "2026-05-09",
      "1 order (112220 JPY) cannot be matched, because it is after 2026-05-09, the day of Apple's newest evidence\(breakFollows)"
    ),
    ("charges_before_first_order", 2, nil, "2 charges (112220 JPY) cannot be matched, because the app has no order\(breakFollows)"),
    (
      "charges_before_start", 1, "2026-05-04",
      "1 charge (112220 JPY) is not reconciled, because it is before 2026-05-04, the app's reconcile_from"
    ),
  ]) func eachReasonIsASentence(_ reason: String, _ count: Int, _ limit: String?, _ sentence: String) throws {
    let columns = ["bundle_id", "reason", "currency", "item_count", "amount_milliunits", "limit_day"]
    let table = ReportTable(columns: columns, rows: [["a.b", reason, "JPY", "\(count)", "112220000", limit]])
    #expect(try NotReconciled.sentences(table) == ["a.b: \(sentence)"])
  }

  @Test func nothingIsSaidOnceAllIsReconciled() async throws {
    let scenario = try await Scenario()
    try await scenario.evidence([ApplePurchase("1", at: "2026-05-10T10:00:00Z").jws], asOf: Self.asOf)
    try await scenario.orders([TestOrder("PO-1", at: "2026-05-10T10:00:00Z", names: "1")], asOf: Self.asOf)
    #expect(try await scenario.night(asOf: Self.asOf).notReconciled == [])
    let (rows, page) = try await Self.table(scenario)
    #expect(rows == [] && !page.contains("Outside the reconciliation"))
  }
}
