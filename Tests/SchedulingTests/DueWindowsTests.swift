import Dice

private func job(_ lines: String...) throws -> JobFile {
  try JobFile.parse((["name: night", "command: [nightly]"] + lines).joined(separator: "\n") + "\n", path: "jobs/night.yaml")
}

private func starts(_ job: JobFile, after: String?, now: String) -> [String] {
  duePlan(job, now: instant(now), lastDone: after.map(instant)).windows.map(\.scheduledAt.rfc3339)
}

private let allPolicy = "catch_up: {policy: all, max: 1000}"

struct DueWindowsTests {
  /// Time zone, rule for skipped times, schedule, last start, clock, and expected starts, without seconds.
  @Test(
    arguments: [
      // Berlin, 29 March 2026: 02:00 becomes 03:00.
      (
        "Europe/Berlin", "run_once", "30 2 * * *", "2026-03-28T00:00", "2026-03-31T00:00",
        ["2026-03-28T01:30", "2026-03-29T01:00", "2026-03-30T00:30"]
      ),
      ("Europe/Berlin", "skip", "30 2 * * *", "2026-03-28T00:00", "2026-03-31T00:00", ["2026-03-28T01:30", "2026-03-30T00:30"]),
      // Two skipped appointments give one start.
      ("Europe/Berlin", "run_once", "0,30 2 * * *", "2026-03-28T12:00", "2026-03-29T12:00", ["2026-03-29T01:00"]),
      // Berlin, 25 October 2026: 03:00 becomes 02:00. 02:30 occurs twice and starts once under either rule.
      ("Europe/Berlin", "run_once", "30 2 * * *", "2026-10-24T12:00", "2026-10-26T12:00", ["2026-10-25T00:30", "2026-10-26T01:30"]),
      ("Europe/Berlin", "skip", "30 2 * * *", "2026-10-24T12:00", "2026-10-26T12:00", ["2026-10-25T00:30", "2026-10-26T01:30"]),
      // A regular interval continues through both changes: every half hour of real time.
      (
        "Europe/Berlin", "run_once", "*/30 * * * *", "2026-10-25T00:00", "2026-10-25T02:00",
        ["2026-10-25T00:30", "2026-10-25T01:00", "2026-10-25T01:30", "2026-10-25T02:00"]
      ),
      (
        "Europe/Berlin", "run_once", "*/30 * * * *", "2026-03-29T00:00", "2026-03-29T02:00",
        ["2026-03-29T00:30", "2026-03-29T01:00", "2026-03-29T01:30", "2026-03-29T02:00"]
      ),
      // New York, 8 March and 1 November 2026.
      ("America/New_York", "run_once", "15 2 * * *", "2026-03-07T12:00", "2026-03-09T12:00", ["2026-03-08T07:00", "2026-03-09T06:15"]),
      ("America/New_York", "run_once", "15 1 * * *", "2026-10-31T12:00", "2026-11-02T12:00", ["2026-11-01T05:15", "2026-11-02T06:15"]),
      // Lord Howe Island, 4 October 2026: a change by half an hour, from 02:00 to 02:30.
      ("Australia/Lord_Howe", "run_once", "15 2 * * *", "2026-10-03T12:00", "2026-10-04T18:00", ["2026-10-03T15:30", "2026-10-04T15:15"]),
      // Cairo, 24 April 2026: a change at midnight.
      ("Africa/Cairo", "run_once", "0 0 * * *", "2026-04-23T12:00", "2026-04-24T22:00", ["2026-04-23T22:00", "2026-04-24T21:00"]),
      // Samoa had no 30 December 2011.
      ("Pacific/Apia", "skip", "0 12 * * *", "2011-12-29T00:00", "2011-12-31T12:00", ["2011-12-29T22:00", "2011-12-30T22:00"]),
      // After the last listed transition, the rule of the zone applies.
      ("Europe/Berlin", "run_once", "30 2 * * *", "2060-03-27T12:00", "2060-03-29T12:00", ["2060-03-28T01:00", "2060-03-29T00:30"]),
      // A zone without changes.
      ("Asia/Shanghai", "skip", "30 2 * * *", "2026-03-28T00:00", "2026-03-30T00:00", ["2026-03-28T18:30", "2026-03-29T18:30"]),
    ] as [(String, String, String, String, String, [String])])
  func clockChanges(_ zone: String, _ rule: String, _ schedule: String, _ after: String, _ now: String, _ expected: [String]) throws {
    let job = try job("schedule: \"\(schedule)\"", "time_zone: \(zone)", "dst: \(rule)", allPolicy)
    #expect(starts(job, after: "\(after):00Z", now: "\(now):00Z") == expected.map { "\($0):00Z" })
  }

  @Test func monthEndsAndLeapDays() throws {
    let lastDay = try job("schedule: \"0 6 L * *\"", "window: previous_month", allPolicy)
    #expect(
      starts(lastDay, after: "2027-12-31T06:00:00Z", now: "2028-04-30T06:00:00Z") == [
        "2028-01-31T06:00:00Z", "2028-02-29T06:00:00Z", "2028-03-31T06:00:00Z", "2028-04-30T06:00:00Z",
      ])
    let thirtyFirst = try job("schedule: \"0 6 31 * *\"", allPolicy)
    #expect(
      starts(thirtyFirst, after: "2026-01-31T06:00:00Z", now: "2026-06-01T00:00:00Z") == ["2026-03-31T06:00:00Z", "2026-05-31T06:00:00Z"])
    let leapDay = try job("schedule: \"0 6 29 2 *\"", allPolicy)
    #expect(
      starts(leapDay, after: "2020-02-29T06:00:00Z", now: "2028-03-01T00:00:00Z") == ["2024-02-29T06:00:00Z", "2028-02-29T06:00:00Z"])
    // 2100 is not a leap year, so the search for the last window goes back eight years.
    #expect(leapDay.latestWindow(at: instant("2104-02-29T05:00:00Z"))?.scheduledAt == instant("2096-02-29T06:00:00Z"))
  }

  @Test func previousMonthSpansTheCalendarMonth() throws {
    let job = try job("schedule: \"0 6 2 * *\"", "window: previous_month", "time_zone: Europe/Berlin")
    let window = try #require(job.latestWindow(at: instant("2026-04-02T12:00:00Z")))
    #expect(window.from == instant("2026-02-28T23:00:00Z"))
    #expect(window.to == instant("2026-03-31T22:00:00Z"))
    #expect(window.businessDay.description == "2026-03-01")
  }

  @Test(arguments: [
    ("2026-03-30T12:00:00Z", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z", 23),
    ("2026-10-26T12:00:00Z", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z", 25),
    ("2026-07-02T12:00:00Z", "2026-06-30T22:00:00Z", "2026-07-01T22:00:00Z", 24),
  ])
  func previousDayHasItsOwnLength(now: String, from: String, to: String, hours: Int64) throws {
    let job = try job("schedule: \"30 6 * * *\"", "window: previous_day", "time_zone: Europe/Berlin")
    let window = try #require(job.latestWindow(at: instant(now)))
    #expect(window.from == instant(from))
    #expect(window.to == instant(to))
    #expect((window.to.wholeSeconds - window.from.wholeSeconds) / 3600 == hours)
  }

  @Test(arguments: [
    ("all, max: 10", ["2026-05-11T06:30:00Z", "2026-05-12T06:30:00Z", "2026-05-13T06:30:00Z"], 0),
    ("all, max: 2", ["2026-05-12T06:30:00Z", "2026-05-13T06:30:00Z"], 1),
    ("latest", ["2026-05-13T06:30:00Z"], 2),
    ("none", [], 3),
    ("none, start_within: 12h", ["2026-05-13T06:30:00Z"], 2),
  ])
  func hostOffForThreeDays(policy: String, expected: [String], skipped: Int) throws {
    let job = try job("schedule: \"30 6 * * *\"", "window: previous_day", "catch_up: {policy: \(policy)}")
    let plan = duePlan(job, now: instant("2026-05-13T16:00:00Z"), lastDone: instant("2026-05-10T06:30:00Z"))
    #expect(plan.windows.map(\.scheduledAt.rfc3339) == expected)
    #expect(plan.skippedCount == skipped)
  }

  @Test func clockSteppedBackStartsNothingTwice() throws {
    let job = try job("every: 15m", allPolicy)
    var lastDone: Timestamp?
    var seen: [String] = []
    // The clock is set back by 40 minutes at 10:31.
    for now in ["10:01", "10:16", "10:31", "09:51", "10:06", "10:21", "10:36", "10:46"] {
      for window in duePlan(job, now: instant("2026-05-10T\(now):00Z"), lastDone: lastDone).windows {
        seen.append(window.scheduledAt.rfc3339)
        lastDone = window.scheduledAt
      }
    }
    #expect(seen == ["2026-05-10T10:00:00Z", "2026-05-10T10:15:00Z", "2026-05-10T10:30:00Z", "2026-05-10T10:45:00Z"])
  }

  @Test func everyFifteenMinutesTilesTheDay() throws {
    let job = try job("every: 15m", "time_zone: Europe/Berlin", allPolicy)
    let windows = duePlan(job, now: instant("2026-03-30T00:00:00Z"), lastDone: instant("2026-03-29T00:00:00Z")).windows
    #expect(windows.count == 96)
    for (window, next) in zip(windows, windows.dropFirst()) { #expect(window.to == next.from) }
    #expect(windows.first?.from == instant("2026-03-29T00:00:00Z"))
    #expect(windows.last?.to == instant("2026-03-30T00:00:00Z"))
  }

  @Test func newJobStartsWithItsLatestWindow() throws {
    let job = try job("schedule: \"30 6 * * *\"", "window: 24h", allPolicy)
    #expect(starts(job, after: nil, now: "2026-05-13T06:29:59Z") == ["2026-05-12T06:30:00Z"])
    #expect(starts(job, after: nil, now: "2026-05-13T06:30:00Z") == ["2026-05-13T06:30:00Z"])
  }

  @Test(arguments: ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Shanghai", "America/St_Johns"])
  func `at any query instants, no start is missing and none is repeated`(zone: String) throws {
    for schedule in ["30 2 * * *", "5,35 1-3 * * 0", "*/20 * * * *", "0 0 1,15 * *"] {
      let job = try job("schedule: \"\(schedule)\"", "time_zone: \(zone)", allPolicy)
      let begin = instant("2026-10-01T00:00:00Z")
      let end = instant("2026-11-05T00:00:00Z")
      let whole = try #require(job.windows(after: begin, through: end, max: 10_000))
      var lastDone = begin
      var now = begin
      var dice = Dice(seed: 7)
      var pieces: [Window] = []
      while now < end {
        now = min(end, now.advanced(bySeconds: Int64(dice.below(20_000) + 1)))
        for window in duePlan(job, now: now, lastDone: lastDone).windows {
          pieces.append(window)
          lastDone = window.scheduledAt
        }
      }
      #expect(pieces == whole, "\(schedule)")
    }
  }

  @Test func backfillIsBounded() throws {
    let job = try job("every: 15m")
    let from = instant("2026-05-01T00:00:00Z")
    #expect(job.windows(after: from, through: instant("2026-05-02T00:00:00Z"), max: 96)?.count == 96)
    #expect(job.windows(after: from, through: instant("2026-05-02T00:15:00Z"), max: 96) == nil)
  }
}
