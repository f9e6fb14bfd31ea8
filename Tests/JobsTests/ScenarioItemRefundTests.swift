import JobCore
import Testing
import TestSupport

/// Refunds of Advanced Commerce purchases, stated for each item.
@Suite(.cleansUp) struct ScenarioItemRefundTests {
  struct Case: NamedCase {
    var name: String
    /// Items of the transaction in the REFUND, of 12.00 and 8.00.
    var items: String
    var revokedAt: String?
    /// `state refunded_milliunits` of the charge.
    var charge: String
    var breaks: [String] = ["REFUND_NOT_APPLIED PO-1"]
  }

  private static let kept = ApplePurchase.item(8000)

  /// Returns the item of 12.00 with these refunds, and the other one as it was.
  private static func one(_ refunds: [(type: String, amount: Int64?)] = [], isRevoked: Bool = false) -> String {
    ApplePurchase.item(12_000, refunds: refunds, isRevoked: isRevoked) + "," + kept
  }

  static let cases: [Case] = [
    Case(name: "one item is refunded, the purchase is not revoked", items: one([("FULL", 12_000)]), charge: "partly_refunded 12000"),
    Case(
      name: "a custom amount, and the whole purchase is revoked", items: one([("CUSTOM", 3000)]), revokedAt: "2026-05-10T10:00:00Z",
      charge: "partly_refunded 3000"),
    Case(
      name: "two refunds of one item give back no more than its price", items: one([("CUSTOM", 3000), ("FULL", 12_000)]),
      charge: "partly_refunded 12000"),
    Case(name: "a full refund without amount is the item's price", items: one([("FULL", nil)]), charge: "partly_refunded 12000"),
    Case(name: "a revoked item without a list of refunds is its price", items: one(isRevoked: true), charge: "partly_refunded 12000"),
    Case(name: "an amount that nobody states is the whole price", items: one([("PRORATED", nil)]), charge: "refunded 20000"),
    Case(
      name: "all items are refunded",
      items: ApplePurchase.item(12_000, refunds: [("FULL", 12_000)]) + "," + ApplePurchase.item(8000, refunds: [("FULL", 8000)]),
      charge: "refunded 20000"),
    Case(name: "a REFUND whose transaction states none", items: one(), charge: "charged 0"),
  ]

  private static let bought = ApplePurchase("1800", at: "2026-05-09T10:00:00Z", price: 20_000)

  private static func refund(_ items: String, revokedAt: String? = nil, at signedAt: String = "2026-05-10T10:00:10Z") -> String {
    Scenario.notification(
      "REFUND", uuid: "n-\(signedAt)",
      bought.with { ($0.items, $0.revokedAt, $0.signedAt) = (items, revokedAt.map(instant), instant(signedAt)) }, signedAt: signedAt)
  }

  private static let order = TestOrder("PO-1", at: "2026-05-09T09:59:00Z", names: "1800") { $0.priceMilliunits = 20_000 }

  private static let asOf = "2026-05-12T12:00:00Z"

  @Test(arguments: cases) func itemsStateTheRefund(_ test: Case) async throws {
    let scenario = try await Scenario()
    try await scenario.decide(
      orders: [Self.order], evidence: [Self.bought.jws, Self.refund(test.items, revokedAt: test.revokedAt)], asOf: Self.asOf)
    let charge = try #require(try await scenario.rows(.charges, asOf: Self.asOf).first)
    #expect("\(charge["state"] ?? "") \(charge["refunded_milliunits"] ?? "")" == test.charge)
    #expect(try await scenario.openBreaks(asOf: Self.asOf) == test.breaks)
  }

  @Test func unstatedRefundConcernsTheChargeWithoutOrder() async throws {
    let scenario = try await Scenario()
    let reversed = Scenario.notification(
      "REFUND_REVERSED", uuid: "n-2", Self.bought.signed(at: "2026-05-11T10:00:00Z"), signedAt: "2026-05-11T10:00:00Z")
    try await scenario.decide(evidence: [Self.refund(Self.kept)], asOf: Self.asOf)
    #expect(try await scenario.openBreaks(asOf: Self.asOf) == ["REFUND_NO_ORDER"])
    try await scenario.decide(evidence: [reversed], asOf: Self.asOf)
    #expect(try await scenario.openBreaks(asOf: Self.asOf) == ["TX_NO_ORDER"])
  }

  @Test func theRefundOfAnItemEndsNoSubscription() async throws {
    let scenario = try await Scenario()
    let month = ApplePurchase.month("1", at: "2026-05-09T10:00:00Z", until: "2026-06-09T10:00:00Z")
    let refunded = month.with {
      $0.items = ApplePurchase.item(15_000, refunds: [("FULL", 15_000)]) + "," + ApplePurchase.item(10_000)
      $0.signedAt = instant("2026-05-10T10:00:10Z")
    }
    try await scenario.evidence([month.jws, refunded.jws], asOf: Self.asOf)
    #expect(try await scenario.rows(.subscriptions, asOf: Self.asOf).cells("status").first == "active")
    let revoked = refunded.refunded(at: "2026-05-11T10:00:00Z", signedAt: "2026-05-11T10:00:10Z")
    try await scenario.evidence([revoked.jws], asOf: Self.asOf)
    #expect(try await scenario.rows(.subscriptions, asOf: Self.asOf).cells("status").first == "revoked")
  }

  /// The refund of one item is applied in the order. The refund of another item is a separate one.
  @Test(arguments: [("2026-05-10T10:05:00Z", "REFUND_NOT_APPLIED PO-1"), ("2026-05-11T10:05:00Z", "")])
  func secondRefundIsSeparate(refundedAt: String, found: String) async throws {
    let scenario = try await Scenario()
    var order = Self.order
    order.refundedAt = refundedAt
    try await scenario.orders([order], asOf: "2026-05-14T12:00:00Z")
    let first = ApplePurchase.item(12_000, refunds: [("FULL", 12_000)])
    try await scenario.decide(
      evidence: [
        Self.bought.jws, Self.refund(first + "," + Self.kept),
        Self.refund(
          first + "," + ApplePurchase.item(8000, refunds: [("CUSTOM", 1000)], at: "2026-05-11T10:00:00Z"), at: "2026-05-11T10:00:10Z"),
      ], asOf: "2026-05-14T12:00:00Z")
    #expect(try await scenario.openBreaks(asOf: "2026-05-14T12:00:00Z").joined() == found)
  }
}
