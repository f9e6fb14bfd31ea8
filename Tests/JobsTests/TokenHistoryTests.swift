/// Every token that a user ever held leads to that user. A token of two users leads to neither.
@Suite(.cleansUp) struct TokenHistoryTests {
  private static let asOf = "2026-05-12T12:00:00Z"
  private static let low = "00000000-0000-4000-8000-000000000001"
  private static let high = "f0000000-0000-4000-8000-000000000001"

  struct Case: NamedCase {
    var name = ""
    /// Rows of the users file, one list per night.
    var nights: [[String]]
    var matches: [String]
    /// User of the break that the purchase is without a match; empty if nobody is known.
    var user = ""
  }

  static let cases = Case.table([
    "replaced by one that sorts after it": Case(nights: [["U1,\(low),CHN,false"], ["U1,\(high),CHN,false"]], matches: ["PO-1 1 M2"]),
    "replaces one that sorts after it": Case(nights: [["U1,\(high),CHN,false"], ["U1,\(low),CHN,false"]], matches: ["PO-1 1 M2"]),
    "of two users": Case(nights: [["U1,\(low),CHN,false"], ["U2,\(low),CHN,false"]], matches: []),
    "another user had it before": Case(nights: [["U2,\(low),CHN,false"], ["U2,\(high),CHN,false", "U1,\(low),CHN,false"]], matches: []),
    "of a user without order": Case(nights: [["U2,\(low),CHN,false"]], matches: [], user: "U2"),
  ])

  /// An order and a purchase with a token that no users file has yet.
  private static let base = BaseWorld {
    let scenario = try await Scenario()
    try await scenario.decide(
      orders: [TestOrder("PO-1", at: "2026-05-10T09:59:30Z")],
      evidence: [ApplePurchase("1", at: "2026-05-10T10:00:00Z", token: low).jws], asOf: asOf)
    try await scenario.decide(asOf: asOf)
    return scenario
  }

  @Test(arguments: cases) func oneNightOrTwo(_ test: Case) async throws {
    var orders = [[test.nights.flatMap { $0 }], test.nights]
    if test.nights.count > 1 { orders.append(test.nights.reversed()) }
    for nights in orders {
      let scenario = try await Self.base.copy()
      for rows in nights {
        let tally = try await scenario.users(rows, asOf: Self.asOf)
        #expect(tally.accepted == rows.count && tally.repeated == 0)
        try await scenario.decide(asOf: Self.asOf)
      }
      #expect(try await scenario.matches(asOf: Self.asOf) == test.matches)
      #expect(try await scenario.changesOfFullRuns(asOf: Self.asOf) == [])
      let breaks = try await scenario.rows(.breaks, asOf: Self.asOf).filter { $0["status"] != "resolved" }
      let open = try await scenario.rows(.cases, asOf: Self.asOf).filter { $0["status"] == "open" }
      if test.matches.isEmpty {
        let found = try #require(breaks.first { $0["class"] == "TX_NO_ORDER" })
        #expect(found["user_id"] == test.user)
        #expect(open.filter { $0["names"] == "TX_NO_ORDER" }.cells("user_id") == [test.user])
      } else {
        #expect(breaks.isEmpty)
      }
    }
  }

  @Test func pastKnowledgeStays() async throws {
    let scenario = try await Scenario()
    let later = "2026-05-14T12:00:00Z"
    try await scenario.users(["U1,\(Self.low),CHN,false"], asOf: Self.asOf)
    try await scenario.decide(evidence: [ApplePurchase("1", at: "2026-05-10T10:00:00Z", token: Self.low).jws], asOf: Self.asOf)
    let then = try await scenario.report(.all, asOf: Self.asOf).map { $0.text }
    #expect(try await scenario.rows(.breaks, asOf: Self.asOf).map { $0["user_id"] } == ["U1"])
    try await scenario.decide(users: ["U2,\(Self.low),CHN,false"], asOf: later)
    #expect(try await scenario.rows(.breaks, asOf: later).map { $0["user_id"] } == [""])
    #expect(try await scenario.report(.all, asOf: Self.asOf).map { $0.text } == then)
  }
}
