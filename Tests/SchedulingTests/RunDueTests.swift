import FoundationEssentials
import Logging
import SystemCalls
import TimeZones

/// A database and the hosts that share it. The "program" is a shell, so that a test scripts each job.
private struct Hosts {
  let connection: ConnectionSettings
  /// File with one line per start, written by the jobs.
  let journal: String

  init() async throws {
    connection = try await TestServer.shared.database()
    journal = "\(Temporary.directory)/payrecon-run-due-\(UUID().uuidString)"
    CleanUp.afterTest { [journal] in try? FileManager.default.removeItem(atPath: journal) }
  }

  func context(_ clock: String) throws -> JobContext {
    JobContext(
      settings: JobSettings(rules: []), asOf: instant(clock), isClockGiven: true, codeVersion: "test",
      sql: try TestServer.sql(), connection: connection, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
      progress: NoProgress(), rootsDirectory: nil, appleRootsFolders: [])
  }

  func host(_ clock: String) throws -> DueRunner {
    DueRunner(
      context: try context(clock), program: "/bin/sh",
      callerEnvironment: ["PATH=/usr/bin:/bin", "PAYRECON_MARK=kept", "SECRET=lost"], leaseSeconds: 60)
  }

  func job(_ script: String, _ calendar: String = "30 6 * * *") throws -> JobFile {
    var job = JobFile(
      name: "night", command: ["-c", script.replacing("JOURNAL", with: journal)], schedule: .calendar(try CalendarSchedule(calendar)))
    job.catchUp.policy = .all
    return job
  }

  var lines: [String] {
    let text = (try? String(contentsOfFile: journal, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  func execute(_ sql: String) async throws {
    try await Session.open(connection).use { session in try await session.transaction { tx in try tx.execute(sql) } }
  }
}

@Suite(.serialized, .cleansUp) struct RunDueTests {
  private let note = "echo {as_of} >> JOURNAL"
  private let hosts: Hosts

  init() async throws { hosts = try await Hosts() }

  @Test func hostsAtTheSameSecondStartExactlyOne() async throws {
    let job = try hosts.job(note)
    let runners = try (0..<6).map { _ in try hosts.host("2026-05-10T06:30:00Z") }
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for runner in runners { group.addTask { try await runner.runDue([job]).count } }
      return try await group.reduce(0, +)
    }
    #expect(counts == 1)
    #expect(hosts.lines == ["2026-05-10T06:30:00Z"])
  }

  /// Two hosts check every tick of a clock that crosses a DST change, is set back, and stops for three days.
  @Test func exactlyTheWindowsOfThePolicyRun() async throws {
    var job = try hosts.job(note, "30 2 * * *")
    job.timeZone = try TimeZoneRules(named: "Europe/Berlin")
    job.window = .previousDay
    job.catchUp.max = 2
    let clocks = [
      "2026-03-28T01:31:00Z", "2026-03-29T00:59:00Z", "2026-03-29T01:00:30Z", "2026-03-29T00:20:00Z",
      "2026-03-29T01:01:00Z", "2026-03-30T00:30:00Z", "2026-04-02T12:00:00Z", "2026-04-02T12:01:00Z",
    ]
    for clock in clocks {
      let first = try hosts.host(clock)
      let second = try hosts.host(clock)
      let night = job
      async let one = first.runDue([night])
      async let two = second.runDue([night])
      _ = try await (one, two)
    }
    #expect(
      hosts.lines == [
        "2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z",
        // Three starts were missed. With the limit of two, the oldest is dropped.
        "2026-04-01T00:30:00Z", "2026-04-02T00:30:00Z",
      ])
  }

  @Test(arguments: [
    ("exit 0", Verdict.clean, false), ("exit 1", .breaks, false), ("exit 2", .failed, false),
    ("exit 3", .incomplete, false), ("exit 4", .failed, true), ("exit 64", .failed, false),
    ("exit 75", .failed, true), ("kill -9 $$", .failed, true),
  ])
  func exitStatusesAreKept(script: String, verdict: Verdict, isRetried: Bool) async throws {
    let outcome = try #require(try await hosts.host("2026-05-10T06:30:00Z").runDue([hosts.job(script)]).first)
    #expect(outcome.verdict == verdict)
    #expect(outcome.isRetried == isRetried)
    #expect(outcome.exitStatus == Int32(script.split(separator: " ").last ?? ""))
  }

  /// A process started by hand records a run of the same command and clock at the same time.
  @Test func runOfAnotherProcessIsNotTaken() async throws {
    try await hosts.execute(
      """
      insert into payrecon.runs (
          run_id, attempt, job, settings_sha256, code_version, verdict, as_of, started_at, ended_at, process
      )
      select 'by hand', 1, '-c', '', '', 'clean', '2026-05-10T06:30:00Z', instant, instant, 'host:1'
      from (select now() + interval '1 minute' as instant) as later
      """)
    #expect(try await hosts.host("2026-05-10T06:30:00Z").runDue([hosts.job("exit 0")]).map(\.runID) == [nil])
  }

  @Test func retryableWindowDelaysTheNext() async throws {
    let job = try hosts.job("\(note); exit 75")
    _ = try await hosts.host("2026-05-10T06:30:00Z").runDue([job])
    _ = try await hosts.host("2026-05-11T06:30:00Z").runDue([job])
    #expect(hosts.lines == ["2026-05-10T06:30:00Z"])
    // Its pause is over, so it runs first and stops again for the present.
    try await hosts.execute("update payrecon.job_windows set retry_at = now() - interval '1 second'")
    _ = try await hosts.host("2026-05-11T06:30:00Z").runDue([job])
    #expect(hosts.lines == ["2026-05-10T06:30:00Z", "2026-05-10T06:30:00Z"])
    // The third attempt is the last one. Then the next day runs.
    try await hosts.execute("update payrecon.job_windows set retry_at = now() - interval '1 second'")
    _ = try await hosts.host("2026-05-11T06:30:00Z").runDue([job])
    #expect(hosts.lines.count == 4)
    #expect(hosts.lines.last == "2026-05-11T06:30:00Z")
  }

  @Test func aDeadHostIsReplacedWhenItsLeaseEnds() async throws {
    let job = try hosts.job(note)
    _ = try await hosts.host("2026-05-10T06:30:00Z").runDue([job])
    // The state that a host leaves when it dies within a job.
    let dead = "update payrecon.job_windows set ended_at = null, verdict = null, is_final = false, lease_until = "
    try await hosts.execute("delete from payrecon.job_attempts; \(dead) now() + interval '1 hour'")
    #expect(try await hosts.host("2026-05-11T06:30:00Z").runDue([job]).isEmpty)
    #expect(hosts.lines.count == 1)
    try await hosts.execute("\(dead) now() - interval '1 second'")
    #expect(try await hosts.host("2026-05-11T06:30:00Z").runDue([job]).map(\.attempt) == [2, 1])
    #expect(hosts.lines == ["2026-05-10T06:30:00Z", "2026-05-10T06:30:00Z", "2026-05-11T06:30:00Z"])
  }

  @Test func aJobOverItsTimeIsEnded() async throws {
    var job = try hosts.job("exec sleep 600")
    job.timeoutSeconds = 1
    let outcome = try #require(try await hosts.host("2026-05-10T06:30:00Z").runDue([job]).first)
    #expect(outcome.verdict == .failed && outcome.exitStatus == nil && !outcome.isRetried)
    #expect(outcome.message == "ended after its timeout of 1 s")
  }

  @Test func jobGetsItsPartOfTheEnvironment() async throws {
    let job = try hosts.job("echo $PAYRECON_MARK-$SECRET >> JOURNAL")
    _ = try await hosts.host("2026-05-10T06:30:00Z").runDue([job])
    #expect(hosts.lines == ["kept-"])
  }

  @Test func `a job's output appears after its name, in whole lines and in order, and in a separate file of the window`() async throws {
    let printed = ByteCollector()
    let folder = "\(hosts.journal)-logs"
    let runner = try DueRunner(
      context: hosts.context("2026-05-10T06:30:00Z"), program: "/bin/sh", callerEnvironment: ["PATH=/usr/bin:/bin"],
      leaseSeconds: 60, logDirectory: folder, echo: { printed.append(Array("\($0)\n".utf8)) })
    let job = try hosts.job("echo one; echo two >&2; printf three; exit 2")
    let outcome = try #require(try await runner.runDue([job]).first)
    let log = "\(folder)/night/20260510T063000Z-1.log"
    #expect(String(decoding: printed.all, as: UTF8.self) == "night: one\nnight: two\nnight: three\n")
    #expect(try String(contentsOfFile: log, encoding: .utf8) == "one\ntwo\nthree")
    #expect(outcome.message == "exit status 2; see its log \(log)")
    try? FileManager.default.removeItem(atPath: folder)
  }

  @Test(arguments: [["collect", "notifications"], ["collect", "receipts"], ["collect", "finance"], ["renewals", "poll"]])
  func `a job on apps without a key is reported once per window and not started`(_ command: [String]) async throws {
    var job = try hosts.job(note)
    job.command = command
    let outcome = try #require(try await hosts.host("2026-05-10T06:30:00Z").runDue([job]).first)
    #expect(outcome.isSkipped && outcome.verdict == .warnings && outcome.exitStatus == nil)
    #expect(outcome.message?.hasPrefix(command == ["collect", "finance"] ? "skipped: no account" : "skipped: no app has a") == true)
    #expect(try await hosts.host("2026-05-10T06:31:00Z").runDue([job]).isEmpty)
    #expect(hosts.lines.isEmpty)
  }

  @Test func handAndBackfill() async throws {
    let job = try hosts.job(note)
    let host = try hosts.host("2026-05-10T12:00:00Z")
    _ = try await host.run(job)
    _ = try await host.run(job)
    #expect(hosts.lines == ["2026-05-10T06:30:00Z", "2026-05-10T06:30:00Z"])
    let (from, to) = (instant("2026-05-07T06:30:00Z"), instant("2026-05-10T06:30:00Z"))
    let days = try await host.backfill(job, from: from, to: to, max: 3, mayRepeat: false)
    #expect(days.map { String($0.window.scheduledAt.rfc3339.prefix(10)) } == ["2026-05-08", "2026-05-09"])
    #expect(try await host.backfill(job, from: from, to: to, max: 3, mayRepeat: true).count == 3)
    await #expect(throws: JobError.self) {
      try await host.backfill(job, from: from, to: to, max: 2, mayRepeat: false)
    }
    // A manual run does not count as the schedule's, and the schedule does not start it again.
    #expect(try await hosts.host("2026-05-10T12:00:00Z").runDue([job]).isEmpty)
  }

  @Test func lateInputIsIncomplete() async throws {
    var job = try hosts.job("exit 0")
    job.inputAges = ["orders": 3600]
    let outcome = try #require(try await hosts.host("2026-05-10T06:30:00Z").runDue([job]).first)
    #expect(outcome.verdict == .incomplete)
    #expect(outcome.message == "no orders input was ever read")
    let text = try await MetricsFile(context: try hosts.context("2026-05-10T06:30:00Z")).text()
    #expect(text.contains("payrecon_job_verdict{job=\"night\",verdict=\"incomplete\"} 1\n"))
  }
}

struct RunGuardsTests {
  private let week = [100, 110, 90, 105].map { RunGuards.Sample(rows: $0, seconds: 200) }

  @Test(
    arguments: [
      (100, 200, [Verdict]()), (52, 200, []), (51, 200, [.incomplete]), (0, 200, [.incomplete]),
      (204, 200, [.warnings]), (100, 39, [.warnings]), (100, 600, [.warnings]), (0, 10, [.incomplete, .warnings]),
    ] as [(Int64, Int64, [Verdict])])
  func againstTheSameWeekdays(rows: Int64, seconds: Int64, expected: [Verdict]) {
    #expect(RunGuards.judge(.init(rows: rows, seconds: seconds), history: week).map(\.verdict) == expected)
  }

  @Test func littleHistorySaysNothing() {
    #expect(RunGuards.judge(.init(rows: 0, seconds: 1), history: Array(week.prefix(2))).isEmpty)
    let few = [RunGuards.Sample](repeating: .init(rows: 5, seconds: 3), count: 4)
    #expect(RunGuards.judge(.init(rows: 1, seconds: 50), history: few).isEmpty)
  }

  @Test func limitsHoldWithoutHistory() {
    func verdicts(rows: Int64, seconds: Int64) -> [Verdict] {
      RunGuards.judge(.init(rows: rows, seconds: seconds), history: [], rows: (1, 10), seconds: (nil, 60)).map(\.verdict)
    }
    #expect(verdicts(rows: 0, seconds: 1) == [.incomplete])
    #expect(verdicts(rows: 11, seconds: 61) == [.warnings, .warnings])
  }
}
