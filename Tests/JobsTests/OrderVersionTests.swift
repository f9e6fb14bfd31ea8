/// Order rows without `updated_at` count by the clock of their ingestion, in any order of arrival.
@Suite(.cleansUp) struct OrderVersionTests {
  /// One order: its price in each file, nil where a file lacks it, and its final price.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var prices: [Int64?]
    var stated: Int64
    var statedFirst: Int64?
  }

  /// Clocks of the files; the last two files belong to one night.
  private static let clocks = ["2026-05-11T12:00:00Z", "2026-05-12T12:00:00Z", "2026-05-13T12:00:00Z", "2026-05-13T12:00:00Z"]
  private static let decided = "2026-05-13T18:00:00Z"
  private static let clock = "2026-05-14T12:00:00Z"

  /// Each price is once greater and once smaller than the previous one, so that no hash order decides all cases by chance.
  private static let cases =
    [(5000, 6000), (6000, 5000), (7000, 7100), (7100, 7000), (8000, 8900)].flatMap { (one: Int64, other: Int64) in
      [
        Case(testDescription: "stated otherwise later \(one)", prices: [one, other, nil, nil], stated: other, statedFirst: one),
        Case(testDescription: "stated otherwise and back \(one)", prices: [one, other, one, nil], stated: one, statedFirst: one),
        Case(testDescription: "stated again and otherwise \(one)", prices: [one, one, other, nil], stated: other, statedFirst: one),
        Case(testDescription: "stated again alone \(one)", prices: [one, nil, one, nil], stated: one, statedFirst: one),
        Case(testDescription: "stated late \(one)", prices: [nil, one, other, nil], stated: other, statedFirst: nil),
      ]
    }

  private static func orders(_ place: Int) -> [TestOrder] {
    let stated = cases.compactMap { test in
      test.prices[place].map { price in
        TestOrder(test.testDescription, user: "U1", at: "2026-05-10T10:00:00Z") { $0.priceMilliunits = price }
      }
    }
    // Two versions of one night: the more advanced status counts, in either file and at any position.
    let twins = ["PO-1", "PO-2"].enumerated().map { number, id in
      TestOrder(id, user: "U2", at: "2026-05-10T10:00:00Z") { $0.status = (number == 0) == (place == 2) ? "cancelled" : "delivered" }
    }
    return stated + (place >= 2 ? twins + twins.map { twin in twin.with { $0.status = "paid" } } : [])
  }

  private static func prices(_ scenario: Scenario, at clock: String) async throws -> [String: String] {
    let rows = try await scenario.rows(.orders, asOf: clock).filter { $0["user_id"] == "U1" }
    return Dictionary(uniqueKeysWithValues: rows.map { ($0["order_id"] ?? "", $0["price_milliunits"] ?? "") })
  }

  @Test(arguments: [[0, 1, 2, 3], [0, 2, 1, 3], [3, 2, 1, 0], [2, 0, 3, 1], [1, 3, 0, 2]])
  func laterIngestionCounts(_ order: [Int]) async throws {
    let scenario = try await Scenario()
    for place in order {
      // A file ingested after its clock was decided becomes known later, but is not a newer version.
      if place == order.last { try await scenario.decide(asOf: Self.decided) }
      #expect(try await scenario.orders(Self.orders(place), name: "orders-\(place)", asOf: Self.clocks[place]).isBalanced)
    }
    let stated = Dictionary(uniqueKeysWithValues: Self.cases.map { ($0.testDescription, "\($0.stated)") })
    #expect(try await Self.prices(scenario, at: Self.clock) == stated)
    let twins = try await scenario.rows(.orders, asOf: Self.clock).filter { $0["user_id"] == "U2" }.map { $0["status"] }
    #expect(twins == ["cancelled", "cancelled"])
    try await scenario.decide(asOf: Self.clock)
    #expect(try await scenario.changesOfFullMatch(asOf: Self.clock) == [])
    if order == [0, 1, 2, 3] {
      let first = Self.cases.compactMap { test in test.statedFirst.map { (test.testDescription, "\($0)") } }
      #expect(try await Self.prices(scenario, at: Self.clocks[0]) == Dictionary(uniqueKeysWithValues: first))
    }
  }

  @Test func `a list of all orders each night: an unchanged order is neither news nor written again`() async throws {
    let scenario = try await Scenario()
    let orders = (1...50).map { TestOrder("PO-\($0)", user: "U\($0)", at: "2026-05-10T10:00:00Z") }
    try await scenario.orders(orders, asOf: Self.clocks[0])
    let places = "select string_agg(ctid::text, ' ' order by order_id) from payrecon.orders where order_id <> 'PO-51'"
    let written = try await scenario.answers(places)
    let changed = TestOrder("PO-51", user: "U51", at: "2026-05-10T11:00:00Z")
    let tally = try await scenario.orders(orders + [changed], asOf: Self.clocks[1])
    #expect(tally.repeated == 50 && tally.accepted == 1)
    #expect(try await scenario.answers(places) == written)
  }

  /// The row's own instant is compared with the clock at which the other row was ingested.
  @Test(arguments: [("2026-05-12T11:59:59Z", "5000"), ("2026-05-12T12:00:01Z", "6000")])
  func datedRowsCountByTheirInstant(_ updatedAt: String, _ price: String) async throws {
    for isReversed in [false, true] {
      let scenario = try await Scenario()
      let undated = TestOrder("PO-1", at: "2026-05-10T10:00:00Z") { $0.priceMilliunits = 5000 }
      let dated = TestOrder("PO-1", at: "2026-05-10T10:00:00Z") { $0.updatedAt = updatedAt }
      try await scenario.orders([undated], asOf: Self.clocks[0])
      for row in isReversed ? [dated, undated] : [undated, dated] {
        // The clock of the row without a date is the second one. The other row may arrive at any time.
        try await scenario.orders(
          [row, TestOrder("PO-2", user: "U2", at: "2026-05-10T10:00:00Z")],
          asOf: row.updatedAt == nil ? Self.clocks[1] : Self.clocks[2])
      }
      #expect(try await scenario.rows(.orders, asOf: Self.clock).first?["price_milliunits"] == price)
    }
  }
}
