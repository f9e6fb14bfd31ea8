import AppStoreSimulator
import Collect
import Domain
import Foundation
import JobCore
import Reports
import Testing
import TestSupport

private let hour = Moment.Span.hours(1)

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

  /// Creates subscribers of all lengths. Their periods end in the days after `begin`, never in the hour before midnight.
  private static func populate(_ desk: RenewalDesk, count: Int) async throws -> [Subscriber] {
    var planned: [(at: Moment, period: Period, end: Moment, fate: Fate)] = []
    for number in 0..<count {
      let period = RenewalDesk.lengths[number % RenewalDesk.lengths.count]
      let days = period == .week ? number / 6 % 7 : number / 6 % 9
      let end = begin + .days(days) + .hours(2 + number % 19) + .minutes(number % 45)
      planned.append((start(of: period, endingAt: end), period, end, Fate.allCases[number / 3 % Fate.allCases.count]))
    }
    var subscribers: [Subscriber] = []
    for (number, plan) in planned.sorted(by: { $0.at < $1.at }).enumerated() {
      let id = try await desk.subscribe("C\(number)", plan.period, at: plan.at, storefront: number % 2 == 0 ? "USA" : "CHN")
      subscribers.append(Subscriber(id: id, fate: plan.fate, firstEnd: try desk.truth(id).renewsAt))
    }
    await desk.store.advance(to: begin)
    try await desk.readMail()
    desk.mail.beginLosing()
    return subscribers
  }

  /// Returns a start from which a period ends near the wanted end.
  private static func start(of period: Period, endingAt end: Moment) -> Moment {
    var low = end - .days(370)
    while period.end(from: low, count: 1) < end { low = low + .hours(1) }
    return low
  }

  /// Simulates the actions of subscribers during a day, at noon.
  private static func act(_ subscribers: [Subscriber], noon: Moment, _ desk: RenewalDesk) throws {
    for one in subscribers {
      let truth = try desk.truth(one.id)
      let toEnd = one.firstEnd - noon
      try desk.store.change(.production) { store in
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
  private func booksAreComplete(_ desk: RenewalDesk) async throws {
    let before = try await desk.scenario.rows(.renewalsToBook, asOf: desk.now)
    #expect(Set(before.cells("transaction_id")) == Set(desk.mail.letters.filter { $0.type == "DID_RENEW" }.map(\.transaction.id)))
    let orders = before.prefix(before.count / 2).enumerated().map { index, row in
      TestOrder("R\(index)", user: "U\(index)", at: row["purchased_at"] ?? "", names: row["transaction_id"]) {
        ($0.bundleID, $0.productID) = (RenewalDesk.bundleID, row["product_id"] ?? "")
        ($0.priceMilliunits, $0.currency) = (Int64(row["price_milliunits"] ?? ""), row["currency"])
      }
    }
    #expect(orders.count > 20)
    try await desk.scenario.decide(orders: orders, asOf: desk.now)
    let after = try await desk.scenario.rows(.renewalsToBook, asOf: desk.now)
    #expect(after.compactMap { $0["charge_id"] } == before.dropFirst(orders.count).compactMap { $0["charge_id"] })
    #expect(after.allSatisfy { $0["environment"] == "Production" })
  }

  @Test func plansStayFrozenAndSettleToTheTruth() async throws {
    let desk = try await RenewalDesk(start: "2025-02-20T00:00:00Z", lossPercent: 30)
    let subscribers = try await Self.populate(desk, count: 144)
    var planned: [String: Int] = [:]
    for night in 0..<Self.nights {
      let midnight = Self.begin + .days(night)
      if night > 0 {
        let noon = midnight - .hours(12)
        await desk.store.advance(to: noon)
        try Self.act(subscribers, noon: noon, desk)
        try await desk.readMail()
        // 12:00 UTC is 20:00 in Shanghai, so the planned day begins four hours later.
        for plan in try await RenewalPlanJob(context: try desk.scenario.context(asOf: desk.now)).run(day: nil) {
          planned[plan.day] = plan.memberCount
          #expect(plan.forecastCount != nil)
        }
        let again = try await RenewalPlanJob(context: try desk.scenario.context(asOf: desk.now)).run(day: nil)
        #expect(again.allSatisfy { $0.forecastCount == nil && $0.memberCount == planned[$0.day] })
      }
      await desk.store.advance(to: midnight)
      try await desk.readMail()
      _ = try await desk.pollForTheNight()
      _ = try await RenewalSettleJob(context: try desk.scenario.context(asOf: desk.now)).run()
    }
    let settledAgain = try await RenewalSettleJob(context: try desk.scenario.context(asOf: desk.now)).run()
    #expect(settledAgain.changedCount == 0)
    // Later plans use the outcomes of earlier cohorts and stay between none and all.
    #expect(try await desk.column("select count(*)::text from payrecon.renewal_forecasts where basis = 'app'") != ["0"])
    #expect(
      try await desk.column(
        """
        select forecast.product_id
        from payrecon.renewal_forecasts as forecast
        where not (0 <= low_count and low_count <= forecast_count and forecast_count <= high_count)
            or not (low_milliunits <= high_milliunits)
            or (basis = 'app' and not (rate_bp between 1 and 9999))
        """) == [])
    try await outcomesAreTrue(subscribers, desk)
    try await reportAddsUp(desk, planned: planned)
    try await booksAreComplete(desk)
  }

  /// Verifies the outcome of every planned first renewal.
  private func outcomesAreTrue(_ subscribers: [Subscriber], _ desk: RenewalDesk) async throws {
    let lines = try await desk.column(
      """
      select member.original_transaction_id || ' ' || payrecon.rfc3339(member.expires_at) || ' ' || settled.outcome
      from payrecon.renewal_plan_members as member
      inner join payrecon.renewal_outcomes_at('\(desk.now)') as settled using (original_transaction_id, bundle_id, due_day)
      """)
    let outcomes = Dictionary(
      uniqueKeysWithValues: lines.map { line in
        let cut = line.lastIndex(of: " ")!
        return (String(line[..<cut]), String(line[line.index(after: cut)...]))
      })
    let letters = Dictionary(grouping: desk.mail.letters, by: \.transaction.originalID)
    var seen: Set<String> = []
    for one in subscribers {
      guard let outcome = outcomes["\(one.id) \(one.firstEnd.text)"] else { continue }
      let after = (letters[one.id] ?? []).filter { $0.signedAt >= one.firstEnd }
      let truth = try desk.truth(one.id)
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

  private func reportAddsUp(_ desk: RenewalDesk, planned: [String: Int]) async throws {
    let folder = "\(desk.scenario.directory)/renewals"
    let write = { (directory: String) in
      try await ReportJob(context: try desk.scenario.context(asOf: desk.now)).run(
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

  /// Returns the rows of a CSV file. Quotes may only surround whole cells without commas.
  private static func table(_ path: String) throws -> [[String: String]] {
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    let columns = lines.first?.split(separator: ",").map(String.init) ?? []
    return lines.dropFirst().map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      return Dictionary(uniqueKeysWithValues: zip(columns, cells))
    }
  }

  @Test func testersArePolledOnDemandOnly() async throws {
    let desk = try await RenewalDesk(start: "2026-02-20T00:00:00Z", lossPercent: 0)
    let id = try desk.store.change(.sandbox) { store in
      _ = try store.addCustomer("tester")
      return try store.buy(RenewalDesk.product(.month), for: "tester")
    }
    await desk.store.advance(to: desk.store.now + .minutes(7))
    try await desk.readMail()
    await desk.store.advance(to: desk.store.now + .days(2))
    #expect(try await desk.poller().run().askedCount == 0)
    // An answer that cannot be verified means a wrong setting. The poll stores nothing, and the request is repeated.
    try desk.scenario.trust(Scenario.stranger)
    let error = try await #require(throws: JobError.self) { try await desk.poller().run(subscription: id) }
    #expect(error.status == .error && error.hint?.contains("PAYRECON_APPLE_ROOTS") == true)
    #expect(try await desk.column("select count(*)::text from payrecon.polls") == ["0"])
    try Data(desk.store.rootDER).write(to: URL(filePath: "\(desk.scenario.directory)/roots/root.der"))
    let asked = try await desk.poller().run(subscription: id)
    #expect(asked.askedCount == 1)
    #expect(desk.store.counters["Sandbox statuses"] == 2)
    let row = try #require(try await desk.scenario.rows(.subscriptions, asOf: desk.now).first)
    #expect([row].cells("status environment last_polled_at") == ["expired Sandbox \(desk.now)"])
    #expect(try await desk.scenario.rows(.renewalsToBook, asOf: desk.now).isEmpty)
  }
}
