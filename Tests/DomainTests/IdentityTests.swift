struct IdentityTests {
  private static let instant = Timestamp(microseconds: 1_740_830_400_000_000)

  private static func identity(
    type: ProductType?, lineItemID: String? = "1000", productID: String = "pro.month",
    environment: String = "Production", purchasedAt: Timestamp = instant
  ) -> ChargeIdentity {
    ChargeIdentity(
      environment: environment, bundleID: "com.example.app", type: type, originalTransactionID: "2000",
      lineItemID: lineItemID, productID: productID, purchasedAt: purchasedAt)
  }

  @Test(arguments: [ProductType.consumable, .nonConsumable, .nonRenewing])
  func `a single purchase is its original transaction`(type: ProductType) {
    let one = Self.identity(type: type)
    #expect(one.text == "Production\u{1F}com.example.app\u{1F}2000")
    #expect(one == Self.identity(type: type, lineItemID: nil, purchasedAt: Self.instant.advanced(bySeconds: 1)))
    #expect(one != Self.identity(type: type, environment: "Sandbox"))
  }

  @Test func `a renewal is its line item, product and instant`() {
    let one = Self.identity(type: .autoRenewable)
    #expect(one.parts.suffix(3) == ["1000", "pro.month", "1740830400"])
    #expect(one != Self.identity(type: .autoRenewable, lineItemID: "1001"))
    #expect(one != Self.identity(type: .autoRenewable, productID: "pro.year"))
    #expect(one != Self.identity(type: .autoRenewable, purchasedAt: Self.instant.advanced(bySeconds: 1)))
  }

  @Test func `without a type the line item tells a renewal`() {
    #expect(Self.identity(type: nil) == Self.identity(type: .autoRenewable))
    #expect(Self.identity(type: nil, lineItemID: nil) == Self.identity(type: .consumable))
  }

  @Test func `content differs with every field and with nothing else`() {
    let base = OrderRow(
      orderID: "o", bundleID: "b", productID: "p", userID: "u", status: .paid, createdAt: Self.instant, updatedAt: Self.instant)
    let changes: [(inout OrderRow) -> Void] = [
      { $0.orderID = "x" }, { $0.bundleID = "x" }, { $0.productID = "x" }, { $0.userID = "x" }, { $0.status = .created },
      { $0.createdAt = .init(microseconds: 1) }, { $0.updatedAt = .init(microseconds: 1) }, { $0.environment = "x" },
      { $0.quantity = 2 }, { $0.priceMilliunits = 0 }, { $0.currency = "x" }, { $0.storefront = "x" },
      { $0.paidAt = .init(microseconds: 1) }, { $0.deliveredAt = .init(microseconds: 1) },
      { $0.refundedAt = .init(microseconds: 1) }, { $0.entitlementExpiresAt = .init(microseconds: 1) },
      { $0.appAccountToken = "x" }, { $0.applicationUsername = "x" }, { $0.transactionID = "x" },
      { $0.originalTransactionID = "x" }, { $0.webOrderLineItemID = "x" }, { $0.deviceID = "x" }, { $0.evidenceSHA256 = "x" },
      { $0.operatorID = "x" }, { $0.consumptionConsent = false }, { $0.consumptionMillipercent = 0 },
    ]
    var keys: Set<[UInt8]> = [base.contentKey]
    for change in changes {
      var row = base
      change(&row)
      keys.insert(row.contentKey)
    }
    #expect(keys.count == changes.count + 1)
    #expect(base.contentKey.split(separator: 0x1F, omittingEmptySubsequences: false).count == changes.count)
    #expect(
      String(decoding: base.contentKey, as: UTF8.self).hasPrefix(
        "o\u{1F}b\u{1F}p\u{1F}u\u{1F}paid\u{1F}1740830400000000\u{1F}1740830400000000"))
  }
}

struct RunTests {
  @Test func `a tally balances when every item is accounted for`() {
    let tally = Tally(input: 10, accepted: 4, repeated: 3, ignored: 2, parked: 1)
    #expect(tally.isBalanced)
    #expect(tally.text == "input 10 = accepted 4 + repeated 3 + ignored 2 + parked 1")
    #expect((tally + tally) == Tally(input: 20, accepted: 8, repeated: 6, ignored: 4, parked: 2))
    #expect(!(tally + Tally(input: 1)).isBalanced)
  }

  @Test(arguments: zip(Verdict.allCases, [0, 0, 0, 1, 3, 2] as [Int32]))
  func `a verdict gives its exit status`(verdict: Verdict, status: Int32) {
    #expect(verdict.exitStatus.rawValue == status)
  }

  @Test func `later is worse`() {
    #expect(Verdict.allCases == Verdict.allCases.sorted())
    #expect([Verdict.failed, .clean, .breaks].max() == .failed)
    #expect(Severity.allCases == Severity.allCases.sorted())
  }

  @Test(
    arguments: [
      ("Consumable", ProductType.consumable), ("Non-Consumable", .nonConsumable),
      ("Auto-Renewable Subscription", .autoRenewable), ("Non-Renewing Subscription", .nonRenewing),
      ("Bundle", nil),
    ] as [(String, ProductType?)])
  func `a type of Apple is one of ours`(apple: String, type: ProductType?) {
    #expect(ProductType(apple: apple) == type)
  }
}
