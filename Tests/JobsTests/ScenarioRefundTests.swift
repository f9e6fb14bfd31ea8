extension ScenarioTests {
  private static let bought = ApplePurchase("280", at: "2026-05-09T10:00:00Z")
  private static let ninth = "2026-05-09T09:59:00Z"
  private static let lifetime = ApplePurchase("1", at: "2026-05-10T10:00:20Z", product: "lifetime", type: "Non-Consumable", price: 198_000)

  private static func notice(_ type: String, _ purchase: ApplePurchase, at: String) -> String {
    Scenario.notification(type, uuid: "n-\(purchase.transactionID)-\(at)", purchase, signedAt: at)
  }

  private static let third = ApplePurchase("300", at: "2026-05-09T10:00:00Z", price: 18_000)
    .refunded(at: "2026-05-10T10:00:00Z", percent: 33333, as: "REFUND_PRORATED")

  static let refunds = Case.table([
    "a family that shares no more gave no money back": Case(
      orders: [ordered("PO-1", "1") { ($0.productID, $0.priceMilliunits) = ("lifetime", 0) }],
      evidence: [
        lifetime.with { $0.ownership = "FAMILY_SHARED" }.refunded(at: "2026-05-11T08:00:00Z", signedAt: "2026-05-11T08:00:10Z").jws
      ], matches: ["PO-1 1 M1"], breaks: ["REFUND_NOT_APPLIED PO-1"],
      check: expect(.breaks, "detail", "Apple revoked on 2026-05-11T08:00:00Z (FAMILY_REVOKE), the order is delivered")),
    "family access that ended when the family shared no more": Case(
      orders: [
        .month("PO-1", at: "2026-05-10T10:00:00Z", names: "1") {
          ($0.priceMilliunits, $0.entitlementExpiresAt) = (0, "2026-05-11T08:00:00Z")
        }
      ],
      evidence: [
        ApplePurchase.month("1", at: "2026-05-10T10:00:20Z", until: "2026-06-10T10:00:20Z").with { $0.ownership = "FAMILY_SHARED" }
          .refunded(at: "2026-05-11T08:00:00Z", signedAt: "2026-05-11T08:00:10Z", as: "FAMILY_REVOKE").jws
      ], matches: ["PO-1 1 M1"]),
    "a second refund after the first was reversed, and the order has the first": Case(
      orders: [ordered("PO-1", "280", at: ninth) { $0.refundedAt = "2026-05-09T13:00:00Z" }],
      evidence: [("2026-05-09T12:00:00Z", true), ("2026-05-09T20:00:00Z", false), ("2026-05-10T10:00:00Z", true)].map { at, isRefund in
        notice(isRefund ? "REFUND" : "REFUND_REVERSED", isRefund ? bought.refunded(at: at) : bought.signed(at: at), at: at)
      }, matches: ["PO-1 280 M1"], breaks: ["REFUND_NOT_APPLIED PO-1"]),
    "the goods of a delivery that was cancelled are still with the customer": Case(
      orders: [("1", "2026-05-01T10:00:00Z", nil), ("2", nil, nil), ("3", "2026-05-01T10:00:00Z", "2026-05-05T12:00:00Z")].map {
        id, deliveredAt, refundedAt in
        .month("PO-\(id)", at: "2026-05-01T10:00:00Z", names: "40\(id)", status: "cancelled") {
          ($0.userID, $0.paidAt, $0.deliveredAt, $0.refundedAt) = ("U\(id)", "2026-05-01T10:00:00Z", deliveredAt, refundedAt)
          $0.entitlementExpiresAt = "2026-06-01T10:00:00Z"
        }
      },
      evidence: ["401", "402", "403"].map {
        ApplePurchase.month($0, at: "2026-05-01T10:00:00Z", until: "2026-06-01T10:00:00Z").refunded(at: "2026-05-05T12:00:00Z").jws
      }, matches: ["PO-1 401 M1", "PO-2 402 M1", "PO-3 403 M1"], breaks: ["ENTITLEMENT_OVERRUN PO-3", "REFUND_NOT_APPLIED PO-1"]),
    "access after a refund is a separate difference only where the order has the refund": Case(
      orders: [("1", "delivered", nil), ("2", "delivered", "2026-05-05T12:00:00Z"), ("3", "refunded", "2026-05-05T12:00:00Z")].map {
        id, status, refundedAt in
        .month("PO-\(id)", at: "2026-05-01T10:00:00Z", names: "40\(id)", status: status) {
          ($0.userID, $0.refundedAt, $0.entitlementExpiresAt) = ("U\(id)", refundedAt, "2026-06-01T10:00:00Z")
        }
      },
      evidence: ["401", "402", "403"].map {
        ApplePurchase.month($0, at: "2026-05-01T10:00:00Z", until: "2026-06-01T10:00:00Z").refunded(at: "2026-05-05T12:00:00Z").jws
      }, matches: ["PO-1 401 M1", "PO-2 402 M1", "PO-3 403 M1"], breaks: ["ENTITLEMENT_OVERRUN PO-2", "REFUND_NOT_APPLIED PO-1"]),
    "we revoked what Apple never refunded": Case(
      orders: [ordered("PO-1", "280", at: ninth) { $0.status = "revoked" }], evidence: [bought.jws], matches: ["PO-1 280 M1"],
      breaks: ["ENTITLEMENT_SHORT PO-1"]),
    "access that we revoked is short unless it had ended, whatever end the order still states": Case(
      orders: [("1", "2026-03-11T10:00:00Z"), ("2", "2026-04-10T11:00:00Z")].map { id, revokedAt in
        .month("PO-\(id)", user: "U\(id)", at: "2026-03-10T10:00:00Z", names: "40\(id)", status: "revoked") {
          ($0.updatedAt, $0.entitlementExpiresAt) = (revokedAt, "2026-04-10T10:00:00Z")
        }
      }, evidence: ["401", "402"].map { ApplePurchase.month($0, at: "2026-03-10T10:00:00Z", until: "2026-04-10T10:00:00Z").jws },
      matches: ["PO-1 401 M1", "PO-2 402 M1"], breaks: ["ENTITLEMENT_SHORT PO-1"]),
    "the refunded part of a purchase that was not delivered is at stake once": Case(
      orders: [ordered("PO-1", "300", at: ninth) { ($0.status, $0.priceMilliunits) = ("paid", 18_000) }], evidence: [third.jws],
      matches: ["PO-1 300 M1"], breaks: ["PAID_NOT_DELIVERED PO-1", "REFUND_NOT_APPLIED PO-1"],
      check: expect(.breaks, "amount_milliunits", "12000", "6000")),
    "the refunded part of a purchase without order is not at stake": Case(
      evidence: [third.jws], breaks: ["TX_NO_ORDER"], check: expect(.breaks, "amount_milliunits", "12000")),
    "a refund without its date": Case(
      orders: [ordered("PO-1", "280", at: ninth)],
      evidence: [
        notice(
          "REFUND", bought.signed(at: "2026-05-10T10:00:00Z").with { $0.more = #","revocationReason":0"# }, at: "2026-05-10T10:00:00Z")
      ], matches: ["PO-1 280 M1"], breaks: ["REFUND_NOT_APPLIED PO-1"], check: expect(.charges, "state", "refunded")),
    "a refund or the end of family access that Apple notified and no transaction states": Case(
      orders: [("1", nil), ("2", nil), ("3", "2026-05-10T08:00:00Z")].map { id, end in
        ordered("PO-\(id)", id, at: ninth) {
          ($0.userID, $0.productID, $0.priceMilliunits, $0.entitlementExpiresAt) = ("U\(id)", "lifetime", id == "1" ? 198_000 : 0, end)
        }
      },
      evidence: ["1", "2", "3"].map { id in
        notice(
          id == "1" ? "REFUND" : "REVOKE",
          lifetime.with {
            ($0.transactionID, $0.originalTransactionID, $0.purchasedAt) = (id, id, instant("2026-05-09T10:00:00Z"))
            if id != "1" { $0.ownership = "FAMILY_SHARED" }
          }, at: "2026-05-10T08:00:00Z")
      }, matches: ["PO-1 1 M1", "PO-2 2 M1", "PO-3 3 M1"], breaks: ["REFUND_NOT_APPLIED PO-1", "REFUND_NOT_APPLIED PO-2"],
      check: expect(.breaks, "amount_milliunits", "0", "198000")),
  ])
}
