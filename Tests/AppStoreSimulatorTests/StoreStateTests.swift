struct StoreStateTests {
  @Test(arguments: [
    // From silver monthly: the target product, the notification, and whether the change is immediate.
    (Sample.gold, "DID_CHANGE_RENEWAL_PREF/UPGRADE", true),
    (Sample.comics, "DID_CHANGE_RENEWAL_PREF/UPGRADE", true),
    (Sample.yearly, "DID_CHANGE_RENEWAL_PREF/DOWNGRADE", false),
    (Sample.weekly, "DID_CHANGE_RENEWAL_PREF/DOWNGRADE", false),
  ])
  func `A plan changes by level and duration`(target: String, notified: String, isImmediate: Bool) throws {
    var store = try store()
    let id = try store.buy(Sample.silver, for: "anna")
    store.advance(to: try moment("2026-11-12T00:00:00Z"))
    try store.changePlan(id, to: target)
    let subscription = try #require(store.subscription(id))
    #expect(store.notified.last == notified)
    #expect(subscription.renewalProductID == target)
    #expect((subscription.productID == target) == isImmediate)
    #expect(store.transaction(id)?.isUpgraded == isImmediate)
    #expect(store.transactionCount == (isImmediate ? 2 : 1))
    if isImmediate {
      let new = try #require(store.transaction(subscription.transactionID))
      #expect(!new.isRenewal && new.originalID == id)
      #expect(subscription.expiresAt == (try moment("2026-12-12T00:00:00Z")))
    } else {
      store.advance(to: subscription.expiresAt)
      let new = try #require(store.subscription(id)?.transactionID)
      #expect(store.transaction(new)?.productID == target)
      #expect(store.transaction(new)?.isRenewal == true)
    }
  }

  @Test func `A refund of the current period ends the subscription`() throws {
    var store = try store()
    let id = try store.buy(Sample.gold, for: "anna")
    try store.refund(id)
    #expect(store.notified.suffix(2) == ["REFUND", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"])
    #expect(store.subscription(id)?.status == .revoked)
    #expect(store.transaction(id)?.revocation != nil)
  }

  @Test func `A refund of a past period ends nothing`() throws {
    var store = try store()
    let id = try store.buy(Sample.gold, for: "anna")
    store.advance(to: try moment("2026-12-05T00:00:00Z"))
    try store.refund(id)
    #expect(store.notified.last == "REFUND")
    #expect(store.subscription(id)?.status == .active)
  }

  @Test func `A raised price ends the subscription at its renewal`() throws {
    var store = try store()
    let id = try store.buy(Sample.silver, for: "anna")
    try store.raisePrice(of: Sample.silver, to: 11_990)
    #expect(store.notified.last == "PRICE_INCREASE/PENDING")
    store.advance(to: try moment("2026-12-02T00:00:00Z"))
    #expect(store.notified.last == "EXPIRED/PRICE_INCREASE")
    #expect(store.subscription(id)?.status == .expired)
  }

  @Test func `An extended renewal moves the anniversary`() throws {
    var store = try store()
    let id = try store.buy(Sample.silver, for: "anna")
    try store.extend(id, days: 20)
    store.advance(to: try moment("2026-12-22T00:00:00Z"))
    #expect(store.notified.suffix(2) == ["RENEWAL_EXTENDED", "DID_RENEW"])
    #expect(store.subscription(id)?.expiresAt == (try moment("2027-01-22T00:00:00Z")))
  }

  @Test func `A lapsed customer subscribes again under the same original transaction`() throws {
    var store = try store()
    let id = try store.buy(Sample.silver, for: "anna")
    try store.setRenewing(id, false)
    store.advance(to: try moment("2026-12-20T00:00:00Z"))
    let again = try store.buy(Sample.gold, for: "anna")
    #expect(store.notified.suffix(2) == ["EXPIRED/VOLUNTARY", "SUBSCRIBED/RESUBSCRIBE"])
    #expect(store.transaction(again)?.originalID == id)
    #expect(store.subscription(id)?.status == .active)
  }

  @Test func `The store refuses what Apple would`() throws {
    var store = try store()
    let id = try store.buy(Sample.silver, for: "anna")
    try store.buy(Sample.lifetime, for: "anna")
    #expect(throws: StoreError.self) { try store.buy(Sample.gold, for: "anna") }
    #expect(throws: StoreError.self) { try store.buy(Sample.lifetime, for: "anna") }
    #expect(throws: StoreError.self) {
      try store.buy(Sample.coins, for: "anna", StoreState.Terms(quantity: 11))
    }
    #expect(throws: StoreError.self) { try store.recover(id) }
    #expect(throws: StoreError.self) { try store.addCustomer("anna") }
    #expect(store.notified == ["SUBSCRIBED/INITIAL_BUY", "ONE_TIME_CHARGE"])
  }

  @Test func `The same seed makes the same identifiers`() throws {
    var left = try store()
    var right = try store()
    for _ in 0..<3 {
      #expect(try left.buy(Sample.coins, for: "anna") == right.buy(Sample.coins, for: "anna"))
    }
    #expect(left.notifications.map(\.uuid) == right.notifications.map(\.uuid))
    #expect(Set(left.notifications.map(\.uuid)).count == 3)
  }
}
