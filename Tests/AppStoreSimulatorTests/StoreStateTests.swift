import AppStoreSimulator
import Testing

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

  @Test func `A planned downgrade can be withdrawn`() throws {
    var store = try store()
    let id = try store.buy(Sample.silver, for: "anna")
    try store.changePlan(id, to: Sample.weekly)
    try store.changePlan(id, to: Sample.silver)
    #expect(store.notified.last == "DID_CHANGE_RENEWAL_PREF")
    #expect(store.subscription(id)?.renewalProductID == Sample.silver)
  }

  @Test func `A refund of the current period ends the subscription and its shares`() throws {
    var store = try store()
    try store.addCustomer("ben")
    let id = try store.buy(Sample.gold, for: "anna")
    let share = try store.share(id, with: "ben")
    try store.refund(id, reason: 1)
    #expect(store.notified.suffix(3) == ["REFUND", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "REVOKE"])
    #expect(store.subscription(id)?.status == .revoked)
    #expect(store.subscription(share)?.status == .revoked)
    #expect(store.transaction(share)?.revocation?.kind == .family)
    #expect(store.transaction(id)?.revocation?.percentage == 100_000)
  }

  @Test func `A refund of a past period ends nothing`() throws {
    var store = try store()
    let id = try store.buy(Sample.gold, for: "anna")
    store.advance(to: try moment("2026-12-05T00:00:00Z"))
    try store.refund(id, percentage: 33_333)
    #expect(store.notified.last == "REFUND")
    #expect(store.subscription(id)?.status == .active)
    #expect(store.transaction(id)?.revocation?.kind == .prorated)
    try store.reverseRefund(of: id)
    #expect(store.transaction(id)?.revocation == nil)
    #expect(store.notified.last == "REFUND_REVERSED")
  }

  @Test func `A share follows its owner until it is revoked`() throws {
    var store = try store()
    try store.addCustomer("ben")
    let id = try store.buy(Sample.gold, for: "anna", StoreState.Terms(appAccountToken: "t"))
    let share = try store.share(id, with: "ben")
    store.advance(to: try moment("2026-12-02T00:00:00Z"))
    let renewed = try #require(store.subscription(share)?.transactionID)
    #expect(renewed != share)
    let transaction = try #require(store.transaction(renewed))
    #expect(transaction.isFamilyShared && transaction.isRenewal && transaction.originalID == share)
    #expect(transaction.price == nil && transaction.appAccountToken == nil)
    try store.revokeShare(share)
    #expect(store.notified.last == "REVOKE")
    store.advance(to: try moment("2027-01-02T00:00:00Z"))
    #expect(store.notified.last == "DID_RENEW")
    #expect(store.subscription(share)?.status == .revoked)
  }

  @Test(arguments: [
    (true, false, "EXPIRED/PRICE_INCREASE", Subscription.Status.expired, Int64(9990)),
    (true, true, "DID_RENEW", .active, 11_990), (false, false, "DID_RENEW", .active, 11_990),
  ])
  func `A price increase waits for consent where it needs one`(
    needsConsent: Bool, consents: Bool, notified: String, status: Subscription.Status, price: Int64
  ) throws {
    var store = try store()
    let id = try store.buy(Sample.silver, for: "anna")
    try store.raisePrice(of: Sample.silver, to: 11_990, needsConsent: needsConsent)
    #expect(store.notified.last == (needsConsent ? "PRICE_INCREASE/PENDING" : "PRICE_INCREASE/ACCEPTED"))
    if consents { try store.consentToPrice(id) }
    store.advance(to: try moment("2026-12-02T00:00:00Z"))
    let subscription = try #require(store.subscription(id))
    #expect(store.notified.last == notified)
    #expect(subscription.status == status)
    #expect(store.transaction(subscription.transactionID)?.price == price)
  }

  @Test func `A withdrawn product ends at its renewal`() throws {
    var store = try store()
    let id = try store.buy(Sample.silver, for: "anna")
    try store.withdraw(Sample.silver)
    store.advance(to: try moment("2026-12-02T00:00:00Z"))
    #expect(store.notified.last == "EXPIRED/PRODUCT_NOT_FOR_SALE")
    #expect(store.subscription(id)?.intent == .notForSale)
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

  /// The customer's own subscription, then a family-shared one, then their own again.
  @Test func `A share in between does not change the original transaction`() throws {
    var store = try store()
    try store.addCustomer("ben")
    let own = try store.buy(Sample.silver, for: "ben")
    try store.setRenewing(own, false)
    store.advance(to: try moment("2026-12-05T00:00:00Z"))
    let share = try store.share(try store.buy(Sample.gold, for: "anna"), with: "ben")
    try store.revokeShare(share)
    let again = try store.buy(Sample.silver, for: "ben")
    #expect(share != own)
    #expect(store.transaction(again)?.originalID == own)
    #expect(store.notified.last == "SUBSCRIBED/RESUBSCRIBE")
  }

  @Test func `An offer for the current plan begins with the next renewal`() throws {
    var store = try store()
    let id = try store.buy(Sample.silver, for: "anna")
    let offer = Offer(.code, .payUpFront, identifier: "autumn", period: .threeMonths, price: 19_990)
    try store.redeem(offer, on: id)
    #expect(store.notified.last == "OFFER_REDEEMED")
    store.advance(to: try moment("2026-12-02T00:00:00Z"))
    let current = try #require(store.subscription(id)?.transactionID)
    let renewal = try #require(store.transaction(current))
    #expect(renewal.price == 19_990 && renewal.offer == offer)
    #expect(renewal.expiresAt == (try moment("2027-03-02T00:00:00Z")))
    store.advance(to: try moment("2027-03-02T00:00:00Z"))
    #expect(store.subscription(id)?.expiresAt == (try moment("2027-04-02T00:00:00Z")))
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
