extension ScenarioTests {
  private static func order(
    _ id: String, _ product: String = "vip.month", user: String = "U1", at: String, named: String? = "600",
    _ change: (inout TestOrder) -> Void = { _ in }
  ) -> TestOrder {
    TestOrder.month(id, user: user, at: at, names: named) {
      $0.productID = product; change(&$0)
    }
  }

  private static func purchase(_ id: String, _ product: String, at: String, isFamily: Bool = false) -> String {
    let purchase = ApplePurchase(id, at: at, product: product, type: "Non-Consumable", price: 25_000, token: tokenA1)
    return purchase.with { if isFamily { $0.ownership = "FAMILY_SHARED" } }.jws
  }

  private static let pass = purchase("1", "pass", at: "2026-05-08T10:00:00Z")
  private static let lifetime = purchase("2", "lifetime", at: "2026-05-10T10:00:00Z")

  /// A renewal order that names only the subscription's first transaction names the subscription.
  static let named = Case.table([
    "so do those that name it as the original transaction, too": Case(
      orders: [first]
        + (1...2).map { number in
          order("PO-6\(number)", at: "2026-0\(number + 2)-10T12:00:00Z") { $0.originalTransactionID = "600" }
        },
      evidence: periods(0...2), matches: ["PO-60 600 M1", "PO-61 601 M4", "PO-62 602 M4"]),
    "the first period stays without order where only renewals were booked": Case(
      orders: [order("PO-61", at: "2026-03-10T12:00:00Z")], users: userOne,
      evidence: (0...1).map { period($0).with { $0.token = tokenA1 }.jws }, matches: ["PO-61 601 M4"], breaks: ["TX_NO_ORDER"]),
    "a first order that was booked days late has the first period": Case(
      orders: [order("PO-60", at: "2026-02-14T10:00:00Z")], evidence: periods(0...1), matches: ["PO-60 600 M1"],
      breaks: ["RENEWAL_NO_ORDER"]),
    "a renewal that was booked and never charged": Case(
      orders: [first, order("PO-61", at: "2026-03-10T10:01:00Z")], evidence: periods(0...0), matches: ["PO-60 600 M1"],
      breaks: ["RENEWAL_MISSING PO-61"]),
    "a period that was booked twice": Case(
      orders: [first]
        + ["PO-61", "PO-62"].enumerated().map { index, id in
          order(id, at: "2026-03-10T10:0\(index + 1):00Z")
        },
      evidence: periods(0...1), matches: ["PO-60 600 M1", "PO-61 601 M4"], breaks: ["DUP_DELIVERY PO-62"]),
    "another user's order names it": Case(
      orders: [first, order("PO-6X", user: "U2", at: "2026-03-10T10:01:00Z")], evidence: periods(0...1), matches: ["PO-60 600 M1"],
      breaks: ["RENEWAL_NO_ORDER", "REPLAY_MULTI_USER PO-6X"]),
    "another user's orders name it as the original transaction alone": Case(
      orders: [first]
        + [("PO-6X", "2026-02-11T10:00:00Z"), ("PO-6Y", "2026-03-10T10:01:00Z")].map { id, at in
          order(id, user: "U2", at: at, named: nil) { $0.originalTransactionID = "600" }
        },
      evidence: periods(0...1), matches: ["PO-60 600 M1"], breaks: ["RENEWAL_NO_ORDER", "REPLAY_MULTI_USER PO-6X", "USER_DIFF PO-6Y"]),
    "a transaction of another period names that period": Case(
      orders: [first, order("PO-62", at: "2026-04-10T10:01:00Z", named: "601")], evidence: periods(0...2),
      matches: ["PO-60 600 M1", "PO-62 601 M1"], breaks: ["RENEWAL_NO_ORDER"]),
    // An old id in an order of a new product does not block a token. Family sharing takes no match from a paid purchase.
    "M2: an old id that no order names": Case(
      orders: [order("PO-1", "lifetime", at: "2026-05-10T09:59:30Z", named: "1")], users: userOne, evidence: [pass, lifetime],
      matches: ["PO-1 2 M2"], breaks: ["TX_NO_ORDER"]),
    "M2: the transaction of the period before, with another product": Case(
      orders: [
        first, order("PO-61", at: "2026-03-10T12:00:00Z", named: "601"),
        order("PO-62", "vip.week", at: "2026-04-10T09:59:00Z", named: "601"),
      ], users: userOne, evidence: periods(0...1) + [period(2).with { ($0.productID, $0.token) = ("vip.week", tokenA1) }.jws],
      matches: ["PO-60 600 M1", "PO-61 601 M1", "PO-62 602 M2"]),
    "M2: the family's copy waits where two orders may mean the paid purchase": Case(
      orders: ["09:59", "10:00"].enumerated().map { index, time in
        order("PO-\(index)", "lifetime", at: "2026-05-10T\(time):30Z", named: nil)
      }, users: userOne,
      evidence: [
        purchase("5", "lifetime", at: "2026-05-10T09:59:40Z", isFamily: true), purchase("6", "lifetime", at: "2026-05-10T10:08:00Z"),
      ], breaks: ["AMBIGUOUS_MATCH"]),
    "M2: a family's copy alone": Case(
      orders: [order("PO-1", "lifetime", at: "2026-05-10T09:59:30Z", named: nil) { $0.priceMilliunits = 0 }], users: userOne,
      evidence: [purchase("5", "lifetime", at: "2026-05-10T10:00:00Z", isFamily: true)], matches: ["PO-1 5 M2"]),
  ])
}
