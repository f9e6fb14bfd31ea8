import Domain
import JobCore
import Testing
import TestSupport

extension ScenarioTests {
  private static func plan(
    _ id: String, _ product: String, price: Int64, line: String, at: String, until: String, isRenewal: Bool = false
  ) -> ApplePurchase {
    .month(id, original: "1", lineItem: line, at: at, until: until, isRenewal: isRenewal, price: price)
      .with { $0.productID = product }
  }

  private static func planOrder(_ id: String, _ product: String, _ price: Int64, at: String, transaction: String) -> TestOrder {
    TestOrder(id, user: "U1", at: at) { $0.productID = product; $0.priceMilliunits = price; $0.transactionID = transaction }
  }

  private static func renewalInfo(_ product: String, next: String, at: String, _ more: String = "") -> String {
    "{\"originalTransactionId\":\"1\",\"productId\":\"\(product)\",\"autoRenewProductId\":\"\(next)\","
      + "\"autoRenewStatus\":1,\"environment\":\"Production\",\(more)\"signedDate\":\(instant(at).microseconds / 1000)}"
  }

  /// Changes of a subscription between its renewals.
  static let changes: [Case] = [
    Case(
      name: "T21 upgrade mid-period",
      asOf: "2026-05-20T12:00:00Z",
      orders: [
        planOrder("PO-21A", "vip.month", 25_000, at: "2026-05-01T09:59:50Z", transaction: "1"),
        planOrder("PO-21B", "svip.month", 40_000, at: "2026-05-11T09:59:50Z", transaction: "2"),
      ],
      evidence: [
        plan("1", "vip.month", price: 25_000, line: "91", at: "2026-05-01T10:00:00Z", until: "2026-06-01T10:00:00Z"),
        plan("2", "svip.month", price: 40_000, line: "92", at: "2026-05-11T10:00:00Z", until: "2026-06-11T10:00:00Z"),
        plan("1", "vip.month", price: 25_000, line: "91", at: "2026-05-01T10:00:00Z", until: "2026-06-01T10:00:00Z")
          .with { $0.isUpgraded = true; $0.signedAt = instant("2026-05-11T10:00:05Z") },
      ].map { Scenario.sign($0) },
      matches: ["PO-21A 1 M1", "PO-21B 2 M1"]
    ) { scenario, asOf in
      let charges = try await scenario.rows(.charges, asOf: asOf)
      #expect(charges.compactMap { $0["price_milliunits"] }.sorted() == ["25000", "40000"])
      #expect(charges.allSatisfy { $0["refunded_milliunits"] == "0" && $0["state"] == "charged" })
      let subscription = try #require(try await scenario.rows(.subscriptions, asOf: asOf).first)
      #expect(subscription["product_id"] == "svip.month")
    },
    Case(
      name: "T22 downgrade scheduled, then withdrawn",
      asOf: "2026-05-31T12:00:00Z",
      orders: [
        planOrder("PO-22A", "svip.month", 40_000, at: "2026-05-01T09:59:50Z", transaction: "1"),
        planOrder("PO-22B", "svip.month", 40_000, at: "2026-05-31T10:00:05Z", transaction: "2"),
      ],
      evidence: [
        Scenario.notification(
          "DID_CHANGE_RENEWAL_PREF", subtype: "DOWNGRADE", uuid: "n-22a",
          plan("1", "svip.month", price: 40_000, line: "91", at: "2026-05-01T10:00:00Z", until: "2026-05-31T10:00:00Z")
            .with { $0.signedAt = instant("2026-05-05T10:00:00Z") },
          renewalInfo: renewalInfo("svip.month", next: "vip.month", at: "2026-05-05T10:00:00Z"), status: 1,
          signedAt: "2026-05-05T10:00:00Z"),
        Scenario.notification(
          "DID_CHANGE_RENEWAL_PREF", uuid: "n-22b",
          plan("1", "svip.month", price: 40_000, line: "91", at: "2026-05-01T10:00:00Z", until: "2026-05-31T10:00:00Z")
            .with { $0.signedAt = instant("2026-05-08T10:00:00Z") },
          renewalInfo: renewalInfo("svip.month", next: "svip.month", at: "2026-05-08T10:00:00Z"), status: 1,
          signedAt: "2026-05-08T10:00:00Z"),
        Scenario.notification(
          "DID_RENEW", uuid: "n-22c",
          plan(
            "2", "svip.month", price: 40_000, line: "92", at: "2026-05-31T10:00:00Z", until: "2026-06-30T10:00:00Z",
            isRenewal: true), signedAt: "2026-05-31T10:00:10Z"),
      ],
      matches: ["PO-22A 1 M1", "PO-22B 2 M1"]
    ) { scenario, asOf in
      let charges = try await scenario.rows(.charges, asOf: asOf)
      #expect(charges.map { $0["product_id"] } == ["svip.month", "svip.month"])
      #expect(charges.map { $0["price_milliunits"] } == ["40000", "40000"])
    },
    Case(
      name: "T23 grace, then recovery inside it",
      asOf: "2026-06-16T12:00:00Z",
      orders: [
        planOrder("PO-23A", "vip.month", 25_000, at: "2026-05-10T09:59:50Z", transaction: "1"),
        planOrder("PO-23B", "vip.month", 25_000, at: "2026-06-15T10:00:05Z", transaction: "2"),
      ],
      evidence: graceful + [
        Scenario.notification(
          "DID_RENEW", subtype: "BILLING_RECOVERY", uuid: "n-23b",
          plan(
            "2", "vip.month", price: 25_000, line: "92", at: "2026-06-10T10:00:00Z", until: "2026-07-10T10:00:00Z",
            isRenewal: true
          ).with { $0.signedAt = instant("2026-06-15T10:00:00Z") }, status: 1, signedAt: "2026-06-15T10:00:00Z")
      ],
      matches: ["PO-23A 1 M1", "PO-23B 2 M1"]
    ) { scenario, asOf in
      let subscription = try #require(try await scenario.rows(.subscriptions, asOf: asOf).first)
      #expect(subscription["status"] == "active")
      #expect(subscription["expires_at"] == "2026-07-10T10:00:00Z")
    },
    Case(
      name: "T23 in the grace, before the recovery",
      asOf: "2026-06-12T12:00:00Z",
      orders: [planOrder("PO-23A", "vip.month", 25_000, at: "2026-05-10T09:59:50Z", transaction: "1")],
      evidence: graceful, matches: ["PO-23A 1 M1"]
    ) { scenario, asOf in
      let subscription = try #require(try await scenario.rows(.subscriptions, asOf: asOf).first)
      #expect(subscription["status"] == "grace")
      #expect(subscription["grace_until"] == "2026-06-26T10:00:00Z")
      try await expectCharges(1, scenario, asOf)
    },
    Case(
      name: "T24 recovery from billing retry",
      asOf: "2026-07-01T12:00:00Z",
      orders: [
        planOrder("PO-24A", "vip.month", 25_000, at: "2026-05-10T09:59:50Z", transaction: "1"),
        planOrder("PO-24B", "vip.month", 25_000, at: "2026-06-30T10:00:05Z", transaction: "2"),
      ],
      evidence: [
        Scenario.sign(plan("1", "vip.month", price: 25_000, line: "91", at: "2026-05-10T10:00:00Z", until: "2026-06-10T10:00:00Z")),
        Scenario.sign(
          plan("2", "vip.month", price: 25_000, line: "92", at: "2026-06-30T10:00:00Z", until: "2026-07-30T10:00:00Z", isRenewal: true)),
      ],
      matches: ["PO-24A 1 M1", "PO-24B 2 M1"]
    ) { scenario, asOf in
      let charges = try await scenario.rows(.charges, asOf: asOf)
      #expect(Set(charges.compactMap { $0["original_transaction_id"] }) == ["1"])
      let subscriptions = try await scenario.rows(.subscriptions, asOf: asOf)
      #expect(subscriptions.count == 1)
      #expect(subscriptions.first?["expires_at"] == "2026-07-30T10:00:00Z")
    },
  ]

  private static let graceful = [
    Scenario.sign(plan("1", "vip.month", price: 25_000, line: "91", at: "2026-05-10T10:00:00Z", until: "2026-06-10T10:00:00Z")),
    Scenario.notification(
      "DID_FAIL_TO_RENEW", subtype: "GRACE_PERIOD", uuid: "n-23a",
      plan("1", "vip.month", price: 25_000, line: "91", at: "2026-05-10T10:00:00Z", until: "2026-06-10T10:00:00Z")
        .with { $0.signedAt = instant("2026-06-10T10:00:05Z") },
      renewalInfo: renewalInfo(
        "vip.month", next: "vip.month", at: "2026-06-10T10:00:05Z",
        "\"isInBillingRetryPeriod\":true,\"gracePeriodExpiresDate\":\(instant("2026-06-26T10:00:00Z").microseconds / 1000),"),
      status: 4, signedAt: "2026-06-10T10:00:05Z"),
  ]
}
