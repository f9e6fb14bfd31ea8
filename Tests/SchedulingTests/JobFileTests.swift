import TimeZones

private let whole = """
  name: night
  command: [nightly, --as-of, "{as_of}", --out, "reports/{business_day}"]
  schedule: "30 6 * * *"
  time_zone: Asia/Shanghai
  dst: skip
  window: previous_day
  catch_up: {policy: all, max: 7, start_within: 30m}
  attempts: 2
  timeout: 4h
  duration: {min: 1s, max: 2h}
  rows: {min: 1, max: 5000}
  input_ages: {orders: 30h, apple: 26h}
  alerts: {heartbeat_url: https://hc.example/abc, fail_on: warnings}

  """

struct JobFileTests {
  @Test func everyKeyIsRead() throws {
    let job = try JobFile.parse(whole, path: "jobs/night.yaml")
    #expect(job.name == "night")
    #expect(job.timeZone.name == "Asia/Shanghai")
    #expect(job.daylightSaving == .skip)
    #expect(job.window == .previousDay)
    #expect(job.catchUp.policy == .all && job.catchUp.max == 7 && job.catchUp.startWithinSeconds == 1800)
    #expect(job.attemptsMax == 2 && job.timeoutSeconds == 14_400)
    #expect(job.durationMin == 1 && job.durationMax == 7200 && job.rowsMin == 1 && job.rowsMax == 5000)
    #expect(job.inputAges == ["orders": 108_000, "apple": 93_600])
    #expect(job.alerts.heartbeatURL == "https://hc.example/abc" && job.alerts.failOn == .warnings)
    let now = try #require(Timestamp(rfc3339: "2026-05-10T23:00:00Z"))
    let window = try #require(job.latestWindow(at: now))
    #expect(job.arguments(for: window) == ["nightly", "--as-of", "2026-05-10T22:30:00Z", "--out", "reports/2026-05-10"])
  }

  @Test(arguments: [
    ("window: previous_day", "windw: previous_day", "key \"windw\" is not recognized"),
    ("max: 7,", "maximum: 7,", "key \"catch_up.maximum\" is not recognized"),
    ("orders: 30h", "order: 30h", "key \"input_ages.order\" is not recognized"),
    ("time_zone: Asia/Shanghai", "time_zone: Asia/Shanghi", "key \"time_zone\" \"Asia/Shanghi\" is not a time zone"),
    ("time_zone: Asia/Shanghai", "time_zone: ../../etc/passwd", "is not an IANA time zone name"),
    ("\"30 6 * * *\"", "\"30 6 * *\"", "key \"schedule\" has 4 fields"),
    ("\"30 6 * * *\"", "\"60 6 * * *\"", "has the minute \"60\""),
    ("\"30 6 * * *\"", "\"0 6 31 2 *\"", "names a day that no month has"),
    ("\"30 6 * * *\"", "\"0 6,18 * * *\"", "key \"window\" needs a schedule with one minute and one hour"),
    ("dst: skip", "dst: twice", "is not one of skip, run_once"),
    ("dst: skip", "every: 15m", "key \"schedule\" and \"every\" exclude each other"),
    ("[nightly, --as-of, \"{as_of}\"", "[nightly, --as-of, \"{asof}\"", "key \"command[2]\" has braces"),
    ("[nightly,", "[run-due,", "begins with \"run-due\", which no job can start"),
    ("{min: 1, max: 5000}", "{min: 9, max: 5}", "key \"rows\" has a min above its max"),
    ("timeout: 4h", "timeout: 4 hours", "key \"timeout\" must be a duration"),
    ("timeout: 4h", "timeout: 999999999999999999d", "key \"timeout\" must be a duration"),
    ("https://hc", "http://hc", "must be an https address"),
    ("name: night", "name: Night shift", "key \"name\" must be lower-case"),
    ("dst: skip", "dst: skip\ndst: skip", "not YAML"),
  ])
  func mistakesAreNamed(part: String, mistake: String, expected: String) throws {
    let text = whole.split(separator: part, maxSplits: 1, omittingEmptySubsequences: false).joined(separator: mistake)
    let error = try #require(throws: JobFileError.self) { try JobFile.parse(text, path: "jobs/night.yaml") }
    #expect(error.description.contains("jobs/night.yaml"))
    #expect(error.description.contains(expected))
  }

  @Test func shippedJobsAreValid() throws {
    #expect(try JobFile.readAll(directory: "\(TestServer.repository)/jobs").map(\.name).contains("nightly"))
  }

  @Test func cronFieldsFollowCron() throws {
    // When both are given, either the day or the weekday is sufficient.
    let job = try JobFile.parse(
      "name: night\ncommand: [detect]\nschedule: \"0 6 13 * 5\"\ncatch_up: {policy: all, max: 100}\n", path: "night.yaml")
    let begin = try #require(Timestamp(rfc3339: "2026-05-01T06:00:00Z"))
    let end = try #require(Timestamp(rfc3339: "2026-05-31T06:00:00Z"))
    #expect(
      duePlan(job, now: end, lastDone: begin).windows.map { String($0.scheduledAt.rfc3339.prefix(10)) } == [
        "2026-05-08", "2026-05-13", "2026-05-15", "2026-05-22", "2026-05-29",
      ])
  }

  @Test func monthsAndWeekdaysMayBeNames() throws {
    #expect(try CalendarSchedule("0 6 * jan,DEC Mon-fri") == CalendarSchedule("0 6 * 1,12 1-5"))
    #expect(throws: CalendarSchedule.Fault.self) { try CalendarSchedule("0 6 * fri jan") }
  }
}
