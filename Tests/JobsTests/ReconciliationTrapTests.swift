import Domain
import JobCore
import Reports
import Testing
import TestSupport

/// The traps of reconciliation within orders, users, catalogue and signed evidence.
///
/// Other tests cover the rest: 15 in KillTests, 16 and 17 in RunDueTests, 16 also in DueWindowsTests, 18 in UndoTests. Traps 6 to 9
/// belong to the tie-out and to revenue recognition.
@Suite(.cleansUp) struct ReconciliationTrapTests {
  struct Step: Sendable {
    var asOf: String
    var orders: [TestOrder] = []
    var evidence: [String] = []
    /// `order transaction rung`.
    var matches: [String] = []
    /// `CLASS order`, open at the clock.
    var breaks: [String] = []
  }

  struct Trap: NamedCase {
    var name: String
    var users: [String] = []
    var settings: @Sendable (inout JobSettings) -> Void = { _ in }
    var steps: [Step]
    var check: @Sendable (Scenario, String) async throws -> Void = { _, _ in }
  }

  @Test(arguments: repeats + refunds + values + people) func trap(_ trap: Trap) async throws {
    var scenario = try await Scenario()
    trap.settings(&scenario.settings)
    for step in trap.steps {
      if !trap.users.isEmpty { try await scenario.users(trap.users, asOf: step.asOf) }
      if !step.orders.isEmpty { try await scenario.orders(step.orders, asOf: step.asOf) }
      if !step.evidence.isEmpty { try await scenario.evidence(step.evidence, asOf: step.asOf) }
      try await scenario.decide(asOf: step.asOf)
      #expect(try await scenario.matches(asOf: step.asOf) == step.matches.sorted(), "at \(step.asOf)")
      #expect(try await scenario.openBreaks(asOf: step.asOf) == step.breaks.sorted(), "at \(step.asOf)")
    }
    try await trap.check(scenario, trap.steps.last?.asOf ?? "")
  }

  private static let token1 = "a1000000-0000-4000-8000-000000000001"
  private static let token2 = "a2000000-0000-4000-8000-000000000002"
  private static let bought = ApplePurchase("470001000000280", at: "2026-05-09T10:00:00Z")

  private static let refunded = bought.with {
    $0.revokedAt = instant("2026-05-10T08:00:00Z")
    $0.signedAt = instant("2026-05-10T08:00:10Z")
  }

  private static func year(_ ownership: String = "PURCHASED", _ id: String = "100") -> ApplePurchase {
    ApplePurchase.month(
      id, original: id, lineItem: "9\(id)", at: "2026-05-01T10:00:00Z", until: "2027-05-01T10:00:00Z", price: 238_001
    ).with { $0.productID = "vip.year"; $0.ownership = ownership }
  }

  private static func yearOrder(_ id: String, _ change: (inout TestOrder) -> Void = { _ in }) -> TestOrder {
    TestOrder(id, user: "U1", at: "2026-05-01T09:59:00Z") {
      $0.productID = "vip.year"
      $0.priceMilliunits = 238_001
      $0.transactionID = "100"
      change(&$0)
    }
  }

  static let repeats: [Trap] = [
    Trap(
      name: "1 what pays an order again is nobody else's purchase on the device",
      steps: [
        Step(
          asOf: "2026-05-12T12:00:00Z",
          orders: [
            TestOrder("PO-1", user: "U1", at: "2026-05-10T10:00:00Z") { $0.deviceID = "D1" },
            TestOrder("PO-2", user: "U2", at: "2026-05-10T09:00:00Z") { $0.deviceID = "D1"; $0.status = "created" },
          ],
          evidence: [("1", "2026-05-10T10:00:20Z"), ("2", "2026-05-10T10:05:00Z")].map { id, at in
            Scenario.upload(Scenario.sign(ApplePurchase(id, at: at)), user: "U1", device: "D1", order: "PO-1", at: at)
          }, matches: ["PO-1 1 M5"], breaks: ["DUP_CHARGE PO-1"])
      ]),
    Trap(
      name: "1 two transaction ids, one line item, one original id: one purchase",
      steps: [
        Step(
          asOf: "2026-05-12T12:00:00Z",
          orders: [TestOrder.month("PO-1", user: "U1", at: "2026-05-10T09:59:00Z") { $0.transactionID = "31" }],
          evidence: ["31", "32"].map {
            Scenario.sign(
              .month($0, original: "30", lineItem: "931", at: "2026-05-10T10:00:00Z", until: "2026-06-10T10:00:00Z"))
          }, matches: ["PO-1 31 M1"])
      ]
    ) { scenario, asOf in
      try await expect(1, .charges, scenario, asOf)
      try await expect(0, .signals, scenario, asOf)
      try await expect(0, .cases, scenario, asOf)
    },
    Trap(
      name: "1 the second order of the purchase is not fulfilled again",
      steps: [
        Step(
          asOf: "2026-05-12T12:00:00Z",
          orders: ["31", "32"].map { (id: String) in
            TestOrder.month("PO-\(id)", user: "U1", at: "2026-05-10T09:59:\(id)Z") { $0.transactionID = id }
          },
          evidence: ["31", "32"].map {
            Scenario.sign(
              .month($0, original: "30", lineItem: "931", at: "2026-05-10T10:00:00Z", until: "2026-06-10T10:00:00Z"))
          }, matches: ["PO-31 31 M1"], breaks: ["DUP_DELIVERY PO-32"])
      ]),
    Trap(
      name: "2 two purchases of one user, product, minute and price",
      steps: [
        Step(
          asOf: "2026-05-12T12:00:00Z",
          orders: ["00", "30"].map { TestOrder("PO-\($0)", user: "U1", at: "2026-05-10T10:00:\($0)Z") },
          evidence: ["20", "50"].map {
            Scenario.upload(Scenario.sign(ApplePurchase("1\($0)", at: "2026-05-10T10:00:\($0)Z")), user: "U1", at: "2026-05-10T10:01:00Z")
          }, matches: ["PO-00 120 M6", "PO-30 150 M6"])
      ]
    ) { scenario, asOf in try await expect(2, .charges, scenario, asOf) },
  ]

  static let refunds: [Trap] = [
    Trap(
      name: "3 the refund arrives before the order",
      steps: [
        Step(
          asOf: "2026-05-10T12:00:00Z",
          evidence: [Scenario.notification("REFUND", uuid: "n-3", refunded, signedAt: "2026-05-10T08:00:10Z")]),
        Step(asOf: "2026-05-11T12:00:00Z", breaks: ["REFUND_NO_ORDER"]),
        Step(
          asOf: "2026-05-12T12:00:00Z",
          orders: [
            TestOrder("PO-3", user: "U1", at: "2026-05-09T09:59:00Z") {
              $0.transactionID = "470001000000280"
              $0.status = "refunded"
              $0.refundedAt = "2026-05-12T10:00:00Z"
            }
          ], matches: ["PO-3 470001000000280 M1"]),
      ]),
    Trap(
      name: "4 the refund is reversed after the break was closed",
      steps: [
        Step(
          asOf: "2026-05-12T12:00:00Z", orders: [TestOrder("PO-4", user: "U1", at: "2026-05-09T09:59:00Z") { $0.transactionID = "470001000000280" }],
          evidence: [Scenario.notification("REFUND", uuid: "n-4a", refunded, signedAt: "2026-05-10T08:00:10Z")],
          matches: ["PO-4 470001000000280 M1"], breaks: ["REFUND_NOT_APPLIED PO-4"]),
        Step(
          asOf: "2026-05-13T12:00:00Z",
          orders: [
            TestOrder("PO-4", user: "U1", at: "2026-05-09T09:59:00Z") {
              $0.transactionID = "470001000000280"
              $0.status = "refunded"
              $0.refundedAt = "2026-05-12T13:00:00Z"
              $0.updatedAt = "2026-05-12T13:00:00Z"
            }
          ], matches: ["PO-4 470001000000280 M1"]),
        Step(
          asOf: "2026-05-16T12:00:00Z",
          evidence: [
            Scenario.notification(
              "REFUND_REVERSED", uuid: "n-4b", bought.with { $0.signedAt = instant("2026-05-14T08:00:00Z") },
              signedAt: "2026-05-14T08:00:00Z")
          ], matches: ["PO-4 470001000000280 M1"], breaks: ["REFUND_REVERSED_NOT_APPLIED PO-4"]),
        Step(
          asOf: "2026-05-17T12:00:00Z",
          orders: [
            TestOrder("PO-4", user: "U1", at: "2026-05-09T09:59:00Z") {
              $0.transactionID = "470001000000280"
              $0.updatedAt = "2026-05-17T08:00:00Z"
            }
          ], matches: ["PO-4 470001000000280 M1"]),
      ]
    ) { scenario, asOf in
      // One break opened twice keeps its id.
      let ids = Set(try await scenario.rows(.breaks, asOf: asOf).compactMap { $0["break_id"] })
      #expect(ids.count == 1)
    },
    Trap(
      name: "5 37.5 % of a yearly plan given back, to the last thousandth",
      steps: [
        Step(
          asOf: "2026-05-12T12:00:00Z",
          orders: [yearOrder("PO-5") { $0.status = "refunded"; $0.refundedAt = "2026-05-10T09:00:00Z" }],
          evidence: [
            Scenario.sign(
              year().with {
                $0.revokedAt = instant("2026-05-10T08:00:00Z")
                $0.signedAt = instant("2026-05-10T08:00:10Z")
                $0.revocationType = "REFUND_PRORATED"
                $0.revocationPercentage = 37_500
              })
          ], matches: ["PO-5 100 M1"])
      ]
    ) { scenario, asOf in
      let charge = try #require(try await scenario.rows(.charges, asOf: asOf).first)
      #expect(charge["state"] == "partly_refunded")
      // 238.001 × 37.5 % = 89.250375, rounded to the fen.
      #expect(charge["refunded_milliunits"] == "89250")
    },
    Trap(
      name: "12 family access, then taken back by the family",
      steps: [
        Step(
          asOf: "2026-05-12T12:00:00Z", orders: [yearOrder("PO-12")],
          evidence: [Scenario.sign(year()), Scenario.sign(year("FAMILY_SHARED", "101"))], matches: ["PO-12 100 M1"]),
        Step(
          asOf: "2026-05-14T12:00:00Z",
          evidence: [
            Scenario.notification(
              "REVOKE", uuid: "n-12",
              year("FAMILY_SHARED", "101").with {
                $0.revokedAt = instant("2026-05-13T08:00:00Z")
                $0.signedAt = instant("2026-05-13T08:00:10Z")
                $0.revocationType = "FAMILY_REVOKE"
              }, signedAt: "2026-05-13T08:00:10Z")
          ], matches: ["PO-12 100 M1"]),
      ]
    ) { scenario, asOf in
      let charges = try await scenario.rows(.charges, asOf: asOf)
      #expect(charges.compactMap { $0["state"] }.sorted() == ["charged", "family"])
      let statuses = try await scenario.rows(.subscriptions, asOf: asOf)
      #expect(statuses.first { $0["original_transaction_id"] == "100" }?["status"] == "active")
      #expect(statuses.first { $0["original_transaction_id"] == "101" }?["status"] == "revoked")
    },
  ]

  static let values: [Trap] = [
    Trap(
      name: "10 a word of Apple's that nobody knows yet",
      steps: [
        Step(
          asOf: "2026-05-12T12:00:00Z",
          orders: [TestOrder("PO-10", user: "U1", at: "2026-05-09T09:59:00Z") { $0.transactionID = "470001000000280" }],
          evidence: [Scenario.sign(bought.with { $0.ownership = "LENT" })], matches: ["PO-10 470001000000280 M1"],
          breaks: ["UNRECOGNIZED_VALUE"])
      ]),
    Trap(
      name: "10 the same word in three purchases, on two nights",
      steps: [
        Step(
          asOf: "2026-05-12T12:00:00Z", evidence: ["1", "2"].map { lent($0) }, breaks: ["TX_NO_ORDER", "TX_NO_ORDER", "UNRECOGNIZED_VALUE"]),
        Step(
          asOf: "2026-05-13T12:00:00Z", evidence: [lent("3")],
          breaks: ["TX_NO_ORDER", "TX_NO_ORDER", "TX_NO_ORDER", "UNRECOGNIZED_VALUE"]),
      ]
    ) { scenario, asOf in
      let found = try await scenario.rows(.breaks, asOf: asOf).filter { $0["class"] == "UNRECOGNIZED_VALUE" }
      #expect(
        found.map { $0["detail"] } == [
          "field inAppOwnershipType has a value this version does not recognise: LENT; items: 3, first 2026-05-09T10:00:01Z, "
            + "last 2026-05-09T10:00:03Z, such as transaction 1, transaction 2, transaction 3"
        ])
    },
    Trap(
      name: "10 an empty text is an absent field, and a token without dashes is a token", users: ["U1,\(token1.filter { $0 != "-" }),CHN,false"],
      steps: [
        Step(
          asOf: "2026-05-12T12:00:00Z",
          orders: [
            TestOrder("PO-1", user: "U1", at: "2026-05-09T09:59:00Z"),
            TestOrder("PO-2", user: "U2", at: "2026-05-09T09:59:00Z") { $0.token = token2.filter { $0 != "-" } },
          ],
          evidence: [
            Scenario.sign(ApplePurchase("1", at: "2026-05-09T10:00:00Z", token: token1)),
            Scenario.sign(ApplePurchase("2", at: "2026-05-09T10:00:00Z", token: token2.filter { $0 != "-" }.uppercased())),
            Scenario.sign(ApplePurchase("3", at: "2026-05-09T10:00:00Z", token: "", lineItem: "")),
          ], matches: ["PO-1 1 M2", "PO-2 2 M2"], breaks: ["TX_NO_ORDER"])
      ]),
    Trap(
      name: "10 a transaction without the field that says whose it is",
      steps: [
        Step(
          asOf: "2026-05-12T12:00:00Z",
          orders: [TestOrder("PO-1", user: "U1", at: "2026-05-09T09:59:00Z") { $0.transactionID = "1" }],
          evidence: [Scenario.sign(ApplePurchase("1", at: "2026-05-09T10:00:00Z").with { $0.bundleID = "" })],
          breaks: ["ORDER_NO_TX PO-1", "UNRECOGNIZED_VALUE"])
      ]
    ) { scenario, asOf in
      let details = try await scenario.rows(.breaks, asOf: asOf).map { $0["detail"] ?? "" }.sorted()
      #expect(
        details == [
          "field bundleId is missing; items: 1, first 2026-05-09T10:00:00Z, last 2026-05-09T10:00:00Z, such as transaction 1",
          "names transaction 1, whose evidence cannot be judged: bundle_id is missing",
        ])
      let evidence = try await scenario.rows(.evidence, asOf: asOf).map { "\($0["verdict"] ?? "") \($0["reason"] ?? "")" }
      #expect(evidence == ["pending bundle_id is missing"])
    },
    Trap(
      name: "10 a free trial without price costs nothing",
      steps: [
        Step(
          asOf: "2026-05-12T12:00:00Z",
          orders: [TestOrder.month("PO-1", user: "U1", at: "2026-05-09T09:59:00Z") { $0.transactionID = "1" }],
          evidence: [
            Scenario.sign(
              ApplePurchase.month("1", original: "1", lineItem: "91", at: "2026-05-09T10:00:00Z", until: "2026-06-09T10:00:00Z").with {
                $0.hasPrice = false
                $0.offerType = 1
                $0.more = ",\"offerDiscountType\":\"FREE_TRIAL\""
              })
          ], matches: ["PO-1 1 M1"], breaks: ["AMOUNT_DIFF PO-1"])
      ]
    ) { scenario, asOf in
      let charge = try #require(try await scenario.rows(.charges, asOf: asOf).first)
      #expect(charge["price_milliunits"] == "0")
      #expect(charge["state"] == "free")
    },
    Trap(
      name: "11 grace without a date",
      steps: [Step(asOf: "2026-06-12T12:00:00Z", evidence: status(4), breaks: ["TX_NO_ORDER"])]
    ) { scenario, asOf in
      let row = try #require(try await scenario.rows(.subscriptions, asOf: asOf).first)
      #expect(row["status"] == "grace")
      #expect(row["grace_until"] == "")
    },
    Trap(
      name: "11 billing retry for longer than Apple tries",
      steps: [Step(asOf: "2026-08-12T12:00:00Z", evidence: status(3), breaks: ["TX_NO_ORDER"])]
    ) { scenario, asOf in
      let row = try #require(try await scenario.rows(.subscriptions, asOf: asOf).first)
      #expect(row["status"] == "expired")
    },
    Trap(
      name: "19 ids that a number would change",
      steps: [
        Step(
          asOf: "2026-05-12T12:00:00Z",
          orders: largeIDs.map { id in
            TestOrder("PO-\(id)", user: "U\(id)", at: "2026-05-09T09:59:00Z") { $0.transactionID = id }
          },
          evidence: largeIDs.map { Scenario.sign(ApplePurchase($0, at: "2026-05-09T10:00:00Z")) },
          matches: largeIDs.map { "PO-\($0) \($0) M1" })
      ]),
    Trap(
      name: "20 currencies without and with three decimals",
      steps: [
        Step(
          asOf: "2026-05-12T12:00:00Z",
          orders: [("JPY", 300_000), ("KRW", 4_500_000), ("KWD", 1505)].map { currency, price in
            TestOrder("PO-\(currency)", user: "U1", at: "2026-05-09T09:59:00Z") {
              $0.transactionID = currency
              $0.priceMilliunits = Int64(price)
              $0.currency = currency
              $0.status = "refunded"
              $0.refundedAt = "2026-05-10T09:00:00Z"
            }
          },
          evidence: [("JPY", 300_000), ("KRW", 4_500_000), ("KWD", 1505)].map { currency, price in
            Scenario.sign(
              ApplePurchase(currency, at: "2026-05-09T10:00:00Z", price: Int64(price)).with {
                $0.currency = currency
                $0.revokedAt = instant("2026-05-10T08:00:00Z")
                $0.signedAt = instant("2026-05-10T08:00:10Z")
                $0.revocationType = "REFUND_PRORATED"
                $0.revocationPercentage = 33_333
              })
          }, matches: ["PO-JPY JPY M1", "PO-KRW KRW M1", "PO-KWD KWD M1"])
      ]
    ) { scenario, asOf in
      let rows = try await scenario.rows(.charges, asOf: asOf)
      let refunds = Dictionary(uniqueKeysWithValues: rows.map { ($0["currency"] ?? "", $0["refunded_milliunits"] ?? "") })
      // 99.999 yen, 1499.985 won and 501.66 fils, each rounded to its smallest coin.
      #expect(refunds == ["JPY": "100000", "KRW": "1500000", "KWD": "502"])
    },
  ]

  private static func lent(_ id: String) -> String {
    Scenario.sign(ApplePurchase(id, at: "2026-05-09T10:00:0\(id)Z").with { $0.ownership = "LENT" })
  }

  private static let largeIDs = ["9007199254740993", "9007199254740992", "0042", "42"]

  private static func expect(_ count: Int, _ list: ExportList, _ scenario: Scenario, _ asOf: String) async throws {
    let rows = try await scenario.rows(list, asOf: asOf)
    #expect(rows.count == count)
  }

  private static func status(_ status: Int) -> [String] {
    let month = ApplePurchase.month("1", original: "1", lineItem: "91", at: "2026-05-10T10:00:00Z", until: "2026-06-10T10:00:00Z")
    let info =
      "{\"originalTransactionId\":\"1\",\"productId\":\"vip.month\",\"autoRenewProductId\":\"vip.month\",\"autoRenewStatus\":1,"
      + "\"isInBillingRetryPeriod\":true,\"environment\":\"Production\",\"signedDate\":\(instant("2026-06-10T10:00:05Z").microseconds / 1000)}"
    return [
      Scenario.notification(
        "DID_FAIL_TO_RENEW", uuid: "n-11", month.with { $0.signedAt = instant("2026-06-10T10:00:05Z") }, renewalInfo: info,
        status: status, signedAt: "2026-06-10T10:00:05Z")
    ]
  }

  static let people: [Trap] = [
    Trap(
      name: "a period that the family no longer shares lengthens nobody's access",
      steps: [
        Step(
          asOf: "2026-07-20T00:00:00Z",
          orders: [
            TestOrder.month("PO-1", user: "U1", at: "2026-05-10T09:59:00Z") {
              $0.transactionID = "30"
              $0.entitlementExpiresAt = "2026-06-25T10:00:00Z"
            }
          ],
          evidence: [
            ApplePurchase.month("30", original: "30", lineItem: "930", at: "2026-05-10T10:00:00Z", until: "2026-06-10T10:00:00Z"),
            ApplePurchase.month(
              "31", original: "30", lineItem: "931", at: "2026-06-10T10:00:00Z", until: "2026-07-10T10:00:00Z"
            ).with { $0.revokedAt = instant("2026-06-12T10:00:00Z"); $0.revocationType = "FAMILY_REVOKE" },
          ].map { Scenario.sign($0.with { $0.ownership = "FAMILY_SHARED" }) },
          matches: ["PO-1 30 M1"], breaks: ["AMOUNT_DIFF PO-1", "ENTITLEMENT_OVERRUN PO-1"])
      ]),
    Trap(
      name: "13 no token at all",
      steps: [
        Step(
          asOf: "2026-05-12T12:00:00Z", orders: [TestOrder("PO-13", user: "U1", at: "2026-05-09T09:59:00Z")],
          evidence: [Scenario.upload(Scenario.sign(bought), user: "U1", at: "2026-05-09T10:00:10Z")],
          matches: ["PO-13 470001000000280 M6"])
      ]) { scenario, asOf in try await expect(0, .signals, scenario, asOf) },
    Trap(
      name: "13 the token of another user", users: ["U1,\(token1),CHN,false", "U2,\(token2),CHN,false"],
      steps: [
        Step(
          asOf: "2026-05-12T12:00:00Z",
          orders: [TestOrder("PO-13", user: "U2", at: "2026-05-09T09:59:00Z") { $0.transactionID = "470001000000280" }],
          evidence: [Scenario.sign(bought.with { $0.token = token1 })], breaks: ["TX_NO_ORDER", "USER_DIFF PO-13"])
      ]),
    Trap(
      name: "13 the same after the accounts were merged", users: ["U2,\(token1),CHN,false"],
      steps: [
        Step(
          asOf: "2026-05-12T12:00:00Z",
          orders: [TestOrder("PO-13", user: "U2", at: "2026-05-09T09:59:00Z") { $0.transactionID = "470001000000280" }],
          evidence: [Scenario.sign(bought.with { $0.token = token1 })], matches: ["PO-13 470001000000280 M1"])
      ]),
    Trap(
      name: "14 App Review on a production order, listed",
      settings: {
        $0.apps[0].reviewWindows = [
          ReviewWindow(from: instant("2026-05-08T00:00:00Z"), to: instant("2026-05-11T00:00:00Z"), users: ["REV-1"])
        ]
      }, steps: [reviewed]),
    Trap(
      name: "14 App Review on a production order, not listed",
      steps: [Step(asOf: reviewed.asOf, orders: reviewed.orders, evidence: reviewed.evidence, breaks: ["SANDBOX_IN_PROD RV-1"])]),
  ]

  private static let reviewed = Step(
    asOf: "2026-05-12T12:00:00Z",
    orders: [TestOrder("RV-1", user: "REV-1", at: "2026-05-09T09:59:00Z") { $0.transactionID = "470001000000280" }],
    evidence: [Scenario.sign(bought.with { $0.environment = "Sandbox" })])
}
