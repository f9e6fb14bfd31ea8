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

/// Renewals are found despite lost notifications, with as few requests as possible.
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

  private static let words: [Subscription.Status: String] = [
    .active: "active", .expired: "expired", .billingRetry: "billing_retry", .grace: "grace", .revoked: "revoked",
  ]

  /// Returns the number of requests an ideal poller makes this night under the schedule. It knows everything but the coming
  /// recoveries.
  private static func perfect(_ subscribers: [Subscriber], since: Moment, night: Moment, _ desk: RenewalDesk) throws
    -> Int
  {
    let letters = Dictionary(grouping: desk.mail.letters, by: \.originalID)
    var count = 0
    for one in subscribers {
      let truth = try desk.truth(one.id)
      let own = letters[one.id] ?? []
      let news = own.filter { $0.signedAt > since && $0.signedAt <= night }.max { $0.signedAt < $1.signedAt }
      if truth.status == .active, truth.isRenewing, truth.renewsAt > night, truth.renewsAt <= night + .days(1) {
        let isReported = own.contains { !$0.isLost && $0.signedAt >= truth.renewsAt - .days(1) && $0.signedAt <= night }
        if !isReported { count += 1 }
      } else if let news, news.isLost {
        count += 1
      } else if truth.status == .grace || truth.status == .billingRetry {
        let isReported = own.contains { !$0.isLost && $0.signedAt > night - .hours(12) && $0.signedAt <= night }
        if night - truth.expiresAt > .days(1), !isReported { count += 1 }
      }
    }
    return count
  }

  @Test func everyNightIsTrueDespiteLostNotifications() async throws {
    let desk = try await RenewalDesk(start: "2025-02-20T00:00:00Z", lossPercent: 30)
    let subscribers = try await Self.populate(desk, count: 240)
    var perfect = 0
    var wrong: [String] = []
    for night in 0..<Self.nights {
      let midnight = Self.begin + .days(night)
      if night > 0 {
        let noon = midnight - .hours(12)
        await desk.store.advance(to: noon)
        try Self.act(subscribers, noon: noon, desk)
      }
      await desk.store.advance(to: midnight)
      try await desk.readMail()
      perfect += try Self.perfect(subscribers, since: midnight - .days(1), night: midnight, desk)
      let outcome = try await desk.pollForTheNight()
      #expect(outcome.unfinished.isEmpty)
      wrong += try await differences(subscribers, desk).map { "\(midnight.text) \($0)" }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(10).joined(separator: "\n"))")
    let lost = desk.mail.letters.filter(\.isLost).count
    print("\(subscribers.count) subscriptions, \(lost) notifications lost, \(desk.calls) calls, a perfect poller \(perfect)")
    #expect(lost * 100 > desk.mail.letters.filter { $0.signedAt > Self.begin }.count * 20)
    #expect(desk.calls * 10 <= perfect * 12, "\(desk.calls) calls, a perfect poller \(perfect)")
    #expect(desk.calls * 10 >= perfect * 8, "\(desk.calls) calls, a perfect poller \(perfect)")
    try await booksAreComplete(desk)
  }

  /// Returns the differences between the export and the store.
  private func differences(_ subscribers: [Subscriber], _ desk: RenewalDesk) async throws -> [String] {
    var wrong: [String] = []
    let rows = try await desk.scenario.rows(.subscriptions, asOf: desk.now)
    let known = Dictionary(uniqueKeysWithValues: rows.map { ($0["original_transaction_id"] ?? "", $0) })
    for one in subscribers {
      let truth = try desk.truth(one.id)
      let row = known[one.id] ?? [:]
      let stated = "\(row["status"] ?? "-") \(row["expires_at"] ?? "-") \(row["product_id"] ?? "-")"
      let real = "\(Self.words[truth.status] ?? "") \(truth.expiresAt.text) \(truth.productID)"
      if stated != real { wrong.append("\(one.id) \(one.fate): \(stated), really \(real)") }
    }
    let booked = Set(try await desk.scenario.rows(.renewalsToBook, asOf: desk.now).compactMap { $0["transaction_id"] })
    let real = Set(desk.mail.letters.filter { $0.type == "DID_RENEW" }.map(\.transactionID))
    if booked != real { wrong.append("to book \(booked.count), really \(real.count)") }
    return wrong
  }

  /// Verifies that a renewal with an order no longer appears among those to book.
  private func booksAreComplete(_ desk: RenewalDesk) async throws {
    let before = try await desk.scenario.rows(.renewalsToBook, asOf: desk.now)
    let orders = before.prefix(before.count / 2).enumerated().map { index, row in
      TestOrder("R\(index)", user: "U\(index)", at: row["purchased_at"] ?? "") {
        $0.bundleID = RenewalDesk.bundleID
        $0.productID = row["product_id"] ?? ""
        $0.priceMilliunits = Int64(row["price_milliunits"] ?? "")
        $0.currency = row["currency"]
        $0.transactionID = row["transaction_id"]
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
    let letters = Dictionary(grouping: desk.mail.letters, by: \.originalID)
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
        try Data(contentsOf: URL(filePath: "\(folder)/\(file)"))
          == Data(contentsOf: URL(filePath: "\(folder)-again/\(file)")), "\(file)")
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

  @Test func twoWorkersShareTheWorkWithoutRepeats() async throws {
    let desk = try await RenewalDesk(start: "2025-02-20T00:00:00Z", lossPercent: 100)
    let subscribers = try await Self.populate(desk, count: 180)
    await desk.store.advance(to: Self.begin + .days(3))
    desk.store.resetCounters()
    // The queue exists when the workers begin, and every answer is slow.
    _ = try await RenewalPlanJob(context: try desk.scenario.context(asOf: desk.now)).run(day: nil)
    desk.store.script(Fault(.slowBody(bytes: 1500, pause: 20), endpoint: .statuses, environment: .production, count: 500))
    let first = try desk.poller("one")
    let second = try desk.poller("two")
    // The limit keeps either worker from doing everything, even if the other starts late.
    var options = RenewalPollJob.Options()
    options.limit = 60
    let shared = options
    async let left = first.run(shared)
    async let right = second.run(shared)
    let outcomes = try await [left, right]
    let asked = outcomes.reduce(0) { $0 + $1.askedCount }
    #expect(outcomes.allSatisfy { $0.askedCount > 0 && $0.failedCount == 0 })
    // Every subscriber whose first period ended more than 45 minutes ago has a due appointment.
    let due = subscribers.filter { $0.firstEnd < Self.begin + .days(3) }.count
    #expect(asked >= due)
    #expect(desk.calls == asked)
    let workers = try await desk.column(
      "select worker || ' ' || count(*) from payrecon.polls group by worker order by worker collate \"C\"")
    #expect(workers == ["one \(outcomes[0].askedCount)", "two \(outcomes[1].askedCount)"])
    let rest = try await first.run()
    #expect(rest.askedCount == 0)
  }

  @Test func expiredLeaseOfDeadWorkerIsReleased() async throws {
    let desk = try await RenewalDesk(start: "2025-02-20T00:00:00Z", lossPercent: 100)
    _ = try await Self.populate(desk, count: 60)
    await desk.store.advance(to: Self.begin + .days(3))
    // A run without an answer fills the queue. Then a worker leases everything and dies.
    desk.store.script(Fault(.status(503), endpoint: .statuses, environment: .production, count: 100))
    var one = RenewalPollJob.Options()
    one.limit = 1
    let failed = try await desk.poller("zero").run(one)
    #expect(failed.failedCount == 1)
    #expect(failed.verdict == .incomplete)
    desk.store.clearFaults()
    let lease = (desk.store.now + .minutes(15)).text
    try await desk.execute("update payrecon.poll_queue set worker = 'dead', lease_until = '\(lease)'")
    let early = try await desk.poller("two").run()
    #expect(early.askedCount == 0)
    let late = try await desk.poller("two", leaseClock: (desk.store.now + .minutes(16)).text).run()
    #expect(late.askedCount > 15)
    #expect(late.verdict == .clean)
    #expect(try await desk.column("select count(*)::text from payrecon.polls where worker <> 'two'") == ["0"])
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
