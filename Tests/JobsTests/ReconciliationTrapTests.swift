/// The traps of reconciliation within orders, users, catalogue and signed evidence.
///
/// Traps that other tests cover:
/// - 2: EachRungDecidesTests; 13: RuleClaimCases; 14: SandboxHolderTests and ScenarioTests; 18: BulkDecisionUndoTests.
/// - 5: RevenueScheduleTests and `Tests/oracle2/cases.py`; 11: `Tests/oracle2/cases.py`.
/// - 15: KillTests; 16: RunDueTests and DueWindowsTests; 17: RunDueTests.
/// - 6 to 9: tests of the tie-out and of revenue recognition.
@Suite(.cleansUp) struct ReconciliationTrapTests {
  typealias Case = ScenarioTests.Case

  @Test(arguments: cases + nights) func trap(_ trap: Case) async throws { try await ScenarioTests.expect(trap) }

  private static let token1 = ScenarioTests.tokenA1
  private static let token2 = ScenarioTests.tokenA2
  private static let bought = ApplePurchase("280", at: "2026-05-09T10:00:00Z")
  private static let refunded = bought.refunded(at: "2026-05-10T08:00:00Z", signedAt: "2026-05-10T08:00:10Z")

  private static func order(_ id: String, _ transaction: String? = "280", _ change: (inout TestOrder) -> Void = { _ in }) -> TestOrder {
    TestOrder(id, at: "2026-05-09T09:59:00Z", names: transaction, change)
  }

  private static func year(_ ownership: String = "PURCHASED", _ id: String = "100") -> ApplePurchase {
    ApplePurchase.month(
      id, at: "2026-05-01T10:00:00Z", until: "2027-05-01T10:00:00Z", price: 238_001
    ).with { ($0.productID, $0.ownership) = ("vip.year", ownership) }
  }

  private static func yearOrder(_ id: String, _ change: (inout TestOrder) -> Void = { _ in }) -> TestOrder {
    TestOrder(id, at: "2026-05-01T09:59:00Z", names: "100") {
      ($0.productID, $0.priceMilliunits) = ("vip.year", 238_001); change(&$0)
    }
  }

  static let cases = Case.table([
    "1 the second order of the purchase is not fulfilled again": Case(
      orders: ["31", "32"].map { (id: String) in TestOrder.month("PO-\(id)", at: "2026-05-10T09:59:\(id)Z", names: id) },
      evidence: ["31", "32"].map { id in
        ApplePurchase.month(id, original: "30", lineItem: "931", at: "2026-05-10T10:00:00Z", until: "2026-06-10T10:00:00Z").jws
      }, matches: ["PO-31 31 M1"], breaks: ["DUP_DELIVERY PO-32"]),
    "10 an empty text is an absent field, and a token without dashes is a token": Case(
      orders: [order("PO-1", nil), order("PO-2", nil) { ($0.userID, $0.token) = ("U2", token2.filter { $0 != "-" }) }],
      users: ["U1,\(token1.filter { $0 != "-" }),CHN,false"],
      evidence: [
        ApplePurchase("1", at: "2026-05-09T10:00:00Z", token: token1).jws,
        ApplePurchase("2", at: "2026-05-09T10:00:00Z", token: token2.filter { $0 != "-" }.uppercased()).jws,
        ApplePurchase("3", at: "2026-05-09T10:00:00Z", token: "", lineItem: "").jws,
      ], matches: ["PO-1 1 M2", "PO-2 2 M2"], breaks: ["TX_NO_ORDER"]),
    "10 a transaction without the field that says whose it is": Case(
      orders: [order("PO-1", "1")], evidence: [ApplePurchase("1", at: "2026-05-09T10:00:00Z").with { $0.bundleID = "" }.jws],
      breaks: ["ORDER_NO_TX PO-1", "UNRECOGNIZED_VALUE"]
    ) { scenario, asOf in
      try await ScenarioTests.expect(
        .breaks, "detail",
        "field bundleId is missing; items: 1, first 2026-05-09T10:00:00Z, last 2026-05-09T10:00:00Z, such as transaction 1",
        "names transaction 1, whose evidence cannot be judged: bundle_id is missing")(scenario, asOf)
      try await ScenarioTests.expect(.evidence, "verdict reason", "pending bundle_id is missing")(scenario, asOf)
    },
    "10 a free trial without price costs nothing": Case(
      orders: [TestOrder.month("PO-1", at: "2026-05-09T09:59:00Z", names: "1")],
      evidence: [
        ApplePurchase.month("1", at: "2026-05-09T10:00:00Z", until: "2026-06-09T10:00:00Z").with {
          ($0.hasPrice, $0.offerType, $0.more) = (false, 1, ",\"offerDiscountType\":\"FREE_TRIAL\"")
        }.jws
      ], matches: ["PO-1 1 M1"], breaks: ["AMOUNT_DIFF PO-1"], check: ScenarioTests.expect(.charges, "price_milliunits state", "0 free")),
    "19 ids that a number would change": Case(
      orders: largeIDs.map { id in order("PO-\(id)", id) { $0.userID = "U\(id)" } },
      evidence: largeIDs.map { ApplePurchase($0, at: "2026-05-09T10:00:00Z").jws }, matches: largeIDs.map { "PO-\($0) \($0) M1" }),
    "20 currencies without and with three decimals": Case(
      orders: prices.map { currency, price in
        order("PO-\(currency)", currency) {
          ($0.priceMilliunits, $0.currency, $0.status, $0.refundedAt) = (price, currency, "refunded", "2026-05-10T09:00:00Z")
        }
      },
      evidence: prices.map { currency, price in
        ApplePurchase(currency, at: "2026-05-09T10:00:00Z", price: price).with { $0.currency = currency }.refunded(
          at: "2026-05-10T08:00:00Z", signedAt: "2026-05-10T08:00:10Z", percent: 33_333, as: "REFUND_PRORATED"
        ).jws
      }, matches: ["PO-JPY JPY M1", "PO-KRW KRW M1", "PO-KWD KWD M1"],
      // 99.999 yen, 1499.985 won and 501.66 fils, each rounded to its smallest coin.
      check: ScenarioTests.expect(.charges, "currency refunded_milliunits", "JPY 100000", "KRW 1500000", "KWD 502")),
    "a period that the family no longer shares extends no access": Case(
      asOf: "2026-07-20T00:00:00Z",
      orders: [.month("PO-1", at: "2026-05-10T09:59:00Z", names: "30") { $0.entitlementExpiresAt = "2026-06-25T10:00:00Z" }],
      evidence: [
        ApplePurchase.month("30", at: "2026-05-10T10:00:00Z", until: "2026-06-10T10:00:00Z"),
        ApplePurchase.month(
          "31", original: "30", at: "2026-06-10T10:00:00Z", until: "2026-07-10T10:00:00Z"
        ).with { ($0.revokedAt, $0.revocationType) = (instant("2026-06-12T10:00:00Z"), "FAMILY_REVOKE") },
      ].map { $0.with { $0.ownership = "FAMILY_SHARED" }.jws }, matches: ["PO-1 30 M1"],
      breaks: ["AMOUNT_DIFF PO-1", "ENTITLEMENT_OVERRUN PO-1"]),
  ])

  static let nights = Case.table([
    "3 the refund arrives before the order": Case(
      asOf: "2026-05-10T12:00:00Z", evidence: [Scenario.notification("REFUND", uuid: "n-3", refunded, signedAt: "2026-05-10T08:00:10Z")],
      later: [
        Case(asOf: "2026-05-11T12:00:00Z", breaks: ["REFUND_NO_ORDER"]),
        Case(
          orders: [order("PO-3") { ($0.status, $0.refundedAt) = ("refunded", "2026-05-12T10:00:00Z") }], matches: ["PO-3 280 M1"]),
      ]),
    "4 the refund is reversed after the break was closed": Case(
      orders: [order("PO-4")], evidence: [Scenario.notification("REFUND", uuid: "n-4a", refunded, signedAt: "2026-05-10T08:00:10Z")],
      matches: ["PO-4 280 M1"], breaks: ["REFUND_NOT_APPLIED PO-4"],
      later: [
        Case(
          asOf: "2026-05-13T12:00:00Z",
          orders: [
            order("PO-4") { ($0.status, $0.refundedAt, $0.updatedAt) = ("refunded", "2026-05-12T13:00:00Z", "2026-05-12T13:00:00Z") }
          ], matches: ["PO-4 280 M1"]),
        Case(
          asOf: "2026-05-16T12:00:00Z",
          evidence: [
            Scenario.notification(
              "REFUND_REVERSED", uuid: "n-4b", bought.signed(at: "2026-05-14T08:00:00Z"), signedAt: "2026-05-14T08:00:00Z")
          ], matches: ["PO-4 280 M1"], breaks: ["REFUND_REVERSED_NOT_APPLIED PO-4"]),
        Case(
          // The order may keep the instant of its refund.
          asOf: "2026-05-17T12:00:00Z",
          orders: [order("PO-4") { ($0.refundedAt, $0.updatedAt) = ("2026-05-12T13:00:00Z", "2026-05-17T08:00:00Z") }],
          matches: ["PO-4 280 M1"]),
      ]
    ) { scenario, asOf in
      // One break opened twice keeps its id.
      let ids = Set(try await scenario.cells(.breaks, "break_id", asOf: asOf))
      #expect(ids.count == 1)
    },
    "12 family access, then taken back by the family": Case(
      orders: [yearOrder("PO-12")], evidence: [year().jws, year("FAMILY_SHARED", "101").jws], matches: ["PO-12 100 M1"],
      later: [
        Case(
          asOf: "2026-05-14T12:00:00Z",
          evidence: [
            Scenario.notification(
              "REVOKE", uuid: "n-12",
              year("FAMILY_SHARED", "101").refunded(at: "2026-05-13T08:00:00Z", signedAt: "2026-05-13T08:00:10Z", as: "FAMILY_REVOKE"),
              signedAt: "2026-05-13T08:00:10Z")
          ], matches: ["PO-12 100 M1"])
      ]
    ) { scenario, asOf in
      try await ScenarioTests.expect(.charges, "state", "charged", "family")(scenario, asOf)
      try await ScenarioTests.expect(.subscriptions, "original_transaction_id status", "100 active", "101 revoked")(scenario, asOf)
    },
    "10 the same word in three purchases, on two nights": Case(
      evidence: ["1", "2"].map { lent($0) }, breaks: ["TX_NO_ORDER", "TX_NO_ORDER", "UNRECOGNIZED_VALUE"],
      later: [
        Case(
          asOf: "2026-05-13T12:00:00Z", evidence: [lent("3")], breaks: ["TX_NO_ORDER", "TX_NO_ORDER", "TX_NO_ORDER", "UNRECOGNIZED_VALUE"])
      ]
    ) { scenario, asOf in
      let found = try await scenario.rows(.breaks, asOf: asOf).filter { $0["class"] == "UNRECOGNIZED_VALUE" }
      #expect(
        found.cells("detail") == [
          "field inAppOwnershipType has a value this version does not recognise: LENT; items: 3, first 2026-05-09T10:00:01Z, "
            + "last 2026-05-09T10:00:03Z, such as transaction 1, transaction 2, transaction 3"
        ])
    },
  ])

  private static let prices: [(String, Int64)] = [("JPY", 300_000), ("KRW", 4_500_000), ("KWD", 1505)]

  private static func lent(_ id: String) -> String {
    ApplePurchase(id, at: "2026-05-09T10:00:0\(id)Z").with { $0.ownership = "LENT" }.jws
  }

  private static let largeIDs = ["9007199254740993", "9007199254740992", "0042", "42"]
}
