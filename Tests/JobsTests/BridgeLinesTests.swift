/// Lines of the auditors' bridge, each from separate rows, and the estimate for charges of unproved cells.
@Suite(.cleansUp) struct BridgeLinesTests {
  typealias Line = FinanceFiles.Line
  private static let asOf = TieoutCellTests.asOf

  /// Three coins at an indivisible price, and two coins sold before the period and refunded in it.
  @Test func chargesKeepTheirPriceAndEarlierSalesAreRefunded() async throws {
    let scenario = try await Scenario()
    let three = ApplePurchase("1", at: "2026-05-10T04:00:00Z", price: 10_000).with { $0.quantity = 3 }
    let pair = ApplePurchase("2", at: "2026-04-20T04:00:00Z", price: 12_000).with {
      ($0.quantity, $0.revokedAt) = (2, instant("2026-05-12T04:00:00Z"))
    }
    let orders = [("1", "2026-05-10T03:59:00Z", 3, 10_000), ("2", "2026-04-20T03:59:00Z", 2, 12_000)].map { id, at, units, price in
      TestOrder("PO-\(id)", user: "U\(id)", at: at) { ($0.transactionID, $0.quantity, $0.priceMilliunits) = (id, units, Int64(price)) }
    }
    try await scenario.decide(orders: orders, evidence: [three, pair].map(\.jws), asOf: Self.asOf)
    let lines = [
      Line("2026-05-10", settled: "2026-05-12") { ($0.units, $0.price, $0.share) = (3, "3.33", "2.33") },
      Line("2026-05-12", settled: "2026-05-14", units: -2),
    ]
    try await scenario.tieOut(may: lines)
    #expect(try await TieoutCellTests.found(scenario) == [])
    #expect(try await scenario.rows(.cells, asOf: Self.asOf).compactMap { $0["l1_gross"] }.sorted() == ["-12", "10"])
    let (stated, held) = try await Self.bridge(scenario)
    let expected = ["4": "3 10", "10": "0 0", "11": "3 10", "13": "-2 -12", "14": "1 -2", "20": "0 -0.01", "27": "1 -2.01"]
    #expect(expected.allSatisfy { stated[$0.key] == $0.value } && stated["12"] == nil, "\(stated)")
    #expect(held.values.allSatisfy { $0 == "yes" }, "\(held)")
    try await FigureWalk.expect(scenario, .tieout, least: [.bridge: 10], asOf: Self.asOf)
  }

  /// The amounts that the charge of a pair adds to its order, computed from the pairs.
  @Test(arguments: [
    ("2026-05-10T03:59:00Z", 6000, "delivered", "0 0"), ("2026-05-10T03:59:00Z", 7000, "delivered", "0 -1"),
    // Booked on the last day of the previous period, and sold on the first day of this period in China.
    ("2026-05-02T20:00:00Z", 6000, "delivered", "1 6"),
    // Paid, then cancelled: in the books, as in the daily report.
    ("2026-05-10T03:59:00Z", 7000, "cancelled", "0 -1"),
  ]) func pairsStateTheirAmounts(at: String, price: Int64, status: String, stated: String) async throws {
    let scenario = try await Self.onePair(at, price, status)
    try await scenario.tieOut()
    let lines = try await Self.bridge(scenario)
    #expect(lines.stated["10"] == stated && lines.held["bridge 11"] == "yes", "\(lines)")
    let rows = try await FigureWalk.rows(.bridge, "2026-P08/customer/CNY/10", scenario, asOf: Self.asOf)
    #expect(rows.allSatisfy { $0["kind"] == "pair" && $0["id"] == "PO-1" } && rows.isEmpty == (stated == "0 0"), "\(rows)")
  }

  /// A match without its order or charge appears on no line of pairs, so our orders do not lead to our charges.
  @Test(arguments: ["update payrecon.matches set order_id = 'PO-0'", "delete from payrecon.charges"]) func incompletePairFailsTheIdentity(
    wrong: String
  ) async throws {
    let scenario = try await Self.onePair("2026-05-10T03:59:00Z", 6000)
    try await scenario.tieOut()
    #expect(try await Self.bridge(scenario).held["bridge 11"] == "yes")
    try await scenario.execute(wrong)
    try await scenario.tieOut()
    #expect(try await Self.bridge(scenario).held["bridge 11"] == "no")
  }

  private static func onePair(_ at: String, _ price: Int64, _ status: String = "delivered") async throws -> Scenario {
    let scenario = try await Scenario()
    let order = TestOrder("PO-1", at: at) { ($0.transactionID, $0.priceMilliunits, $0.status, $0.paidAt) = ("1", price, status, at) }
    try await scenario.orders([order], asOf: asOf)
    let bought = Timestamp(microseconds: instant(at).microseconds + 60_000_000).rfc3339
    try await scenario.decide(evidence: [ApplePurchase("1", at: bought).jws], asOf: asOf)
    try await scenario.ingest(.finance, FinanceFiles.may([Line("2026-05-20", settled: "2026-05-22")]), name: "may", asOf: asOf)
    return scenario
  }

  /// Returns the bridge lines by number, and whether each identity is true.
  private static func bridge(_ scenario: Scenario) async throws -> (stated: [String: String], held: [String: String]) {
    let tables = try await FigureWalk.tables(.tieout, scenario, asOf: asOf)
    let lines = tables["tieout_bridge", default: []].map { ($0["line_no"] ?? "", "\($0["count"] ?? "") \($0["amount"] ?? "")") }
    let identities = tables["tieout_identities", default: []].map { ($0["identity"] ?? "", $0["holds"] ?? "") }
    return (Dictionary(lines) { first, _ in first }, Dictionary(identities) { first, _ in first })
  }

  /// Sold late in the evening and booked on the next day. Apple's own line explains it, so its proceeds are an estimate.
  @Test func aChargeOfAnExplainedCellHasAnEstimate() async throws {
    let scenario = try await Scenario()
    let sold = ["2026-05-08T04:00:00Z", "2026-05-10T15:30:00Z"].enumerated().map { ApplePurchase("\($0)", at: $1) }
    _ = try await scenario.evidence(sold.map(\.jws), asOf: Self.asOf)
    let lines = ["2026-05-08", "2026-05-11"].map { Line($0, settled: "2026-05-12") }
    try await scenario.tieOut(may: lines)
    let rows = try await scenario.rows(.proceeds, asOf: Self.asOf)
    #expect(rows.cells("unit_proceeds basis").sorted() == ["4.2 actual", "4.2 estimate"])
  }
}
