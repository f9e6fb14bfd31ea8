import JobCore
import Review
import Testing
import TestSupport

/// Rules about single facts without a claim.
enum RuleFactCases {
  static let all =
    uncollected + refundsFirst + attempts + families + prices + reversals + consumption + consumptionByApp
    + insiders + blocks

  private static func order(
    _ id: String = "PO-1", _ user: String = "U1", at time: String = "2026-05-10T10:00:00Z", named: String? = "100",
    _ change: (inout TestOrder) -> Void = { _ in }
  ) -> TestOrder { TestOrder(id, user: user, at: time, names: named, change) }
  private static let bought = ApplePurchase("100", at: "2026-05-10T10:00:00Z")

  private static let april = ApplePurchase.month(
    "200", original: "200", lineItem: "20", at: "2026-04-01T10:00:00Z", until: "2026-05-01T10:00:00Z")

  private static func retry(graceUntil: String?, app: String = "com.acme.reader") -> String {
    let month = april.with { $0.bundleID = app }
    let info = Scenario.renewalInfo(
      "200", signedAt: "2026-05-01T10:10:00Z", isRetried: true, graceUntil: graceUntil, ",\"autoRenewProductId\":\"vip.month\"")
    return Scenario.notification("DID_FAIL_TO_RENEW", uuid: "n-1", month, renewalInfo: info, signedAt: "2026-05-01T10:10:00Z")
  }

  private static let renewals = [
    TestOrder.month("PO-1", at: "2026-04-01T10:00:00Z", names: "200"),
    .month("PO-2", at: "2026-05-01T10:05:00Z") { $0.originalTransactionID = "200" },
  ]

  private static let uncollected: [RuleCase] = [
    RuleCase(
      rule: "R11", name: "a renewal delivered while Apple tries to bill it", orders: renewals,
      evidence: [retry(graceUntil: nil)], found: ["order:PO-2"]),
    RuleCase(
      rule: "R11", name: "trap: inside Apple's grace period", orders: renewals, evidence: [retry(graceUntil: "2026-05-17T10:00:00Z")]),
    RuleCase(
      rule: "R11", name: "trap: Apple tries to bill another app's subscription of the same id", orders: renewals,
      evidence: [april.jws, retry(graceUntil: nil, app: "com.acme.kids")]),
  ]

  private static let refundsFirst: [RuleCase] = [
    RuleCase(
      rule: "R12", name: "ordered after the refund", orders: [order(at: "2026-05-11T10:00:00Z")],
      evidence: [bought.refunded(at: "2026-05-10T12:00:00Z").jws], found: ["order:PO-1"]),
    RuleCase(
      rule: "R12", name: "trap: the notice was only heard of first", orders: [order()],
      evidence: [bought.refunded(at: "2026-05-10T12:00:00Z").jws]),
    RuleCase(
      rule: "R12", name: "trap: the refund was taken back", orders: [order(at: "2026-05-11T10:00:00Z")],
      evidence: [bought.refunded(at: "2026-05-10T12:00:00Z").jws, bought.signed(at: "2026-05-10T13:00:00Z").jws]),
  ]

  private static func uploads(_ count: Int, every minutes: Int) -> [String] {
    (0..<count).map {
      let minute = $0 * minutes
      return Scenario.upload(bought.jws, user: "U1", device: "D1", at: "2026-05-11T\(two(minute / 60)):\(two(minute % 60)):00Z")
    }
  }

  private static let attempts: [RuleCase] = [
    RuleCase(rule: "R16", name: "presented every half hour", evidence: uploads(12, every: 30), found: ["charge"]),
    RuleCase(rule: "R16", name: "trap: a bad network repeats", evidence: uploads(20, every: 1)),
    RuleCase(rule: "R16", name: "trap: a tester", evidence: uploads(12, every: 30), lists: [.test(.tester, .user, "U1")]),
  ]

  private static let member = ApplePurchase.month(
    "300", original: "300", lineItem: "30", at: "2026-05-01T10:00:00Z", until: "2026-06-01T10:00:00Z"
  ).with { $0.ownership = "FAMILY_SHARED" }
  private static func catalogue(shareable: String) -> [String] {
    ["com.acme.reader,vip.month,auto_renewable,vip,\(shareable),,CNY,25000,2026-01-01T00:00:00Z"]
  }
  private static let memberOrder = TestOrder.month("PO-1", at: "2026-05-01T10:00:00Z", names: "300") {
    ($0.priceMilliunits, $0.currency, $0.entitlementExpiresAt) = (nil, nil, "2026-06-01T10:00:00Z")
  }

  private static let families: [RuleCase] = [
    RuleCase(rule: "R17", name: "not shareable", catalogue: catalogue(shareable: "false"), evidence: [member.jws], found: ["charge"]),
    RuleCase(
      rule: "R17", name: "access goes on after the family took it back", orders: [memberOrder],
      catalogue: catalogue(shareable: "true"), evidence: [member.refunded(at: "2026-05-05T10:00:00Z").jws], found: ["charge"]),
    RuleCase(rule: "R17", name: "trap: shareable", catalogue: catalogue(shareable: "true"), evidence: [member.jws]),
    RuleCase(rule: "R17", name: "trap: nobody said whether it is", catalogue: catalogue(shareable: ""), evidence: [member.jws]),
    RuleCase(
      rule: "R17", name: "trap: taken back a moment ago", orders: [memberOrder], catalogue: catalogue(shareable: "true"),
      evidence: [member.refunded(at: "2026-05-11T10:00:00Z").jws]),
  ]

  private static func listed(_ price: Int64) -> [String] { ["com.acme.reader,coins60,consumable,,,CHN,CNY,\(price),2026-01-01T00:00:00Z"] }

  private static func sold(
    _ name: String, for price: Int64, listedAt catalogue: Int64 = 6000, found: [String] = [],
    _ change: (inout ApplePurchase) -> Void = { _ in }
  ) -> RuleCase {
    RuleCase(
      rule: "R18", name: name, orders: [order { $0.priceMilliunits = price }], catalogue: listed(catalogue),
      evidence: [
        bought.with {
          $0.priceMilliunits = price; change(&$0)
        }.jws
      ], found: found)
  }

  private static let prices: [RuleCase] = [
    sold("a sixth of the price", for: 1000, found: ["charge"]),
    sold("a price and a quantity as large as they may be", for: 1000, listedAt: 9_999_999_999_999, found: ["charge"]) {
      $0.quantity = 9999
    },
    sold("a fifth more than the catalogue's", for: 7200, found: ["charge"]),
    sold("trap: a fifth of the price that was charged is less of the catalogue's", for: 4900),
    sold("listed as free", for: 6000, listedAt: 0, found: ["charge"]), sold("trap: Apple changed a tax", for: 6300),
    sold("trap: an offer", for: 1000) { $0.offerType = 2 },
    RuleCase(
      rule: "R18", name: "trap: a preserved price",
      catalogue: [
        "com.acme.reader,vip.month,auto_renewable,vip,,CHN,CNY,15000,2025-01-01T00:00:00Z",
        "com.acme.reader,vip.month,auto_renewable,vip,,CHN,CNY,25000,2026-05-01T00:00:00Z",
      ],
      evidence: [
        ApplePurchase.month(
          "201", original: "200", lineItem: "21", at: "2026-05-10T10:00:00Z", until: "2026-06-10T10:00:00Z", isRenewal: true, price: 15_000
        ).jws
      ]),
    RuleCase(
      rule: "R18", name: "trap: a monthly payment of a commitment for a year",
      evidence: [
        ApplePurchase.month(
          "301", original: "301", lineItem: "31", at: "2026-05-10T10:00:00Z", until: "2026-06-10T10:00:00Z", price: 20_000
        ).jws
      ],
      prepare: { scenario in
        let header = "bundle_id,product_id,type,subscription_group,period,storefront,currency,price_milliunits"
        let catalogue = "\(header)\ncom.acme.reader,vip.month,auto_renewable,vip,P1Y,CHN,CNY,238000\n"
        try await scenario.ingest(.catalogue, catalogue, name: "catalogue", asOf: "2026-05-12T12:00:00Z")
      }),
  ]

  private static func reversed(_ name: String, at time: String, found: [String] = []) -> RuleCase {
    let bought = ApplePurchase("100", at: "2026-05-01T10:00:00Z")
    return RuleCase(
      rule: "R19", name: name,
      orders: [order(at: "2026-05-01T10:00:00Z") { ($0.status, $0.refundedAt) = ("refunded", "2026-05-02T10:00:00Z") }],
      evidence: [bought.refunded(at: "2026-05-02T10:00:00Z"), bought.signed(at: time)].map(\.jws), found: found)
  }

  private static let reversals: [RuleCase] = [
    reversed("not restored for days", at: "2026-05-05T10:00:00Z", found: ["charge"]),
    reversed("trap: restoring takes a while", at: "2026-05-11T10:00:00Z"),
  ]

  private static func asked(at time: String, _ purchase: ApplePurchase = bought) -> String {
    Scenario.notification("CONSUMPTION_REQUEST", uuid: "n-\(time)", purchase, signedAt: time)
  }
  private static let declined = Scenario.notification("REFUND_DECLINED", uuid: "n-2", bought, signedAt: "2026-05-11T22:00:00Z")

  private static let consumption: [RuleCase] = [
    RuleCase(
      rule: "R20", name: "not answered for a day", orders: [order()], evidence: [asked(at: "2026-05-11T10:00:00Z")], found: ["charge"]),
    RuleCase(rule: "R20", name: "trap: there is time left", orders: [order()], evidence: [asked(at: "2026-05-12T10:00:00Z")]),
    RuleCase(rule: "R20", name: "two hours left", orders: [order()], evidence: [asked(at: "2026-05-12T02:00:00Z")], found: ["charge"]),
    RuleCase(rule: "R20", name: "trap: Apple has decided", orders: [order()], evidence: [asked(at: "2026-05-11T10:00:00Z"), declined]),
    RuleCase(
      rule: "R20", name: "trap: the customer did not consent", orders: [order()], evidence: [asked(at: "2026-05-11T10:00:00Z")],
      prepare: { scenario in
        try await scenario.cases(asOf: "2026-05-11T12:00:00Z").answered(
          "100", isSent: false, by: .ann, reason: "no consent")
      }),
    RuleCase(
      rule: "R20", name: "trap: the user refuses consent", orders: [order()], evidence: [asked(at: "2026-05-11T10:00:00Z")],
      prepare: { scenario in
        let clock = "2026-05-11T12:00:00Z"
        try await scenario.ingest(.users, "user_id,consumption_consent\nU1,false\n", name: "consents", asOf: clock)
      }),
  ]

  /// Consumption answers of one app's transaction do not apply to another app's transaction with the same id.
  private static let consumptionByApp: [RuleCase] = ["com.acme.reader", "com.acme.kids"].map { app in
    RuleCase(
      rule: "R20", name: "two apps asked about one transaction id, answered for \(app)", orders: [order()],
      evidence: [asked(at: "2026-05-11T10:00:00Z"), asked(at: "2026-05-11T11:00:00Z", bought.with { $0.bundleID = "com.acme.kids" })],
      prepare: { scenario in
        let job = try scenario.cases(asOf: "2026-05-11T12:00:00Z")
        await #expect(throws: JobError.self) { try await job.answered("100", isSent: true, by: .ann, reason: "sent") }
        try await job.answered("100", ofApp: app, isSent: true, by: .ann, reason: "sent")
      }, found: ["charge"])
  }

  private static let insiders: [RuleCase] = [
    RuleCase(
      rule: "R21", name: "delivered by an operator without a charge",
      orders: [order(named: nil) { $0.operatorID = "op-7" }], found: ["order:PO-1"]),
    RuleCase(
      rule: "R21", name: "trap: paid and never delivered",
      orders: [order(named: nil) { ($0.operatorID, $0.status) = ("op-7", "paid") }]),
    RuleCase(rule: "R21", name: "trap: Apple charged it", orders: [order { $0.operatorID = "op-7" }], evidence: [bought.jws]),
    RuleCase(rule: "R21", name: "trap: given away", orders: [order(named: nil) { ($0.operatorID, $0.priceMilliunits) = ("op-7", 0) }]),
    RuleCase(
      rule: "R21", name: "trap: the charge may still be told",
      orders: [order(at: "2026-05-12T08:00:00Z", named: nil) { $0.operatorID = "op-7" }]),
    RuleCase(
      rule: "R21", name: "trap: a tester", orders: [order(named: nil) { $0.operatorID = "op-7" }], lists: [.test(.tester, .user, "U1")]),
  ]

  private static func blocked(_ subject: RuleSubject, _ id: String, from: String? = nil, until: String? = nil) -> ListEntry {
    var entry = ListEntry.test(.block, subject, id)
    if let from { entry.from = instant(from) }
    if let until { entry.until = instant(until) }
    return entry
  }

  private static let onDevice = order { $0.deviceID = "D1" }

  private static let blocks: [RuleCase] = [
    RuleCase(
      rule: "R22", name: "a blocked device orders again", orders: [onDevice], evidence: [bought.jws],
      lists: [blocked(.device, "D1")], found: ["device:D1"]),
    RuleCase(
      rule: "R22", name: "a blocked charge is claimed again",
      orders: [order(), order("PO-2", "U2", at: "2026-05-11T10:00:00Z")], evidence: [bought.jws],
      prepare: { scenario in
        let id = try await scenario.rows(.charges, asOf: "2026-05-12T12:00:00Z").first?["charge_id"] ?? ""
        let job = ListJob(context: try scenario.context(asOf: "2026-05-12T12:00:00Z"))
        _ = try await job.add(blocked(.charge, id, from: "2026-05-11T00:00:00Z"))
      }, found: ["charge"]),
    RuleCase(
      rule: "R22", name: "a blocked consumable is claimed again, which orders name by its transaction",
      orders: [order(), order("PO-2", "U2", at: "2026-05-11T10:00:00Z")], evidence: [bought.jws],
      lists: [blocked(.chain, "100", from: "2026-05-11T00:00:00Z")], found: ["chain:100"]),
    RuleCase(
      rule: "R22", name: "trap: a blocked consumable that nobody claims again", orders: [order()], evidence: [bought.jws],
      lists: [blocked(.chain, "100", from: "2026-05-11T00:00:00Z")]),
    RuleCase(
      rule: "R22", name: "trap: the entry has expired", orders: [onDevice], evidence: [bought.jws],
      lists: [blocked(.device, "D1", until: "2026-05-12T12:00:00Z")]),
    RuleCase(
      rule: "R22", name: "trap: ordered before the entry", orders: [onDevice], evidence: [bought.jws],
      lists: [blocked(.device, "D1", from: "2026-05-11T00:00:00Z")]),
    RuleCase(
      rule: "R23", name: "a device shows a forgery", orders: [onDevice],
      evidence: [
        Scenario.upload(Scenario.sign(bought, by: Scenario.forger), user: onDevice.userID, at: "2026-05-10T10:00:30Z")
      ], found: ["device:D1"]),
    RuleCase(
      rule: "R23", name: "trap: it turned out genuine", orders: [onDevice],
      evidence: [Scenario.sign(bought, by: Scenario.forger), bought.jws]),
  ]
}
