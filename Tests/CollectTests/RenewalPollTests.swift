import Foundation

/// The behaviour of a simulated subscriber.
private enum Fate: CaseIterable {
  case renews, alsoRenews, stillRenews, cancels, recoversInGrace, recoversInRetry, neverPays, downgrades
}

private struct Subscriber {
  var id: String
  var fate: Fate
  var firstEnd: Moment
}

/// Plans of renewals, their outcomes and the renewals to book, despite lost notifications.
@Suite(.cleansUp) struct RenewalPollTests {
  /// Nights at midnight UTC. The first period of every subscriber ends within them.
  private static let begin = Moment("2026-03-01T00:00:00Z")!
  private static let nights = 16

  @Test func `a refused key of one app, and its rate limit, say nothing about another app`() async throws {
    let setup = try await RenewalSetup(start: "2026-02-01T00:00:00Z", lossPercent: 0)
    _ = try await setup.subscribe("C1", .month, at: #require(Moment("2026-02-01T10:00:00Z")))
    await setup.store.advance(to: try #require(Moment("2026-03-01T09:59:00Z")))
    try await setup.readMail()
    var both = setup
    var other = setup.scenario.settings.apps[0]
    other.bundleID = "com.acme.kids"
    both.scenario.settings.apps.insert(other, at: 0)
    try setup.scenario.write("roots/kids.der", Scenario.authority.rootDER)
    let kids = ApplePurchase.month("600", at: "2026-02-01T10:00:00Z", until: "2026-03-01T10:00:00Z")
    try await both.scenario.evidence([kids.with { $0.bundleID = "com.acme.kids" }.jws], asOf: setup.now)
    await #expect(throws: JobError.self) { _ = try await both.poller().run() }
    #expect(setup.calls == 2)
    let polled = try await setup.scenario.rows(.subscriptions, asOf: setup.now).filter { $0["last_polled_at"]?.isEmpty == false }
    #expect(polled.map { $0["bundle_id"] } == [RenewalSetup.bundleID])
  }

  /// Creates subscribers of all lengths. Their periods end in the days after `begin`, never in the hour before midnight.
  private static func populate(_ setup: RenewalSetup, count: Int) async throws -> [Subscriber] {
    var planned: [(at: Moment, period: Period, fate: Fate)] = []
    for number in 0..<count {
      let period = RenewalSetup.lengths[number % RenewalSetup.lengths.count]
      let days = period == .week ? number / 6 % 7 : number / 6 % 9
      let end = begin + .days(days) + .hours(2 + number % 19) + .minutes(number % 45)
      planned.append((RenewalWorld.start(of: period, endingAt: end), period, Fate.allCases[number / 3 % Fate.allCases.count]))
    }
    var subscribers: [Subscriber] = []
    for (number, plan) in planned.sorted(by: { $0.at < $1.at }).enumerated() {
      let id = try await setup.subscribe("C\(number)", plan.period, at: plan.at, storefront: number % 2 == 0 ? "USA" : "CHN")
      subscribers.append(Subscriber(id: id, fate: plan.fate, firstEnd: try setup.truth(id).renewsAt))
    }
    await setup.store.advance(to: begin)
    try await setup.readMail()
    setup.mail.beginLosing()
    return subscribers
  }

  /// Simulates the actions of subscribers during a day, at noon.
  private static func act(_ subscribers: [Subscriber], noon: Moment, _ setup: RenewalSetup) throws {
    for one in subscribers {
      let truth = try setup.truth(one.id)
      let toEnd = one.firstEnd - noon
      try setup.store.change(.production) { store in
        switch one.fate {
        case .renews, .alsoRenews, .stillRenews: break
        case .cancels where toEnd > .hours(-24) && toEnd < .days(2) && truth.status == .active && truth.isRenewing:
          try store.setRenewing(one.id, false)
        case .downgrades where toEnd > .hours(0) && toEnd < .days(2) && truth.renewalProductID == truth.productID:
          try store.changePlan(one.id, to: truth.productID + ".small")
        case .recoversInGrace, .recoversInRetry, .neverPays:
          if toEnd > .hours(0), toEnd < .days(2) { try store.setBilling(one.id, fails: true) }
          if one.fate == .recoversInGrace, toEnd < .hours(-30), truth.status == .grace { try store.recover(one.id) }
          if one.fate == .recoversInRetry, toEnd < .days(-5), truth.status == .billingRetry { try store.recover(one.id) }
        case .cancels, .downgrades: break
        }
      }
    }
  }

  /// Verifies that every renewal appears among those to book until it has an order.
  private func booksAreComplete(_ setup: RenewalSetup) async throws {
    let before = try await setup.scenario.rows(.renewalsToBook, asOf: setup.now)
    #expect(Set(before.cells("transaction_id")) == Set(setup.mail.notifications.filter { $0.type == "DID_RENEW" }.map(\.transaction.id)))
    let orders = before.prefix(before.count / 2).enumerated().map { index, row in
      TestOrder("R\(index)", user: "U\(index)", at: row["purchased_at"] ?? "", names: row["transaction_id"]) {
        ($0.bundleID, $0.productID) = (RenewalSetup.bundleID, row["product_id"] ?? "")
        ($0.priceMilliunits, $0.currency) = (Int64(row["price_milliunits"] ?? ""), row["currency"])
      }
    }
    #expect(orders.count > 20)
    try await setup.scenario.decide(orders: orders, asOf: setup.now)
    let after = try await setup.scenario.rows(.renewalsToBook, asOf: setup.now)
    #expect(after.compactMap { $0["charge_id"] } == before.dropFirst(orders.count).compactMap { $0["charge_id"] })
    #expect(after.allSatisfy { $0["environment"] == "Production" })
  }

  @Test func plansStayFrozenAndSettleToTheTruth() async throws {
    let setup = try await RenewalSetup(start: "2025-02-20T00:00:00Z", lossPercent: 30)
    let subscribers = try await Self.populate(setup, count: 144)
    var planned: [String: Int] = [:]
    for night in 0..<Self.nights {
      let midnight = Self.begin + .days(night)
      if night > 0 {
        let noon = midnight - .hours(12)
        await setup.store.advance(to: noon)
        try Self.act(subscribers, noon: noon, setup)
        try await setup.readMail()
        // 12:00 UTC is 20:00 in Shanghai, so the planned day begins four hours later.
        for plan in try await RenewalPlanJob(context: try setup.scenario.context(asOf: setup.now)).run(day: nil) {
          planned[plan.day] = plan.memberCount
          #expect(plan.forecastCount != nil)
        }
        let again = try await RenewalPlanJob(context: try setup.scenario.context(asOf: setup.now)).run(day: nil)
        #expect(again.allSatisfy { $0.forecastCount == nil && $0.memberCount == planned[$0.day] })
      }
      await setup.store.advance(to: midnight)
      try await setup.readMail()
      _ = try await setup.pollForTheNight()
      _ = try await RenewalSettleJob(context: try setup.scenario.context(asOf: setup.now)).run()
    }
    #expect(try await RenewalSettleJob(context: try setup.scenario.context(asOf: setup.now)).run().changedCount == 0)
    // Later plans use the outcomes of earlier cohorts and stay between none and all.
    #expect(try await setup.scenario.answers("select count(*)::text from payrecon.renewal_forecasts where basis = 'app'") != ["0"])
    #expect(
      try await setup.scenario.answers(
        """
        select forecast.product_id
        from payrecon.renewal_forecasts as forecast
        where not (0 <= low_count and low_count <= forecast_count and forecast_count <= high_count)
            or not (low_milliunits <= high_milliunits)
            or (basis = 'app' and not (rate_bp between 1 and 9999))
        """) == [])
    try await outcomesAreTrue(subscribers, setup)
    try await reportAddsUp(setup, planned: planned)
    try await booksAreComplete(setup)
  }

  /// Verifies the outcome of every planned first renewal.
  private func outcomesAreTrue(_ subscribers: [Subscriber], _ setup: RenewalSetup) async throws {
    let lines = try await setup.scenario.answers(
      """
      select member.original_transaction_id || ' ' || payrecon.rfc3339(member.expires_at) || ' ' || settled.outcome
      from payrecon.renewal_plan_members as member
      inner join payrecon.renewal_outcomes_at('\(setup.now)') as settled using (original_transaction_id, bundle_id, due_day)
      """)
    let outcomes = Dictionary(
      uniqueKeysWithValues: lines.map { line in
        let cut = line.lastIndex(of: " ")!
        return (String(line[..<cut]), String(line[line.index(after: cut)...]))
      })
    let notifications = Dictionary(grouping: setup.mail.notifications, by: \.transaction.originalID)
    var seen: Set<String> = []
    for one in subscribers {
      guard let outcome = outcomes["\(one.id) \(one.firstEnd.text)"] else { continue }
      let after = (notifications[one.id] ?? []).filter { $0.signedAt >= one.firstEnd }
      let truth = try setup.truth(one.id)
      let hasFailed = after.contains { $0.type == "DID_FAIL_TO_RENEW" && $0.signedAt == one.firstEnd }
      let expected: String
      if after.contains(where: { $0.type == "EXPIRED" && $0.signedAt == one.firstEnd }) {
        expected = "expired_voluntary"
      } else if let renewal = after.filter({ $0.type == "DID_RENEW" }).min(by: { $0.signedAt < $1.signedAt }) {
        let isLate = renewal.signedAt > one.firstEnd + .days(3)
        let isSmaller = one.fate == .downgrades && truth.productID.hasSuffix(".small")
        expected = isSmaller ? "downgraded" : !hasFailed ? "renewed_on_time" : isLate ? "recovered_retry" : "renewed_in_grace"
      } else {
        expected = truth.status == .grace ? "still_grace" : "still_retry"
      }
      #expect(outcome == expected, "\(one.id) \(one.fate)")
      seen.insert(outcome)
    }
    #expect(
      seen.isSuperset(of: [
        "renewed_on_time", "renewed_in_grace", "recovered_retry", "expired_voluntary", "downgraded", "still_retry",
      ]), "\(seen)")
  }

  private func reportAddsUp(_ setup: RenewalSetup, planned: [String: Int]) async throws {
    let folder = "\(setup.scenario.directory)/renewals"
    let write = { (directory: String) in
      try await ReportJob(context: try setup.scenario.context(asOf: setup.now)).run(
        kind: .renewals, formats: [.csv, .json, .html], directory: directory)
    }
    let files = try await write(folder)
    #expect(
      files == [
        "renewal_details.csv", "renewal_details.schema.json", "renewal_identities.csv", "renewal_identities.schema.json",
        "renewals.csv", "renewals.html", "renewals.json", "renewals.schema.json", "manifest.json",
      ])
    let rows = try Self.table("\(folder)/renewals.csv")
    let total = { (column: String) in rows.reduce(0) { $0 + (Int($1[column] ?? "") ?? 0) } }
    #expect(total("due_count") == planned.values.reduce(0, +))
    #expect(total("not_yet_due") > 0)
    #expect(total("unpolled") == 0)
    #expect(total("poll_error") == 0)
    #expect(total("renewed_no_order") + total("not_in_plan_count") == total("actual_count"))
    let identities = try Self.table("\(folder)/renewal_identities.csv")
    #expect(identities.count == rows.count * 4)
    #expect(identities.allSatisfy { $0["holds"] == "yes" })
    // Renewals before the first plan belong to no plan.
    #expect(total("not_in_plan_count") < total("actual_count") / 10)
    let details = try Self.table("\(folder)/renewal_details.csv")
    #expect(details.count == total("due_count"))
    #expect(details.contains { $0["outcome"] == "" && $0["next_poll_at"] != "" })
    let page = try String(contentsOfFile: "\(folder)/renewals.html", encoding: .utf8)
    #expect(page.split(separator: "<figure>").count == 4)
    #expect(page.contains("<polygon class=\"band\"") && page.contains(">renewed on time</text>"))
    _ = try await write("\(folder)-again")
    for file in files {
      #expect(
        try Data(contentsOf: URL(filePath: "\(folder)/\(file)")) == Data(contentsOf: URL(filePath: "\(folder)-again/\(file)")), "\(file)")
    }
  }

  private static func table(_ path: String) throws -> [[String: String]] {
    CSVRows.decode([UInt8](try Data(contentsOf: URL(filePath: path))))
  }

  @Test func testersArePolledOnDemandOnly() async throws {
    let setup = try await RenewalSetup(start: "2026-02-20T00:00:00Z", lossPercent: 0)
    let id = try setup.store.change(.sandbox) { store in
      _ = try store.addCustomer("tester")
      return try store.buy(RenewalSetup.product(.month), for: "tester")
    }
    await setup.store.advance(to: setup.store.now + .minutes(7))
    try await setup.readMail()
    await setup.store.advance(to: setup.store.now + .days(2))
    #expect(try await setup.poller().run().askedCount == 0)
    // An answer that cannot be verified means a wrong setting. The poll stores nothing, and the request is repeated.
    try setup.scenario.trust(Scenario.stranger)
    let error = try await #require(throws: JobError.self) { try await setup.poller().run(subscription: id) }
    #expect(error.status == .error && error.hint?.contains("PAYRECON_APPLE_ROOTS") == true)
    #expect(try await setup.scenario.answers("select count(*)::text from payrecon.polls") == ["0"])
    try setup.scenario.write("roots/root.der", setup.store.rootDER)
    #expect(try await setup.poller().run(subscription: id).askedCount == 1)
    #expect(setup.store.counters["Sandbox statuses"] == 2)
    let row = try #require(try await setup.scenario.rows(.subscriptions, asOf: setup.now).first)
    #expect([row].cells("status environment last_polled_at") == ["expired Sandbox \(setup.now)"])
    #expect(try await setup.scenario.rows(.renewalsToBook, asOf: setup.now).isEmpty)
  }
}
