/// Rules about single claims that the match run refused.
enum RuleClaimCases {
  static let tokenA = "a1000000-0000-4000-8000-000000000001"
  static let tokenB = "b2000000-0000-4000-8000-000000000002"
  static let tokenC = "c3000000-0000-4000-8000-000000000003"

  static let all = RuleCase.rules([
    "R01": replay, "R02": sharing, "R03": tokens, "R04": sandbox, "R05": bundles, "R14": copies, "R15": hoards,
  ])

  private static let bought = ApplePurchase("100", at: "2026-05-10T10:00:00Z").jws

  private static func claim(
    _ id: String, _ user: String, _ time: String = "10:00", named: String = "100", product: String? = nil, status: String = "delivered"
  ) -> TestOrder {
    TestOrder(id, user: user, at: "2026-05-10T\(time):00Z", names: named, status: status) {
      if let product { $0.productID = product }
    }
  }

  /// One purchase that got a second transaction id from a restore.
  private static let restored = ["100", "101"].map {
    ApplePurchase($0, at: "2026-05-10T10:00:00Z", product: "lifetime", type: "Non-Consumable", original: "100").jws
  }
  private static let restores = [claim("PO-1", "U1", product: "lifetime"), claim("PO-2", "U1", "11:00", named: "101", product: "lifetime")]

  /// Returns a case of a second claim on the purchase of PO-1.
  private static func replayed(
    _ second: TestOrder = claim("PO-2", "U2", "10:05"), users: [String] = [], lists: [ListEntry] = [],
    settings: @escaping @Sendable (inout JobSettings) -> Void = { _ in }, found: [String] = []
  ) -> RuleCase {
    RuleCase(
      orders: [claim("PO-1", "U1"), second], users: users, evidence: [bought], lists: lists, settings: settings,
      found: found)
  }

  private static let replay = RuleCase.table([
    "two users claim one purchase": replayed(found: ["order:PO-2"]),
    "trap: a restore gives a second transaction id to the same user": RuleCase(orders: restores, evidence: restored),
    "trap: members of one family": replayed(lists: ListEntry.family(["U1", "U2"])),
    "trap: a family whose entries have ended since": replayed(lists: ListEntry.family(["U1", "U2"], until: "2026-05-10T11:00:00Z")),
    "claimed after the family's entries had ended": replayed(
      lists: ListEntry.family(["U1", "U2"], until: "2026-05-10T10:05:00Z"), found: ["order:PO-2"]),
    "trap: the old account was merged and given up": replayed(
      claim("PO-2", "U2", "12:00"), users: ["U1,,CHN,false,,2026-05-10T11:00:00Z", "U2,,CHN,false,,"]),
    "trap: a tester": replayed(users: ["U2,,CHN,true,,"]),
    "a review window for all users makes no user a tester": replayed(settings: reviewed("2026-05-01", "2026-06-01"), found: ["order:PO-2"]),
    "trap: nothing was handed out": replayed(claim("PO-2", "U2", "10:05", status: "cancelled")),
    "trap: paid, and nothing was handed out": replayed(claim("PO-2", "U2", "10:05", status: "paid")),
  ])

  private static func reviewed(_ from: String, _ to: String) -> @Sendable (inout JobSettings) -> Void {
    { $0.apps[0].reviewWindows = [ReviewWindow(from: instant("\(from)T00:00:00Z"), to: instant("\(to)T00:00:00Z"), users: [])] }
  }

  private static func month(_ id: Int) -> ApplePurchase {
    .month(
      "20\(id)", original: "200", lineItem: "2\(id)", at: "2026-0\(3 + id)-10T10:00:00Z",
      until: "2026-0\(4 + id)-10T10:00:00Z", isRenewal: id > 0)
  }

  private static func shared(by users: [String]) -> [String] {
    users.enumerated().map { index, user in
      Scenario.upload(month(index % 2).jws, user: user, device: "D\(index)", at: "2026-05-1\(index % 2)T12:0\(index):00Z")
    }
  }

  /// Returns a case of one subscription that some users present.
  private static func presented(
    by presenters: [String], orders: [TestOrder] = [], users: [String] = [], lists: [ListEntry] = [],
    prepare: @escaping @Sendable (Scenario) async throws -> Void = { _ in }, found: [String] = []
  ) -> RuleCase {
    RuleCase(
      orders: orders, users: users, evidence: shared(by: presenters), lists: lists, prepare: prepare, found: found)
  }

  private static let four = (1...4).map { "U\($0)" }

  private static let sharing = RuleCase.table([
    "one subscription presented by four users": presented(by: four, found: ["chain:200"]),
    "a purchase without a stated price": presented(
      by: four, prepare: { try await $0.execute("update payrecon.charges set price_milliunits = null, currency = null") },
      found: ["chain:200"]),
    "presented by three, and a fourth has it by an order alone": presented(
      by: ["U1", "U2", "U3"], orders: [claim("PO-1", "U4", named: "201", product: "vip.month")], found: ["chain:200"]),
    "trap: a user with an order of the purchase presented it, too": presented(
      by: ["U1", "U2", "U3"], orders: [claim("PO-1", "U3", named: "201", product: "vip.month")]),
    "trap: restored to another login": presented(by: ["U1", "U2"]),
    "trap: one user installs again and again": presented(by: ["U1", "U1", "U1", "U1", "U1"]),
    "trap: a family of four": presented(by: four, lists: ListEntry.family(four)),
    "trap: three users, one of them inside and outside of a family's time": presented(
      by: ["U1", "U2", "U3", "U1", "U2", "U1"], lists: ListEntry.family(["U1", "U2"], until: "2026-05-11T00:00:00Z")),
    "trap: merged accounts carry one token": presented(
      by: four, users: ["U1,\(tokenA),CHN,false,,", "U2,\(tokenA),CHN,false,,", "U3,\(tokenB),CHN,false,,", "U4,\(tokenB),CHN,false,,"]),
    "trap: testers": presented(by: four, lists: [.test(.tester, .user, "U3"), .test(.tester, .user, "U4")]),
  ])

  private static func carrying(_ token: String) -> String { ApplePurchase("100", at: "2026-05-10T10:00:00Z", token: token).jws }
  private static let owners = ["U1,\(tokenA),CHN,false,,", "U2,\(tokenB),CHN,false,,"]

  /// Returns a case of U1's order for a purchase with a token.
  private static func tokened(
    _ evidence: String, users: [String], lists: [ListEntry] = [], found: [String] = []
  ) -> RuleCase {
    RuleCase(orders: [claim("PO-1", "U1")], users: users, evidence: [evidence], lists: lists, found: found)
  }

  private static let tokens = RuleCase.table([
    "the purchase carries another user's token": tokened(carrying(tokenB), users: owners, found: ["order:PO-1"]),
    "another user's token, and no token of the user is known": tokened(
      carrying(tokenB), users: ["U1,,CHN,false,,", owners[1]], found: ["order:PO-1"]),
    "a token without a user": RuleCase(
      orders: [TestOrder("PO-1", at: "2026-05-10T10:00:00Z", names: "100") { $0.token = tokenA }], evidence: [carrying(tokenC)],
      found: ["order:PO-1"]),
    "the users file alone knows the user's token": tokened(carrying(tokenC), users: [owners[0]], found: ["order:PO-1"]),
    "trap: the user's token, which the order does not carry": tokened(carrying(tokenA), users: [owners[0]]),
    "trap: no token of the user is known": tokened(carrying(tokenC), users: ["U1,,CHN,false,,"]),
    "trap: a promoted purchase has no token": tokened(bought, users: [owners[0]]),
    "trap: the token changes inside a subscription": RuleCase(
      orders: [("PO-1", "200", "2026-03-10"), ("PO-2", "201", "2026-04-10")].map { id, named, day in
        TestOrder(id, at: "\(day)T10:00:00Z") { ($0.transactionID, $0.productID, $0.token) = (named, "vip.month", tokenA) }
      }, evidence: [month(1).with { $0.token = tokenC }.jws, month(0).with { $0.token = tokenA }.jws],
      parameters: ["window": .seconds(90 * 86400)]),
    "trap: members of one family, whose entries have ended since": tokened(
      carrying(tokenB), users: owners, lists: ListEntry.family(["U1", "U2"], until: "2026-05-11T00:00:00Z")),
  ])

  private static let sandboxed = ApplePurchase("100", at: "2026-05-10T10:00:00Z").with { $0.environment = "Sandbox" }.jws

  /// Returns a case of U1's order for a purchase of the sandbox.
  private static func tested(
    _ order: TestOrder = claim("PO-1", "U1"), lists: [ListEntry] = [],
    settings: @escaping @Sendable (inout JobSettings) -> Void = { _ in }, found: [String] = []
  ) -> RuleCase {
    RuleCase(orders: [order], evidence: [sandboxed], lists: lists, settings: settings, found: found)
  }

  private static let sandbox = RuleCase.table([
    "live goods": tested(found: ["order:PO-1"]),
    "trap: a tester of the settings": tested(settings: { $0.apps[0].testers = ["U1"] }),
    "trap: a tester of the list": tested(lists: [.test(.tester, .user, "U1")]),
    "trap: an open review window": tested(settings: reviewed("2026-05-10", "2026-05-11")),
    "a review window that has closed": tested(settings: reviewed("2026-05-09", "2026-05-10"), found: ["order:PO-1"]),
    "trap: a delivery worth nothing": tested(claim("PO-1", "U1").with { $0.priceMilliunits = 0 }),
  ])

  private static let foreign = Scenario.upload(
    ApplePurchase("100", at: "2026-05-10T10:00:00Z").with { $0.bundleID = "com.other.game" }.jws, user: "U1",
    at: "2026-05-10T10:00:30Z")

  private static let bundles = RuleCase.table([
    "the receipt of another app": RuleCase(orders: [claim("PO-1", "U1")], evidence: [foreign], found: ["order:PO-1"]),
    "trap: a white-label app": RuleCase(
      orders: [claim("PO-1", "U1")], evidence: [foreign], parameters: ["white_label_bundles": .texts(["com.other.game"])]),
  ])

  private static let copies = RuleCase.table([
    "one consumable delivered twice": RuleCase(
      orders: [claim("PO-1", "U1"), claim("PO-2", "U1", "10:05")], evidence: [bought], found: ["charge"]),
    "trap: restored under a second transaction id": RuleCase(orders: restores, evidence: restored),
    "trap: the order that has the purchase was paid and never delivered": RuleCase(
      orders: [claim("PO-1", "U1", status: "paid"), claim("PO-2", "U1", "10:05")], evidence: [bought]),
    "trap: a tester": RuleCase(
      orders: [claim("PO-1", "U1"), claim("PO-2", "U1", "10:05")], evidence: [bought], lists: [.test(.tester, .user, "U1")]),
  ])

  private static func old(_ id: Int, _ day: String, at time: String = "10:00", user: String = "U1") -> (TestOrder, String) {
    (
      TestOrder("PO-\(id)", user: user, at: "2026-05-10T10:\(two(id)):00Z", names: "30\(id)"),
      ApplePurchase("30\(id)", at: "\(day)T\(time):00Z").jws
    )
  }

  private static func hoard(_ rows: [(TestOrder, String)], found: [String] = [], lists: [ListEntry] = []) -> RuleCase {
    RuleCase(orders: rows.map(\.0), evidence: rows.map(\.1), lists: lists, found: found)
  }

  private static let hoards = RuleCase.table([
    "three old purchases at once": hoard([old(1, "2026-04-20"), old(2, "2026-04-21"), old(3, "2026-04-22")], found: ["user:U1"]),
    "one very old purchase": hoard([old(1, "2026-03-20")], found: ["user:U1"]),
    // The oldest harmless age.
    "trap: one purchase presented after exactly thirty days": hoard([old(1, "2026-04-10", at: "10:01")]),
    "trap: one purchase finished late after being offline": hoard([old(1, "2026-04-25")]),
    "trap: a tester": hoard([old(1, "2026-04-20"), old(2, "2026-04-21")], lists: [.test(.tester, .user, "U1")]),
    "trap: Ask to Buy is approved days after the order": RuleCase(
      orders: [TestOrder("PO-1", at: "2026-04-30T10:00:00Z", names: "300")],
      evidence: [ApplePurchase("300", at: "2026-05-11T10:00:00Z").jws]),
  ])
}
