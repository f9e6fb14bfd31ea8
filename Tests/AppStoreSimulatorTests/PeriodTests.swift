struct PeriodTests {
  /// Renewals keep their day of the month: a short month ends earlier, and the next long month returns to that day.
  @Test(arguments: [
    ("2026-01-31T10:00:00Z", Period.month, 1, "2026-02-28T10:00:00Z"),
    ("2026-01-31T10:00:00Z", .month, 2, "2026-03-31T10:00:00Z"),
    ("2026-01-31T10:00:00Z", .month, 3, "2026-04-30T10:00:00Z"),
    ("2028-01-30T10:00:00Z", .month, 1, "2028-02-29T10:00:00Z"),
    ("2028-02-29T23:59:59Z", .year, 1, "2029-02-28T23:59:59Z"),
    ("2028-02-29T23:59:59Z", .year, 4, "2032-02-29T23:59:59Z"),
    ("2026-12-31T00:00:00Z", .twoMonths, 1, "2027-02-28T00:00:00Z"),
    ("2026-11-30T00:00:00Z", .threeMonths, 1, "2027-02-28T00:00:00Z"),
    ("2026-08-31T00:00:00Z", .sixMonths, 1, "2027-02-28T00:00:00Z"),
    ("2026-11-15T00:00:00Z", .month, 2, "2027-01-15T00:00:00Z"),
    ("2028-02-28T12:00:00Z", .week, 1, "2028-03-06T12:00:00Z"),
  ])
  func `A period ends on its anniversary`(start: String, period: Period, count: Int, end: String) throws {
    #expect(period.end(from: try moment(start), count: count) == (try moment(end)))
  }
}

struct RenewalTests {
  /// Five renewals of a subscription bought on the last day of January.
  @Test func `Monthly renewals land on the last day of shorter months`() throws {
    var store = try store(at: "2027-12-31T08:30:00Z")
    let id = try store.buy(Sample.silver, for: "anna")
    var ends: [String] = []
    for _ in 0..<5 {
      let end = try #require(store.subscription(id)).expiresAt
      ends.append(end.text)
      store.advance(to: end)
    }
    #expect(
      ends == ["2028-01-31T08:30:00Z", "2028-02-29T08:30:00Z", "2028-03-31T08:30:00Z", "2028-04-30T08:30:00Z", "2028-05-31T08:30:00Z"])
    #expect(store.notified == ["SUBSCRIBED/INITIAL_BUY"] + Array(repeating: "DID_RENEW", count: 5))
    #expect(store.transactionCount == 6)
  }

  /// In the sandbox, a month passes in five minutes.
  @Test func `Testers' subscriptions end after their last renewal`() throws {
    var store = try store(.sandbox)
    let id = try store.buy(Sample.silver, for: "anna")
    store.advance(to: try moment("2026-12-31T00:00:00Z"))
    #expect(store.notified.count { $0 == "DID_RENEW" } == 12)
    #expect(store.notified.suffix(2) == ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "EXPIRED/VOLUNTARY"])
    #expect(store.subscription(id)?.status == .expired)
    #expect(store.subscription(id)?.expiresAt == (try moment("2026-11-02T01:05:00Z")))
  }

  /// Grace period, billing retry and recovery, with the notifications and the final renewal day.
  @Test(arguments: [
    // Recovery in the grace period: the renewal day stays.
    (GraceSetting.sixteenDays, "2026-12-10T00:00:00Z", "2027-01-02T00:00:00Z", ["DID_FAIL_TO_RENEW/GRACE_PERIOD"]),
    // Recovery after the grace period: the day of the recovery becomes the renewal day.
    (
      .threeDays, "2026-12-10T00:00:00Z", "2027-01-10T00:00:00Z",
      ["DID_FAIL_TO_RENEW/GRACE_PERIOD", "GRACE_PERIOD_EXPIRED"]
    ),
  ])
  func `A failed renewal recovers`(grace: GraceSetting, at: String, end: String, notified: [String]) throws {
    var store = try store(grace: grace)
    let id = try store.buy(Sample.silver, for: "anna")
    try store.setBilling(id, fails: true)
    store.advance(to: try moment(at))
    try store.recover(id)
    #expect(store.notified == ["SUBSCRIBED/INITIAL_BUY"] + notified + ["DID_RENEW/BILLING_RECOVERY"])
    #expect(store.subscription(id)?.expiresAt == (try moment(end)))
    #expect(store.subscription(id)?.status == .active)
  }

  @Test func `Billing retry ends after 60 days`() throws {
    var store = try store(grace: .threeDays)
    let id = try store.buy(Sample.silver, for: "anna")
    try store.setBilling(id, fails: true)
    store.advance(to: try moment("2027-01-30T23:59:59Z"))
    #expect(store.subscription(id)?.status == .billingRetry)
    store.advance(to: try moment("2027-01-31T00:00:00Z"))
    #expect(store.subscription(id)?.status == .expired)
    #expect(store.notified.suffix(3) == ["DID_FAIL_TO_RENEW/GRACE_PERIOD", "GRACE_PERIOD_EXPIRED", "EXPIRED/BILLING_RETRY"])
  }
}
