extension ExplainTests {
  private static func month(_ id: String, _ at: String, _ until: String, isRenewal: Bool) -> String {
    ApplePurchase.month(id, original: "470001000000030", at: at, until: until, isRenewal: isRenewal).jws
  }

  /// Returns the case of an order and a charge of one device that only their facts match.
  private static func alone(uploader: String, _ user: String) -> Case {
    Case(
      orders: [order { $0.deviceID = "D1" }],
      evidence: [Scenario.upload(bought.jws, user: uploader, device: "D1", at: "2026-05-10T10:00:30Z")],
      placed("PO-1"),
      matched(6, "user, product, quantity and time fit, and nothing else fits either of the two"),
      compared("20 s", user: user),
      charged("470001000000001", uploader: "user \(uploader), device D1", matched: "M6 with order PO-1"))
  }

  static let rungs = Case.table([
    "M1": Case(
      orders: [named], evidence: [bought.jws],
      placed("PO-1", names: "transaction 470001000000001"),
      matched(1, "the order names transaction 470001000000001"),
      compared("20 s", user: "user U1; nobody uploaded the evidence"),
      charged("470001000000001", matched: "M1 with order PO-1")),
    "M2, T01": Case(
      orders: [order()], users: userOne, evidence: [tokened],
      placed("PO-1"),
      matched(
        2,
        "the user's token is the charge's, no other open order from before the purchase carries it, product and app agree, the order was created 20 s before the purchase"
      ),
      compared("20 s", user: "user U1 by token"),
      charged("470001000000001", token: tokenA1, matched: "M2 with order PO-1")),
    "M3": Case(
      orders: [.month("PO-1", at: "2026-05-10T10:00:00Z") { $0.webOrderLineItemID = "9470001000000030" }], users: userOne,
      evidence: [month("470001000000030", "2026-05-10T10:00:20Z", "2026-06-10T10:00:20Z", isRenewal: false)],
      placed("PO-1", product: "vip.month", names: "line item 9470001000000030"),
      matched(3, "the order names line item 9470001000000030"),
      compared("20 s", product: "vip.month", user: "user U1; nobody uploaded the evidence"),
      charged("470001000000030", until: "2026-06-10T10:00:20Z", product: "vip.month", matched: "M3 with order PO-1")),
    "M4": Case(
      orders: [.month("PO-1", at: "2026-04-10T10:00:00Z", names: "470001000000030"), .month("PO-2", at: "2026-05-10T09:00:00Z")],
      evidence: [
        month("470001000000030", "2026-04-10T10:00:20Z", "2026-05-10T10:00:20Z", isRenewal: false),
        month("470001000000031", "2026-05-10T10:00:20Z", "2026-06-10T10:00:20Z", isRenewal: true),
      ], id: "PO-2",
      placed("PO-2", at: "2026-05-10T09:00:00Z", product: "vip.month"),
      matched(
        4,
        "a renewal of a subscription of user U1, and the order was created in its booking time, 2026-05-09T10:00:20Z to 2026-06-10T10:00:20Z"
      ),
      compared("60 min", product: "vip.month", user: "user U1; nobody uploaded the evidence"),
      charged(
        "470001000000031", original: "470001000000030", until: "2026-06-10T10:00:20Z",
        product: "vip.month", matched: "M4 with order PO-2")),
    "M5": Case(
      orders: [order()], evidence: [Scenario.upload(bought.jws, user: "U1", order: "PO-1", at: "2026-05-10T10:00:30Z")],
      placed("PO-1"),
      matched(5, "the evidence was uploaded for the order"),
      compared("20 s", user: "user U1 uploaded the evidence"),
      charged("470001000000001", uploader: "user U1, for order PO-1", matched: "M5 with order PO-1")),
    "M6, nothing else fits": alone(uploader: "U1", "user U1 uploaded the evidence"),
    "M6 across a device": alone(uploader: "U2", "user U1; the evidence was uploaded by user U2 on device D1"),
    "M6, not across a device for what pays an order again": Case(
      orders: [
        order { $0.deviceID = "D1" },
        order("PO-2", user: "U2", at: "2026-05-10T09:59:00Z") { ($0.deviceID, $0.status) = ("D1", "created") },
      ],
      evidence: [bought, ApplePurchase("470001000000002", at: "2026-05-10T10:05:00Z")].map {
        Scenario.upload(Scenario.sign($0), user: "U1", device: "D1", order: "PO-1", at: "2026-05-10T10:05:30Z")
      }, id: "470001000000002",
      charged(
        "470001000000002", at: "2026-05-10T10:05:00Z", received: "2026-05-10T10:05:30Z", uploader: "user U1, device D1, for order PO-1"),
      unclaimed(
        m5: "its evidence was uploaded for order PO-1, which cannot have it",
        m6: "it says that it pays order PO-1 again, and no open order of user U1 fits in product, quantity and time"),
      "break <id>: DUP_CHARGE (high) open as of 2026-05-12T12:00:00Z in run detect: order PO-1 was already paid by another charge",
      "  about charge <id>, at risk 6.00 CNY, open since 2026-05-10T10:05:00Z, for support: the customer paid one order twice: deliver again or help with a refund"
    ),
    "M6 by the least distance, token of a user with two orders": Case(
      orders: [order(), order("PO-2", at: "2026-05-10T10:00:30Z")], users: userOne,
      evidence: [tokened, ApplePurchase("470001000000002", at: "2026-05-10T10:00:50Z", token: tokenA1).jws], id: "PO-2",
      placed("PO-2", at: "2026-05-10T10:00:30Z"),
      matched(
        6, "of several orders and charges of user U1 that fit, this pair is in every assignment of the least total time distance",
        m2: "several open orders carry the charge's token with that product: this one and PO-1"),
      compared("20 s", user: "user U1 by token"),
      charged("470001000000002", at: "2026-05-10T10:00:50Z", token: tokenA1, matched: "M6 with order PO-2")),
    "M7, two users of a device, T03": Case(
      orders: [
        order("PO-3", at: "2026-05-10T09:58:00Z") { $0.deviceID = "D1" },
        order("PO-4", user: "U2", at: "2026-05-10T09:59:00Z") { ($0.deviceID, $0.priceMilliunits) = ("D1", 5000) },
      ], evidence: [Scenario.upload(bought.jws, user: "U2", device: "D1", at: "2026-05-10T10:00:30Z")], id: "470001000000001",
      charged("470001000000001", uploader: "user U2, device D1"),
      "  no order by itself, M7: orders of 2 users fit, and time does not tell who of them paid",
      "  candidate 1: order PO-4",
      compared("80 s", user: "user U2 uploaded the evidence", price: "ordered 5.00 CNY, purchased 6.00 CNY"),
      "  candidate 2: order PO-3",
      compared("140 s", user: "user U1; the evidence was uploaded by user U2 on device D1"),
      "break <id>: AMBIGUOUS_MATCH (medium) open as of 2026-05-12T12:00:00Z in run detect: candidates: PO-4 (user uploaded the evidence; product coins60; quantity 1; purchased 80 s after the order); PO-3 (user seen on the uploading device; product coins60; quantity 1; purchased 140 s after the order)",
      "  about charge <id>, at risk 6.00 CNY, open since 2026-05-10T10:00:20Z, for operations: choose the order by hand from the ranked candidates"
    ),
    "M7, somebody is left over, asked about an order": Case(
      orders: [order("PO-3", at: "2026-05-10T09:58:00Z"), order("PO-4", at: "2026-05-10T09:59:00Z")],
      evidence: [Scenario.upload(bought.jws, user: "U1", at: "2026-05-10T10:00:30Z")], id: "PO-3",
      placed("PO-3", at: "2026-05-10T09:58:00Z"),
      "  no match by itself: candidate 2 of charge <id>",
      noKeyFits,
      "    M7: 2 orders and 1 charge fit each other, and time does not tell who is left over",
      compared("140 s", user: "user U1 uploaded the evidence")),
    "M7, two ways as good": Case(
      orders: [order("PO-3", at: "2026-05-10T10:00:00Z"), order("PO-4", at: "2026-05-10T10:00:10Z")],
      evidence: ["470001000000001", "470001000000002"].map {
        Scenario.upload(ApplePurchase($0, at: "2026-05-10T10:00:2\($0.suffix(1))Z").jws, user: "U1", at: "2026-05-10T10:00:30Z")
      }, id: "470001000000002",
      charged("470001000000002", at: "2026-05-10T10:00:22Z", uploader: "user U1"),
      "  no order by itself, M7: 2 orders and as many charges fit each other, and time does not tell which belongs to which",
      "  candidate 1: order PO-4",
      compared("12 s", user: "user U1 uploaded the evidence"),
      "  candidate 2: order PO-3",
      compared("22 s", user: "user U1 uploaded the evidence"),
      "break <id>: AMBIGUOUS_MATCH (medium) open as of 2026-05-12T12:00:00Z in run detect: candidates: PO-4 (user uploaded the evidence; product coins60; quantity 1; purchased 12 s after the order); PO-3 (user uploaded the evidence; product coins60; quantity 1; purchased 22 s after the order)",
      "  about charge <id>, at risk 6.00 CNY, open since 2026-05-10T10:00:22Z, for operations: choose the order by hand from the ranked candidates"
    ),
    "M2, a paid order before a cart": Case(
      orders: [order(), order("PO-2", at: "2026-05-10T09:50:00Z") { $0.status = "created" }], users: userOne, evidence: [tokened],
      placed("PO-1"),
      matched(
        2,
        "the user's token is the charge's, cart PO-2 carries it, too, but a paid or delivered order goes before, product and app agree, the order was created 20 s before the purchase"
      ),
      compared("20 s", user: "user U1 by token"),
      charged("470001000000001", token: tokenA1, matched: "M2 with order PO-1")),
    "M2, a cart after a paid order": Case(
      orders: [order(), order("PO-2", at: "2026-05-10T09:50:00Z") { $0.status = "created" }], users: userOne, evidence: [tokened],
      id: "PO-2",
      placed("PO-2", "created", at: "2026-05-10T09:50:00Z"),
      unmatched(m2: "charge <id> carries the user's token with that product, but order PO-1 has it by M2")),
    "M6, a paid order before a cart": Case(
      orders: [order(at: "2026-05-10T09:58:00Z"), order("PO-2") { $0.status = "created" }],
      evidence: [Scenario.upload(bought.jws, user: "U1", at: "2026-05-10T10:00:30Z")],
      placed("PO-1", at: "2026-05-10T09:58:00Z"),
      matched(
        6,
        "user, product, quantity and time fit; a paid or delivered order goes before carts that fit, too, and nothing else is left that fits either of the two"
      ),
      compared("140 s", user: "user U1 uploaded the evidence"),
      charged("470001000000001", uploader: "user U1", matched: "M6 with order PO-1")),
    "M6, paid orders before a cart, then the least distance": Case(
      orders: [
        order(at: "2026-05-10T09:50:00Z"), order("PO-2", at: "2026-05-10T09:55:00Z"),
        order("PO-3", at: "2026-05-10T10:00:10Z") { $0.status = "created" },
      ],
      evidence: [
        ApplePurchase("470001000000001", at: "2026-05-10T09:50:20Z"), ApplePurchase("470001000000002", at: "2026-05-10T10:00:20Z"),
      ].map { Scenario.upload(Scenario.sign($0), user: "U1", at: "2026-05-10T10:00:30Z") }, id: "PO-2",
      placed("PO-2", at: "2026-05-10T09:55:00Z"),
      matched(
        6,
        "several orders and charges fit; a paid or delivered order goes before carts, and of what is left this pair is in every assignment of the least total time distance"
      ),
      compared("5 min", user: "user U1 uploaded the evidence"),
      charged("470001000000002", uploader: "user U1", matched: "M6 with order PO-2")),
    "M7, two ways as good beside a cart": Case(
      orders: [
        order("PO-3", at: "2026-05-10T10:00:00Z"), order("PO-4", at: "2026-05-10T10:00:10Z"),
        order("PO-5", at: "2026-05-10T10:00:15Z") { $0.status = "created" },
      ],
      evidence: ["470001000000001", "470001000000002"].map {
        Scenario.upload(ApplePurchase($0, at: "2026-05-10T10:00:2\($0.suffix(1))Z").jws, user: "U1", at: "2026-05-10T10:00:30Z")
      }, id: "PO-5",
      placed("PO-5", "created", at: "2026-05-10T10:00:15Z"),
      "  no match by itself: candidate 3 of charge <id>",
      noKeyFits,
      "    M7: a paid or delivered order goes before carts, and of what is left 2 orders and as many charges fit each other, and time does not tell which belongs to which",
      compared("6 s", user: "user U1 uploaded the evidence"),
      "  no match by itself: candidate 3 of charge <id>",
      noKeyFits,
      "    M7: a paid or delivered order goes before carts, and of what is left 2 orders and as many charges fit each other, and time does not tell which belongs to which",
      compared("7 s", user: "user U1 uploaded the evidence")),
  ])
}
