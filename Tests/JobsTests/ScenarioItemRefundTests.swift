/// Refunds of Advanced Commerce purchases, stated for each item.
@Suite(.cleansUp) struct ScenarioItemRefundTests {
  typealias Case = ScenarioTests.Case

  private static let kept = ApplePurchase.item(8000)
  private static let refundedItem = ApplePurchase.item(12_000, refunds: [("FULL", 12_000)])

  /// Returns the item of 12.00 with these refunds, and the other one as it was.
  private static func one(_ refunds: [(type: String, amount: Int64?)] = [], isRevoked: Bool = false) -> String {
    ApplePurchase.item(12_000, refunds: refunds, isRevoked: isRevoked) + "," + kept
  }

  private static let bought = ApplePurchase("1800", at: "2026-05-09T10:00:00Z", price: 20_000)

  private static func refund(_ items: String, revokedAt: String? = nil, at signedAt: String = "2026-05-10T10:00:10Z") -> String {
    Scenario.notification(
      "REFUND", uuid: "n-\(signedAt)",
      bought.with { ($0.items, $0.revokedAt, $0.signedAt) = (items, revokedAt.map(instant), instant(signedAt)) }, signedAt: signedAt)
  }

  private static let order = TestOrder("PO-1", at: "2026-05-09T09:59:00Z", names: "1800") { $0.priceMilliunits = 20_000 }

  /// Returns a case of a REFUND with the items of 12.00 and 8.00, which gives the charge this `state refunded_milliunits`.
  private static func refunded(_ items: String, revokedAt: String? = nil, charge: String) -> Case {
    Case(
      orders: [order], evidence: [bought.jws, refund(items, revokedAt: revokedAt)], matches: ["PO-1 1800 M1"],
      breaks: ["REFUND_NOT_APPLIED PO-1"], check: ScenarioTests.expect(.charges, "state refunded_milliunits", charge))
  }

  /// Returns a case of an order with one refund, and of two items that were refunded on two days.
  private static func refundedTwice(order refundedAt: String, breaks: [String]) -> Case {
    let other = ApplePurchase.item(8000, refunds: [("CUSTOM", 1000)], at: "2026-05-11T10:00:00Z")
    return Case(
      asOf: "2026-05-14T12:00:00Z", orders: [order.with { $0.refundedAt = refundedAt }],
      evidence: [
        bought.jws, refund(refundedItem + "," + kept), refund(refundedItem + "," + other, at: "2026-05-11T10:00:10Z"),
      ], matches: ["PO-1 1800 M1"], breaks: breaks)
  }

  static let cases = Case.table([
    "one item is refunded, the purchase is not revoked": refunded(one([("FULL", 12_000)]), charge: "partly_refunded 12000"),
    "a custom amount, and the whole purchase is revoked": refunded(
      one([("CUSTOM", 3000)]), revokedAt: "2026-05-10T10:00:00Z", charge: "partly_refunded 3000"),
    "two refunds of one item give back no more than its price": refunded(
      one([("CUSTOM", 3000), ("FULL", 12_000)]), charge: "partly_refunded 12000"),
    "a full refund without amount is the item's price": refunded(one([("FULL", nil)]), charge: "partly_refunded 12000"),
    "a revoked item without a list of refunds is its price": refunded(one(isRevoked: true), charge: "partly_refunded 12000"),
    "an unstated amount is the whole price": refunded(one([("PRORATED", nil)]), charge: "refunded 20000"),
    "all items are refunded": refunded(refundedItem + "," + ApplePurchase.item(8000, refunds: [("FULL", 8000)]), charge: "refunded 20000"),
    "a REFUND whose transaction states none": refunded(one(), charge: "charged 0"),
    "an unstated refund concerns the charge without order": Case(
      evidence: [refund(kept)], breaks: ["REFUND_NO_ORDER"],
      later: [
        .init(
          evidence: [
            Scenario.notification(
              "REFUND_REVERSED", uuid: "n-2", bought.signed(at: "2026-05-11T10:00:00Z"), signedAt: "2026-05-11T10:00:00Z")
          ], breaks: ["TX_NO_ORDER"])
      ]),
    "the order has the first refund, and the second one is separate": refundedTwice(
      order: "2026-05-10T10:05:00Z", breaks: ["REFUND_NOT_APPLIED PO-1"]),
    "the order has the second refund": refundedTwice(order: "2026-05-11T10:05:00Z", breaks: []),
  ])

  @Test(arguments: cases) func itemsStateTheRefund(_ test: Case) async throws { try await ScenarioTests.expect(test) }

  @Test func theRefundOfAnItemEndsNoSubscription() async throws {
    let scenario = try await Scenario()
    let asOf = "2026-05-12T12:00:00Z"
    let month = ApplePurchase.month("1", at: "2026-05-09T10:00:00Z", until: "2026-06-09T10:00:00Z")
    let refunded = month.with {
      $0.items = ApplePurchase.item(15_000, refunds: [("FULL", 15_000)]) + "," + ApplePurchase.item(10_000)
      $0.signedAt = instant("2026-05-10T10:00:10Z")
    }
    try await scenario.evidence([month.jws, refunded.jws], asOf: asOf)
    #expect(try await scenario.cells(.subscriptions, "status", asOf: asOf).first == "active")
    let revoked = refunded.refunded(at: "2026-05-11T10:00:00Z", signedAt: "2026-05-11T10:00:10Z")
    try await scenario.evidence([revoked.jws], asOf: asOf)
    #expect(try await scenario.cells(.subscriptions, "status", asOf: asOf).first == "revoked")
  }
}
