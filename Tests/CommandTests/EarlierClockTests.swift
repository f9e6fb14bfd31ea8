import TestSupport
import Testing

/// Decisions of one clock are never changed by a run with an earlier clock.
@Suite(.cleansUp) struct EarlierClockTests {
  private static let header = "order_id,bundle_id,product_id,user_id,status,created_at,updated_at,price_milliunits,currency,transaction_id"

  private static func order(_ id: String, on day: String, price: Int = 6000) -> String {
    "\(id),com.acme.reader,coins60,U1,delivered,\(day)T10:00:00Z,\(day)T10:01:00Z,\(price),CNY,\(transaction(of: id))\n"
  }

  private static func transaction(of order: String) -> String { "47000100000000\(order.suffix(1))" }

  private static func jws(_ order: String, on day: String) throws -> String {
    Scenario.sign(ApplePurchase(transaction(of: order), at: "\(day)T10:00:20Z")) + "\n"
  }

  private static func night(_ desk: Desk, _ asOf: String, out: String) async throws -> Execution {
    try await desk.patiently {
      try await desk.program("nightly", "--as-of", asOf, "--inbox", "inbox", "--out", out)
    }
  }

  /// Returns all lists as of an instant.
  private static func lists(_ desk: Desk, asOf: String) async throws -> [String] {
    var texts: [String] = []
    for list in Desk.lists + ["runs"] {
      let run = try await desk.program("export", list, "--as-of", asOf)
      try #require(run.status == 0, "\(list): \(run.complaint)")
      texts.append("\(list)\n\(run.text)")
    }
    return texts
  }

  /// Returns an environment after nights of the 11th and the 13th, with one price difference.
  private static func book() async throws -> Desk {
    let desk = try await Desk()
    try desk.write("inbox/users.csv", "user_id\nU1\n")
    try desk.write("inbox/orders-1.csv", "\(header)\n\(order("PO-1", on: "2026-05-10", price: 5000))")
    try desk.write("inbox/apple-1.ndjson", try jws("PO-1", on: "2026-05-10"))
    for (day, out) in [("2026-05-11", "r11"), ("2026-05-13", "r13")] {
      let run = try await night(desk, "\(day)T03:00:00Z", out: out)
      try #require(run.status == 1, "\(run.text)\(run.complaint)")
    }
    return desk
  }

  @Test func earlierNightReportsOnlyItsKnowledge() async throws {
    let desk = try await Self.book()
    let instants = ["2026-05-11T03:00:00Z", "2026-05-12T03:00:00Z", "2026-05-13T03:00:00Z"]
    var before: [[String]] = []
    for instant in instants { before.append(try await Self.lists(desk, asOf: instant)) }

    try desk.write("inbox/orders-2.csv", "\(Self.header)\n\(Self.order("PO-2", on: "2026-05-10"))")
    let run = try await Self.night(desk, "2026-05-12T03:00:00Z", out: "r12")
    #expect(run.status == 3, "\(run.text)\(run.complaint)")
    #expect(run.text.contains("decide as of then or later; payrecon report --as-of shows what was known before"), "\(run.text)")
    #expect(run.text.contains("nothing was decided: decisions were made as of 2026-05-13T03:00:00Z"), "\(run.text)")
    #expect(run.text.contains("matches  nothing was decided\nbreaks   1 breaks ("), "\(run.text)")
    for (instant, lists) in zip(instants, before) {
      #expect(try await Self.lists(desk, asOf: instant) == lists, "as of \(instant)")
    }
    try await desk.program("runs", "replay", String(run.text.split(separator: "\n")[0].split(separator: " ")[1]), exits: 0)

    let runs = try await desk.program("export", "runs")
    #expect(runs.text.contains(",2026-05-12T03:00:00Z,"), "\(runs.text)")

    // The next night includes the late input, and earlier results stay.
    try desk.write("inbox/apple-2.ndjson", try Self.jws("PO-3", on: "2026-05-10"))
    let next = try await Self.night(desk, "2026-05-14T03:00:00Z", out: "r14")
    #expect(next.status == 1, "\(next.text)\(next.complaint)")
    let rows = try await Scenario.rows(desk.program("export", "breaks", "--format", "ndjson", "--as-of", "2026-05-14T03:00:00Z").output)
    let lines = rows.cells("class status opened_on").sorted()
    #expect(lines == ["AMOUNT_DIFF persisting 2026-05-10", "ORDER_NO_TX new 2026-05-11", "TX_NO_ORDER new 2026-05-11"], "\(lines)")
    for (instant, lists) in zip(instants, before) {
      #expect(try await Self.lists(desk, asOf: instant) == lists, "as of \(instant)")
    }
  }

  /// A night that was finished before decisions of a later clock ends as it did then, and its report stays.
  @Test func finishedNightRunsAgain() async throws {
    let desk = try await Self.book()
    let manifest = "\(desk.directory)/r11/manifest.json"
    let before = try Desk.bytes(manifest)
    for out in ["r11", "r11-copy"] {
      let again = try await Self.night(desk, "2026-05-11T03:00:00Z", out: out)
      #expect(again.status == 1 && again.text.contains("\nverdict  breaks\n"), "\(again.text)\(again.complaint)")
      try await desk.program("runs", "verify", out, exits: 0)
    }
    #expect(try Desk.bytes(manifest) == before)
    let last = "select verdict from payrecon.runs where as_of = '2026-05-11T03:00:00Z' order by attempt desc limit 1"
    #expect(try await desk.query(last) == "breaks")
    // New input cannot be decided at that clock.
    try desk.write("inbox/orders-2.csv", "\(Self.header)\n\(Self.order("PO-2", on: "2026-05-10"))")
    let late = try await Self.night(desk, "2026-05-11T03:00:00Z", out: "late")
    #expect(late.status == 3, "\(late.text)\(late.complaint)")
  }

  @Test(arguments: [["match"], ["detect"], ["evidence", "judge"], ["renewals", "plan"], ["renewals", "settle"]])
  func decidingJobsAreRefused(_ words: [String]) async throws {
    let desk = try await Self.book()
    let run = try await desk.program.run([Program.path] + words + ["--as-of", "2026-05-12T03:00:00Z"])
    #expect(run.status == 64, "\(run.text)\(run.complaint)")
    #expect(run.complaint.contains("refused to decide as of 2026-05-12T03:00:00Z"), "\(run.complaint)")
    let equal = try await desk.patiently {
      try await desk.program.run([Program.path] + words + ["--as-of", "2026-05-13T03:00:00Z"])
    }
    #expect(equal.status == 0 || equal.status == 1, "\(equal.text)\(equal.complaint)")
    if words.count == 1 {
      let dry = try await desk.program.run([Program.path] + words + ["--dry-run", "--as-of", "2026-05-12T03:00:00Z"])
      #expect(dry.status == 0 || dry.status == 1, "\(dry.text)\(dry.complaint)")
    }
  }

  /// Input read under a passed clock, or by the wall clock. It is unknown to earlier decisions, unless a night of that clock runs
  /// again.
  @Test(arguments: [["--as-of", "2026-05-12T00:00:00Z"], []])
  func lateInputIsUnknownEarlier(_ clock: [String]) async throws {
    let desk = try await Self.book()
    let asOf = "2026-05-13T03:00:00Z"
    let before = try await Self.lists(desk, asOf: asOf)
    let late = try desk.write("late.csv", "\(Self.header)\n\(Self.order("PO-2", on: "2026-05-10"))")
    let read = try await desk.program.run([Program.path, "ingest", "orders", late] + clock)
    #expect(read.status == 0, "\(read.complaint)")
    #expect(try await Self.lists(desk, asOf: asOf) == before)
    let again = try await Self.night(desk, asOf, out: "r13b")
    #expect(again.status == 1, "\(again.text)\(again.complaint)")
    let orders = try await desk.program("export", "orders", "--as-of", asOf)
    #expect(orders.text.contains("PO-2"), "\(orders.text)")
  }

  /// A night by the wall clock after one with a future clock decides nothing and is incomplete.
  @Test func nightAfterAFutureOneIsIncomplete() async throws {
    let desk = try await Self.book()
    let ahead = try await Self.night(desk, "2099-01-01T00:00:00Z", out: "ahead")
    #expect(ahead.status == 3 || ahead.status == 1, "\(ahead.text)\(ahead.complaint)")
    let now = try await desk.patiently { try await desk.program("nightly", "--inbox", "inbox", "--out", "now") }
    #expect(now.status == 3, "\(now.text)\(now.complaint)")
    #expect(now.text.contains("nothing was decided: decisions were made as of 2099-01-01T00:00:00Z"), "\(now.text)")
    let doctor = try await desk.program("doctor")
    #expect(doctor.text.contains("fault decisions: the last were made as of 2099-01-01T00:00:00Z"), "\(doctor.text)")
  }

  /// A night that cannot decide is nowhere reported as a success, whether its clock is given or not.
  @Test(arguments: [true, false]) func nightWithoutDecisionsIsNotASuccess(isClockGiven: Bool) async throws {
    var desk = try await Self.book()
    desk.program.environment["PAYRECON_METRICS_FILE"] = "\(desk.directory)/m.prom"
    let ahead = try await Self.night(desk, "2099-01-01T00:00:00Z", out: "ahead")
    #expect(ahead.status == 3 || ahead.status == 1, "\(ahead.text)\(ahead.complaint)")
    let ready = desk
    let words = ["--inbox", "inbox", "--out", "next"] + (isClockGiven ? ["--as-of", "2026-05-14T03:00:00Z"] : [])
    let next = try await ready.patiently { try await ready.program.run([Program.path, "nightly"] + words) }
    #expect(next.status == 3 && next.text.contains("verdict  incomplete"), "\(next.text)\(next.complaint)")
    #expect(next.text.contains(" lies ahead of this machine's clock: restore the backup from before it"), "\(next.text)")
    let page = String(decoding: try Desk.bytes("\(desk.directory)/next/manifest.json"), as: UTF8.self)
    #expect(page.contains("\"incomplete\"") && page.contains("restore the backup"), "\(page)")
    // The night of the 13th is the last complete one.
    let metrics = String(decoding: try Desk.bytes("\(desk.directory)/m.prom"), as: UTF8.self)
    #expect(metrics.contains("payrecon_run_last_complete_as_of_seconds{job=\"nightly\"} 1778641200\n"), "\(metrics)")
    #expect(metrics.contains("payrecon_run_verdict{job=\"nightly\",verdict=\"incomplete\"} 1\n"), "\(metrics)")
    let doctor = try await desk.program("doctor").text
    #expect(doctor.contains("fault last night: nightly-") && doctor.contains("fault decisions: "), "\(doctor)")
    // Lists show the present, not the run with the future clock.
    let breaks = try await desk.program("export", "breaks").text
    #expect(breaks.contains("AMOUNT_DIFF") && !breaks.contains("STALE_INPUT"), "\(breaks)")
    #expect(try await desk.program("breaks", "list", "--format", "csv").text == breaks)
  }

  /// The window of such a night has the night's verdict and is not a success of its job either.
  @Test func windowHasTheVerdictOfItsNight() async throws {
    let desk = try await Self.book()
    try desk.write(
      "jobs/night.yaml",
      """
      name: night
      command: [nightly, --as-of, "{as_of}", --inbox, inbox, --out, "reports/{business_day}"]
      schedule: "0 6 * * *"
      window: previous_day

      """)
    _ = try await Self.night(desk, "2099-01-01T00:00:00Z", out: "ahead")
    let due = try await desk.patiently { try await desk.program("run-due", "--as-of", "2026-05-14T06:30:00Z") }
    #expect(due.status == 3 && due.text.contains("incomplete, exit 3, "), "\(due.text)\(due.complaint)")
    #expect(try await desk.query("select verdict || ' ' || exit_status from payrecon.job_windows") == "incomplete 3")
  }
}
