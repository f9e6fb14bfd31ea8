/// Nights store sums for the daily summary. After each night they equal the sums over all charges and orders.
@Suite(.cleansUp) struct ReportSumsTests {
  private static let nights = (12...17).map { "2026-05-\($0)T12:00:00Z" }

  private static let plain = ApplePurchase("480000000000001", at: "2026-05-09T10:00:00Z")
  private static let late = ApplePurchase("480000000000002", at: "2026-05-10T10:00:00Z")
  private static let old = ApplePurchase("480000000000003", at: "2026-04-02T10:00:00Z")
  private static let other = ApplePurchase("480000000000004", at: "2026-05-11T20:00:00Z")
  private static let month = ApplePurchase.month(
    "700", at: "2026-04-20T10:00:00Z", until: "2026-05-20T10:00:00Z", price: 28_000)

  private static func order(_ id: String, _ purchase: ApplePurchase, changed: String? = nil, status: String = "delivered") -> TestOrder {
    TestOrder(id, user: "U-\(id)", at: purchase.purchasedAt.rfc3339, names: purchase.transactionID, status: status) {
      $0.updatedAt = changed
    }
  }

  /// Ingests the facts of each night. Facts of many days are later changed, completed, refunded and contradicted.
  private func ingest(_ night: Int, _ scenario: Scenario) async throws {
    let asOf = Self.nights[night]
    switch night {
    case 0:
      try await scenario.orders([Self.order("SO-1", Self.plain), TestOrder("SO-9", user: "U9", at: "2026-05-10T09:00:00Z")], asOf: asOf)
      try await scenario.evidence([Self.plain, Self.late, Self.old, Self.month].map(\.jws), asOf: asOf)
    case 1:
      // An order for a charge of an earlier day, and a price that Apple signs again.
      try await scenario.orders([Self.order("SO-2", Self.late)], asOf: asOf)
      let dearer = Self.plain.with { ($0.signedAt, $0.priceMilliunits) = (instant("2026-05-13T09:00:00Z"), 7000) }
      try await scenario.evidence([dearer.jws, Self.other.jws], asOf: asOf)
    case 2:
      // A refund, a refunded order, and an order from before the start date.
      let refunded = Self.late.refunded(at: "2026-05-14T08:00:00Z", signedAt: "2026-05-14T08:00:10Z")
      try await scenario.evidence([Scenario.notification("REFUND", uuid: "s-1", refunded, signedAt: "2026-05-14T08:00:20Z")], asOf: asOf)
      try await scenario.orders(
        [Self.order("SO-1", Self.plain, changed: "2026-05-14T07:00:00Z", status: "refunded"), Self.order("SO-3", Self.old)], asOf: asOf)
    case 3:
      // Another order takes over a charge, and the chain gets a purchase of another day.
      try await scenario.orders(
        [
          Self.order("SO-2", Self.other, changed: "2026-05-15T07:00:00Z"),
          TestOrder("SO-9", user: "U9", at: "2026-05-11T09:00:00Z") { $0.updatedAt = "2026-05-15T07:00:00Z" },
        ], asOf: asOf)
    default: break
    }
  }

  private func differences(_ scenario: Scenario, _ asOf: String) async throws -> [String]? {
    let context = try scenario.context(asOf: asOf)
    return try await context.withSession { session in try await ReportSums(context: context).differences(on: session) }
  }

  /// - Parameter startsAt: start date of the app, before which a charge without order is history.
  @Test(arguments: [nil, "2026-04-10T00:00:00Z", "2026-05-10T12:00:00Z"])
  func nightlySumsEqualTheTotals(startsAt: String?) async throws {
    var scenario = try await Scenario()
    scenario.settings.apps[0].reconcileFrom = startsAt.map { instant($0) }
    for (night, asOf) in Self.nights.enumerated() {
      try await ingest(night, scenario)
      if night == 4 { scenario.settings.apps[0].timeZone = "America/New_York" }
      _ = try await scenario.night(asOf: asOf)
      #expect(try await differences(scenario, asOf) == [], "night \(night)")
    }
  }

  /// A program of the same version with other SQL may define the sums differently.
  @Test func sumsOfOtherSQLAreNeitherReadNorUpdated() async throws {
    let scenario = try await Scenario()
    try await ingest(0, scenario)
    _ = try await scenario.night(asOf: Self.nights[0])
    let code = try scenario.context(asOf: Self.nights[0]).codeVersion
    try await scenario.execute("update payrecon.report_sums set n = n + 1, amount = amount + 1")
    #expect(try await differences(scenario, Self.nights[0])?.isEmpty == false)
    try await scenario.execute("update payrecon.report_sums_state set code_version = '\(code) 0123456789abcdef'")
    #expect(try await differences(scenario, Self.nights[0]) == nil)
    // Nothing changed since, so that sums of the same SQL would stay.
    _ = try await scenario.night(asOf: Self.nights[1])
    #expect(try await differences(scenario, Self.nights[1]) == [])
  }

  @Test func sumsAreIgnoredAfterNewerFactsOfTheirClock() async throws {
    let scenario = try await Scenario()
    let asOf = Self.nights[0]
    try await ingest(0, scenario)
    _ = try await scenario.night(asOf: asOf)
    try await scenario.orders([Self.order("SO-2", Self.late)], asOf: asOf)
    #expect(try await differences(scenario, asOf) == nil)
    _ = try await scenario.night(asOf: asOf)
    #expect(try await differences(scenario, asOf) == [])
    try await ingest(1, scenario)
    #expect(try await differences(scenario, asOf) == [])
    _ = try await DecisionRun(context: scenario.context(asOf: asOf)).match(isDryRun: false)
    #expect(try await differences(scenario, asOf) == nil)
    _ = try await scenario.night(asOf: Self.nights[1])
    #expect(try await differences(scenario, Self.nights[1]) == [])
  }

  /// Amounts near the 64-bit limit are of older versions, which did not park them. Their sums are longer, and every list and report
  /// prints them.
  @Test func sumsPastSixtyFourBits() async throws {
    let scenario = try await Scenario()
    let asOf = "2026-05-12T12:00:00Z"
    let at = "2026-05-09T10:00:00Z"
    let orders = (1...4).map { number in
      TestOrder("PO-\(number)", at: at) { $0.transactionID = number > 2 ? nil : "47000100000000\(number)" }
    }
    let charges = [1, 2, 5, 6].map { ApplePurchase("47000100000000\($0)", at: at, product: $0 > 2 ? "coins600" : "coins60") }
    try await scenario.orders(orders, asOf: asOf)
    try await scenario.evidence(charges.map(\.jws), asOf: asOf)
    for table in ["orders", "charges"] { try await scenario.execute("update payrecon.\(table) set price_milliunits = 9000000000000000000") }
    try await scenario.decide(asOf: asOf)
    let breaks = try await scenario.openBreaks(asOf: asOf)
    #expect(breaks == ["ORDER_NO_TX PO-3", "ORDER_NO_TX PO-4", "TX_NO_ORDER", "TX_NO_ORDER"])
    for list in ExportList.allCases { #expect(try await !scenario.export(list, asOf: asOf).isEmpty, "\(list)") }
    let report = try await scenario.report(.all, asOf: asOf)
    for (name, sum) in [("daily.csv", "36000000000000000000"), ("ageing.csv", "18000000000000000000")] {
      let text = try #require(report.first { $0.name == name }?.text, "\(report.map(\.name))")
      #expect(text.contains(sum), "\(name): \(text)")
    }
  }
}
