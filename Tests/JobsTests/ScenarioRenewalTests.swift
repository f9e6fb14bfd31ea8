import FoundationEssentials

extension ScenarioTests {
  /// Returns a month of a subscription that began on 10 February with transaction 600.
  static func period(_ index: Int, original: String = "600") -> ApplePurchase {
    .month(
      "\(600 + index)", original: original, lineItem: "6\(index)", at: "2026-0\(index + 2)-10T10:00:00Z",
      until: "2026-0\(index + 3)-10T10:00:00Z", isRenewal: index > 0)
  }

  static let first = TestOrder.month("PO-60", at: "2026-02-10T09:59:00Z", names: "600")

  static func periods(_ range: ClosedRange<Int>) -> [String] { range.map { period($0).jws } }

  /// An order for a period until 10 May, with access until then.
  private static let soldMonth = TestOrder.month("PO-62", at: "2026-04-10T09:59:00Z", names: "602") {
    $0.entitlementExpiresAt = "2026-05-10T10:00:00Z"
  }

  private static let year = ApplePurchase.month(
    "700", original: "700", lineItem: "970", at: "2026-01-10T10:00:00Z", until: "2027-01-10T10:00:00Z", price: 25_000)
  private static let upgraded = year.with { ($0.isUpgraded, $0.signedAt) = (true, instant("2026-04-01T10:00:05Z")) }
  private static let upgrade = ApplePurchase.month(
    "701", original: "700", lineItem: "971", at: "2026-04-01T10:00:00Z", until: "2026-05-01T10:00:00Z")
  private static func yearOrder(until: String) -> TestOrder {
    .month("PO-700", at: "2026-01-10T09:59:00Z", names: "700") { $0.entitlementExpiresAt = until }
  }
  private static func upgradeOrder(until: String, refundedAt: String? = nil) -> TestOrder {
    .month("PO-701", at: "2026-04-01T09:59:00Z", names: "701") {
      ($0.entitlementExpiresAt, $0.refundedAt, $0.status) = (until, refundedAt, refundedAt == nil ? "delivered" : "refunded")
    }
  }

  private static let listed = Scenario.receipt(
    [
      ApplePurchase("800", at: "2026-04-10T10:00:00Z"), ApplePurchase("801", at: "2026-05-10T10:00:00Z"),
      ApplePurchase("802", at: "2026-05-10T10:01:00Z", product: "lifetime", type: "Non-Consumable"),
    ], createdAt: "2026-05-10T10:02:00Z")
  private static func hash(_ text: String) -> String { SHA256.hex(Array(text.utf8)) }
  private static func payload(_ body: String) -> String {
    String(body.dropFirst("{\"signedPayload\":\"".count).dropLast(2))
  }
  private static let renewed = Scenario.notification(
    "ONE_TIME_CHARGE", uuid: "n-810", ApplePurchase("810", at: "2026-05-10T10:00:00Z"), signedAt: "2026-05-10T10:00:05Z")

  static let renewals = Case.table([
    "renewals booked on one day, two naming no period": Case(
      orders: [first]
        + (1...3).map { index in
          .month("PO-6\(index)", at: "2026-05-10T12:00:00Z") { $0.webOrderLineItemID = index == 2 ? "62" : nil }
        },
      evidence: periods(0...3), matches: ["PO-60 600 M1", "PO-61 603 M4", "PO-62 602 M3"],
      breaks: ["DUP_DELIVERY PO-63", "RENEWAL_NO_ORDER"]),
    "a renewal order that names the line item of an unknown period": Case(
      orders: [first, .month("PO-69", at: "2026-03-10T12:00:00Z") { $0.webOrderLineItemID = "69" }], evidence: periods(0...1),
      matches: ["PO-60 600 M1"], breaks: ["RENEWAL_MISSING PO-69", "RENEWAL_NO_ORDER"]),
    "a renewal order that names a transaction without evidence": Case(
      orders: [first, .month("PO-69", at: "2026-03-10T12:00:00Z", names: "699")], evidence: periods(0...1),
      matches: ["PO-60 600 M1", "PO-69 601 M4"]),
    "a renewal order booked a period late that carries the evidence of its period": Case(
      orders: [first, .month("PO-61", at: "2026-04-10T12:00:00Z") { $0.evidenceSHA256 = hash(period(1).jws) }], evidence: periods(0...2),
      matches: ["PO-60 600 M1", "PO-61 601 M5"], breaks: ["RENEWAL_NO_ORDER"]),
    "a renewal order booked a period late for which the evidence of its period was uploaded": Case(
      orders: [first, .month("PO-61", at: "2026-04-10T12:00:00Z")],
      evidence: [period(0).jws, Scenario.upload(period(1).jws, user: "U1", order: "PO-61", at: "2026-04-10T12:00:30Z"), period(2).jws],
      matches: ["PO-60 600 M1", "PO-61 601 M5"], breaks: ["RENEWAL_NO_ORDER"]),
    "an old renewal of another user is late, whichever user books it": Case(
      orders: [first, TestOrder.month("PO-6X", user: "U2", at: "2026-05-10T12:00:00Z") { $0.webOrderLineItemID = "61" }],
      evidence: periods(0...1), matches: ["PO-60 600 M1"], breaks: ["RENEWAL_NO_ORDER", "USER_DIFF PO-6X"]),
    "after an upgrade the old access ends with it": Case(
      asOf: "2026-04-20T12:00:00Z", orders: [yearOrder(until: "2026-04-01T10:00:00Z"), upgradeOrder(until: "2026-05-01T10:00:00Z")],
      evidence: [upgraded.payload, upgrade.payload, Scenario.renewalInfo("700", signedAt: "2026-04-01T10:00:06Z")].map {
        Scenario.sign($0)
      }, matches: ["PO-700 700 M1", "PO-701 701 M1"]),
    "after an upgrade that was refunded nothing gives access": Case(
      asOf: "2026-04-20T12:00:00Z",
      orders: [yearOrder(until: "2026-05-01T10:00:00Z"), upgradeOrder(until: "2026-04-02T10:00:00Z", refundedAt: "2026-04-02T11:00:00Z")],
      evidence: [upgraded.jws, upgrade.refunded(at: "2026-04-02T10:00:00Z", signedAt: "2026-04-02T10:00:05Z").jws],
      matches: ["PO-700 700 M1", "PO-701 701 M1"], breaks: ["ENTITLEMENT_OVERRUN PO-700"]),
    "an extension that only the renewal date states": Case(
      asOf: "2026-05-12T12:00:00Z",
      orders: [.month("PO-61", at: "2026-03-10T09:59:00Z", names: "601") { $0.entitlementExpiresAt = "2026-05-20T10:00:00Z" }],
      evidence: [
        period(1, original: "601").jws,
        Scenario.sign(Scenario.renewalInfo("601", signedAt: "2026-04-09T10:00:00Z", renewalDate: "2026-05-20T10:00:00Z")),
      ], matches: ["PO-61 601 M1"]
    ) { scenario, asOf in
      try await expect(.subscriptions, "status expires_at", "active 2026-05-20T10:00:00Z")(scenario, asOf)
      // A period that ends without a renewal is missing from the same instant on.
      try await scenario.decide(asOf: "2026-05-22T12:00:00Z")
      #expect(try await scenario.openBreaks(asOf: "2026-05-22T12:00:00Z") == ["RENEWAL_MISSING"])
    },
    "access that ends with what was sold is short of an extension, from its end on": Case(
      asOf: "2026-05-08T12:00:00Z", orders: [soldMonth],
      evidence: [
        period(2, original: "602").jws,
        Scenario.sign(Scenario.renewalInfo("602", signedAt: "2026-05-01T10:00:00Z", renewalDate: "2026-05-20T10:00:00Z")),
      ], matches: ["PO-62 602 M1"],
      later: [Case(asOf: "2026-05-13T12:00:00Z", matches: ["PO-62 602 M1"], breaks: ["ENTITLEMENT_SHORT PO-62"])]),
    "access that ends with what was sold is short of a grace": Case(
      asOf: "2026-05-13T12:00:00Z", orders: [soldMonth],
      evidence: [
        period(2, original: "602").jws,
        Scenario.sign(Scenario.renewalInfo("602", signedAt: "2026-05-10T10:01:00Z", graceUntil: "2026-05-26T10:00:00Z")),
      ], matches: ["PO-62 602 M1"], breaks: ["ENTITLEMENT_SHORT PO-62"]),
    "an order that carries the hash of an app receipt claims what it bought, not all that is listed": Case(
      orders: [TestOrder("PO-80", at: "2026-05-10T09:59:00Z") { $0.evidenceSHA256 = hash(listed) }], evidence: [listed],
      matches: ["PO-80 801 M5"], breaks: ["TX_NO_ORDER", "TX_NO_ORDER"]),
    "an order that carries the hash of an app receipt's own bytes, which came in base64": Case(
      orders: [
        TestOrder("PO-80", at: "2026-05-10T09:59:00Z") {
          $0.evidenceSHA256 = Data(base64Encoded: listed).map { SHA256.hex([UInt8]($0)) }
        }
      ], evidence: [listed], matches: ["PO-80 801 M5"], breaks: ["TX_NO_ORDER", "TX_NO_ORDER"]),
    "two users carry the hash of one app receipt": Case(
      orders: ["U1", "U2"].map { user in
        TestOrder("PO-80\(user)", user: user, at: "2026-05-10T09:5\(user == "U1" ? 8 : 9):00Z") {
          ($0.productID, $0.evidenceSHA256) = ("lifetime", hash(listed))
        }
      }, evidence: [listed], matches: ["PO-80U1 802 M5"], breaks: ["REPLAY_MULTI_USER PO-80U2", "TX_NO_ORDER", "TX_NO_ORDER"]),
    "an order that carries the hash of the text in which a notification was posted, a day after it was known": Case(
      orders: [TestOrder("PO-82", at: "2026-05-10T09:59:00Z") { $0.evidenceSHA256 = hash(renewed) }], evidence: [payload(renewed)],
      breaks: ["ORDER_NO_TX PO-82", "TX_NO_ORDER"]
    ) { scenario, asOf in
      let next = "2026-05-13T12:00:00Z"
      try await scenario.decide(evidence: [renewed], asOf: next)
      #expect(try await scenario.matches(asOf: next) == ["PO-82 810 M5"])
      #expect(try await scenario.changesOfFullMatch(asOf: next) == [])
      #expect(try await scenario.openBreaks(asOf: next) == [])
      #expect(try await scenario.matches(asOf: asOf) == [])
    },
  ])
}
