import Domain
import JobCore
import Testing
import TestSupport

extension ScenarioTests {
  private static let bought = ApplePurchase("470001000000280", at: "2026-05-09T10:00:00Z")

  static let refunds: [Case] = [
    Case(
      name: "a family that shares no more gave no money back",
      orders: [
        TestOrder("PO-1", user: "U1", at: "2026-05-10T10:00:00Z") {
          $0.productID = "lifetime"
          $0.priceMilliunits = 0
          $0.transactionID = "1"
        }
      ],
      evidence: [
        Scenario.sign(
          ApplePurchase("1", at: "2026-05-10T10:00:20Z", product: "lifetime", type: "Non-Consumable", price: 198_000).with {
            $0.ownership = "FAMILY_SHARED"
            $0.revokedAt = instant("2026-05-11T08:00:00Z")
            $0.signedAt = instant("2026-05-11T08:00:10Z")
          })
      ],
      matches: ["PO-1 1 M1"], breaks: ["REFUND_NOT_APPLIED PO-1"]
    ) { scenario, asOf in
      let details = try await scenario.rows(.breaks, asOf: asOf).map { $0["detail"] ?? "" }
      #expect(details == ["Apple revoked on 2026-05-11T08:00:00Z (FAMILY_REVOKE), the order is delivered"])
    },
    Case(
      name: "family access that ended when the family shared no more",
      orders: [
        TestOrder("PO-1", user: "U1", at: "2026-05-10T10:00:00Z") {
          $0.productID = "vip.month"
          $0.priceMilliunits = 0
          $0.transactionID = "1"
          $0.entitlementExpiresAt = "2026-05-11T08:00:00Z"
        }
      ],
      evidence: [
        Scenario.sign(
          ApplePurchase.month("1", original: "1", lineItem: "91", at: "2026-05-10T10:00:20Z", until: "2026-06-10T10:00:20Z").with {
            $0.ownership = "FAMILY_SHARED"
            $0.revokedAt = instant("2026-05-11T08:00:00Z")
            $0.revocationType = "FAMILY_REVOKE"
            $0.signedAt = instant("2026-05-11T08:00:10Z")
          })
      ],
      matches: ["PO-1 1 M1"]),
    Case(
      name: "a second refund after the first was reversed, and the order has the first",
      orders: [
        TestOrder("PO-1", user: "U1", at: "2026-05-09T09:59:00Z") {
          $0.transactionID = "470001000000280"
          $0.refundedAt = "2026-05-09T13:00:00Z"
        }
      ],
      evidence: [("2026-05-09T12:00:00Z", true), ("2026-05-09T20:00:00Z", false), ("2026-05-10T10:00:00Z", true)].map { at, isRefund in
        Scenario.notification(
          isRefund ? "REFUND" : "REFUND_REVERSED", uuid: "n-\(at)",
          bought.with {
            if isRefund { $0.revokedAt = instant(at) }
            $0.signedAt = instant(at)
          }, signedAt: at)
      },
      matches: ["PO-1 470001000000280 M1"], breaks: ["REFUND_NOT_APPLIED PO-1"]),
    Case(
      name: "we revoked what Apple never refunded",
      orders: [TestOrder("PO-1", user: "U1", at: "2026-05-09T09:59:00Z") { $0.transactionID = "470001000000280"; $0.status = "revoked" }],
      evidence: [Scenario.sign(bought)], matches: ["PO-1 470001000000280 M1"], breaks: ["ENTITLEMENT_SHORT PO-1"]),
    Case(
      name: "T27 refund first, an older statement after it",
      orders: [
        TestOrder("PO-27", user: "U1", at: "2026-05-09T09:59:00Z") {
          $0.transactionID = "470001000000280"
          $0.status = "refunded"
          $0.refundedAt = "2026-05-10T09:00:00Z"
        }
      ],
      evidence: [
        Scenario.notification(
          "REFUND", uuid: "n-27b",
          bought.with {
            $0.revokedAt = instant("2026-05-10T08:00:00Z")
            $0.signedAt = instant("2026-05-10T08:00:10Z")
          }, signedAt: "2026-05-10T08:00:10Z"),
        Scenario.notification("ONE_TIME_CHARGE", uuid: "n-27a", bought, signedAt: "2026-05-09T10:00:10Z"),
      ],
      matches: ["PO-27 470001000000280 M1"]
    ) { scenario, asOf in
      let charge = try #require(try await scenario.rows(.charges, asOf: asOf).first)
      #expect(charge["state"] == "refunded")
      #expect(charge["refunded_milliunits"] == "6000")
    },
    Case(
      name: "T28 refund of a purchase nobody knows",
      evidence: [
        Scenario.notification(
          "REFUND", uuid: "n-28",
          bought.with {
            $0.revokedAt = instant("2026-05-10T10:00:00Z")
            $0.signedAt = instant("2026-05-10T10:00:00Z")
          }, signedAt: "2026-05-10T10:00:00Z")
      ],
      breaks: ["REFUND_NO_ORDER"]),
    Case(
      name: "T28 the refunded purchase is claimed later",
      orders: [
        TestOrder("PO-28", user: "U2", at: "2026-05-10T12:00:00Z") {
          $0.transactionID = "470001000000280"
          $0.status = "refunded"
          $0.refundedAt = "2026-05-10T12:00:01Z"
        }
      ],
      evidence: [
        Scenario.notification(
          "REFUND", uuid: "n-28",
          bought.with {
            $0.revokedAt = instant("2026-05-10T10:00:00Z")
            $0.signedAt = instant("2026-05-10T10:00:00Z")
          }, signedAt: "2026-05-10T10:00:00Z")
      ],
      matches: ["PO-28 470001000000280 M1"]),
    Case(
      name: "T29 refund reversed, order still refunded",
      asOf: "2026-05-14T12:00:00Z",
      orders: [
        TestOrder("PO-29", user: "U1", at: "2026-05-09T09:59:00Z") {
          $0.transactionID = "470001000000280"
          $0.status = "refunded"
          $0.refundedAt = "2026-05-10T09:00:00Z"
        }
      ],
      evidence: [
        Scenario.notification(
          "REFUND", uuid: "n-29a",
          bought.with {
            $0.revokedAt = instant("2026-05-10T08:00:00Z")
            $0.signedAt = instant("2026-05-10T08:00:10Z")
          }, signedAt: "2026-05-10T08:00:10Z"),
        Scenario.notification(
          "REFUND_REVERSED", uuid: "n-29b", bought.with { $0.signedAt = instant("2026-05-11T08:00:00Z") },
          signedAt: "2026-05-11T08:00:00Z"),
      ],
      matches: ["PO-29 470001000000280 M1"], breaks: ["REFUND_REVERSED_NOT_APPLIED PO-29"]
    ) { scenario, asOf in
      let charge = try #require(try await scenario.rows(.charges, asOf: asOf).first)
      #expect(charge["state"] == "charged")
      #expect(charge["refunded_milliunits"] == "0")
    },
    Case(
      name: "T30 a third of three is refunded",
      orders: [
        TestOrder("PO-30", user: "U1", at: "2026-05-09T09:59:00Z") {
          $0.transactionID = "300"
          $0.quantity = 3
          $0.priceMilliunits = 18_000
        }
      ],
      evidence: [
        Scenario.sign(
          ApplePurchase("300", at: "2026-05-09T10:00:00Z", price: 18_000).with {
            $0.quantity = 3
            $0.revokedAt = instant("2026-05-10T10:00:00Z")
            $0.signedAt = instant("2026-05-10T10:00:00Z")
            $0.revocationType = "REFUND_PRORATED"
            $0.revocationPercentage = 33333
          })
      ],
      matches: ["PO-30 300 M1"], breaks: ["REFUND_NOT_APPLIED PO-30"]
    ) { scenario, asOf in
      let charge = try #require(try await scenario.rows(.charges, asOf: asOf).first)
      #expect(charge["state"] == "partly_refunded")
      #expect(charge["refunded_milliunits"] == "6000")
    },
    Case(
      name: "the refunded part of a purchase that was not delivered is at stake once",
      orders: [
        TestOrder("PO-1", user: "U1", at: "2026-05-09T09:59:00Z") {
          $0.transactionID = "300"
          $0.status = "paid"
          $0.priceMilliunits = 18_000
        }
      ],
      evidence: [
        Scenario.sign(
          ApplePurchase("300", at: "2026-05-09T10:00:00Z", price: 18_000).with {
            $0.revokedAt = instant("2026-05-10T10:00:00Z")
            $0.signedAt = instant("2026-05-10T10:00:00Z")
            $0.revocationType = "REFUND_PRORATED"
            $0.revocationPercentage = 33333
          })
      ],
      matches: ["PO-1 300 M1"], breaks: ["PAID_NOT_DELIVERED PO-1", "REFUND_NOT_APPLIED PO-1"]
    ) { scenario, asOf in
      let amounts = try await scenario.rows(.breaks, asOf: asOf).map { $0["amount_milliunits"] ?? "" }
      #expect(amounts.sorted() == ["12000", "6000"])
    },
    Case(
      name: "a refund or the end of family access that Apple notified and no transaction states",
      orders: [("PO-1", "1", ""), ("PO-2", "2", ""), ("PO-3", "3", "2026-05-10T08:00:00Z")].map { id, transaction, end in
        TestOrder(id, user: "U\(transaction)", at: "2026-05-09T09:59:00Z") {
          $0.transactionID = transaction
          $0.productID = "lifetime"
          $0.priceMilliunits = transaction == "1" ? 198_000 : 0
          $0.entitlementExpiresAt = end.isEmpty ? nil : end
        }
      },
      evidence: ["1", "2", "3"].map { id in
        Scenario.notification(
          id == "1" ? "REFUND" : "REVOKE", uuid: "n-\(id)",
          ApplePurchase(id, at: "2026-05-09T10:00:00Z", product: "lifetime", type: "Non-Consumable", price: 198_000).with {
            if id != "1" { $0.ownership = "FAMILY_SHARED" }
          },
          signedAt: "2026-05-10T08:00:00Z")
      },
      matches: ["PO-1 1 M1", "PO-2 2 M1", "PO-3 3 M1"], breaks: ["REFUND_NOT_APPLIED PO-1", "REFUND_NOT_APPLIED PO-2"]
    ) { scenario, asOf in
      let amounts = try await scenario.rows(.breaks, asOf: asOf).map { $0["amount_milliunits"] ?? "" }
      #expect(amounts.sorted() == ["0", "198000"])
    },
    Case(
      name: "T31 refund of an old period leaves the current one alone",
      asOf: "2026-07-14T12:00:00Z",
      orders: [("PO-31A", "310", "2026-05-31", "refunded"), ("PO-31B", "311", "2026-06-30", "delivered")].map {
        id, transaction, day, status in
        TestOrder(id, user: "U1", at: "\(day)T09:59:00Z") {
          $0.transactionID = transaction
          $0.productID = "vip.month"
          $0.priceMilliunits = 25_000
          $0.status = status
          if status == "refunded" { $0.refundedAt = "2026-07-05T00:00:00Z" }
        }
      },
      evidence: [
        Scenario.sign(
          ApplePurchase.month(
            "310", original: "310", lineItem: "31", at: "2026-05-31T10:00:00Z", until: "2026-06-30T10:00:00Z"
          ).with { $0.revokedAt = instant("2026-07-04T00:00:00Z"); $0.signedAt = instant("2026-07-04T00:00:00Z") }),
        Scenario.sign(
          .month("311", original: "310", lineItem: "32", at: "2026-06-30T10:00:00Z", until: "2026-07-31T10:00:00Z", isRenewal: true)),
      ],
      matches: ["PO-31A 310 M1", "PO-31B 311 M1"]
    ) { scenario, asOf in
      let subscription = try #require(try await scenario.rows(.subscriptions, asOf: asOf).first)
      #expect(subscription["expires_at"] == "2026-07-31T10:00:00Z")
      #expect(subscription["status"] == "active")
    },
  ]
}
