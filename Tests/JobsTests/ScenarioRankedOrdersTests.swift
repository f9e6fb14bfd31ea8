extension ScenarioTests {
  private static let bought = ApplePurchase("1", at: "2026-05-10T10:00:00Z")
  private static let line = bought.jws

  /// Returns an order of one user for one purchase, created this number of minutes before or after it.
  private static func order(
    _ id: String, _ status: String = "delivered", minute: Int, _ change: (inout TestOrder) -> Void = { $0.transactionID = "1" }
  ) -> TestOrder {
    TestOrder(id, at: "2026-05-10T10:\(minute < 10 ? "0" : "")\(minute):00Z", status: status, change)
  }

  private static func paidAndCancelled(_ id: String, minute: Int, deliveredAt: String? = nil) -> TestOrder {
    order(id, "cancelled", minute: minute) { ($0.transactionID, $0.paidAt, $0.deliveredAt) = ("1", "2026-05-10T10:00:30Z", deliveredAt) }
  }

  /// Returns a case of two orders by one user that name one purchase, with the expected match and break.
  private static func claims(
    _ first: TestOrder, _ second: TestOrder, holds: String, rung: String = "M1", breaks: [String] = []
  ) -> Case {
    Case(orders: [first, second], evidence: [line], matches: ["\(holds) 1 \(rung)"], breaks: breaks)
  }

  /// Verifies that the retry of a delivered order also becomes a second delivery on the day of the first delivery.
  private static func expectSecondDelivery(_ scenario: Scenario, _ asOf: String) async throws {
    let found = try await scenario.rows(.breaks, asOf: asOf).first { $0["class"] == "ORDER_NO_TX" }
    #expect(found?["detail"] == "claims the charge that order PO-1 holds, and was delivered no second time")
    let next = "2026-05-13T12:00:00Z"
    try await scenario.orders([order("PO-1", minute: 0) { ($0.transactionID, $0.updatedAt) = ("1", "2026-05-13T10:00:00Z") }], asOf: next)
    try await scenario.decide(asOf: next)
    #expect(try await scenario.openBreaks(asOf: next) == ["DUP_DELIVERY PO-2"])
    #expect(try await scenario.changesOfFullRuns(asOf: next) == [])
  }

  /// An order that was ever paid or delivered outranks carts and cancelled orders on every rung. A second delivery needs two such
  /// orders.
  static let ranks = Case.table([
    "M1: an order that was paid and cancelled outranks the cart": claims(
      order("PO-1", "created", minute: 0), paidAndCancelled("PO-2", minute: 3), holds: "PO-2", breaks: ["PAID_NOT_DELIVERED PO-2"]),
    "M3: the delivered retry outranks the cart": claims(
      order("PO-1", "created", minute: 0) { $0.originalTransactionID = "1" }, order("PO-2", minute: 3) { $0.originalTransactionID = "1" },
      holds: "PO-2", rung: "M3"),
    "M5: the delivered retry outranks the cart": claims(
      order("PO-1", "created", minute: 0) { $0.evidenceSHA256 = SHA256.hex(Array(line.utf8)) },
      order("PO-2", minute: 3) { $0.evidenceSHA256 = SHA256.hex(Array(line.utf8)) }, holds: "PO-2", rung: "M5"),
    "a cart on a higher rung keeps what it names": claims(
      order("PO-1", "created", minute: 0), order("PO-2", minute: 3) { $0.originalTransactionID = "1" }, holds: "PO-1",
      breaks: ["ORDER_NO_TX PO-2", "PAID_NOT_DELIVERED PO-1"]),
    "delivered, cancelled and delivered again": claims(
      paidAndCancelled("PO-1", minute: 0, deliveredAt: "2026-05-10T10:01:00Z"), order("PO-2", minute: 3), holds: "PO-1",
      breaks: ["DUP_DELIVERY PO-2"]),
    "nor is one that comes weeks later": claims(
      order("PO-1", minute: 0), TestOrder("PO-2", at: "2026-05-28T10:00:00Z", names: "1", status: "created"), holds: "PO-1"),
    "a replay on a cart is a difference until the cart is cancelled": Case(
      orders: [
        order("PO-1", minute: 0), TestOrder("PO-2", user: "U2", at: "2026-05-10T10:03:00Z", names: "1", status: "cancelled"),
        TestOrder("PO-3", user: "U3", at: "2026-05-10T10:04:00Z", names: "1", status: "created"),
        order("PO-4", "cancelled", minute: 5) { ($0.productID, $0.transactionID) = ("lifetime", "1") },
        TestOrder("PO-5", user: "U5", at: "2026-05-10T10:06:00Z", names: "1", status: "cancelled") { $0.paidAt = "2026-05-10T10:07:00Z" },
      ], evidence: [line], matches: ["PO-1 1 M1"], breaks: ["REPLAY_MULTI_USER PO-3", "REPLAY_MULTI_USER PO-5"]),
    "orders of two users carry the token of one purchase": Case(
      orders: ["U1", "U2"].map { user in TestOrder("PO-\(user)", user: user, at: "2026-05-10T09:59:00Z") { $0.token = tokenA1 } },
      evidence: [bought.with { $0.token = tokenA1 }.jws], breaks: ["AMBIGUOUS_MATCH"]),
    "the first order was never delivered, until it was": Case(
      orders: [order("PO-1", "paid", minute: 0), order("PO-2", minute: 3)], evidence: [line], matches: ["PO-1 1 M1"],
      breaks: ["ORDER_NO_TX PO-2", "PAID_NOT_DELIVERED PO-1"], check: expectSecondDelivery),
    "M4: a second order of the period that was never delivered": Case(
      orders: [first, .month("PO-61", at: "2026-03-10T10:01:00Z"), .month("PO-62", at: "2026-03-10T10:05:00Z", status: "paid")],
      evidence: periods(0...1), matches: ["PO-60 600 M1", "PO-61 601 M4"], breaks: ["RENEWAL_MISSING PO-62"]),
  ])
}
