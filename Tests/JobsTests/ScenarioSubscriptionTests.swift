import Domain
import JobCore
import Testing
import TestSupport

extension ScenarioTests {
  private static func month(
    _ transactionID: String, lineItem: String, at purchasedAt: String, until: String, isRenewal: Bool = true
  ) -> ApplePurchase {
    .month(transactionID, original: "470001000000030", lineItem: lineItem, at: purchasedAt, until: until, isRenewal: isRenewal)
  }

  static let subscriptions: [Case] = [
    Case(
      name: "T07 restore of a non-consumable",
      asOf: "2026-06-12T12:00:00Z",
      orders: [
        TestOrder("PO-7", user: "U1", at: "2026-01-10T10:00:00Z") {
          $0.productID = "lifetime"
          $0.priceMilliunits = 198_000
          $0.transactionID = "470001000000020"
        }
      ],
      evidence: [
        Scenario.sign(
          ApplePurchase("470001000000020", at: "2026-01-10T10:00:20Z", product: "lifetime", type: "Non-Consumable", price: 198_000)),
        Scenario.sign(
          ApplePurchase(
            "470001000000777", at: "2026-06-10T10:00:20Z", product: "lifetime", type: "Non-Consumable", price: 198_000,
            original: "470001000000020"
          ).with { $0.originalPurchasedAt = instant("2026-01-10T10:00:20Z") }),
      ],
      matches: ["PO-7 470001000000020 M1"]
    ) { scenario, asOf in
      let charges = try await scenario.rows(.charges, asOf: asOf)
      #expect(charges.count == 1)
      #expect(charges.first?["purchased_at"] == "2026-01-10T10:00:20Z")
      #expect(charges.first?["transaction_ids"]?.contains("470001000000777") == true)
    },
    Case(
      name: "T08 renewal reported by two devices",
      orders: [TestOrder.month("PO-8", user: "U1", at: "2026-05-10T09:59:00Z") { $0.transactionID = "470001000000031" }],
      evidence: ["470001000000031", "470001000000032"].map { id in
        Scenario.sign(month(id, lineItem: "470000900000001", at: "2026-05-10T10:00:00Z", until: "2026-06-10T10:00:00Z"))
      },
      matches: ["PO-8 470001000000031 M1"]
    ) { scenario, asOf in
      let charges = try await scenario.rows(.charges, asOf: asOf)
      #expect(charges.count == 1)
      #expect(charges.first?["transaction_ids"]?.contains("470001000000032") == true)
    },
    Case(
      name: "T09 late notification with another transaction id and the token",
      orders: [TestOrder.month("PO-9", user: "U1", at: "2026-05-10T09:59:00Z")],
      users: ["U1,\(tokenA1),CHN,false"],
      evidence: [
        Scenario.sign(
          .month(
            "190002223966278", original: "190002223966278", lineItem: "190001007274949", at: "2026-05-10T10:00:00Z",
            until: "2026-06-10T10:00:00Z")),
        Scenario.notification(
          "SUBSCRIBED", subtype: "INITIAL_BUY", uuid: "n-9",
          .month(
            "190002224000004", original: "190002223966278", lineItem: "190001007274949", at: "2026-05-10T10:00:00Z",
            until: "2026-06-10T10:00:00Z", token: tokenA1), signedAt: "2026-05-10T11:06:00Z"),
      ],
      matches: ["PO-9 190002223966278 M2"]
    ) { scenario, asOf in
      let charges = try await scenario.rows(.charges, asOf: asOf)
      #expect(charges.count == 1)
      #expect(charges.first?["app_account_token"] == tokenA1)
    },
    Case(
      name: "T10 the sandbox reuses line items",
      evidence: [("1", "2026-05-10T10:00:00Z"), ("2", "2026-05-10T10:05:00Z")].map { id, at in
        Scenario.sign(
          month(id, lineItem: "1000000030000001", at: at, until: "2026-05-10T10:10:00Z")
            .with { $0.environment = "Sandbox" })
      },
      check: { scenario, asOf in try await expectCharges(2, scenario, asOf) }
    ),
    Case(
      name: "T10 the same in Production is a conflict",
      evidence: [("1", "2026-05-10T10:00:00Z"), ("2", "2026-05-10T10:05:00Z")].map { id, at in
        Scenario.sign(month(id, lineItem: "1000000030000001", at: at, until: "2026-06-10T10:10:00Z"))
      },
      breaks: ["ID_CONFLICT", "RENEWAL_NO_ORDER", "RENEWAL_NO_ORDER"],
      check: { scenario, asOf in try await expectCharges(2, scenario, asOf) }),
    Case(
      name: "a consumable under another transaction id is a conflict, and its charge all the same",
      orders: [TestOrder("PO-1", user: "U1", at: "2026-05-10T10:00:00Z") { $0.transactionID = "2" }],
      evidence: ["1", "2"].map { id in
        Scenario.sign(ApplePurchase(id, at: "2026-05-10T10:00:20Z").with { $0.originalTransactionID = "1" })
      },
      matches: ["PO-1 2 M1"],
      breaks: ["ID_CONFLICT"],
      check: { scenario, asOf in try await expectCharges(1, scenario, asOf) }),
    Case(
      name: "T20 periods in any order, the latest one refunded",
      asOf: "2026-05-14T12:00:00Z",
      orders: ["A", "B", "C"].enumerated().map { index, name in
        TestOrder("PO-20\(name)", user: "U1", at: "2026-0\(index + 2)-10T09:00:00Z") {
          $0.productID = "vip.month"
          $0.priceMilliunits = 25_000
          $0.transactionID = "47000100000020\(index)"
          if index == 2 { $0.status = "refunded"; $0.refundedAt = "2026-05-01T00:00:00Z" }
        }
      },
      evidence: [
        month("470001000000200", lineItem: "20", at: "2026-02-10T10:00:00Z", until: "2026-03-10T10:00:00Z", isRenewal: false),
        month("470001000000202", lineItem: "22", at: "2026-04-10T10:00:00Z", until: "2026-05-10T10:00:00Z")
          .with { $0.revokedAt = instant("2026-05-01T00:00:00Z") },
        month("470001000000201", lineItem: "21", at: "2026-03-10T10:00:00Z", until: "2026-04-10T10:00:00Z"),
      ].map { Scenario.sign($0) },
      matches: ["PO-20A 470001000000200 M1", "PO-20B 470001000000201 M1", "PO-20C 470001000000202 M1"]
    ) { scenario, asOf in
      let subscription = try #require(try await scenario.rows(.subscriptions, asOf: asOf).first)
      #expect(subscription["expires_at"] == "2026-04-10T10:00:00Z")
      let states = try await scenario.rows(.charges, asOf: asOf).compactMap { $0["state"] }.sorted()
      #expect(states == ["charged", "charged", "refunded"])
    },
    Case(
      name: "T26 the same notification three times",
      orders: [TestOrder("PO-26", user: "U1", at: "2026-05-10T10:00:00Z") { $0.transactionID = "260" }],
      evidence: Array(
        repeating: Scenario.notification(
          "ONE_TIME_CHARGE", uuid: "n-26", ApplePurchase("260", at: "2026-05-10T10:00:20Z"),
          signedAt: "2026-05-10T10:00:25Z"), count: 3),
      matches: ["PO-26 260 M1"]
    ) { scenario, asOf in
      let evidence = try await scenario.rows(.evidence, asOf: asOf)
      #expect(evidence.count == 2)
      #expect(Set(evidence.compactMap { $0["kind"] }) == ["notification", "transaction"])
    },
    Case(
      name: "T32 family members carry no money",
      orders: [
        TestOrder("PO-32", user: "U1", at: "2026-05-10T09:59:00Z") {
          $0.productID = "vip.year"
          $0.priceMilliunits = 238_000
          $0.transactionID = "100"
        }
      ],
      evidence: [("100", "PURCHASED"), ("101", "FAMILY_SHARED"), ("102", "FAMILY_SHARED")].map { id, ownership in
        Scenario.sign(
          ApplePurchase.month(
            id, original: id, lineItem: "9\(id)", at: "2026-05-10T10:00:00Z", until: "2027-05-10T10:00:00Z",
            price: 238_000
          ).with { $0.productID = "vip.year"; $0.ownership = ownership })
      },
      matches: ["PO-32 100 M1"]
    ) { scenario, asOf in
      let states = try await scenario.rows(.charges, asOf: asOf).compactMap { $0["state"] }.sorted()
      #expect(states == ["charged", "family", "family"])
    },
  ]
}
