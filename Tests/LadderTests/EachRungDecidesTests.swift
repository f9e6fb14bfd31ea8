/// Each rung of the ladder by cases.
@Suite struct EachRungDecidesTests {
  struct Case: CustomTestStringConvertible {
    var name: String
    var facts: Facts
    var decided: [String]
    var testDescription: String { name }

    init(_ name: String, _ facts: Facts, _ decided: String...) { (self.name, self.facts, self.decided) = (name, facts, decided) }
  }

  @Test(arguments: decisions + transactions + tokens + lineItems + chains + subscriptions + evidence + candidates)
  func decides(_ one: Case) { #expect(one.facts.decided == one.decided) }

  /// Orders of one user and charges of the same product that this user uploaded.
  struct Rivals: CustomTestStringConvertible {
    var name: String
    /// Instants in 512ths of an hour, which are exact in microseconds.
    var orders: [Int]
    var charges: [Int]
    /// Numbers, from 1, of the orders that have the charge of the same number. All other charges are ambiguous.
    var matched: [Int] = []
    var testDescription: String { name }
  }

  static let rivals = [
    Rivals(name: "two equal purchases in one minute are two purchases", orders: [0, 4], charges: [2, 6], matched: [1, 2]),
    Rivals(name: "the order precedes its charge, whatever the names", orders: [4, 0], charges: [6, 2], matched: [1, 2]),
    Rivals(name: "two orders, then two charges: both ways are as good", orders: [0, 1], charges: [2, 3]),
    Rivals(name: "a tie leaves the rest of the day decided", orders: [0, 1, 2560], charges: [2, 3, 2561], matched: [3]),
    Rivals(name: "two orders, one charge: who is left over is a guess", orders: [0, 43], charges: [44]),
    Rivals(name: "one order, two charges", orders: [0], charges: [1, 44]),
    Rivals(name: "more than are ever assigned", orders: (0..<65).map { $0 * 3 }, charges: (0..<65).map { $0 * 3 + 1 }),
    Rivals(
      name: "as many as are assigned", orders: (0..<64).map { $0 * 3 }, charges: (0..<64).map { $0 * 3 + 1 }, matched: Array(1...64)),
  ]

  @Test("M6 and M7 by time alone", arguments: rivals) func timeDecides(_ test: Rivals) {
    let facts = Facts(
      test.orders.enumerated().map { OrderFact("o\($0 + 1)", at: Double($1) / 512) },
      test.charges.enumerated().map { ChargeFact("c\($0 + 1)", at: Double($1) / 512) })
    let decided = facts.chargeNames.reduce(facts) { $0.uploading($1, user: "u1") }.decided
      .map { $0.hasSuffix("ambiguous") ? "\($0.prefix { $0 != " " }) ambiguous" : $0 }
    let left = Set(1...test.charges.count).subtracting(test.matched)
    #expect(Set(decided) == Set(test.matched.map { "o\($0) c\($0) M6" } + left.map { "c\($0) ambiguous" }))
  }

  static let decisions = [
    Case(
      "M0 two people matched what nothing else ties",
      Facts([OrderFact("o1")], [ChargeFact("c1", at: 900)]).deciding(.forcedMatch, "o1", "c1"), "o1 c1 M0"),
    Case(
      "M0 a decision does not reach another environment",
      Facts([OrderFact("o1")], [ChargeFact("c1", at: 900) { $0.environment = "Sandbox" }]).deciding(.forcedMatch, "o1", "c1")),
    Case(
      "M0 two people decided that they do not belong together",
      Facts([OrderFact("o1", names: "c1")], [ChargeFact("c1")]).deciding(.unmatch, "o1", "c1")),
    Case(
      "M0 a benign duplicate claims nothing",
      Facts([OrderFact("o1", names: "c1"), OrderFact("o2", names: "c1")], [ChargeFact("c1")]).deciding(.benignDuplicate, "o2", "c1"),
      "o1 c1 M1"),
  ]

  static let transactions = [
    Case("M1 the order names the transaction", claimed(), "o1 c1 M1"),
    Case("M1 not of another app", claimed(ChargeFact("c1") { $0.app = "kids" }), "o1 BUNDLE_DIFF c1"),
    Case("M1 not of another product", claimed(ChargeFact("c1") { $0.product = "gems" }), "o1 PRODUCT_DIFF c1"),
    Case("M1 not from the sandbox", claimed(ChargeFact("c1") { $0.environment = "Sandbox" }), "o1 SANDBOX_IN_PROD c1"),
    Case("M1 not against the user of the token", claimed(ChargeFact("c1", token: "t2")).holding("t2", "u2"), "o1 USER_DIFF c1"),
    Case(
      "M1 a token of two users is nobody's", claimed(ChargeFact("c1", token: "t")).holding("t", "u1").holding("t", "u2"), "o1 c1 M1"),
    Case(
      "M1 not a purchase of long before", Facts([OrderFact("o1", at: 200, names: "c1")], [ChargeFact("c1", at: 1)]),
      "o1 LATE_VERIFICATION c1"),
    Case("M1 one charge delivered twice", claimed(again: OrderFact("o2", at: 1, names: "c1")), "o1 c1 M1", "o2 DUP_DELIVERY c1"),
    Case(
      "M1 one charge claimed by two users", claimed(again: OrderFact("o2", "u2", at: 1, names: "c1")), "o1 c1 M1",
      "o2 REPLAY_MULTI_USER c1"),
    Case(
      "M1 the refusal of the named purchase before a sandbox purchase by token",
      claimed(
        ChargeFact("c1"), ChargeFact("c2", at: 1.1, token: "t") { $0.environment = "Sandbox" },
        again: OrderFact("o2", "u2", at: 1, names: "c1", token: "t")), "o1 c1 M1", "o2 REPLAY_MULTI_USER c1"),
    Case(
      "M1 a delivered order outranks an earlier cart", claimed(status: .created, again: OrderFact("o2", at: 1, names: "c1")), "o2 c1 M1"),
    Case(
      "M1 a delivered order outranks an earlier cancelled one", claimed(status: .cancelled, again: OrderFact("o2", at: 1, names: "c1")),
      "o2 c1 M1"),
  ]

  static let tokens = [
    Case("M2 the token of one order", Facts([OrderFact("o1", token: "t")], [ChargeFact("c1", token: "t")]), "o1 c1 M2"),
    Case("M2 the token that the user once held", Facts([OrderFact("o1")], [ChargeFact("c1", token: "t")]).holding("t", "u1"), "o1 c1 M2"),
    Case("M2 not an order of after the purchase", Facts([OrderFact("o1", at: 2, token: "t")], [ChargeFact("c1", at: 1, token: "t")])),
    Case(
      "M2 a paid order outranks carts",
      Facts([OrderFact("o1", token: "t", status: .created), OrderFact("o2", at: 0.05, token: "t")], [ChargeFact("c1", token: "t")]),
      "o2 c1 M2"),
    Case(
      "M2 a match makes the next order the only one",
      Facts(
        [OrderFact("o1", token: "t"), OrderFact("o2", at: 1, token: "t")],
        [ChargeFact("c1", token: "t"), ChargeFact("c2", at: 1.1, token: "t")]), "o1 c1 M2", "o2 c2 M2"),
    Case(
      "M2 a charge of another product pays nothing",
      Facts([OrderFact("o1", token: "t")], [ChargeFact("c1", token: "t") { $0.product = "gems" }]), "o1 PRODUCT_DIFF c1"),
    Case(
      "M2 a second payment by the token of the order",
      Facts([OrderFact("o1", token: "t")], [ChargeFact("c1", token: "t"), ChargeFact("c2", at: 0.2, token: "t")]), "o1 c1 M2",
      "c2 pays o1 again"),
    Case(
      "M2 a purchase before the order with the user's token is no second payment",
      Facts([OrderFact("o1", at: 9, token: "t")], [ChargeFact("c1", at: 9.1, token: "t"), ChargeFact("c2", token: "t")]), "o1 c1 M2"),
  ]

  /// An order that names the first of the charges, and perhaps an order that claims the same one.
  private static func claimed(_ charges: ChargeFact..., status: Order.Status = .delivered, again: OrderFact? = nil) -> Facts {
    Facts(
      [OrderFact("o1", names: "c1", status: status)] + [again].compactMap(\.self), charges.isEmpty ? [ChargeFact("c1")] : charges)
  }

  static let lineItems = [
    Case("M3 the order names the line item", Facts([vip("o1", at: 0) { $0.lineItem = "line c1" }], [first]), "o1 c1 M3"),
    Case(
      "M3 the original id of a product that does not renew",
      Facts([OrderFact("o1") { $0.original = "c0" }], [ChargeFact("c1") { $0.original = "c0" }]), "o1 c1 M3"),
  ]

  /// The first two months of a subscription.
  private static let (first, second) = (ChargeFact.month("c1", 0, of: "c1"), ChargeFact.month("c2", 1, of: "c1"))

  /// An order of the subscription's product, by default after the beginning of the second month.
  private static func vip(
    _ name: String, _ user: String = "u1", at hours: Double = 721, names transaction: String? = nil,
    _ change: (inout OrderFact) -> Void = { _ in }
  ) -> OrderFact {
    OrderFact(name, user, at: hours, product: "vip", names: transaction, change)
  }

  /// A subscription with an order of the first month, more orders, and the charges after the first month.
  private static func subscription(_ orders: OrderFact..., then charges: [ChargeFact] = [second]) -> Facts {
    Facts([vip("o1", at: 0, names: "c1")] + orders, [first] + charges)
  }

  static let chains = [
    Case("M4 a renewal of the owner's subscription", subscription(vip("o2")), "o1 c1 M1", "o2 c2 M4"),
    Case("M4 not an order that names another period", subscription(vip("o2") { $0.lineItem = "line c3" }), "o1 c1 M1"),
    Case(
      "M4 not an order whose evidence names another period",
      subscription(vip("o2", at: 1441), then: [second, .month("c3", 2, of: "c1")]).showing("o2", "c2"), "o1 c1 M1", "o2 c2 M5"),
    Case(
      "M4 an order that carries the evidence of a first purchase without an order",
      Facts([vip("o2")], [.month("c1", 0, of: "c1", token: "t"), .month("c2", 1, of: "c1", token: "t")])
        .showing("o2", "c1").holding("t", "u1"), "o2 c2 M4"),
    Case(
      "M4 an order that names a transaction which no evidence shows", subscription(vip("o2", names: "c9")), "o1 c1 M1", "o2 c2 M4"),
    Case(
      "M4 not an order with forged evidence of the transaction that it names", subscription(vip("o2", names: "c9")).forging("o2"),
      "o1 c1 M1", "o2 FORGED_SIGNATURE -"),
    Case(
      "M4 one period delivered twice", subscription(vip("o2"), vip("o3", at: 722)), "o1 c1 M1", "o2 c2 M4", "o3 DUP_DELIVERY c2"),
    Case(
      "M4 an order that names only the subscription competes for no charge",
      Facts([vip("o1", "u2", at: 400) { $0.lineItem = "line c1" }, vip("o2", at: 725, names: "c1")], [first, second]),
      "o1 LATE_VERIFICATION c1"),
    Case(
      "M4 an order that names only the subscription is refused for its forged evidence",
      subscription(vip("o2", at: 725, names: "c1"), then: []).forging("o2"), "o1 c1 M1", "o2 FORGED_SIGNATURE -"),
    Case(
      "M1 not for the upgrade of the same day",
      subscription(OrderFact("o2", at: 1, product: "svip", names: "c2"), then: [.upgrade("c2", at: 1.1, of: "c1", to: "svip")]),
      "o1 c1 M1", "o2 c2 M1"),
    Case(
      "M1 booked a day late, before an upgrade",
      Facts([vip("o1", at: 26, names: "c1")], [first, .upgrade("c2", at: 27, of: "c1", to: "svip")]), "o1 c1 M1"),
    Case(
      "M6 the upgrade's order names only the subscription",
      subscription(OrderFact("o2", at: 0.3, product: "svip", names: "c1"), then: [.upgrade("c2", at: 1.1, of: "c1", to: "svip")])
        .uploading("c2", user: "u1"), "o1 c1 M1", "o2 c2 M6"),
    Case(
      "M6 the upgrade repeats the token of the first order",
      Facts(
        [vip("o1", at: 0) { $0.token = "t" }, OrderFact("o2", at: 26, product: "svip", token: "t2")],
        [.month("c1", 0, of: "c1", token: "t"), .upgrade("c2", at: 26.1, of: "c1", to: "svip", token: "t")]), "o1 c1 M2", "o2 c2 M6"),
    Case(
      "M6 not for an upgrade with the token of an order of another product",
      Facts(
        [
          vip("o1", at: 0) { $0.token = "t" }, vip("o2", at: 25) { $0.token = "t2" }, OrderFact("o3", at: 26, product: "svip", token: "t3"),
        ],
        [.month("c1", 0, of: "c1", token: "t"), .upgrade("c2", at: 26.1, of: "c1", to: "svip", token: "t2")]), "o1 c1 M2",
      "o2 PRODUCT_DIFF c2"),
    Case(
      "M1 bought again on the same day",
      subscription(vip("o2", at: 3, names: "c2"), then: [.upgrade("c2", at: 3.1, of: "c1", to: "vip")]), "o1 c1 M1", "o2 c2 M1"),
    Case(
      "M4 an upgrade on the day of the renewal",
      subscription(vip("o2", at: 722), then: [second, .upgrade("c3", at: 723, of: "c1", to: "svip")]), "o1 c1 M1", "o2 c2 M4"),
    Case("M4 not another user's order", subscription(vip("o2", "u2")), "o1 c1 M1"),
    Case(
      "M2 not the order of a period for a purchase after its end",
      subscription(vip("o2") { $0.token = "t" }, then: [second, .upgrade("c3", at: 1500, of: "c1", to: "vip", token: "t")]), "o1 c1 M1",
      "o2 c2 M4"),
    Case(
      "M2 not the order of a first purchase without a token for one after its end",
      Facts([vip("o1", at: 0) { $0.token = "t" }], [first, .upgrade("c2", at: 1500, of: "c1", to: "vip", token: "t")]), "o1 c1 M6"),
    Case(
      "M2 not the order of a period for the user's other subscription",
      subscription(
        vip("o2") { $0.original = "c1" }, then: [second, .upgrade("d1", at: 730, of: "d1", to: "vip", token: "t")]
      ).holding("t", "u1"), "o1 c1 M1", "o2 c2 M4"),
    Case(
      "M4 not an order that names the user's other subscription",
      subscription(vip("o2", names: "d1"), then: [second, .month("d1", 0, of: "d1")]), "o1 c1 M1"),
    Case(
      "M4 not an order that shows the user's other subscription",
      subscription(vip("o2"), then: [second, .month("d1", 0, of: "d1")]).showing("o2", "d1"), "o1 c1 M1", "o2 LATE_VERIFICATION d1"),
    Case("M4 an upgrade, booked after its purchase", upgraded(bookedAt: 30), "o1 c1 M1", "o2 c2 M4"),
    Case("M4 not an upgrade of long before", upgraded(bookedAt: 200), "o1 c1 M1"),
    Case(
      "M4 a purchase after the end, booked by user and product",
      subscription(vip("o2", at: 802), then: [.upgrade("c2", at: 800, of: "c1", to: "vip")]), "o1 c1 M1", "o2 c2 M4"),
  ]

  /// A subscription with an upgrade after 26 hours and an order of the upgrade that names only the subscription.
  private static func upgraded(bookedAt hours: Double) -> Facts {
    subscription(
      OrderFact("o2", at: hours, product: "svip") { $0.original = "c1" }, then: [.upgrade("c2", at: 26, of: "c1", to: "svip")])
  }

  static let subscriptions = [
    Case(
      "M1 the order names a renewal whose id is another subscription's original id",
      Facts([vip("o1", at: 720, names: "c2")], [first, second, .month("c3", 1, of: "c2")]), "o1 c2 M1"),
    Case(
      "M4 another user's order names the subscription in a matched period", strangers(at: 24), "o1 c1 M1", "o2 REPLAY_MULTI_USER c1"),
    Case("M4 another user's order names the subscription after its end", strangers(at: 800), "o1 c1 M1", "o2 USER_DIFF c1"),
    Case(
      "M4 another user's order names the subscription in a period without an order",
      Facts([vip("o1", "u2", at: 24) { $0.original = "c1" }], [.month("c1", 0, of: "c1", token: "t")]).holding("t", "u1"),
      "o1 USER_DIFF c1"),
    Case(
      "M4 another user's cart names the subscription",
      Facts([vip("o1", "u2", at: 24) { ($0.original, $0.status) = ("c1", .created) }], [.month("c1", 0, of: "c1", token: "t")])
        .holding("t", "u1")),
  ]

  /// A subscription whose first month has an order, and another user's order that names the subscription.
  private static func strangers(at hours: Double) -> Facts {
    subscription(vip("o2", "u2", at: hours) { $0.original = "c1" }, then: [])
  }

  static let evidence = [
    Case("M5 the order carries the evidence", Facts([OrderFact("o1")], [ChargeFact("c1")]).showing("o1", "c1"), "o1 c1 M5"),
    Case(
      "M5 evidence that Apple signed for an unknown environment", Facts([OrderFact("o1")], []).forging("o1", .wrongEnvironment),
      "o1 SANDBOX_IN_PROD -"),
    Case(
      "M5 a forgery beside it", Facts([OrderFact("o1")], []).forging("o1", .wrongEnvironment).forging("o1"), "o1 FORGED_SIGNATURE -"),
    Case(
      "M5 such evidence of a sandbox order", Facts([OrderFact("o1") { $0.environment = "Sandbox" }], []).forging("o1", .wrongEnvironment)),
    Case(
      "M5 a receipt lists two purchases, one in the window",
      Facts([OrderFact("o1", at: 100)], [ChargeFact("c1", at: 1), ChargeFact("c2", at: 101)])
        .showing("o1", "c1", isListed: true).showing("o1", "c2", isListed: true), "o1 c2 M5"),
    Case(
      "M5 another purchase of a list is no second payment",
      Facts([OrderFact("o1")], [ChargeFact("c1"), ChargeFact("c2", at: 1)])
        .showing("o1", "c1", isListed: true).showing("o1", "c2", isListed: true), "o1 c1 M5"),
  ]

  static let candidates = [
    Case("M6 the uploader's only order", Facts([OrderFact("o1")], [ChargeFact("c1")]).uploading("c1", user: "u1"), "o1 c1 M6"),
    Case("M6 not after the window", Facts([OrderFact("o1")], [ChargeFact("c1", at: 400)]).uploading("c1", user: "u1")),
    Case("M6 a renewal of nobody's subscription", Facts([vip("o1", at: 717)], [second]).uploading("c2", user: "u1"), "o1 c2 M6"),
    Case(
      "M6 the first purchase of a subscription whose owner a renewal reveals",
      Facts([vip("o1", at: 0), vip("o2", at: 717)], [first, second]).uploading("c2", user: "u1"), "o1 c1 M6", "o2 c2 M6"),
    Case(
      "M6 no Ask to Buy for a renewal",
      Facts([vip("o1", at: 600) { $0.status = .created }], [second]).uploading("c2", user: "u1")),
    Case(
      "M6 one owner for the renewals of a subscription",
      Facts([vip("o1", at: 717), vip("o2", "u2", at: 1437)], [second, .month("c3", 2, of: "c1")])
        .uploading("c2", user: "u1").uploading("c3", user: "u2"), "o1 c2 M6"),
    Case(
      "M6 across the users of a device",
      Facts([OrderFact("o1") { $0.device = "d" }], [ChargeFact("c1")]).uploading("c1", user: "u2", device: "d"), "o1 c1 M6"),
    Case(
      "M6 the nearest of two, where each has one",
      Facts([OrderFact("o1"), OrderFact("o2", at: 2)], [ChargeFact("c1", at: 1), ChargeFact("c2", at: 3)])
        .uploading("c1", user: "u1").uploading("c2", user: "u1"), "o1 c1 M6", "o2 c2 M6"),
    Case(
      "M7 two orders for one charge", Facts([OrderFact("o1"), OrderFact("o2", at: 0.05)], [ChargeFact("c1")]).uploading("c1", user: "u1"),
      "c1 o2 ambiguous", "c1 o1 ambiguous"),
    Case(
      "M7 orders of two users with the charge's token",
      Facts([OrderFact("o1", token: "t"), OrderFact("o2", "u2", at: 0.05, token: "t")], [ChargeFact("c1", token: "t")]),
      "c1 o2 ambiguous", "c1 o1 ambiguous"),
    Case(
      "M6 one of two users with the charge's token uploaded the evidence",
      Facts([OrderFact("o1", token: "t"), OrderFact("o2", "u2", at: 0.05, token: "t")], [ChargeFact("c1", token: "t")])
        .uploading("c1", user: "u1"), "o1 c1 M6"),
    Case(
      "M7 two users of one device",
      Facts(
        [OrderFact("o1") { $0.device = "d" }, OrderFact("o2", "u2", at: 0.05) { $0.device = "d" }],
        [ChargeFact("c1", at: 0.01), ChargeFact("c2", at: 0.06)]
      )
      .uploading("c1", user: "u1", device: "d").uploading("c2", user: "u2", device: "d"),
      "c1 o1 ambiguous", "c1 o2 ambiguous", "c2 o2 ambiguous", "c2 o1 ambiguous"),
  ]
}
