import JobCore
import Testing
import TestSupport

extension ScenarioTests {
  private static func month(
    _ transactionID: String, lineItem: String, at purchasedAt: String, until: String, isRenewal: Bool = true
  ) -> ApplePurchase {
    .month(transactionID, original: "30", lineItem: lineItem, at: purchasedAt, until: until, isRenewal: isRenewal)
  }

  /// Two purchases with one line item.
  private static func sameLineItem(until: String, _ environment: String) -> [String] {
    [("1", "2026-05-10T10:00:00Z"), ("2", "2026-05-10T10:05:00Z")].map { id, at in
      Scenario.sign(month(id, lineItem: "1000000030000001", at: at, until: until).with { $0.environment = environment })
    }
  }

  static let subscriptions: [Case] = [
    Case(
      name: "T07 restore of a non-consumable", asOf: "2026-06-12T12:00:00Z",
      orders: [ordered("PO-7", "20", at: "2026-01-10T10:00:00Z") { ($0.productID, $0.priceMilliunits) = ("lifetime", 198_000) }],
      evidence: [("20", "2026-01-10T10:00:20Z"), ("777", "2026-06-10T10:00:20Z")].map { id, at in
        Scenario.sign(
          ApplePurchase(id, at: at, product: "lifetime", type: "Non-Consumable", price: 198_000, original: "20")
            .with { $0.originalPurchasedAt = instant("2026-01-10T10:00:20Z") })
      }, matches: ["PO-7 20 M1"], check: expect(.charges, "purchased_at transaction_ids", "2026-01-10T10:00:20Z 20 777")),
    Case(
      name: "T08 renewal reported by two devices", orders: [TestOrder.month("PO-8", at: "2026-05-10T09:59:00Z", names: "31")],
      evidence: ["31", "32"].map { Scenario.sign(month($0, lineItem: "1", at: "2026-05-10T10:00:00Z", until: "2026-06-10T10:00:00Z")) },
      matches: ["PO-8 31 M1"]
    ) { scenario, asOf in
      try await expect(.charges, "transaction_ids", "31 32")(scenario, asOf)
      try await expect(.signals, count: 0)(scenario, asOf)
      try await expect(.cases, count: 0)(scenario, asOf)
    },
    Case(
      name: "T09 late notification with another transaction id and the token",
      orders: [TestOrder.month("PO-9", at: "2026-05-10T09:59:00Z")], users: userOne,
      evidence: [
        Scenario.sign(.month("78", original: "78", lineItem: "49", at: "2026-05-10T10:00:00Z", until: "2026-06-10T10:00:00Z")),
        Scenario.notification(
          "SUBSCRIBED", subtype: "INITIAL_BUY", uuid: "n-9",
          .month("84", original: "78", lineItem: "49", at: "2026-05-10T10:00:00Z", until: "2026-06-10T10:00:00Z", token: tokenA1),
          signedAt: "2026-05-10T11:06:00Z"),
      ], matches: ["PO-9 78 M2"], check: expect(.charges, "app_account_token", tokenA1)),
    Case(
      name: "T10 the sandbox reuses line items", evidence: sameLineItem(until: "2026-05-10T10:10:00Z", "Sandbox"),
      check: expect(.charges, count: 2)),
    Case(
      name: "T10 the same in Production is a conflict", evidence: sameLineItem(until: "2026-06-10T10:10:00Z", "Production"),
      breaks: ["ID_CONFLICT", "RENEWAL_NO_ORDER", "RENEWAL_NO_ORDER"], check: expect(.charges, count: 2)),
    Case(
      name: "a consumable under another transaction id is a conflict, and its charge all the same", orders: [ordered("PO-1", "2")],
      evidence: ["1", "2"].map { signed($0) { $0.originalTransactionID = "1" } }, matches: ["PO-1 2 M1"], breaks: ["ID_CONFLICT"],
      check: expect(.charges, count: 1)),
    Case(
      name: "T20 periods in any order, the latest one refunded", asOf: "2026-05-14T12:00:00Z",
      orders: ["A", "B", "C"].enumerated().map { index, name in
        TestOrder.month("PO-20\(name)", at: "2026-0\(index + 2)-10T09:00:00Z", names: "20\(index)") {
          if index == 2 { ($0.status, $0.refundedAt) = ("refunded", "2026-05-01T00:00:00Z") }
        }
      },
      evidence: [
        month("200", lineItem: "20", at: "2026-02-10T10:00:00Z", until: "2026-03-10T10:00:00Z", isRenewal: false),
        month("202", lineItem: "22", at: "2026-04-10T10:00:00Z", until: "2026-05-10T10:00:00Z")
          .with { $0.revokedAt = instant("2026-05-01T00:00:00Z") },
        month("201", lineItem: "21", at: "2026-03-10T10:00:00Z", until: "2026-04-10T10:00:00Z"),
      ].map { Scenario.sign($0) }, matches: ["PO-20A 200 M1", "PO-20B 201 M1", "PO-20C 202 M1"]
    ) { scenario, asOf in
      try await expect(.subscriptions, "expires_at", "2026-04-10T10:00:00Z")(scenario, asOf)
      try await expect(.charges, "state", "charged", "charged", "refunded")(scenario, asOf)
    },
    Case(
      name: "T26 the same notification three times", orders: [ordered("PO-26", "260")],
      evidence: Array(
        repeating: Scenario.notification(
          "ONE_TIME_CHARGE", uuid: "n-26", ApplePurchase("260", at: "2026-05-10T10:00:20Z"), signedAt: "2026-05-10T10:00:25Z"), count: 3),
      matches: ["PO-26 260 M1"], check: expect(.evidence, "kind", "notification", "transaction")),
  ]
}
