extension ScenarioTests {
  private static let bought = "2026-05-10T10:00:00Z"

  private static func order(
    _ id: String, _ status: String = "delivered", at: String = "2026-05-10T09:59:30Z", user: String = "U1",
    _ change: (inout TestOrder) -> Void = { _ in }
  ) -> TestOrder {
    TestOrder(id, user: user, at: at, status: status, change)
  }

  private static func coins(_ id: String, at: String = bought, token: String? = tokenA1) -> String {
    ApplePurchase(id, at: at, token: token).jws
  }

  private static func uploaded(_ id: String, at: String = bought) -> String {
    Scenario.upload(coins(id, at: at, token: nil), user: "U1", at: at)
  }

  private static func forged(_ id: String, for order: String? = nil) -> String {
    let purchase = ApplePurchase(id, at: "2026-05-08T10:00:00Z")
    return Scenario.upload(Scenario.sign(purchase, by: Scenario.forger), user: "U1", order: order, at: "2026-05-08T10:00:30Z")
  }

  private static func lifetime(_ id: String, ownership: String = "PURCHASED", price: Int64 = 198_000, lineItem: String? = nil) -> String {
    ApplePurchase(id, at: bought, product: "lifetime", type: "Non-Consumable", price: price)
      .with { ($0.ownership, $0.webOrderLineItemID) = (ownership, lineItem) }.jws
  }

  /// Returns Apple's answer with signed transactions as our server sends it for an order.
  private static func answer(_ transactions: [String], for order: String) -> String {
    let list = transactions.map { #""\#($0)""# }.joined(separator: ",")
    let page = #"{"bundleId":"com.acme.reader","environment":"Production","signedTransactions":[\#(list)]}"#
    return Scenario.upload(page.replacing("\"", with: "\\\""), order: order, at: bought)
  }

  private static func refunded(
    _ id: String, _ transactionID: String, at: String = "2026-05-10T09:59:30Z", user: String, product: String = "coins60"
  ) -> TestOrder {
    order(id, "refunded", at: at, user: user) { ($0.transactionID, $0.productID) = (transactionID, product) }
  }

  /// Decisions of the ladder between several suitable orders.
  static let policy = Case.table([
    "each refunded order claimed a purchase that it cannot have": Case(
      orders: [
        refunded("APP", "1", user: "U3"), refunded("PRODUCT", "2", user: "U4", product: "coins648"), refunded("USER", "3", user: "U2"),
        refunded("LATE", "4", user: "U5"), refunded("FORGED", "9", at: "2026-05-08T10:00:00Z", user: "U1"),
      ], users: bothUsers,
      evidence: [
        ApplePurchase("1", at: bought).with { $0.bundleID = "com.acme.kids" }.jws, coins("2", token: nil), coins("3"),
        coins("4", at: "2026-04-20T10:00:00Z", token: nil), forged("9"),
      ], breaks: ["FORGED_SIGNATURE FORGED"] + Array(repeating: "TX_NO_ORDER", count: 4)),
    "an order that was cancelled after its delivery needs a charge, one that was cancelled before needs none": Case(
      orders: [
        order("PO-1", "cancelled") { $0.deliveredAt = bought }, order("PO-2", "cancelled") { $0.paidAt = bought },
        order("PO-3", "created") { $0.deliveredAt = bought },
      ], breaks: ["ORDER_NO_TX PO-1", "ORDER_NO_TX PO-3"]
    ) { scenario, asOf in
      let found = try await scenario.cells(.breaks, "detail", asOf: asOf)
      #expect(found.contains("order was delivered, is cancelled, and no charge was found for it"))
    },
    "a replay whose goods were revoked is no break": Case(
      orders: [
        order("PO-1"), order("PO-6", "revoked", at: "2026-05-10T11:00:00Z", user: "U2") { $0.transactionID = "1" },
        order("PO-7", at: "2026-05-10T12:00:00Z", user: "U2") { $0.transactionID = "1" },
      ], users: bothUsers, evidence: [coins("1")], matches: ["PO-1 1 M2"], breaks: ["REPLAY_MULTI_USER PO-7"]),
    "the break of an order paid in the sandbox states why nothing was charged": Case(
      orders: [order("PO-1", "paid") { $0.transactionID = "2000000000000001" }], users: userOne,
      evidence: [ApplePurchase("2000000000000001", at: bought).with { $0.environment = "Sandbox" }.jws], breaks: ["ORDER_NO_TX PO-1"],
      check: expect(.breaks, "detail", "the purchase that it claims is not of Production")),
    "an order whose token was used in the sandbox alone claims nothing, and nothing was charged": Case(
      orders: [order("PO-1", "paid") { $0.token = tokenA1 }], users: userOne,
      evidence: [ApplePurchase("2000000000000001", at: bought, token: tokenA1).with { $0.environment = "Sandbox" }.jws],
      breaks: ["ORDER_NO_TX PO-1"], check: expect(.breaks, "detail", "order is paid and no charge was found for it")),
    "orders of an app that no setting names are one finding": Case(
      orders: ["PO-1", "PO-2"].map { order($0) { $0.bundleID = "com.acme.unnamed" } }, breaks: ["UNRECOGNIZED_VALUE"],
      check: expect(
        .breaks, "detail",
        "field bundle_id of orders names an app that no setting names: com.acme.unnamed; paid or delivered orders: 2, "
          + "first 2026-05-10T09:59:30Z, last 2026-05-10T09:59:30Z, such as order PO-1, order PO-2")),
    "M2: who names a forged purchase was delivered for that": Case(
      orders: [order("PO-1", at: "2026-05-08T10:00:00Z") { $0.transactionID = "9" }], users: userOne, evidence: [forged("9"), coins("1")],
      breaks: ["FORGED_SIGNATURE PO-1", "TX_NO_ORDER"]),
    "M2 comes before forged evidence uploaded for the order": Case(
      orders: [order("PO-1")], users: userOne, evidence: [forged("9", for: "PO-1"), coins("1")], matches: ["PO-1 1 M2"],
      breaks: ["FORGED_SIGNATURE"]),
    "M6: an order for which forged evidence was uploaded is no single candidate": Case(
      orders: [order("PO-1")], evidence: [forged("9", for: "PO-1"), uploaded("1")], breaks: ["FORGED_SIGNATURE PO-1", "TX_NO_ORDER"]),
    "M2: the second purchase is the cart's": Case(
      orders: [order("PO-1", at: "2026-05-10T09:58:00Z"), order("PO-2", "created", at: "2026-05-10T10:01:00Z")], users: userOne,
      evidence: [coins("1"), coins("2", at: "2026-05-10T10:02:00Z")], matches: ["PO-1 1 M2", "PO-2 2 M2"],
      breaks: ["PAID_NOT_DELIVERED PO-2"]),
    "M2: of two carts neither": Case(
      orders: [order("PO-1", "cancelled", at: "2026-05-10T09:58:00Z"), order("PO-2", "cancelled")], users: userOne, evidence: [coins("1")],
      breaks: ["TX_NO_ORDER"]),
    "M6: as many carts and orders as purchases are all paired": Case(
      orders: [order("PO-1", at: "2026-05-10T09:59:50Z"), order("PO-2", "created", at: "2026-05-10T10:09:50Z")],
      evidence: [uploaded("1"), uploaded("2", at: "2026-05-10T10:10:00Z")], matches: ["PO-1 1 M6", "PO-2 2 M6"],
      breaks: ["PAID_NOT_DELIVERED PO-2"]),
    "a duplicate by original id does not compete on M6": Case(
      orders: [
        order("PO-1") { $0.originalTransactionID = "1" }, order("PO-2", at: "2026-05-10T09:59:40Z") { $0.originalTransactionID = "1" },
      ], evidence: [uploaded("1"), uploaded("2", at: "2026-05-10T10:01:00Z")], matches: ["PO-1 1 M3"],
      breaks: ["DUP_DELIVERY PO-2", "TX_NO_ORDER"]),
    "an order without a currency is compared in the charge's": Case(
      orders: [
        order("PO-1") { ($0.transactionID, $0.priceMilliunits, $0.currency) = ("1", 648_000, nil) },
        order("PO-2") { ($0.transactionID, $0.currency) = ("2", nil) },
      ], evidence: [coins("1", token: nil), coins("2", token: nil)], matches: ["PO-1 1 M1", "PO-2 2 M1"], breaks: ["AMOUNT_DIFF PO-1"],
      check: expect(.breaks, "amount_milliunits currency detail", "642000 CNY order says 648.00, Apple charged 6.00 CNY")),
    "M5: an answer that was sent for an order lists an earlier purchase": Case(
      orders: [order("PO-1")],
      evidence: [answer([coins("1", at: "2026-05-08T10:00:00Z", token: nil), coins("2", token: nil)], for: "PO-1")],
      matches: ["PO-1 2 M5"], breaks: ["TX_NO_ORDER"]),
    "a cart of family-shared access is no difference": Case(
      orders: [order("PO-1", "created") { ($0.productID, $0.transactionID, $0.priceMilliunits) = ("lifetime", "1", 198_000) }],
      evidence: [lifetime("1", ownership: "FAMILY_SHARED", price: 0)], matches: ["PO-1 1 M1"]),
    "nothing pays again beside family-shared access": Case(
      orders: [
        order("PO-1") {
          ($0.productID, $0.transactionID, $0.webOrderLineItemID, $0.priceMilliunits, $0.currency) = ("lifetime", "1", "70", nil, nil)
        }
      ],
      evidence: [lifetime("1", ownership: "FAMILY_SHARED", price: 0, lineItem: "70"), lifetime("2", lineItem: "70")],
      matches: ["PO-1 1 M1"], breaks: ["TX_NO_ORDER"]),
    "no money on family-shared access": Case(
      orders: [order("PO-1") { ($0.productID, $0.transactionID, $0.priceMilliunits, $0.currency) = ("lifetime", "1", nil, nil) }],
      evidence: [lifetime("1", ownership: "FAMILY_SHARED", price: 0)], matches: ["PO-1 1 M1"]),
  ])

  /// An order with a transaction id unknown to Apple was delivered for that id, and for no other purchase of the user.
  @Test func nextPurchaseIsNotTheGhostClaim() async throws {
    let scenario = try await Scenario()
    let asOf = "2026-05-12T12:00:00Z"
    try await scenario.decide(
      users: ["U1,\(Scenario.token1),CHN,false"], orders: [TestOrder("PO-1", at: "2026-05-08T10:00:00Z", names: "9")],
      evidence: [ApplePurchase("1", at: "2026-05-10T10:00:00Z", token: Scenario.token1).jws], asOf: asOf)
    // Before Apple is queried, the evidence for the id may still arrive.
    try await scenario.decide(asOf: asOf)
    #expect(try await scenario.matches(asOf: asOf) == ["PO-1 1 M2"])
    let context = try scenario.context(asOf: asOf)
    try await context.withSession { session in
      try await session.transaction { tx in
        _ = try tx.run(
          context.sql(CollectSQL.recordMiss),
          ["bundle_id": .text("com.acme.reader"), "transaction_id": .text("9"), "requested_at": context.asOfValue])
      }
    }
    try await scenario.decide(asOf: asOf)
    #expect(try await scenario.matches(asOf: asOf) == [])
    #expect(try await scenario.openBreaks(asOf: asOf) == ["GHOST_TX PO-1", "TX_NO_ORDER"])
    #expect(try await scenario.changesOfFullMatch(asOf: asOf) == [])
    // Apple knows the transaction after all.
    try await scenario.decide(evidence: [ApplePurchase("9", at: "2026-05-08T10:00:20Z").jws], asOf: asOf)
    #expect(try await scenario.matches(asOf: asOf) == ["PO-1 9 M1"])
  }
}
