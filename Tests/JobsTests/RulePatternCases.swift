/// Rules about the behaviour of users and groups over time.
enum RulePatternCases {
  static let all = RuleCase.rules([
    "R06": refunds, "R07": rings, "R08": velocity, "R09": storefronts, "R10": smallAmounts, "R13": trials,
  ])

  struct Sale {
    var order: TestOrder
    var purchase: ApplePurchase

    init(_ id: String, _ user: String, at time: String, device: String? = nil) {
      order = TestOrder("PO-\(id)", user: user, at: time, names: id) { $0.deviceID = device }
      purchase = ApplePurchase(id, at: time)
    }

    func refunded(at time: String = "2026-05-11T10:00:00Z", reason: Int = 0) -> Sale {
      var copy = self
      copy.purchase = purchase.refunded(at: time, reason: reason)
      return copy
    }

    func with(_ change: (inout ApplePurchase) -> Void) -> Sale {
      var copy = self
      copy.purchase = purchase.with(change)
      copy.order.productID = copy.purchase.productID
      copy.order.priceMilliunits = copy.purchase.priceMilliunits
      copy.order.currency = copy.purchase.currency
      return copy
    }
  }

  private static func world(
    _ sales: [Sale], users: [String] = [], catalogue: [String] = [],
    lists: [ListEntry] = [], parameters: [String: RuleParameter] = [:], found: [String] = []
  ) -> RuleCase {
    RuleCase(
      orders: sales.map(\.order), users: users, catalogue: catalogue,
      evidence: sales.map { $0.purchase.jws }, lists: lists, parameters: parameters, found: found)
  }

  private static func sales(_ count: Int, _ user: String, prefix: Int = 4, day: Int = 1, device: String? = nil) -> [Sale] {
    (0..<count).map {
      Sale("\(prefix)\(two($0))", user, at: "2026-05-\(two(day + $0 % 9))T10:\(two($0)):00Z", device: device)
    }
  }

  private static func abroadOnce(_ sales: [Sale]) -> [Sale] {
    sales.enumerated().map { index, sale in index > 0 ? sale : sale.with { $0.currency = "TRY" } }
  }

  private static func unfulfilled(_ status: String) -> [Sale] {
    sales(3, "U1").map { sale in
      var sale = sale.refunded()
      sale.order.status = status
      return sale
    }
  }

  private static let refunded = sales(3, "U1").map { $0.refunded() }

  private static let refunds = RuleCase.table([
    "three refunds of four purchases": world(sales(1, "U1", prefix: 5) + refunded, found: ["user:U1"]),
    "three refunds of a household's member, whose fellows keep what they bought": world(
      refunded + sales(9, "U2", prefix: 5), lists: ListEntry.family(["U1", "U2"]), found: ["user:U1"]),
    "three refunds in two currencies": world(abroadOnce(refunded), found: ["user:U1"]),
    "trap: three refunds, and much that is kept in another currency": world(
      refunded + sales(9, "U1", prefix: 5).map { sale in sale.with { $0.currency = "TRY" } }),
    "trap: kept since before the window": world(
      refunded + (0..<9).map { Sale("52\($0)", "U1", at: "2026-02-0\(3 + $0 % 3)T10:00:00Z") }),
    "trap: never delivered": world(unfulfilled("paid")),
    "trap: cancelled": world(unfulfilled("cancelled")),
    "trap: a first refund": world(sales(1, "U1").map { $0.refunded() }),
    "trap: three refunds among many purchases": world(sales(9, "U1", prefix: 5) + refunded),
    "trap: the app was at fault": world(sales(3, "U1").map { $0.refunded(reason: 1) }),
    "trap: unintended purchases, given back at once": world(
      (0..<3).map { Sale("40\($0)", "U1", at: "2026-05-1\($0)T10:00:00Z").refunded(at: "2026-05-1\($0)T10:20:00Z") }),
    "trap: a family of three with a refund each": world(
      ["U1", "U2", "U3"].enumerated().flatMap { index, user in
        sales(1, user, prefix: 40 + index).map { $0.refunded() } + sales(1, user, prefix: 50 + index)
      }, lists: ListEntry.family(["U1", "U2", "U3"])),
    "trap: a tester": world(refunded, users: ["U1,,CHN,true,,"]),
  ])

  private static func ring(_ devices: [String?]) -> [Sale] {
    devices.enumerated().map { index, device in
      Sale("6\(two(index))", "U\(two(index))", at: "2026-05-0\(1 + index % 9)T10:00:00Z", device: device).refunded()
    }
  }

  /// Three refunded users in a chain of two devices, where the middle user is on both.
  private static let chain = ring(["D1", "D1", "D2"]) + [Sale("650", "U01", at: "2026-05-03T10:00:00Z", device: "D2")]

  private static let rings = RuleCase.table([
    "three refunded users linked by two devices": world(chain, found: ["ring"]),
    "two groups stay two": world(
      chain
        + (0..<3).map { Sale("67\($0)", "W\($0)", at: "2026-05-04T10:00:00Z", device: "D9").refunded() },
      found: ["ring", "ring"]),
    "trap: a net café's device": world(ring(Array(repeating: "D1", count: 12))),
    "trap: a family": world(chain, lists: ListEntry.family(["U00", "U01", "U02"])),
    "trap: no device in common": world(ring(["D1", "D2", "D3"])),
    "trap: a shared device and no refunds": world(
      (0..<4).map { Sale("66\($0)", "U\($0)", at: "2026-05-04T10:00:00Z", device: "D1") }),
  ])

  private static func burst(_ user: String, count: Int = 10, prefix: Int = 7) -> [Sale] {
    (0..<count).map { Sale("\(prefix)\(two($0))", user, at: "2026-05-10T10:\(two($0)):00Z") }
  }
  private static let newUser = ["U1,,CHN,false,2026-05-09T10:00:00Z,"]
  private static let firstSale = Sale("799", "U9", at: "2026-04-01T10:00:00Z")

  private static let velocity = RuleCase.table([
    "ten purchases in ten minutes by a new user": world([firstSale] + burst("U1"), users: newUser, found: ["user:U1"]),
    "trap: the account's creation is unknown": world([firstSale] + burst("U1"), users: ["U1,,CHN,false,,"]),
    "trap: a user of no users file": world([firstSale] + burst("U1")),
    "trap: a whale has an old account": world([firstSale] + burst("U1"), users: ["U1,,CHN,false,2025-01-01T00:00:00Z,"]),
    "trap: launch day": world(burst("U1"), users: newUser),
    "trap: nine are not ten": world([firstSale] + burst("U1", count: 9), users: newUser),
    "trap: a tester": world([firstSale] + burst("U1"), users: newUser, lists: [.test(.tester, .user, "U1")]),
    "trap: a tester who slowly bought as much after the tests": world(
      [firstSale] + burst("U1") + (0..<10).map { Sale("75\($0)", "U1", at: "2026-05-11T\(two(2 * $0)):00:00Z") }, users: newUser,
      lists: [.test(.tester, .user, "U1", until: "2026-05-11T00:00:00Z")]),
  ])

  private static let home = [
    "com.acme.reader,coins60,consumable,,,CHN,CNY,6000,2026-01-01T00:00:00Z",
    "com.acme.reader,coins60,consumable,,,TUR,TRY,9990,2026-01-01T00:00:00Z",
  ]
  private static let rates = RuleParameter.currencies(["CNY": 140_000, "TRY": 25_000])

  private static func abroad(_ count: Int, in storefronts: [String] = ["TUR"], price: Int64 = 9990) -> [Sale] {
    (0..<count).map { index in
      Sale("8\(two(index))", "U1", at: "2026-05-0\(1 + index)T10:00:00Z").with {
        $0.storefront = storefronts[index % storefronts.count]
        $0.currency = "TRY"
        $0.priceMilliunits = price
      }
    }
  }
  private static let user = ["U1,,CHN,false,,"]

  private static let storefronts = RuleCase.table([
    "cheap in another storefront": world(abroad(3), users: user, catalogue: home, parameters: ["rates": rates], found: ["user:U1"]),
    "three at once, cheap when they were bought": world(
      abroad(3, price: 29_970).map { sale in sale.with { $0.quantity = 3 } }, users: user,
      catalogue: home + ["com.acme.reader,coins60,consumable,,,CHN,CNY,1000,2026-05-11T00:00:00Z"], parameters: ["rates": rates],
      found: ["user:U1"]),
    "from storefront to storefront": world(abroad(3, in: ["TUR", "ARG", "EGY"]), users: user, found: ["user:U1"]),
    "trap: a traveller buys twice": world(abroad(2), users: user, catalogue: home, parameters: ["rates": rates]),
    "trap: it costs as much as at home": world(abroad(3, price: 33_600), users: user, catalogue: home, parameters: ["rates": rates]),
    "trap: it cost as much at home when it was bought": world(
      abroad(3), users: user,
      catalogue: [("1000", "2026-01-01"), ("6000", "2026-05-11")].map {
        "com.acme.reader,coins60,consumable,,,CHN,CNY,\($0.0),\($0.1)T00:00:00Z"
      }, parameters: ["rates": rates]),
    "trap: an expatriate's storefront is home": world(abroad(3), users: ["U1,,TUR,false,,"], catalogue: home, parameters: ["rates": rates]),
    "trap: without rates one foreign storefront is nothing": world(abroad(3), users: user, catalogue: home),
  ])

  private static let smallAmounts = RuleCase.table([
    "ten small purchases, four refunded": world(
      burst("U1").enumerated().map { $0.offset < 4 ? $0.element.refunded() : $0.element }, found: ["user:U1"]),
    "trap: a player's many small purchases": world(burst("U1", count: 12)),
    "trap: large amounts": world(burst("U1").map { sale in sale.with { $0.priceMilliunits = 648_000 }.refunded() }),
  ])

  private static func trial(
    _ id: Int, _ user: String, device: String? = nil, product: String = "vip.month", type: Int = 1, price: Int64 = 0
  ) -> Sale {
    var sale = Sale("90\(id)", user, at: "2026-05-0\(1 + id)T10:00:00Z", device: device)
    sale.purchase = ApplePurchase.month(
      "90\(id)", original: "90\(id)", lineItem: "9\(id)", at: "2026-05-0\(1 + id)T10:00:00Z",
      until: "2026-05-0\(4 + id)T10:00:00Z", price: price
    ).with { ($0.offerType, $0.productID) = (type, product) }
    sale.order.productID = product
    sale.order.priceMilliunits = price
    return sale
  }

  private static let trials = RuleCase.table([
    "three trials of one user": world((0..<3).map { trial($0, "U1") }, found: ["user:U1"]),
    "three users' trials on one device": world((0..<3).map { trial($0, "U\($0)", device: "D1") }, found: ["device:D1"]),
    "three win-backs": world((0..<3).map { trial($0, "U1", type: 4, price: 5000) }, found: ["user:U1"]),
    "trap: codes that Apple found eligible": world((0..<3).map { trial($0, "U1", type: 3) }),
    "trap: each group has its own trial": world((0..<3).map { trial($0, "U1", product: "vip\($0).month") }),
    "trap: a device that many use": world((0..<3).map { trial($0, "U\($0)", device: "D1") }, parameters: ["degree_max": .count(2)]),
    "trap: a device on which others buy, too": world(
      (0..<3).map { trial($0, "U\($0)", device: "D1") } + sales(1, "U9", device: "D1"), parameters: ["degree_max": .count(3)]),
    "trap: a tester": world((0..<3).map { trial($0, "U1") }, users: ["U1,,CHN,true,,"]),
  ])
}
