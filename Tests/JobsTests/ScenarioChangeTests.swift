extension ScenarioTests {
  /// Returns a period of a month of one subscription: transaction and line item have its number.
  private static func plan(
    _ number: Int, _ product: String = "vip.month", price: Int64 = 25_000, from: String, until: String, signedAt: String? = nil
  ) -> ApplePurchase {
    let month = ApplePurchase.month(
      "\(number)", original: "1", lineItem: "9\(number)", at: "\(from)T10:00:00Z", until: "\(until)T10:00:00Z", isRenewal: number > 1,
      price: price)
    return month.with {
      $0.productID = product; $0.signedAt = signedAt.map { instant($0) }
    }
  }

  private static func upgradedPlan(_ number: Int, from: String, until: String, signedAt: String? = nil) -> ApplePurchase {
    plan(number, "svip.month", price: 40_000, from: from, until: until, signedAt: signedAt)
  }

  private static func planOrder(_ id: String, _ transaction: String, _ product: String = "vip.month", at: String) -> TestOrder {
    TestOrder(id, at: at, names: transaction) { ($0.productID, $0.priceMilliunits) = (product, product == "vip.month" ? 25_000 : 40_000) }
  }

  private static func preference(_ next: String, subtype: String? = nil, at: String) -> String {
    Scenario.notification(
      "DID_CHANGE_RENEWAL_PREF", subtype: subtype, uuid: "n-22-\(at)",
      upgradedPlan(1, from: "2026-05-01", until: "2026-05-31", signedAt: at),
      renewalInfo: Scenario.renewalInfo("1", product: "svip.month", signedAt: at, ",\"autoRenewProductId\":\"\(next)\""), status: 1,
      signedAt: at)
  }

  static let changes = Case.table([
    "T22 downgrade scheduled, then withdrawn": Case(
      asOf: "2026-05-31T12:00:00Z",
      orders: [
        planOrder("PO-22A", "1", "svip.month", at: "2026-05-01T09:59:50Z"),
        planOrder("PO-22B", "2", "svip.month", at: "2026-05-31T10:00:05Z"),
      ],
      evidence: [
        preference("vip.month", subtype: "DOWNGRADE", at: "2026-05-05T10:00:00Z"), preference("svip.month", at: "2026-05-08T10:00:00Z"),
        Scenario.notification(
          "DID_RENEW", uuid: "n-22c", upgradedPlan(2, from: "2026-05-31", until: "2026-06-30"), signedAt: "2026-05-31T10:00:10Z"),
      ], matches: ["PO-22A 1 M1", "PO-22B 2 M1"],
      check: expect(.charges, "product_id price_milliunits", "svip.month 40000", "svip.month 40000")),
    "T23 grace, then recovery inside it": Case(
      asOf: "2026-06-16T12:00:00Z",
      orders: [planOrder("PO-23A", "1", at: "2026-05-10T09:59:50Z"), planOrder("PO-23B", "2", at: "2026-06-15T10:00:05Z")],
      evidence: graceful + [
        Scenario.notification(
          "DID_RENEW", subtype: "BILLING_RECOVERY", uuid: "n-23b",
          plan(2, from: "2026-06-10", until: "2026-07-10", signedAt: "2026-06-15T10:00:00Z"), status: 1, signedAt: "2026-06-15T10:00:00Z")
      ], matches: ["PO-23A 1 M1", "PO-23B 2 M1"], check: expect(.subscriptions, "status expires_at", "active 2026-07-10T10:00:00Z")),
    "T24 recovery from billing retry": Case(
      asOf: "2026-07-01T12:00:00Z",
      orders: [planOrder("PO-24A", "1", at: "2026-05-10T09:59:50Z"), planOrder("PO-24B", "2", at: "2026-06-30T10:00:05Z")],
      evidence: [plan(1, from: "2026-05-10", until: "2026-06-10"), plan(2, from: "2026-06-30", until: "2026-07-30")].map {
        Scenario.sign($0)
      }, matches: ["PO-24A 1 M1", "PO-24B 2 M1"]
    ) { scenario, asOf in
      try await expect(.charges, "original_transaction_id", "1", "1")(scenario, asOf)
      try await expect(.subscriptions, "expires_at", "2026-07-30T10:00:00Z")(scenario, asOf)
    },
  ])

  private static let graceful = [
    plan(1, from: "2026-05-10", until: "2026-06-10").jws,
    Scenario.notification(
      "DID_FAIL_TO_RENEW", subtype: "GRACE_PERIOD", uuid: "n-23a",
      plan(1, from: "2026-05-10", until: "2026-06-10", signedAt: "2026-06-10T10:00:05Z"),
      renewalInfo: Scenario.renewalInfo(
        "1", signedAt: "2026-06-10T10:00:05Z", isRetried: true, graceUntil: "2026-06-26T10:00:00Z",
        ",\"autoRenewProductId\":\"vip.month\""),
      status: 4, signedAt: "2026-06-10T10:00:05Z"),
  ]
}
