extension ExplainTests {
  private static let forged = Scenario.upload(
    Scenario.sign(bought, by: Scenario.forger), user: "U3", device: "D3", at: "2026-05-10T10:00:30Z")
  private static let refund = Scenario.notification(
    "REFUND", uuid: "n-1", bought.refunded(at: "2026-05-11T08:00:00Z", signedAt: "2026-05-11T08:00:10Z"),
    signedAt: "2026-05-11T08:00:10Z")

  static let differences = Case.table([
    "ORDER_NO_TX, the order names an unknown transaction": Case(
      orders: [order { $0.transactionID = "999" }],
      placed("PO-1", names: "transaction 999"),
      unmatched(m1: "no genuine evidence states transaction 999"),
      "break <id>: ORDER_NO_TX (high) open as of 2026-05-12T12:00:00Z in run detect: names transaction 999, for which there is no genuine evidence of this app",
      "  about order PO-1, at risk 6.00 CNY, open since 2026-05-11T10:00:00Z, for operations: find the transaction by the customer's Apple order number, or take the goods back"
    ),
    "TX_NO_ORDER": Case(
      users: userOne, evidence: [tokened], id: "470001000000001",
      charged("470001000000001", token: tokenA1),
      unclaimed(
        m2: "the token belongs to user U1, who has no open order of that product",
        m6: "no open order of user U1 fits in product, quantity and time"),
      lost()),
    "REPLAY_MULTI_USER": Case(
      orders: [named, TestOrder("PO-2", user: "U2", at: "2026-05-10T11:00:00Z", names: "470001000000001")], evidence: [bought.jws],
      id: "PO-2",
      placed("PO-2", user: "U2", at: "2026-05-10T11:00:00Z", names: "transaction 470001000000001"),
      refused(
        "REPLAY_MULTI_USER", heldBy: "PO-1", "the order names transaction 470001000000001, but order PO-1 of user U1 holds the charge"),
      charged("470001000000001", matched: "M1 with order PO-1"),
      "break <id>: REPLAY_MULTI_USER (critical) open as of 2026-05-12T12:00:00Z in run detect: claims the charge of order PO-1 of user U1",
      "  about order PO-2, at risk 6.00 CNY, open since 2026-05-10T11:00:00Z, for fraud: one purchase claimed by two users: keep the owner's order, hold the other, open a case"
    ),
    "USER_DIFF": Case(
      orders: [named.with { $0.userID = "U2" }], users: userOne + ["U2,\(tokenA2),CHN,false"], evidence: [tokened],
      placed("PO-1", user: "U2", names: "transaction 470001000000001"),
      refused("USER_DIFF", "the order names transaction 470001000000001, but the token belongs to user U1"),
      charged("470001000000001", token: tokenA1),
      unclaimed(
        m1: "order PO-1 names its transaction and cannot have it",
        m2: "the token belongs to user U1, who has no open order of that product",
        m6: "no open order of user U1 fits in product, quantity and time"),
      "break <id>: USER_DIFF (high) open as of 2026-05-12T12:00:00Z in run detect: claims a charge whose token or subscription belongs to another user",
      "  about order PO-1, at risk 6.00 CNY, open since 2026-05-10T10:00:00Z, for fraud: the purchase names another user: ask support which account paid",
      lost()),
    "FORGED_SIGNATURE of an order": Case(
      orders: [named], evidence: [Scenario.upload(Scenario.sign(bought, by: Scenario.forger), user: "U1", at: "2026-05-10T10:00:30Z")],
      placed("PO-1", names: "transaction 470001000000001"),
      "  no match: FORGED_SIGNATURE on rung M5, evidence <sha256>",
      "    not M1: no genuine evidence states transaction 470001000000001",
      "    not M2: neither the order nor its user carries a token",
      "    not M3: the order names no line item and no original transaction",
      "    not M4: no renewal of that product was to be booked for user U1 when the order was created",
      "    evidence <sha256>: transaction, forged (chain does not end in a trusted root), transaction 470001000000001, from client, received 2026-05-10T10:00:30Z",
      "      handed over 2026-05-10T10:00:30Z by client, user U1",
      "break <id>: FORGED_SIGNATURE (critical) open as of 2026-05-12T12:00:00Z in run detect: claims evidence <sha256> that is not genuine: chain does not end in a trusted root",
      "  about order PO-1, at risk 6.00 CNY, open since 2026-05-10T10:00:00Z, for fraud: hold the order, keep the evidence, look for more uploads by this user and device"
    ),
    "AMOUNT_DIFF and PAID_NOT_DELIVERED": Case(
      orders: [named.with { ($0.priceMilliunits, $0.status) = (5000, "paid") }], evidence: [bought.jws],
      placed("PO-1", "paid", price: "5.00 CNY", names: "transaction 470001000000001"),
      matched(1, "the order names transaction 470001000000001"),
      compared("20 s", user: "user U1; nobody uploaded the evidence", price: "ordered 5.00 CNY, purchased 6.00 CNY"),
      charged("470001000000001", matched: "M1 with order PO-1"),
      "break <id>: AMOUNT_DIFF (medium) open as of 2026-05-12T12:00:00Z in run detect: order says 5.00 CNY, Apple charged 6.00 CNY",
      "  about order PO-1, at risk 1.00 CNY, open since 2026-05-10T10:00:20Z, for finance: correct the order's price, or look for an offer or price change",
      "break <id>: PAID_NOT_DELIVERED (high) open as of 2026-05-12T12:00:00Z in run detect: Apple charged and the order is paid",
      "  about order PO-1, at risk 6.00 CNY, open since 2026-05-11T10:00:20Z, for operations: deliver the order"),
    "inside the grace time": Case(
      orders: [order(at: "2026-05-12T10:00:00Z")],
      placed("PO-1", at: "2026-05-12T10:00:00Z"),
      unmatched(),
      "pending ORDER_NO_TX until 2026-05-13T10:00:00Z: order is delivered and no charge was found for it"),
    "FORGED_SIGNATURE that no order claims, asked by who handed it over": Case(
      evidence: [forged], id: "U3",
      "user U3: no users file has it",
      "  0 orders",
      "  break <id>: FORGED_SIGNATURE (critical)",
      "  case <id>: payrecon queue show <id>"),
    "FORGED_SIGNATURE that no order claims, asked by its break": Case(
      evidence: [forged], id: "break FORGED_SIGNATURE",
      "evidence <sha256>: transaction, forged (chain does not end in a trusted root), transaction 470001000000001, from client, received 2026-05-10T10:00:30Z",
      "  handed over 2026-05-10T10:00:30Z by client, user U3, device D3",
      "break <id>: FORGED_SIGNATURE (critical) open as of 2026-05-12T12:00:00Z in run detect: evidence <sha256> is forged: chain does not end in a trusted root",
      "  about evidence <sha256>, open since 2026-05-10T10:00:20Z, for fraud: hold the order, keep the evidence, look for more uploads by this user and device"
    ),
    "evidence that is not genuine, asked by its transaction": Case(
      evidence: [forged], id: "470001000000001",
      "evidence <sha256>: transaction, forged (chain does not end in a trusted root), transaction 470001000000001, from client, received 2026-05-10T10:00:30Z",
      "  handed over 2026-05-10T10:00:30Z by client, user U3, device D3"),
    "DUP_DELIVERY, asked by its break": Case(
      orders: ["PO-1", "PO-2"].enumerated().map { index, id in
        TestOrder(id, at: "2026-05-10T10:0\(index):00Z") { $0.originalTransactionID = "470001000000001" }
      }, evidence: [bought.jws], id: "break DUP_DELIVERY",
      placed("PO-1", names: "original 470001000000001"),
      matched(3, "the order names original transaction 470001000000001"),
      compared("20 s", user: "user U1; nobody uploaded the evidence"),
      placed("PO-2", at: "2026-05-10T10:01:00Z", names: "original 470001000000001"),
      refused(
        "DUP_DELIVERY", on: 3, heldBy: "PO-1",
        "the order names original transaction 470001000000001, but order PO-1 of user U1 holds the charge"),
      charged("470001000000001", matched: "M3 with order PO-1"),
      "break <id>: DUP_DELIVERY (high) open as of 2026-05-12T12:00:00Z in run detect: the charge is held by order PO-1",
      "  about order PO-2, at risk 6.00 CNY, open since 2026-05-10T10:01:00Z, for operations: one purchase was delivered twice: take the second delivery back"
    ),
    "LATE_VERIFICATION": Case(
      orders: [TestOrder("PO-1", at: "2026-05-11T10:00:00Z", names: "470001000000001")],
      evidence: [ApplePurchase("470001000000001", at: "2026-05-01T10:00:20Z").jws],
      placed("PO-1", at: "2026-05-11T10:00:00Z", names: "transaction 470001000000001"),
      refused("LATE_VERIFICATION", "the order names transaction 470001000000001, but it was purchased 9 days before the order was created"),
      charged("470001000000001", at: "2026-05-01T10:00:20Z"),
      unclaimed(m1: "order PO-1 names its transaction and cannot have it"),
      "break <id>: LATE_VERIFICATION (medium) open as of 2026-05-12T12:00:00Z in run detect: purchased 2026-05-01T10:00:20Z, order created 2026-05-11T10:00:00Z",
      "  about order PO-1, at risk 6.00 CNY, open since 2026-05-11T10:00:00Z, for fraud: an old purchase was presented late: ask for the reason before delivering",
      lost(since: "2026-05-02T10:00:20Z")),
    "PRODUCT_DIFF": Case(
      orders: [named.with { $0.productID = "coins6480" }], evidence: [bought.jws],
      placed("PO-1", product: "coins6480", names: "transaction 470001000000001"),
      refused("PRODUCT_DIFF", "the order names transaction 470001000000001, but the purchase is of product coins60"),
      charged("470001000000001"),
      unclaimed(m1: "order PO-1 names its transaction and cannot have it"),
      "break <id>: PRODUCT_DIFF (high) open as of 2026-05-12T12:00:00Z in run detect: order is for coins6480, Apple sold coins60",
      "  about order PO-1, at risk 6.00 CNY, open since 2026-05-10T10:00:00Z, for fraud: the purchase is of another product: deliver what Apple sold, correct the order",
      lost()),
    "a break that resolved": Case(
      orders: [named], later: [bought.jws],
      placed("PO-1", names: "transaction 470001000000001"),
      matched(1, "the order names transaction 470001000000001", at: later),
      compared("20 s", user: "user U1; nobody uploaded the evidence"),
      charged("470001000000001", received: "2026-05-14T12:00:00Z"),
      "  matched by M1 with order PO-1, decided 2026-05-14T12:00:00Z in run match",
      "break <id>: ORDER_NO_TX (high) open as of 2026-05-12T12:00:00Z in run detect: names transaction 470001000000001, for which there is no genuine evidence of this app",
      "break <id>: ORDER_NO_TX (high) resolved as of 2026-05-14T12:00:00Z in run detect: names transaction 470001000000001, for which there is no genuine evidence of this app"
    ),
    "REFUND_NOT_APPLIED": Case(
      orders: [named], evidence: [refund], id: "break REFUND_NOT_APPLIED",
      placed("PO-1", names: "transaction 470001000000001"),
      matched(1, "the order names transaction 470001000000001"),
      compared("20 s", user: "user U1; nobody uploaded the evidence"),
      "charge <id>: refunded, coins60 x 1, 6.00 CNY, Production, app com.acme.reader",
      "  transactions 470001000000001, original 470001000000001, no token",
      "  2026-05-10T10:00:20Z  purchased",
      "  2026-05-11T08:00:00Z  revoked by Apple",
      "  evidence <sha256>: transaction 470001000000001, signed 2026-05-11T08:00:10Z, from import, received 2026-05-12T12:00:00Z",
      "  matched by M1 with order PO-1, decided 2026-05-12T12:00:00Z in run match",
      "break <id>: REFUND_NOT_APPLIED (high) open as of 2026-05-12T12:00:00Z in run detect: Apple revoked on 2026-05-11T08:00:00Z (refund), the order is delivered",
      "  about order PO-1, at risk 6.00 CNY, open since 2026-05-12T08:00:00Z, for operations: Apple gave the money back, or a family shares it no more: take the goods back, mark the order refunded or revoked"
    ),
    "not M2, purchased before the order": Case(
      orders: [TestOrder("PO-1", at: "2026-05-10T12:00:00Z", status: "created")], users: userOne, evidence: [tokened],
      placed("PO-1", "created", at: "2026-05-10T12:00:00Z"),
      unmatched(m2: "charge <id> carries the user's token with that product, but it was purchased 119 min before the order was created")),
    "not M2, purchased in another environment": Case(
      orders: [order { $0.status = "created" }], users: userOne,
      evidence: [ApplePurchase("470001000000001", at: "2026-05-12T10:00:20Z", token: tokenA1).with { $0.environment = "Sandbox" }.jws],
      placed("PO-1", "created"),
      unmatched(m2: "charge <id> carries the user's token with that product, but the purchase is of environment Sandbox")),
    "not M2, the order's token is another user's": Case(
      orders: [order(user: "U2") { ($0.status, $0.token) = ("created", tokenA1) }], users: userOne, evidence: [tokened],
      placed("PO-1", "created", user: "U2", names: "token a1000000-0000-4000-8000-000000000001"),
      unmatched(m2: "the order's token belongs to user U1", user: "U2")),
    "TX_NO_ORDER, several orders of the token's user": Case(
      orders: (1...4).map { number in
        TestOrder("PO-\(number)", at: "2026-04-10T10:00:0\(number)Z", status: "created")
      }, users: userOne, evidence: [tokened], id: "470001000000001",
      charged("470001000000001", token: tokenA1),
      unclaimed(
        m2:
          "the token belongs to user U1, and several open orders of that product from before the purchase carry it: PO-1, PO-2, PO-3 and 1 more",
        m6: "no open order of user U1 fits in product, quantity and time"),
      lost()),
    "TX_NO_ORDER, the order came after the purchase": Case(
      orders: [order(at: "2026-05-10T12:00:00Z") { $0.status = "created" }], users: userOne, evidence: [tokened], id: "470001000000001",
      charged("470001000000001", token: tokenA1),
      unclaimed(
        m2: "the token belongs to user U1, and order PO-1 was created after the purchase",
        m6: "no open order of user U1 fits in product, quantity and time"),
      lost()),
    "TX_NO_ORDER, the order names the subscription alone": Case(
      orders: [.month("PO-1", at: "2026-05-10T10:00:00Z", status: "created") { $0.originalTransactionID = "470001000000030" }],
      evidence: [ApplePurchase.month("470001000000030", at: "2026-05-01T10:00:20Z", until: "2026-06-01T10:00:20Z").jws],
      id: "470001000000030",
      placed("PO-1", "created", product: "vip.month", names: "original 470001000000030"),
      unmatched(m3: "the order names the subscription, which says nothing of the period"),
      charged("470001000000030", at: "2026-05-01T10:00:20Z", until: "2026-06-01T10:00:20Z", product: "vip.month"),
      unclaimed(m3: "order PO-1 names the subscription, which says nothing of the period"),
      lost("vip.month", "25.00", since: "2026-05-02T10:00:20Z")),
    "RENEWAL_NO_ORDER, the order's user is not the subscription's": Case(
      orders: [.month("PO-1", user: "U2", at: "2026-05-10T10:00:00Z", status: "created") { $0.token = tokenA2 }], users: userOne,
      evidence: [
        ApplePurchase.month("470001000000030", at: "2026-04-10T10:00:20Z", until: "2026-05-10T10:00:20Z", token: tokenA1).jws,
        ApplePurchase.month(
          "470001000000031", original: "470001000000030", at: "2026-05-10T10:00:20Z", until: "2026-06-10T10:00:20Z", isRenewal: true,
          token: tokenA2
        ).jws,
      ],
      placed("PO-1", "created", user: "U2", product: "vip.month", names: "token a2000000-0000-4000-8000-000000000002"),
      refused("USER_DIFF", on: 2, "the subscription belongs to user U1"),
      charged(
        "470001000000031", original: "470001000000030", until: "2026-06-10T10:00:20Z", product: "vip.month",
        token: "a2000000-0000-4000-8000-000000000002"),
      unclaimed(
        m2: "the token belongs to user U2, and order PO-1 cannot have it, as the subscription belongs to user U1",
        m4:
          "no order of user U1, whose subscription it is, was created in the period's booking time, 2026-05-09T10:00:20Z to 2026-06-10T10:00:20Z",
        m6: "no open order of user U1 fits in product, quantity and time"),
      "break <id>: RENEWAL_NO_ORDER (medium) open as of 2026-05-12T12:00:00Z in run detect: Apple renewed subscription 470001000000030 and no order was booked",
      "  about charge <id>, at risk 25.00 CNY, open since 2026-05-11T10:00:20Z, for operations: book the renewal order and extend the access"
    ),
  ])
}
