/// Rules about single facts without a claim.
enum RuleFactCases {
  static let all = RuleCase.rules([
    "R11": uncollected, "R12": refundsFirst, "R16": attempts, "R17": families, "R18": prices, "R19": reversals,
    "R20": consumption + consumptionByApp, "R21": insiders, "R22": blocks, "R23": forgeries,
  ])

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

  private static let uncollected = RuleCase.table([
    "a renewal delivered while Apple tries to bill it": RuleCase(
      orders: renewals, evidence: [retry(graceUntil: nil)], found: ["order:PO-2"]),
    "trap: inside Apple's grace period": RuleCase(orders: renewals, evidence: [retry(graceUntil: "2026-05-17T10:00:00Z")]),
    "trap: Apple tries to bill another app's subscription of the same id": RuleCase(
      orders: renewals, evidence: [april.jws, retry(graceUntil: nil, app: "com.acme.kids")]),
  ])

  private static let refundsFirst = RuleCase.table([
    "ordered after the refund": RuleCase(
      orders: [order(at: "2026-05-11T10:00:00Z")], evidence: [bought.refunded(at: "2026-05-10T12:00:00Z").jws], found: ["order:PO-1"]),
    "trap: the notice was only heard of first": RuleCase(orders: [order()], evidence: [bought.refunded(at: "2026-05-10T12:00:00Z").jws]),
    "trap: abandoned carts, one matched and one refused": RuleCase(
      orders: ["PO-1", "PO-2"].map { order($0, at: "2026-05-11T10:00:00Z") { $0.status = "created" } },
      evidence: [bought.refunded(at: "2026-05-10T12:00:00Z").jws]),
    "trap: the refund was taken back": RuleCase(
      orders: [order(at: "2026-05-11T10:00:00Z")],
      evidence: [bought.refunded(at: "2026-05-10T12:00:00Z").jws, bought.signed(at: "2026-05-10T13:00:00Z").jws]),
  ])

  private static func uploads(_ count: Int, every minutes: Int, by user: String = "U1") -> [String] {
    (0..<count).map {
      let minute = $0 * minutes
      return Scenario.upload(bought.jws, user: user, device: "D1", at: "2026-05-11T\(two(minute / 60)):\(two(minute % 60)):00Z")
    }
  }

  private static let attempts = RuleCase.table([
    "presented every half hour": RuleCase(evidence: uploads(12, every: 30), found: ["charge"]),
    "trap: a bad network repeats": RuleCase(evidence: uploads(20, every: 1)),
    "a tester presented it, too": RuleCase(
      evidence: uploads(1, every: 30) + uploads(12, every: 30, by: "U2"), lists: [.test(.tester, .user, "U1")], found: ["charge"]),
    "trap: a tester": RuleCase(evidence: uploads(12, every: 30), lists: [.test(.tester, .user, "U1")]),
  ])

  private static let member = ApplePurchase.month(
    "300", original: "300", lineItem: "30", at: "2026-05-01T10:00:00Z", until: "2026-06-01T10:00:00Z"
  ).with { $0.ownership = "FAMILY_SHARED" }
  private static func catalogue(shareable: String) -> [String] {
    ["com.acme.reader,vip.month,auto_renewable,vip,\(shareable),,CNY,25000,2026-01-01T00:00:00Z"]
  }
  private static let memberOrder = TestOrder.month("PO-1", at: "2026-05-01T10:00:00Z", names: "300") {
    ($0.priceMilliunits, $0.currency, $0.entitlementExpiresAt) = (nil, nil, "2026-06-01T10:00:00Z")
  }

  private static let families = RuleCase.table([
    "not shareable": RuleCase(catalogue: catalogue(shareable: "false"), evidence: [member.jws], found: ["charge"]),
    "access goes on after the family took it back": RuleCase(
      orders: [memberOrder], catalogue: catalogue(shareable: "true"), evidence: [member.refunded(at: "2026-05-05T10:00:00Z").jws],
      found: ["charge"]),
    "trap: shareable": RuleCase(catalogue: catalogue(shareable: "true"), evidence: [member.jws]),
    "trap: the catalogue does not state whether it is shareable": RuleCase(catalogue: catalogue(shareable: ""), evidence: [member.jws]),
    "trap: taken back a moment ago": RuleCase(
      orders: [memberOrder], catalogue: catalogue(shareable: "true"), evidence: [member.refunded(at: "2026-05-11T10:00:00Z").jws]),
  ])

  private static func listed(_ price: Int64) -> [String] { ["com.acme.reader,coins60,consumable,,,CHN,CNY,\(price),2026-01-01T00:00:00Z"] }

  private static func sold(
    for price: Int64, listedAt catalogue: Int64 = 6000, found: [String] = [],
    _ change: (inout ApplePurchase) -> Void = { _ in }
  ) -> RuleCase {
    RuleCase(
      orders: [order { $0.priceMilliunits = price }], catalogue: listed(catalogue),
      evidence: [
        bought.with {
          $0.priceMilliunits = price; change(&$0)
        }.jws
      ], found: found)
  }

  private static let prices = RuleCase.table([
    "a sixth of the price": sold(for: 1000, found: ["charge"]),
    "a price and a quantity as large as they may be": sold(for: 1000, listedAt: 9_999_999_999_999, found: ["charge"]) {
      $0.quantity = 9999
    },
    "a fifth more than the catalogue's": sold(for: 7200, found: ["charge"]),
    "trap: a fifth of the price that was charged is less of the catalogue's": sold(for: 4900),
    "listed as free": sold(for: 6000, listedAt: 0, found: ["charge"]),
    "trap: Apple changed a tax": sold(for: 6300),
    "trap: an offer": sold(for: 1000) { $0.offerType = 2 },
    "trap: a preserved price": RuleCase(
      catalogue: [
        "com.acme.reader,vip.month,auto_renewable,vip,,CHN,CNY,15000,2025-01-01T00:00:00Z",
        "com.acme.reader,vip.month,auto_renewable,vip,,CHN,CNY,25000,2026-05-01T00:00:00Z",
      ],
      evidence: [
        ApplePurchase.month(
          "201", original: "200", lineItem: "21", at: "2026-05-10T10:00:00Z", until: "2026-06-10T10:00:00Z", isRenewal: true, price: 15_000
        ).jws
      ]),
    "trap: a monthly payment of a commitment for a year": RuleCase(
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
  ])

  private static func reversed(at time: String, found: [String] = []) -> RuleCase {
    let bought = ApplePurchase("100", at: "2026-05-01T10:00:00Z")
    return RuleCase(
      orders: [order(at: "2026-05-01T10:00:00Z") { ($0.status, $0.refundedAt) = ("refunded", "2026-05-02T10:00:00Z") }],
      evidence: [bought.refunded(at: "2026-05-02T10:00:00Z"), bought.signed(at: time)].map(\.jws), found: found)
  }

  private static let reversals = RuleCase.table([
    "not restored for days": reversed(at: "2026-05-05T10:00:00Z", found: ["charge"]),
    "trap: restoring takes a while": reversed(at: "2026-05-11T10:00:00Z"),
  ])

  private static func asked(at time: String, _ purchase: ApplePurchase = bought) -> String {
    Scenario.notification("CONSUMPTION_REQUEST", uuid: "n-\(time)", purchase, signedAt: time)
  }
  private static let declined = Scenario.notification("REFUND_DECLINED", uuid: "n-2", bought, signedAt: "2026-05-11T22:00:00Z")

  private static let consumption = RuleCase.table([
    "not answered for a day": RuleCase(orders: [order()], evidence: [asked(at: "2026-05-11T10:00:00Z")], found: ["charge"]),
    "trap: there is time left": RuleCase(orders: [order()], evidence: [asked(at: "2026-05-12T10:00:00Z")]),
    "trap: before the app's start date": RuleCase(
      orders: [order()], evidence: [asked(at: "2026-05-11T10:00:00Z")],
      settings: { $0.apps[0].reconcileFrom = instant("2026-05-11T12:00:00Z") }),
    "two hours left": RuleCase(orders: [order()], evidence: [asked(at: "2026-05-12T02:00:00Z")], found: ["charge"]),
    "trap: Apple has decided": RuleCase(orders: [order()], evidence: [asked(at: "2026-05-11T10:00:00Z"), declined]),
    "trap: the customer did not consent": RuleCase(
      orders: [order()], evidence: [asked(at: "2026-05-11T10:00:00Z")],
      prepare: { scenario in
        try await scenario.cases(asOf: "2026-05-11T12:00:00Z").answered(
          "100", isSent: false, by: .ann, reason: "no consent")
      }),
    "trap: the user refuses consent": RuleCase(
      orders: [order()], evidence: [asked(at: "2026-05-11T10:00:00Z")],
      prepare: { scenario in
        let clock = "2026-05-11T12:00:00Z"
        try await scenario.ingest(.users, "user_id,consumption_consent\nU1,false\n", name: "consents", asOf: clock)
      }),
  ])

  /// Consumption answers of one app's transaction do not apply to another app's transaction with the same id.
  private static let consumptionByApp: [RuleCase] = ["com.acme.reader", "com.acme.kids"].map { app in
    RuleCase(
      name: "two apps asked about one transaction id, answered for \(app)", orders: [order()],
      evidence: [asked(at: "2026-05-11T10:00:00Z"), asked(at: "2026-05-11T11:00:00Z", bought.with { $0.bundleID = "com.acme.kids" })],
      prepare: { scenario in
        let job = try scenario.cases(asOf: "2026-05-11T12:00:00Z")
        await #expect(throws: JobError.self) { try await job.answered("100", isSent: true, by: .ann, reason: "sent") }
        try await job.answered("100", ofApp: app, isSent: true, by: .ann, reason: "sent")
      }, found: ["charge"])
  }

  private static let insiders = RuleCase.table([
    "delivered by an operator without a charge": RuleCase(orders: [order(named: nil) { $0.operatorID = "op-7" }], found: ["order:PO-1"]),
    "trap: paid and never delivered": RuleCase(orders: [order(named: nil) { ($0.operatorID, $0.status) = ("op-7", "paid") }]),
    "trap: Apple charged it": RuleCase(orders: [order { $0.operatorID = "op-7" }], evidence: [bought.jws]),
    "trap: given away": RuleCase(orders: [order(named: nil) { ($0.operatorID, $0.priceMilliunits) = ("op-7", 0) }]),
    "trap: the charge may still arrive": RuleCase(orders: [order(at: "2026-05-12T08:00:00Z", named: nil) { $0.operatorID = "op-7" }]),
    "trap: a tester": RuleCase(orders: [order(named: nil) { $0.operatorID = "op-7" }], lists: [.test(.tester, .user, "U1")]),
    "trap: before the app's start date": RuleCase(
      orders: [order(named: nil) { $0.operatorID = "op-7" }],
      settings: { $0.apps[0].reconcileFrom = instant("2026-05-11T00:00:00Z") }),
  ])

  private static func blocked(_ subject: RuleSubject, _ id: String, from: String? = nil, until: String? = nil) -> ListEntry {
    var entry = ListEntry.test(.block, subject, id)
    if let from { entry.from = instant(from) }
    if let until { entry.until = instant(until) }
    return entry
  }

  private static let onDevice = order { $0.deviceID = "D1" }

  private static let blocks = RuleCase.table([
    "a blocked device orders again": RuleCase(
      orders: [onDevice], evidence: [bought.jws], lists: [blocked(.device, "D1")], found: ["device:D1"]),
    "a blocked charge is claimed again": RuleCase(
      orders: [order(), order("PO-2", "U2", at: "2026-05-11T10:00:00Z")], evidence: [bought.jws],
      prepare: { scenario in
        let id = try await scenario.rows(.charges, asOf: "2026-05-12T12:00:00Z").first?["charge_id"] ?? ""
        let job = ListJob(context: try scenario.context(asOf: "2026-05-12T12:00:00Z"))
        _ = try await job.add(blocked(.charge, id, from: "2026-05-11T00:00:00Z"))
      }, found: ["charge"]),
    "a blocked consumable is claimed again, which orders name by its transaction": RuleCase(
      orders: [order(), order("PO-2", "U2", at: "2026-05-11T10:00:00Z")], evidence: [bought.jws],
      lists: [blocked(.chain, "100", from: "2026-05-11T00:00:00Z")], found: ["chain:100"]),
    "trap: a blocked consumable that no later order claims": RuleCase(
      orders: [order()], evidence: [bought.jws], lists: [blocked(.chain, "100", from: "2026-05-11T00:00:00Z")]),
    "trap: the entry has expired": RuleCase(
      orders: [onDevice], evidence: [bought.jws], lists: [blocked(.device, "D1", until: "2026-05-12T12:00:00Z")]),
    "trap: ordered before the entry": RuleCase(
      orders: [onDevice], evidence: [bought.jws], lists: [blocked(.device, "D1", from: "2026-05-11T00:00:00Z")]),
  ])

  private static let forgeries = RuleCase.table([
    "a device shows a forgery": RuleCase(
      orders: [onDevice],
      evidence: [Scenario.upload(Scenario.sign(bought, by: Scenario.forger), user: onDevice.userID, at: "2026-05-10T10:00:30Z")],
      found: ["device:D1"]),
    "trap: it turned out genuine": RuleCase(orders: [onDevice], evidence: [Scenario.sign(bought, by: Scenario.forger), bought.jws]),
  ])
}
