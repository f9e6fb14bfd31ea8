import Domain
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
  ) -> TestOrder {
    TestOrder(id, user: user, at: time) {
      $0.transactionID = named
      change(&$0)
    }
  }
  private static let bought = ApplePurchase("100", at: "2026-05-10T10:00:00Z")

  private static let april = ApplePurchase.month(
    "200", original: "200", lineItem: "20", at: "2026-04-01T10:00:00Z", until: "2026-05-01T10:00:00Z")

  private static func retry(graceUntil: String?, app: String = "com.acme.reader") -> String {
    let month = april.with { $0.bundleID = app }
    let grace = graceUntil.map { ",\"gracePeriodExpiresDate\":\(instant($0).microseconds / 1000)" } ?? ""
    let info =
      "{\"originalTransactionId\":\"200\",\"productId\":\"vip.month\",\"autoRenewProductId\":\"vip.month\","
      + "\"autoRenewStatus\":1,\"isInBillingRetryPeriod\":true,\"environment\":\"Production\","
      + "\"signedDate\":\(instant("2026-05-01T10:10:00Z").microseconds / 1000)\(grace)}"
    return Scenario.notification("DID_FAIL_TO_RENEW", uuid: "n-1", month, renewalInfo: info, signedAt: "2026-05-01T10:10:00Z")
  }

  private static let renewals = [
    order("PO-1", at: "2026-04-01T10:00:00Z", named: "200") { $0.productID = "vip.month"; $0.priceMilliunits = 25_000 },
    order("PO-2", at: "2026-05-01T10:05:00Z", named: nil) {
      $0.productID = "vip.month"
      $0.priceMilliunits = 25_000
      $0.originalTransactionID = "200"
    },
  ]

  private static let uncollected: [RuleCase] = [
    RuleCase(
      rule: "R11", name: "a renewal delivered while Apple tries to bill it", orders: renewals,
      evidence: [retry(graceUntil: nil)], found: ["order:PO-2"]),
    RuleCase(
      rule: "R11", name: "trap: inside Apple's grace period", orders: renewals,
      evidence: [retry(graceUntil: "2026-05-17T10:00:00Z")]),
    RuleCase(
      rule: "R11", name: "trap: Apple tries to bill another app's subscription of the same id", orders: renewals,
      evidence: [Scenario.sign(april), retry(graceUntil: nil, app: "com.acme.kids")]),
  ]

  private static let refundsFirst: [RuleCase] = [
    RuleCase(
      rule: "R12", name: "ordered after the refund", orders: [order(at: "2026-05-11T10:00:00Z")],
      evidence: [Scenario.sign(bought.refunded(at: "2026-05-10T12:00:00Z"))], found: ["order:PO-1"]),
    RuleCase(
      rule: "R12", name: "trap: the notice was only heard of first", orders: [order()],
      evidence: [Scenario.sign(bought.refunded(at: "2026-05-10T12:00:00Z"))]),
    RuleCase(
      rule: "R12", name: "trap: the refund was taken back", orders: [order(at: "2026-05-11T10:00:00Z")],
      evidence: [
        Scenario.sign(bought.refunded(at: "2026-05-10T12:00:00Z")),
        Scenario.sign(bought.with { $0.signedAt = instant("2026-05-10T13:00:00Z") }),
      ]),
  ]

  private static func uploads(_ count: Int, every minutes: Int) -> [String] {
    (0..<count).map {
      let minute = $0 * minutes
      return Scenario.upload(Scenario.sign(bought), user: "U1", device: "D1", at: "2026-05-11T\(two(minute / 60)):\(two(minute % 60)):00Z")
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
  private static let memberOrder = order(at: "2026-05-01T10:00:00Z", named: "300") {
    $0.productID = "vip.month"
    $0.priceMilliunits = nil
    $0.currency = nil
    $0.entitlementExpiresAt = "2026-06-01T10:00:00Z"
  }

  private static let families: [RuleCase] = [
    RuleCase(
      rule: "R17", name: "not shareable", catalogue: catalogue(shareable: "false"), evidence: [Scenario.sign(member)],
      found: ["charge"]),
    RuleCase(
      rule: "R17", name: "access goes on after the family took it back", orders: [memberOrder],
      catalogue: catalogue(shareable: "true"), evidence: [Scenario.sign(member.refunded(at: "2026-05-05T10:00:00Z"))],
      found: ["charge"]),
    RuleCase(rule: "R17", name: "trap: shareable", catalogue: catalogue(shareable: "true"), evidence: [Scenario.sign(member)]),
    RuleCase(rule: "R17", name: "trap: nobody said whether it is", catalogue: catalogue(shareable: ""), evidence: [Scenario.sign(member)]),
    RuleCase(
      rule: "R17", name: "trap: taken back a moment ago", orders: [memberOrder], catalogue: catalogue(shareable: "true"),
      evidence: [Scenario.sign(member.refunded(at: "2026-05-11T10:00:00Z"))]),
  ]

  private static let listed = ["com.acme.reader,coins60,consumable,,,CHN,CNY,6000,2026-01-01T00:00:00Z"]

  private static let prices: [RuleCase] = [
    RuleCase(
      rule: "R18", name: "a sixth of the price", orders: [order { $0.priceMilliunits = 1000 }], catalogue: listed,
      evidence: [Scenario.sign(bought.with { $0.priceMilliunits = 1000 })], found: ["charge"]),
    RuleCase(
      rule: "R18", name: "a price and a quantity as large as they may be", orders: [order { $0.priceMilliunits = 1000 }],
      catalogue: ["com.acme.reader,coins60,consumable,,,CHN,CNY,9999999999999,2026-01-01T00:00:00Z"],
      evidence: [Scenario.sign(bought.with { $0.priceMilliunits = 1000; $0.quantity = 9999 })], found: ["charge"]),
    RuleCase(
      rule: "R18", name: "a fifth more than the catalogue's", orders: [order { $0.priceMilliunits = 7200 }], catalogue: listed,
      evidence: [Scenario.sign(bought.with { $0.priceMilliunits = 7200 })], found: ["charge"]),
    RuleCase(
      rule: "R18", name: "trap: a fifth of the price that was charged is less of the catalogue's",
      orders: [order { $0.priceMilliunits = 4900 }], catalogue: listed,
      evidence: [Scenario.sign(bought.with { $0.priceMilliunits = 4900 })]),
    RuleCase(
      rule: "R18", name: "listed as free", orders: [order { $0.priceMilliunits = 6000 }],
      catalogue: ["com.acme.reader,coins60,consumable,,,CHN,CNY,0,2026-01-01T00:00:00Z"],
      evidence: [Scenario.sign(bought)], found: ["charge"]),
    RuleCase(
      rule: "R18", name: "trap: Apple changed a tax", orders: [order { $0.priceMilliunits = 6300 }], catalogue: listed,
      evidence: [Scenario.sign(bought.with { $0.priceMilliunits = 6300 })]),
    RuleCase(
      rule: "R18", name: "trap: an offer", orders: [order { $0.priceMilliunits = 1000 }], catalogue: listed,
      evidence: [Scenario.sign(bought.with { $0.priceMilliunits = 1000; $0.offerType = 2 })]),
    RuleCase(
      rule: "R18", name: "trap: a preserved price",
      catalogue: [
        "com.acme.reader,vip.month,auto_renewable,vip,,CHN,CNY,15000,2025-01-01T00:00:00Z",
        "com.acme.reader,vip.month,auto_renewable,vip,,CHN,CNY,25000,2026-05-01T00:00:00Z",
      ],
      evidence: [
        Scenario.sign(
          .month(
            "201", original: "200", lineItem: "21", at: "2026-05-10T10:00:00Z", until: "2026-06-10T10:00:00Z",
            isRenewal: true, price: 15_000))
      ]),
  ]

  private static func reversed(at time: String) -> RuleCase {
    RuleCase(
      rule: "R19", name: "", orders: [order(at: "2026-05-01T10:00:00Z") { $0.status = "refunded"; $0.refundedAt = "2026-05-02T10:00:00Z" }],
      evidence: [
        Scenario.sign(ApplePurchase("100", at: "2026-05-01T10:00:00Z").refunded(at: "2026-05-02T10:00:00Z")),
        Scenario.sign(ApplePurchase("100", at: "2026-05-01T10:00:00Z").with { $0.signedAt = instant(time) }),
      ])
  }

  private static let reversals: [RuleCase] = [
    {
      var test = reversed(at: "2026-05-05T10:00:00Z")
      test.name = "not restored for days"
      test.found = ["charge"]
      return test
    }(),
    {
      var test = reversed(at: "2026-05-11T10:00:00Z")
      test.name = "trap: restoring takes a while"
      return test
    }(),
  ]

  private static func asked(at time: String, _ purchase: ApplePurchase = bought) -> String {
    Scenario.notification("CONSUMPTION_REQUEST", uuid: "n-\(time)", purchase, signedAt: time)
  }
  private static let declined = Scenario.notification("REFUND_DECLINED", uuid: "n-2", bought, signedAt: "2026-05-11T22:00:00Z")

  private static let consumption: [RuleCase] = [
    RuleCase(
      rule: "R20", name: "not answered for a day", orders: [order()], evidence: [asked(at: "2026-05-11T10:00:00Z")],
      found: ["charge"]),
    RuleCase(rule: "R20", name: "trap: there is time left", orders: [order()], evidence: [asked(at: "2026-05-12T10:00:00Z")]),
    RuleCase(rule: "R20", name: "two hours left", orders: [order()], evidence: [asked(at: "2026-05-12T02:00:00Z")], found: ["charge"]),
    RuleCase(rule: "R20", name: "trap: Apple has decided", orders: [order()], evidence: [asked(at: "2026-05-11T10:00:00Z"), declined]),
    RuleCase(
      rule: "R20", name: "trap: the customer did not consent", orders: [order()],
      evidence: [asked(at: "2026-05-11T10:00:00Z")],
      prepare: { scenario in
        try await CaseJob(context: try scenario.context(asOf: "2026-05-11T12:00:00Z")).answered(
          "100", isSent: false, by: Person(name: "ann"), reason: "no consent")
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
        let job = CaseJob(context: try scenario.context(asOf: "2026-05-11T12:00:00Z"))
        await #expect(throws: JobError.self) { try await job.answered("100", isSent: true, by: Person(name: "ann"), reason: "sent") }
        try await job.answered("100", ofApp: app, isSent: true, by: Person(name: "ann"), reason: "sent")
      }, found: ["charge"])
  }

  private static let insiders: [RuleCase] = [
    RuleCase(
      rule: "R21", name: "delivered by an operator without a charge",
      orders: [order(named: nil) { $0.operatorID = "op-7" }], found: ["order:PO-1"]),
    RuleCase(rule: "R21", name: "trap: paid and never delivered", orders: [order(named: nil) { $0.operatorID = "op-7"; $0.status = "paid" }]),
    RuleCase(rule: "R21", name: "trap: Apple charged it", orders: [order { $0.operatorID = "op-7" }], evidence: [Scenario.sign(bought)]),
    RuleCase(rule: "R21", name: "trap: given away", orders: [order(named: nil) { $0.operatorID = "op-7"; $0.priceMilliunits = 0 }]),
    RuleCase(
      rule: "R21", name: "trap: the charge may still be told",
      orders: [order(at: "2026-05-12T08:00:00Z", named: nil) { $0.operatorID = "op-7" }]),
    RuleCase(
      rule: "R21", name: "trap: a tester", orders: [order(named: nil) { $0.operatorID = "op-7" }],
      lists: [.test(.tester, .user, "U1")]),
  ]

  private static func blocked(until: String, from: String = "2026-01-01T00:00:00Z") -> ListEntry {
    var entry = ListEntry(list: .block, subject: .device, id: "D1", owner: "ann", reason: "chargeback", until: instant(until))
    entry.from = instant(from)
    return entry
  }

  private static func since(_ from: String, _ subject: RuleSubject, _ id: String) -> ListEntry {
    var entry = ListEntry.test(.block, subject, id)
    entry.from = instant(from)
    return entry
  }

  private static let onDevice = order { $0.deviceID = "D1" }

  private static let blocks: [RuleCase] = [
    RuleCase(
      rule: "R22", name: "a blocked device orders again", orders: [onDevice], evidence: [Scenario.sign(bought)],
      lists: [blocked(until: "2027-01-01T00:00:00Z")], found: ["device:D1"]),
    RuleCase(
      rule: "R22", name: "a blocked charge is claimed again",
      orders: [order(), order("PO-2", "U2", at: "2026-05-11T10:00:00Z")], evidence: [Scenario.sign(bought)],
      prepare: { scenario in
        let id = try await scenario.rows(.charges, asOf: "2026-05-12T12:00:00Z").first?["charge_id"] ?? ""
        let job = ListJob(context: try scenario.context(asOf: "2026-05-12T12:00:00Z"))
        _ = try await job.add(since("2026-05-11T00:00:00Z", .charge, id))
      }, found: ["charge"]),
    RuleCase(
      rule: "R22", name: "a blocked consumable is claimed again, which orders name by its transaction",
      orders: [order(), order("PO-2", "U2", at: "2026-05-11T10:00:00Z")], evidence: [Scenario.sign(bought)],
      lists: [since("2026-05-11T00:00:00Z", .chain, "100")], found: ["chain:100"]),
    RuleCase(
      rule: "R22", name: "trap: a blocked consumable that nobody claims again", orders: [order()], evidence: [Scenario.sign(bought)],
      lists: [since("2026-05-11T00:00:00Z", .chain, "100")]),
    RuleCase(
      rule: "R22", name: "trap: the entry has expired", orders: [onDevice], evidence: [Scenario.sign(bought)],
      lists: [blocked(until: "2026-05-12T12:00:00Z")]),
    RuleCase(
      rule: "R22", name: "trap: ordered before the entry", orders: [onDevice], evidence: [Scenario.sign(bought)],
      lists: [blocked(until: "2027-01-01T00:00:00Z", from: "2026-05-11T00:00:00Z")]),
    RuleCase(
      rule: "R23", name: "a device shows a forgery", orders: [onDevice],
      evidence: [
        Scenario.upload(Scenario.sign(bought, by: Scenario.forger), user: onDevice.userID, at: "2026-05-10T10:00:30Z")
      ], found: ["device:D1"]),
    RuleCase(
      rule: "R23", name: "trap: it turned out genuine", orders: [onDevice],
      evidence: [Scenario.sign(bought, by: Scenario.forger), Scenario.sign(bought)]),
  ]
}
