/// Apple's statements about subscriptions: payloads that are not renewal infos, missing fields, apps that share an id.
extension ScenarioTests {
  private static let april = month("900", at: "2026-04-01T10:00:00Z", until: "2026-05-01T10:00:00Z")

  private static func month(
    _ id: String, at: String, until: String, app: String = "com.acme.reader", environment: String = "Production"
  ) -> ApplePurchase {
    .month(id, original: "900", at: at, until: until).with { ($0.bundleID, $0.environment) = (app, environment) }
  }

  private static func booked(
    _ id: String, user: String = "U1", names transaction: String = "900", at: String, until: String? = nil, app: String = "com.acme.reader"
  ) -> TestOrder {
    .month(id, user: user, at: at, names: transaction) { ($0.bundleID, $0.entitlementExpiresAt) = (app, until) }
  }

  private static func failed(graceUntil: String?, isRetried: Bool = true, _ more: String = "") -> String {
    Scenario.notification(
      "DID_FAIL_TO_RENEW", subtype: "GRACE_PERIOD", uuid: "n-failed", april,
      renewalInfo: Scenario.renewalInfo("900", signedAt: "2026-05-01T10:05:00Z", isRetried: isRetried, graceUntil: graceUntil, more),
      status: 4, signedAt: "2026-05-01T10:05:00Z")
  }

  private static let inGrace = failed(graceUntil: "2026-05-17T10:00:00Z", ",\"expirationIntent\":2")
  private static let inGraceWithoutEnd = failed(graceUntil: nil)
  private static let graced = booked("PO-G", at: "2026-04-01T09:59:00Z", until: "2026-05-17T10:00:00Z")

  private static func later(_ fields: String, signedAt: String = "2026-05-03T10:00:00Z") -> String {
    Scenario.sign(Scenario.renewalInfo("900", autoRenew: nil, signedAt: signedAt, fields))
  }

  private static func expectSubscription(
    _ status: String, graceUntil: String = "", autoRenew: String = "true", app: String = "com.acme.reader"
  ) -> Check {
    { scenario, asOf in
      let row = try #require(
        try await scenario.rows(.subscriptions, asOf: asOf).first { $0["bundle_id"] == app && $0["environment"] == "Production" })
      #expect([row["status"], row["grace_until"], row["auto_renew"]] == [status, graceUntil, autoRenew])
    }
  }

  static let words = Case.table([
    "a real-time request of the Retention Messaging API ends no grace": Case(
      orders: [graced],
      evidence: [
        april.jws, inGrace,
        later(",\"appAppleId\":1500000001,\"userLocale\":\"en-US\",\"requestIdentifier\":\"3db5c98d-8acf-4e29-831e-8e1f82f9f6e9\""),
      ], matches: ["PO-G 900 M1"], check: expectSubscription("grace", graceUntil: "2026-05-17T10:00:00Z")),
    "a customer who turns the renewal off ends the grace": Case(
      orders: [graced], evidence: [april.jws, inGrace, later(",\"autoRenewStatus\":0")], matches: ["PO-G 900 M1"],
      breaks: ["ENTITLEMENT_OVERRUN PO-G"]
    ) { scenario, asOf in
      try await expectSubscription("expired", graceUntil: "2026-05-03T10:00:00Z", autoRenew: "false")(scenario, asOf)
      // The access was allowed beyond the expiry, until the end of the grace.
      let detail = try await scenario.rows(.breaks, asOf: asOf).first?["detail"] ?? ""
      #expect(detail.contains("2026-05-01T10:00:00Z, and the grace period ends at 2026-05-03T10:00:00Z"), "\(detail)")
    },
    "Apple tries to charge during a grace, although the renewal info denies it": Case(
      orders: [graced],
      evidence: [
        april.jws,
        failed(graceUntil: "2026-05-17T10:00:00Z", isRetried: false, ",\"expirationIntent\":2,\"isInBillingRetryPeriod\":false"),
      ], matches: ["PO-G 900 M1"]
    ) { scenario, _ in
      try await expectSubscription("billing_retry", graceUntil: "2026-05-17T10:00:00Z")(scenario, "2026-05-20T12:00:00Z")
    },
    "a grace without a stated end allows access while Apple tries to charge": Case(
      orders: [graced], evidence: [april.jws, inGraceWithoutEnd], matches: ["PO-G 900 M1"]
    ) { scenario, asOf in
      try await expectSubscription("grace")(scenario, asOf)
      #expect(try await scenario.rows(.pending, asOf: asOf).isEmpty)
      let nights: [(String, [String])] = [("2026-06-29T12:00:00Z", []), ("2026-07-02T12:00:00Z", ["ENTITLEMENT_OVERRUN PO-G"])]
      for (clock, breaks) in nights {
        try await scenario.decide(asOf: clock)
        #expect(try await scenario.openBreaks(asOf: clock) == breaks)
        #expect(try await scenario.changesOfFullDetect(asOf: clock) == [])
      }
    },
    "a renewal info that says nothing of a grace without an end leaves Apple's status": Case(
      orders: [graced], evidence: [april.jws, inGraceWithoutEnd, later(",\"autoRenewStatus\":1,\"autoRenewProductId\":\"vip.month\"")],
      matches: ["PO-G 900 M1"], check: expectSubscription("grace")),
    "the end of the period before, signed after a new subscription, hides no missing renewal": Case(
      orders: [booked("PO-R", at: "2026-03-10T09:59:00Z"), booked("PO-S", names: "901", at: "2026-04-10T10:01:00Z")],
      evidence: [
        month("900", at: "2026-03-10T10:00:00Z", until: "2026-04-10T10:00:00Z").jws,
        Scenario.notification(
          "SUBSCRIBED", subtype: "RESUBSCRIBE", uuid: "n-again", month("901", at: "2026-04-10T10:02:00Z", until: "2026-05-10T10:02:00Z"),
          renewalInfo: Scenario.renewalInfo("900", signedAt: "2026-04-10T10:02:05Z", renewalDate: "2026-05-10T10:02:00Z"), status: 1,
          signedAt: "2026-04-10T10:02:05Z"),
        Scenario.notification(
          "EXPIRED", subtype: "VOLUNTARY", uuid: "n-over", month("900", at: "2026-03-10T10:00:00Z", until: "2026-04-10T10:00:00Z"),
          renewalInfo: Scenario.renewalInfo(
            "900", autoRenew: 0, signedAt: "2026-04-10T10:05:00Z", renewalDate: "2026-04-10T10:00:00Z", ",\"expirationIntent\":1"),
          status: 2, signedAt: "2026-04-10T10:05:00Z"),
      ], matches: ["PO-R 900 M1", "PO-S 901 M1"], breaks: ["RENEWAL_MISSING"]),
    "the end of another app's subscription with the same id hides no missing renewal": Case(
      orders: [booked("PO-R", at: "2026-04-10T09:59:00Z"), booked("PO-K", user: "U2", at: "2026-04-10T09:59:00Z", app: "com.acme.kids")],
      evidence: [renewing, ended(app: "com.acme.kids", environment: "Production")], matches: ["PO-K 900 M1", "PO-R 900 M1"],
      breaks: ["RENEWAL_MISSING"]
    ) { scenario, asOf in
      try await expectSubscription("expired")(scenario, asOf)
      try await expectSubscription("expired", autoRenew: "false", app: "com.acme.kids")(scenario, asOf)
    },
    "the end of a sandbox subscription with the same id hides no missing renewal": Case(
      orders: [booked("PO-R", at: "2026-04-10T09:59:00Z")], evidence: [renewing, ended(app: "com.acme.reader", environment: "Sandbox")],
      matches: ["PO-R 900 M1"], breaks: ["RENEWAL_MISSING"], check: expectSubscription("expired")),
    "a renewal info that came alone is about neither of two apps with its id": Case(
      orders: [booked("PO-R", at: "2026-04-10T09:59:00Z"), booked("PO-K", user: "U2", at: "2026-04-10T09:59:00Z", app: "com.acme.kids")],
      evidence: [
        renewing, month("900", at: "2026-04-10T10:00:00Z", until: "2026-05-10T10:00:00Z", app: "com.acme.kids").jws,
        later(",\"autoRenewStatus\":0", signedAt: "2026-05-09T10:00:00Z"),
      ], matches: ["PO-K 900 M1", "PO-R 900 M1"], breaks: ["RENEWAL_MISSING"]
    ) { scenario, asOf in
      try await expectSubscription("expired")(scenario, asOf)
      try await expectSubscription("expired", autoRenew: "", app: "com.acme.kids")(scenario, asOf)
    },
  ])

  /// Returns the end of a subscription with the same original transaction id, in another app or in the sandbox.
  private static func ended(app: String, environment: String) -> String {
    Scenario.notification(
      "EXPIRED", subtype: "VOLUNTARY", uuid: "n-\(app)-\(environment)",
      month("900", at: "2026-04-10T10:00:00Z", until: "2026-05-10T10:00:00Z", app: app, environment: environment),
      renewalInfo: Scenario.renewalInfo(
        "900", environment: environment, autoRenew: 0, signedAt: "2026-05-10T10:05:00Z", renewalDate: "2026-05-10T10:00:00Z",
        ",\"expirationIntent\":1"),
      status: 2, signedAt: "2026-05-10T10:05:00Z")
  }

  private static let renewing = Scenario.notification(
    "SUBSCRIBED", subtype: "INITIAL_BUY", uuid: "n-first", month("900", at: "2026-04-10T10:00:00Z", until: "2026-05-10T10:00:00Z"),
    renewalInfo: Scenario.renewalInfo("900", signedAt: "2026-04-10T10:00:06Z", renewalDate: "2026-05-10T10:00:00Z"), status: 1,
    signedAt: "2026-04-10T10:00:06Z")

  @Test func aRenewingSubscriptionIsPolledBeforeItsEnd() async throws {
    let scenario = try await Scenario()
    let month = ApplePurchase.month("900", at: "2026-05-01T10:00:00Z", until: "2026-06-01T10:00:00Z")
    let info = Scenario.sign(Scenario.renewalInfo("900", signedAt: "2026-05-01T10:00:00Z"))
    let asOf = "2026-05-12T12:00:00Z"
    try await scenario.decide(evidence: [month.jws, info], asOf: asOf)
    let row = try #require(try await scenario.rows(.subscriptions, asOf: asOf).first)
    let (end, poll) = (row["expires_at"] ?? "", row["next_poll_at"] ?? "")
    #expect(row["auto_renew"] == "true" && end == "2026-06-01T10:00:00Z" && !poll.isEmpty && poll < end, "\(row)")
    // JSON has a boolean, as for charges.
    let line = String(decoding: try await scenario.export(.subscriptions, format: .ndjson, asOf: asOf), as: UTF8.self)
    #expect(line.contains("\"auto_renew\":true,"), "\(line)")
  }
}
