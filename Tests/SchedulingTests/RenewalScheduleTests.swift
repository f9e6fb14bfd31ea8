/// A subscription of one length, from an anniversary to the end that Apple gives it.
struct Length: Sendable, CustomTestStringConvertible {
  var period: String
  var from: String
  var to: String
  var testDescription: String { "\(period) \(from)" }
}

private let lengths = [
  Length(period: "P1W", from: "2026-02-25T23:59:59Z", to: "2026-03-04T23:59:59Z"),
  Length(period: "P1M", from: "2026-01-31T10:00:00Z", to: "2026-02-28T10:00:00Z"),
  Length(period: "P1M", from: "2028-01-31T10:00:00Z", to: "2028-02-29T10:00:00Z"),
  Length(period: "P2M", from: "2026-12-31T00:00:00Z", to: "2027-02-28T00:00:00Z"),
  Length(period: "P3M", from: "2025-11-30T12:30:00Z", to: "2026-02-28T12:30:00Z"),
  Length(period: "P6M", from: "2026-08-31T06:00:00Z", to: "2027-02-28T06:00:00Z"),
  Length(period: "P1Y", from: "2028-02-29T18:00:00Z", to: "2029-02-28T18:00:00Z"),
]

private func subject(_ end: String, _ change: (inout RenewalSchedule.Subject) -> Void = { _ in }) -> RenewalSchedule.Subject {
  var subject = RenewalSchedule.Subject(bundleID: "com.acme.reader", originalTransactionID: "440000000000001", expiresAt: instant(end))
  subject.isRenewing = true
  change(&subject)
  return subject
}

private func hours(_ slot: RenewalSchedule.Slot?, from end: String) -> Int64? {
  slot.map { ($0.dueAt.microseconds - instant(end).microseconds) / 3_600_000_000 }
}

struct RenewalScheduleTests {
  @Test(arguments: lengths) func healthySubscriptionIsPolledAroundItsEndOnly(_ length: Length) throws {
    let healthy = subject(length.to) { $0.heardAt = instant(length.from) }
    let early = try #require(RenewalSchedule.next(for: healthy, at: instant(length.from)))
    #expect(early.name == "before")
    #expect(early.opensAt == instant(length.to).advanced(bySeconds: -86_400))
    #expect(early.dueAt >= instant(length.to).advanced(bySeconds: -7200) && early.dueAt < instant(length.to))
    var asked = healthy
    asked.askedAt = early.dueAt
    asked.heardAt = early.dueAt
    let after = try #require(RenewalSchedule.next(for: asked, at: early.dueAt))
    #expect(after.name == "after")
    #expect(after.dueAt >= instant(length.to).advanced(bySeconds: 900))
    #expect(after.dueAt < instant(length.to).advanced(bySeconds: 2700))
    var renewed = subject("2031-01-01T00:00:00Z") { $0.heardAt = instant(length.to) }
    renewed.askedAt = instant(length.to)
    #expect(RenewalSchedule.next(for: renewed, at: after.dueAt)?.dueAt ?? after.dueAt > instant("2030-12-31T00:00:00Z"))
  }

  @Test(arguments: lengths) func unansweredEndIsPolledUntilDay61(_ length: Length) throws {
    var open = subject(length.to)
    var names: [String] = []
    var clock = instant(length.to)
    while let slot = RenewalSchedule.next(for: open, at: clock) {
      names.append(slot.name)
      clock = slot.dueAt
      open.askedAt = clock
    }
    let days = Array(2...10) + Array(stride(from: 13, through: 61, by: 3))
    #expect(names == ["after", "6h", "24h"] + days.map { "day \($0)" })
    #expect(clock < instant(length.to).advanced(bySeconds: 61 * 86_400 + 3600))
  }

  @Test(arguments: [
    ("off before the end", false, "2026-05-01T00:00:00Z", "2026-05-09T00:00:00Z", "off" as String?),
    ("off, and over", true, "2026-05-10T00:00:01Z", "2026-05-10T02:00:00Z", nil),
  ]) func cancelledOneIsConfirmedOnce(_ name: String, _ isOver: Bool, _ heard: String, _ at: String, _ slot: String?) {
    let off = subject("2026-05-10T00:00:00Z") {
      $0.isRenewing = false; $0.isOver = isOver; $0.heardAt = instant(heard)
    }
    #expect(RenewalSchedule.next(for: off, at: instant(at))?.name == slot)
  }

  @Test func graceIsPolledDailyAndAtItsEnd() throws {
    let end = "2026-01-31T10:00:00Z"
    var open = subject(end) {
      $0.graceUntil = instant("2026-02-06T10:00:00Z"); $0.isRetrying = true; $0.heardAt = instant(end)
    }
    var seen: [String] = []
    var clock = instant(end)
    for _ in 0..<9 {
      let slot = try #require(RenewalSchedule.next(for: open, at: clock))
      seen.append(slot.name)
      clock = slot.dueAt
      open.askedAt = clock
    }
    #expect(seen == (1...5).map { "day \($0)" } + ["grace_end"] + (7...9).map { "day \($0)" })
  }

  @Test(arguments: Array(stride(from: Int64(7), to: 86_400, by: 431)))
  func `a nightly query finds exactly one open appointment every night, at whatever hour the period ended`(_ second: Int64) {
    let midnight = instant("2026-05-10T00:00:00Z")
    let end = midnight.advanced(bySeconds: second)
    for (days, grace) in [(10, Int64?.none), (3, 3), (6, 6), (16, 16)] {
      var open = RenewalSchedule.Subject(bundleID: "com.acme.reader", originalTransactionID: "4400000\(second)", expiresAt: end)
      open.isRenewing = true
      for night in 1...Int64(days) {
        let clock = midnight.advanced(bySeconds: night * 86_400)
        let slot = RenewalSchedule.next(for: open, at: clock)
        #expect(slot.map { $0.opensAt <= clock && $0.dueAt <= clock.advanced(bySeconds: 86_400) } == true, "\(night)")
        open.askedAt = clock
        open.heardAt = clock
        open.isRetrying = true
        open.graceUntil = grace.map { end.advanced(bySeconds: $0 * 86_400) }
        #expect(RenewalSchedule.next(for: open, at: clock).map { $0.opensAt > clock } == true, "\(night) again")
      }
    }
  }

  @Test func retryIsDailyThenEveryThirdDayThenNever() {
    let retrying = subject("2026-03-31T10:00:00Z") {
      $0.isRetrying = true; $0.heardAt = instant("2026-03-31T10:00:00Z")
    }
    let days = RenewalSchedule.slots(of: retrying).map(\.name)
    #expect(days == (Array(1...10) + Array(stride(from: 13, through: 61, by: 3))).map { "day \($0)" })
    #expect(RenewalSchedule.next(for: retrying, at: instant("2026-06-02T00:00:00Z"))?.name == "day 61")
    var kept = retrying
    kept.askedAt = instant("2026-05-31T12:00:00Z")
    #expect(RenewalSchedule.next(for: kept, at: instant("2026-06-02T00:00:00Z")) == nil)
  }

  @Test func missedNightsAreReplacedByOnePoll() {
    let late = subject("2026-05-10T00:00:00Z") { $0.heardAt = instant("2026-05-01T00:00:00Z") }
    #expect(RenewalSchedule.next(for: late, at: instant("2026-05-09T23:59:00Z"))?.name == "before")
    #expect(RenewalSchedule.next(for: late, at: instant("2026-05-10T00:00:30Z"))?.name == "after")
    #expect(RenewalSchedule.next(for: late, at: instant("2026-05-13T12:00:00Z"))?.name == "day 3")
  }

  @Test func receivedNotificationSavesThePoll() {
    let informed = subject("2026-05-10T00:00:00Z") { $0.heardAt = instant("2026-05-09T12:00:00Z") }
    #expect(RenewalSchedule.next(for: informed, at: instant("2026-05-09T23:00:00Z"))?.name == "after")
  }

  @Test(arguments: [180, 300, 900, 1800, 3600, 86_400]) func sandboxAndTestFlightAreNeverScheduled(_ seconds: Int64) {
    // Accelerated months last 3 minutes to an hour. Every TestFlight period lasts a day.
    let start = instant("2026-05-10T00:00:00Z")
    var tester = subject("2026-05-10T00:00:00Z") { $0.environment = "Sandbox" }
    tester.expiresAt = start.advanced(bySeconds: seconds)
    #expect(RenewalSchedule.slots(of: tester).isEmpty)
    #expect(RenewalSchedule.next(for: tester, at: tester.expiresAt.advanced(bySeconds: 3600)) == nil)
  }

  @Test(arguments: ["+14:00", "+08:00", "+05:45", "Z", "-03:30", "-12:00"])
  func sameInstantInAnyZoneHasTheSameSlots(_ offset: String) throws {
    let base = try #require(Timestamp(rfc3339: "2026-03-29T01:30:00\(offset)"))
    let slots = RenewalSchedule.slots(of: subject(base.rfc3339))
    #expect(slots.map(\.name).prefix(4) == ["before", "after", "6h", "24h"])
    #expect(hours(slots.dropFirst().first, from: base.rfc3339) == 0)
    #expect(hours(slots.dropFirst(2).first, from: base.rfc3339) == 6)
    #expect(hours(slots.dropFirst(3).first, from: base.rfc3339) == 24)
  }

  @Test func jitterIsDeterministicAndSpreads() {
    var starts: Set<Int64> = []
    for number in 0..<1000 {
      let one = RenewalSchedule.Subject(
        bundleID: "com.acme.reader", originalTransactionID: "44000000000\(1000 + number)", expiresAt: instant("2026-05-10T00:00:00Z"))
      let slots = RenewalSchedule.slots(of: one)
      #expect(slots == RenewalSchedule.slots(of: one))
      #expect(slots == slots.sorted { $0.dueAt < $1.dueAt })
      starts.insert(slots[0].dueAt.microseconds / 60_000_000)
    }
    // The appointments spread over 105 minutes.
    #expect(starts.count > 95)
  }
}
