import Domain
import JobCore
import Reports
import Testing
import TestSupport

/// The scenarios T01 to T35 of the domain, as far as orders, users, catalogue and signed evidence decide them.
@Suite(.cleansUp) struct ScenarioTests {
  static let tokenA1 = "a1000000-0000-4000-8000-000000000001"
  static let tokenA2 = "a2000000-0000-4000-8000-000000000002"

  struct Case: NamedCase {
    var name: String
    var asOf = "2026-05-12T12:00:00Z"
    var orders: [TestOrder] = []
    var users: [String] = []
    var evidence: [String] = []
    var settings: @Sendable (inout JobSettings) -> Void = { _ in }
    /// `order transaction rung`.
    var matches: [String] = []
    /// `CLASS order`, open at the clock.
    var breaks: [String] = []
    var check: @Sendable (Scenario, String) async throws -> Void = { _, _ in }
  }

  /// Cases whose results do not depend on the order of ingestion.
  private static let tables = [purchases, claims, subscriptions, refunds, policy, renewals, words, ranks, named, history]

  @Test(arguments: Array(tables.joined()) + changes) func scenario(_ test: Case) async throws {
    var scenario = try await Scenario()
    test.settings(&scenario.settings)
    // Facts that the case does not have are not ingested, as below.
    try await scenario.decide(
      users: test.users.isEmpty ? nil : test.users, orders: test.orders.isEmpty ? nil : test.orders,
      evidence: test.evidence.isEmpty ? nil : test.evidence, asOf: test.asOf)
    #expect(try await scenario.matches(asOf: test.asOf) == test.matches.sorted())
    #expect(try await scenario.openBreaks(asOf: test.asOf) == test.breaks.sorted())
    try await test.check(scenario, test.asOf)
  }

  /// Facts ingested one by one, with a decision after each, have the same result as all at once.
  @Test(arguments: Array(tables.joined())) func ingestedInParts(_ test: Case) async throws {
    var scenario = try await Scenario()
    test.settings(&scenario.settings)
    // The first run decides everything, and the second one links everything.
    for _ in 0..<2 { try await scenario.decide(asOf: test.asOf) }
    for item in test.evidence.reversed() { try await scenario.decide(evidence: [item], asOf: test.asOf) }
    for order in test.orders.reversed() { try await scenario.decide(orders: [order], asOf: test.asOf) }
    if !test.users.isEmpty { try await scenario.decide(users: test.users, asOf: test.asOf) }
    #expect(try await scenario.matches(asOf: test.asOf) == test.matches.sorted())
    #expect(try await scenario.openBreaks(asOf: test.asOf) == test.breaks.sorted())
    #expect(try await scenario.changesOfFullMatch(asOf: test.asOf) == [])
  }

  static func expectCharges(_ count: Int, _ scenario: Scenario, _ asOf: String) async throws {
    let charges = try await scenario.rows(.charges, asOf: asOf)
    #expect(charges.count == count)
  }

  static let purchases: [Case] = [
    Case(
      name: "T01 token match, plain consumable",
      orders: [TestOrder("PO-1", user: "U1", at: "2026-05-10T10:00:00Z")], users: ["U1,\(tokenA1),CHN,false"],
      evidence: [Scenario.sign(ApplePurchase("470001000000001", at: "2026-05-10T10:00:20Z", token: tokenA1))],
      matches: ["PO-1 470001000000001 M2"]
    ) { scenario, asOf in
      let charge = try #require(try await scenario.rows(.charges, asOf: asOf).first)
      #expect(charge["state"] == "charged")
      #expect(charge["price_milliunits"] == "6000")
      #expect(charge["currency"] == "CNY")
    },
    Case(
      name: "T02 token lost, single candidate",
      orders: [TestOrder("PO-2", user: "U1", at: "2026-05-10T09:57:00Z") { $0.deviceID = "D1" }],
      evidence: [
        Scenario.upload(
          Scenario.sign(ApplePurchase("470001000000002", at: "2026-05-10T10:00:00Z")), user: "U1", device: "D1",
          at: "2026-05-10T10:00:10Z")
      ],
      matches: ["PO-2 470001000000002 M6"]
    ) { scenario, asOf in
      let match = try #require(try await scenario.rows(.matches, asOf: asOf).first)
      #expect(match["confidence"] == "heuristic")
    },
    Case(
      name: "T03 token lost, two accounts on the device",
      orders: [
        TestOrder("PO-3", user: "U1", at: "2026-05-10T09:58:00Z") { $0.deviceID = "D1" },
        TestOrder("PO-4", user: "U2", at: "2026-05-10T09:59:00Z") { $0.deviceID = "D1" },
      ],
      evidence: [
        Scenario.upload(
          Scenario.sign(ApplePurchase("470001000000003", at: "2026-05-10T10:00:00Z")), user: "U2", device: "D1",
          at: "2026-05-10T10:00:10Z")
      ],
      breaks: ["AMBIGUOUS_MATCH"]
    ) { scenario, asOf in
      let found = try #require(try await scenario.rows(.breaks, asOf: asOf).first)
      #expect(found["detail"]?.contains("PO-3") == true)
      #expect(found["detail"]?.contains("PO-4") == true)
    },
    Case(
      name: "T04 purchase begun in the App Store",
      evidence: [
        Scenario.notification(
          "ONE_TIME_CHARGE", uuid: "n-4",
          ApplePurchase("470001000000010", at: "2026-05-10T10:00:00Z", product: "lifetime", type: "Non-Consumable", price: 198_000),
          signedAt: "2026-05-10T10:00:05Z")
      ],
      breaks: ["TX_NO_ORDER"]
    ),
    Case(
      name: "T05 the same purchase signed twice",
      orders: [TestOrder("PO-5", user: "U1", at: "2026-05-10T10:00:00Z") { $0.transactionID = "470001000000011" }],
      evidence: [
        Scenario.sign(ApplePurchase("470001000000011", at: "2026-05-10T10:00:20Z")),
        Scenario.sign(ApplePurchase("470001000000011", at: "2026-05-10T10:00:20Z").with { $0.signedAt = instant("2026-05-11T08:00:00Z") }),
      ],
      matches: ["PO-5 470001000000011 M1"],
      check: { scenario, asOf in try await expectCharges(1, scenario, asOf) }
    ),
    Case(
      name: "T34 zero-decimal and unit conversion",
      orders: [
        TestOrder("PO-34", user: "U1", at: "2026-05-10T10:00:00Z") {
          $0.transactionID = "34"
          $0.priceMilliunits = 300_000
          $0.currency = "JPY"
        },
        TestOrder("PO-35", user: "U1", at: "2026-05-10T10:00:00Z") {
          $0.transactionID = "35"
          $0.priceMilliunits = 1500
          $0.currency = "KWD"
        },
      ],
      evidence: [
        Scenario.sign(ApplePurchase("34", at: "2026-05-10T10:00:20Z", price: 300_000).with { $0.currency = "JPY" }),
        Scenario.sign(ApplePurchase("35", at: "2026-05-10T10:00:20Z", price: 1500).with { $0.currency = "KWD" }),
      ],
      matches: ["PO-34 34 M1", "PO-35 35 M1"]),
    Case(
      name: "T35 purchase after midnight in the app's zone",
      orders: [TestOrder("PO-36", user: "U1", at: "2026-05-09T16:29:00Z") { $0.transactionID = "36" }],
      evidence: [Scenario.sign(ApplePurchase("36", at: "2026-05-09T16:30:00Z"))],
      matches: ["PO-36 36 M1"]),
  ]

  static let claims: [Case] = [
    Case(
      name: "T06 replay to another account",
      orders: [
        TestOrder("PO-1", user: "U1", at: "2026-05-10T10:00:00Z"),
        TestOrder("PO-6", user: "U2", at: "2026-05-10T11:00:00Z") { $0.status = "created"; $0.transactionID = "470001000000001" },
      ],
      users: ["U1,\(tokenA1),CHN,false", "U2,\(tokenA2),CHN,false"],
      evidence: [Scenario.sign(ApplePurchase("470001000000001", at: "2026-05-10T10:00:20Z", token: tokenA1))],
      matches: ["PO-1 470001000000001 M2"], breaks: ["REPLAY_MULTI_USER PO-6"]
    ) { scenario, asOf in
      let found = try #require(try await scenario.rows(.breaks, asOf: asOf).first)
      #expect(found["detail"]?.contains("U1") == true)
      #expect(found["user_id"] == "U2")
    },
    Case(
      name: "T11 evidence of a sister app",
      orders: [TestOrder("PO-11", user: "U1", at: "2026-05-10T10:00:00Z") { $0.transactionID = "470001000000111" }],
      evidence: [Scenario.sign(ApplePurchase("470001000000111", at: "2026-05-10T10:00:20Z").with { $0.bundleID = "com.acme.kids" })],
      breaks: ["BUNDLE_DIFF PO-11", "TX_NO_ORDER"]),
    Case(
      name: "T14 tester's purchase behind live goods",
      orders: [TestOrder("D-14", user: "U7", at: "2026-05-10T10:00:00Z") { $0.transactionID = "2000000335310644" }],
      evidence: [Scenario.sign(ApplePurchase("2000000335310644", at: "2026-05-10T10:00:20Z").with { $0.environment = "Sandbox" })],
      breaks: ["SANDBOX_IN_PROD D-14"]
    ) { scenario, asOf in
      let found = try #require(try await scenario.rows(.breaks, asOf: asOf).first)
      #expect(found["severity"] == "high" || found["severity"] == "critical")
    },
    Case(
      name: "T14 the same by a listed tester",
      orders: [TestOrder("D-14", user: "U9", at: "2026-05-10T10:00:00Z") { $0.transactionID = "2000000335310644" }],
      evidence: [Scenario.sign(ApplePurchase("2000000335310644", at: "2026-05-10T10:00:20Z").with { $0.environment = "Sandbox" })],
      settings: { $0.apps[0].testers = ["U9"] }),
    Case(
      name: "T15 App Review inside its window, and after it with nothing delivered",
      orders: [
        TestOrder("RV-1", user: "REV-1", at: "2026-05-04T10:00:00Z") { $0.transactionID = "2000000000000151" },
        TestOrder("RV-2", user: "REV-1", at: "2026-05-09T10:00:00Z") { $0.transactionID = "2000000000000152"; $0.status = "created" },
      ],
      evidence: [
        Scenario.sign(ApplePurchase("2000000000000151", at: "2026-05-04T10:00:20Z").with { $0.environment = "Sandbox" }),
        Scenario.sign(ApplePurchase("2000000000000152", at: "2026-05-09T10:00:20Z").with { $0.environment = "Sandbox" }),
      ],
      settings: {
        $0.apps[0].reviewWindows = [
          ReviewWindow(from: instant("2026-05-01T00:00:00Z"), to: instant("2026-05-08T00:00:00Z"), users: ["REV-1"])
        ]
      }),
    Case(
      name: "T17 signed by somebody else",
      orders: [TestOrder("PO-17", user: "U1", at: "2026-05-10T10:00:00Z") { $0.transactionID = "170" }],
      evidence: [
        Scenario.upload(
          Scenario.sign(ApplePurchase("170", at: "2026-05-10T10:00:20Z"), by: Scenario.forger), user: "U1",
          at: "2026-05-10T10:00:30Z")
      ],
      breaks: ["FORGED_SIGNATURE PO-17"],
      check: { scenario, asOf in try await expectCharges(0, scenario, asOf) }),
    Case(
      name: "T33 another product than ordered",
      orders: [
        TestOrder("PO-33", user: "U1", at: "2026-05-10T10:00:00Z") {
          $0.productID = "coins6480"
          $0.priceMilliunits = 648_000
          $0.transactionID = "470001000000330"
        }
      ],
      users: ["U1,\(tokenA1),CHN,false"],
      evidence: [Scenario.sign(ApplePurchase("470001000000330", at: "2026-05-10T10:00:20Z", token: tokenA1))],
      breaks: ["PRODUCT_DIFF PO-33", "TX_NO_ORDER"]),
    Case(
      name: "T33 another quantity than ordered",
      orders: [
        TestOrder("PO-33", user: "U1", at: "2026-05-10T10:00:00Z") { $0.priceMilliunits = 18_000; $0.transactionID = "470001000000331" }
      ],
      users: ["U1,\(tokenA1),CHN,false"],
      evidence: [
        Scenario.sign(
          ApplePurchase("470001000000331", at: "2026-05-10T10:00:20Z", price: 18_000, token: tokenA1)
            .with { $0.quantity = 3 })
      ],
      matches: ["PO-33 470001000000331 M1"], breaks: ["QUANTITY_DIFF PO-33"]),
  ]
}
