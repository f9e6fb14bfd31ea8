/// Every way in which a planned renewal can end.
@Suite(.cleansUp) struct RenewalOutcomeTests {
  private static let due = Moment("2026-05-10T10:00:00Z")!
  private static let names = [
    "renews", "cancels", "refusesPrice", "upgrades", "downgrades", "refunded", "extended", "returns", "graced",
    "unpolled", "overrun", "booked",
  ]

  @Test func everyOutcomeIsReported() async throws {
    let setup = try await RenewalSetup(start: "2026-03-01T00:00:00Z", lossPercent: 0)
    // The purchase with the earliest date comes first.
    let priced = try await setup.subscribe("refusesPrice", .twoMonths, at: Moment("2026-03-10T10:00:00Z")!)
    var ids = ["refusesPrice": priced]
    for name in Self.names where name != "refusesPrice" {
      ids[name] = try await setup.subscribe(name, .month, at: Moment("2026-04-10T10:00:00Z")!, isSmall: name == "upgrades")
    }
    await setup.store.advance(to: Moment("2026-05-09T00:00:00Z")!)
    try await setup.readMail()
    try await book(["overrun", "booked", "cancels"], ids, setup)
    let plans = try await RenewalPlanJob(context: try setup.scenario.context(asOf: setup.now)).run(day: "2026-05-10")
    #expect(plans.map(\.memberCount) == [Self.names.count])
    let known = ids
    let id: @Sendable (String) throws -> String = { name in try #require(known[name]) }
    try await act(id, setup)
    // The subscriptions end, most of them through the simulated store alone.
    await setup.store.advance(to: Self.due + .hours(5))
    try setup.store.change(.production) { try $0.recover(try id("graced")) }
    let returned = try setup.store.change(.production) { try $0.buy(RenewalSetup.product(.month), for: "returns") }
    #expect(!returned.isEmpty)
    await setup.store.advance(to: Moment("2026-05-11T00:00:00Z")!)
    setup.mail.lose(try id("unpolled"))
    try await setup.readMail()
    try await setup.scenario.decide(asOf: setup.now)
    _ = try await RenewalSettleJob(context: try setup.scenario.context(asOf: setup.now)).run()
    var outcomes = try await Self.outcomes(setup)
    let expected = [
      "renews": "renewed_on_time", "cancels": "expired_voluntary", "refusesPrice": "expired_price",
      "upgrades": "upgraded", "downgrades": "downgraded", "refunded": "revoked_before_due", "extended": "extended",
      "returns": "expired_voluntary", "graced": "renewed_in_grace", "unpolled": "unpolled",
      "overrun": "expired_voluntary", "booked": "renewed_on_time",
    ]
    for name in Self.names { #expect(outcomes[try id(name)] == expected[name], "\(name)") }
    #expect(try await Self.flags(setup) == ["overrun": try id("overrun"), "order_no_renewal": try id("cancels")])

    // Apple is down and then available: the missing outcome becomes known.
    setup.store.script(Fault(.status(503), endpoint: .statuses, environment: .production, count: 100))
    #expect(try await setup.poller().run().verdict == .incomplete)
    await setup.store.advance(to: setup.store.now + .minutes(1))
    _ = try await RenewalSettleJob(context: try setup.scenario.context(asOf: setup.now)).run()
    #expect(try await Self.outcomes(setup)[try id("unpolled")] == "poll_error")
    setup.store.clearFaults()
    await setup.store.advance(to: setup.store.now + .minutes(20))
    #expect(try await setup.poller(leaseClock: setup.now).run().verdict == .clean)
    _ = try await RenewalSettleJob(context: try setup.scenario.context(asOf: setup.now)).run()
    outcomes = try await Self.outcomes(setup)
    #expect(outcomes[try id("unpolled")] == "renewed_on_time")
    // The night before still shows what was known at its clock.
    #expect(try await Self.outcomes(setup, at: "2026-05-11T00:00:00Z")[try id("unpolled")] == "unpolled")
    try await sameStateInAnyOrder(setup)
    // No plan contains the extended end, and the renewal at it is no recovery.
    await setup.store.advance(to: Self.due + .days(20) + .hours(2))
    try await setup.readMail()
    _ = try await RenewalSettleJob(context: try setup.scenario.context(asOf: setup.now)).run()
    #expect(try await Self.outcomes(setup)[try id("extended")] == "renewed_on_time")
  }

  /// Simulates the actions of customers and developers on the eve.
  private func act(_ id: @escaping @Sendable (String) throws -> String, _ setup: RenewalSetup) async throws {
    try setup.store.change(.production) { store in
      for name in ["cancels", "returns", "overrun"] { try store.setRenewing(try id(name), false) }
      try store.raisePrice(of: RenewalSetup.product(.twoMonths), to: 19_990)
      try store.changePlan(try id("upgrades"), to: RenewalSetup.product(.month))
      try store.changePlan(try id("downgrades"), to: RenewalSetup.product(.month) + ".small")
      try store.refund(try id("refunded"))
      try store.setBilling(try id("graced"), fails: true)
      try store.extend(try id("extended"), days: 20)
    }
  }

  /// Stores orders for the first periods, one of them with too long an access. Another order is for a renewal that never happens.
  private func book(_ names: [String], _ ids: [String: String], _ setup: RenewalSetup) async throws {
    var orders = names.map { name in
      StoreSetup.order(name, names: ids[name], product: RenewalSetup.product(.month), at: "2026-04-10T09:59:00Z") {
        if name == "overrun" { $0.entitlementExpiresAt = "2026-06-10T10:00:00Z" }
      }
    }
    orders.append(
      StoreSetup.order("R-cancels", product: RenewalSetup.product(.month), at: "2026-05-10T10:05:00Z") {
        $0.userID = "U-cancels"
        $0.originalTransactionID = ids["cancels"]
      })
    try await setup.scenario.orders(orders, asOf: setup.now)
  }

  private static func outcomes(_ setup: RenewalSetup, at clock: String? = nil) async throws -> [String: String] {
    let rows = try await setup.scenario.query(
      "select original_transaction_id, outcome from payrecon.renewal_outcomes_at('\(clock ?? setup.now)')", gives: .text, .text)
    return Dictionary(uniqueKeysWithValues: rows)
  }

  private static func flags(_ setup: RenewalSetup) async throws -> [String: String] {
    let rows = try await setup.scenario.query(
      """
      select flag.name, original_transaction_id
      from payrecon.renewal_outcomes_at('\(setup.now)')
      cross join lateral (
        values ('overrun', has_entitlement_overrun), ('order_no_renewal', has_order_without_renewal)
      ) as flag (name, is_set)
      where flag.is_set
      """, gives: .text, .text)
    return Dictionary(uniqueKeysWithValues: rows)
  }

  /// Verifies that the same evidence in the opposite order gives the same subscriptions.
  private func sameStateInAnyOrder(_ setup: RenewalSetup) async throws {
    var mirror = try await Scenario()
    mirror.settings = setup.scenario.settings
    try mirror.write("roots/root.der", setup.store.rootDER)
    let posts = setup.mail.arrived
    for part in [posts.suffix(posts.count / 2), posts.prefix(posts.count - posts.count / 2)] {
      try await mirror.evidence(part.reversed(), asOf: setup.now)
    }
    let here = try await RenewalSetup.states(setup.scenario, at: "2026-05-11T00:00:00Z")
    let there = try await RenewalSetup.states(mirror, at: setup.now)
    #expect(here.count == Self.names.count)
    #expect(here == there)
  }

  @Test func `an upgrade ends the old period, a refund of an old one nothing, a grace without a date is one`() async throws {
    let scenario = try await Scenario()
    let year = ApplePurchase.month("700", original: "700", lineItem: "7001", at: "2026-01-10T10:00:00Z", until: "2027-01-10T10:00:00Z")
    let month = ApplePurchase.month("701", original: "700", lineItem: "7002", at: "2026-05-01T10:00:00Z", until: "2026-06-01T10:00:00Z")
    let old = ApplePurchase.month(
      "710", original: "710", lineItem: "7101", at: "2026-04-01T10:00:00Z", until: "2026-05-01T10:00:00Z"
    ).refunded(at: "2026-05-05T00:00:00Z")
    let current = ApplePurchase.month(
      "711", original: "710", lineItem: "7102", at: "2026-05-01T10:00:00Z", until: "2026-06-01T10:00:00Z", isRenewal: true)
    let lapsed = ApplePurchase.month("720", original: "720", lineItem: "7201", at: "2026-04-05T10:00:00Z", until: "2026-05-05T10:00:00Z")
    let info = """
      {"originalTransactionId":"720","productId":"vip.month","autoRenewProductId":"vip.month","autoRenewStatus":1,\
      "isInBillingRetryPeriod":true,"environment":"Production","signedDate":\(instant("2026-05-05T10:00:01Z").microseconds / 1000)}
      """
    let grace = Scenario.notification(
      "DID_FAIL_TO_RENEW", subtype: "GRACE_PERIOD", uuid: "n-720", lapsed, renewalInfo: info, status: 4, signedAt: "2026-05-05T10:00:01Z")
    // The newest statement comes first.
    try await scenario.evidence([month.jws, current.jws, grace, year.jws, old.jws], asOf: "2026-05-10T00:00:00Z")
    let rows = try await scenario.rows(.subscriptions, asOf: "2026-05-10T00:00:00Z")
    let states = rows.cells("original_transaction_id status expires_at")
    #expect(states == ["700 active 2026-06-01T10:00:00Z", "710 active 2026-06-01T10:00:00Z", "720 grace 2026-05-05T10:00:00Z"])
  }
}
