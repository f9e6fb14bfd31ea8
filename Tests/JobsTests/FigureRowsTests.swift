/// Every figure of the daily summary, the break list and the renewals leads to its rows, in a noisy world after two nights.
@Suite(.cleansUp) struct FigureRowsTests {
  private static let clocks = ["2026-11-18T00:00:00Z", "2026-11-19T00:00:00Z"]
  private static let orders = 600

  @Test func rowsAddUpToTheirFigures() async throws {
    let scenario = try await Scenario()
    let world = "\(scenario.directory)/world"
    _ = try await World.write(seed: 7, orders: Self.orders, directory: world, noise: .usual)
    try await scenario.ingestWorld(world, asOf: Self.clocks[0])
    // A purchase between the nights changes the second one.
    _ = try await scenario.night(asOf: Self.clocks[0])
    let late = ApplePurchase("470009", at: "2026-11-18T10:00:00Z")
    try await scenario.evidence([late.jws], asOf: Self.clocks[1])
    _ = try await scenario.night(asOf: Self.clocks[1])

    for clock in Self.clocks {
      try await FigureWalk.expect(scenario, .all, least: [.daily: 80, .days: 30, .ageing: 80, .inputs: 6], asOf: clock)
    }
    try await FigureWalk.expect(scenario, .renewals, least: [.renewals: 20], asOf: Self.clocks[1])
    try await Self.expectOne(scenario)
    try await Self.expectRefusals(scenario)
  }

  /// Parked items are listed one by one with their reason. The other figures of the file are listed as counts.
  @Test func parkedRowsAreListedOneByOne() async throws {
    let scenario = try await Scenario()
    let rows = [
      "order_id,bundle_id,product_id,user_id,status,created_at", "A,com.acme.reader,coins,U1,paid,2026-11-17T10:00:00Z",
      "B,com.acme.reader,coins,U1,paid,yesterday", "C,com.acme.reader,coins,,paid,2026-11-17T10:00:00Z",
    ]
    let asOf = Self.clocks[0]
    _ = try await scenario.ingest(.orders, rows.joined(separator: "\n") + "\n", asOf: asOf)
    let figures = try await FigureWalk.rows(.inputs, "orders", scenario, asOf: asOf)
    let parked = figures.filter { $0["figure"] == "parked_count" }.cells("line field reason value")
    #expect(
      parked == [
        "3 created_at \"yesterday\" is not an RFC 3339 date and time such as 2025-03-01T12:00:00Z 1",
        "4 user_id the value is required and missing 1",
      ])
    #expect(figures.filter { $0["figure"] == "input_count" }.map { $0["value"] } == ["3"])
  }

  private static func expectOne(_ scenario: Scenario) async throws {
    let address = "to_date/com.acme.reader/Production/CNY/tx_count"
    let earlier = try await FigureWalk.rows(.daily, address, scenario, asOf: clocks[0])
    let later = try await FigureWalk.rows(.daily, address, scenario, asOf: clocks[1])
    #expect(!earlier.isEmpty)
    // The world was read before its last day. Evidence signed on that day is held, and the second night counts it too.
    let known = Set(earlier.compactMap { $0["transaction_id"] })
    let added = later.filter { row in row["transaction_id"].map { !known.contains($0) } ?? true }
    #expect(later.count == earlier.count + added.count)
    #expect(added.contains { $0["transaction_id"] == "470009" })
    let night = instant(clocks[0])
    #expect(earlier.allSatisfy { instant($0["purchased_at"] ?? "") <= night })
    #expect(added.allSatisfy { instant($0["purchased_at"] ?? "") > night })
  }

  private static func expectRefusals(_ scenario: Scenario) async throws {
    for (address, table, words) in [
      ("to_date/com.acme.raeder/Production/CNY/tx_count", FigureTable.daily, "Did you mean to_date/com.acme.reader/"),
      ("to_date/com.acme.reader/Production/CNY/tx_cuont", .daily, "Did you mean to_date/com.acme.reader/Production/CNY/tx_count?"),
      ("to_date/com.acme.reader/Production/CNY/match_rate_count_bp", .daily, "It is the share of the three matched counts"),
      ("to_date/com.acme.reader/Production/CNY/tz", .daily, "Figures: payrecon rows daily"),
      ("a/b/c/d/e/f", .daily, "SCOPE/BUNDLE_ID/ENVIRONMENT/CURRENCY/COLUMN"),
      ("NO_SUCH_CLASS/CNY/closing_count", .ageing, "Did you mean "),
    ] {
      let error = await #expect(throws: JobError.self, "\(address)") {
        try await FigureWalk.rows(table, address, scenario, asOf: clocks[1])
      }
      // The description of an error has its hint.
      #expect(error?.description.contains(words) == true, "\(address): \(error?.description ?? "")")
    }
  }
}
