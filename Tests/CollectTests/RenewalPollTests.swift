import AppStoreSimulator
import Domain
import Foundation
import Jobs
import Testing
import TestSupport

private let hour = Moment.Span.hours(1)

/// What a subscriber of the simulated world does.
private enum Fate: CaseIterable {
  case renews, alsoRenews, stillRenews, cancels, recoversInGrace, recoversInRetry, neverPays, downgrades
}

private struct Subscriber {
  var id: String
  var fate: Fate
  var firstEnd: Moment
}

/// Renewals are found out although notifications are lost, by as few questions as can be.
@Suite struct RenewalPollTests {
  /// Two weeks of nights at midnight UTC; every subscriber's first period ends within them.
  private static let begin = Moment("2026-03-01T00:00:00Z")!
  private static let nights = 16

  /// Subscribers of all lengths whose periods end in the days after `begin`, never within the hour before midnight.
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

  /// An instant from which a period ends near a wanted end.
  private static func start(of period: Period, endingAt end: Moment) -> Moment {
    var low = end - .days(370)
    while period.end(from: low, count: 1) < end { low = low + .hours(1) }
    return low
  }

  /// What people do during a day, at noon.
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

  /// Questions that somebody who knows everything but the recoveries to come would ask this night, by the schedule.
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
        let isTold = own.contains { !$0.isLost && $0.signedAt >= truth.renewsAt - .days(1) && $0.signedAt <= night }
        if !isTold { count += 1 }
      } else if let news, news.isLost {
        count += 1
      } else if truth.status == .grace || truth.status == .billingRetry {
        let isTold = own.contains { !$0.isLost && $0.signedAt > night - .hours(12) && $0.signedAt <= night }
        if night - truth.expiresAt > .days(1), !isTold { count += 1 }
      }
    }
    return count
  }

  @Test func everyNightKnowsTheTruthAlthoughNotificationsAreLost() async throws {
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
    #expect(lost * 100 > desk.mail.letters.filter { $0.signedAt > Self.begin }.count * 20)
    #expect(desk.calls * 10 <= perfect * 12, "\(desk.calls) calls, a perfect poller \(perfect)")
    #expect(desk.calls * 10 >= perfect * 8, "\(desk.calls) calls, a perfect poller \(perfect)")
    try await booksAreComplete(desk)
    await desk.end()
  }

  /// What the export says otherwise than the store.
  private func differences(_ subscribers: [Subscriber], _ desk: RenewalDesk) async throws -> [String] {
    var wrong: [String] = []
    let rows = try await desk.scenario.rows(.subscriptions, asOf: desk.now)
    let known = Dictionary(uniqueKeysWithValues: rows.map { ($0["original_transaction_id"] ?? "", $0) })
    for one in subscribers {
      let truth = try desk.truth(one.id)
      let row = known[one.id] ?? [:]
      let told = "\(row["status"] ?? "-") \(row["expires_at"] ?? "-") \(row["product_id"] ?? "-")"
      let real = "\(Self.words[truth.status] ?? "") \(truth.expiresAt.text) \(truth.productID)"
      if told != real { wrong.append("\(one.id) \(one.fate): \(told), really \(real)") }
    }
    let booked = Set(try await desk.scenario.rows(.renewalsToBook, asOf: desk.now).compactMap { $0["transaction_id"] })
    let real = Set(desk.mail.letters.filter { $0.type == "DID_RENEW" }.map(\.transactionID))
    if booked != real { wrong.append("to book \(booked.count), really \(real.count)") }
    return wrong
  }

  /// What has an order is not to be booked any more.
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
    try await desk.scenario.orders(orders, asOf: desk.now)
    try await desk.scenario.decide(asOf: desk.now)
    let after = try await desk.scenario.rows(.renewalsToBook, asOf: desk.now)
    #expect(after.compactMap { $0["charge_id"] } == before.dropFirst(orders.count).compactMap { $0["charge_id"] })
    #expect(after.allSatisfy { $0["environment"] == "Production" })
  }
}
