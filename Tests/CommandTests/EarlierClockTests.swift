/// Decisions of one clock are never changed by a run with an earlier clock.
@Suite(.cleansUp) struct EarlierClockTests {
  /// Returns a file with one order.
  private static func order(_ id: String, on day: String, price: String = "6000") -> String {
    let order = Setup.order(id, at: "\(day)T10:00:00Z", price: price, names: transaction(of: id))
    return Setup.table(Setup.orderHeader + ",updated_at", ["\(order),\(day)T10:01:00Z"])
  }

  private static func transaction(of order: String) -> String { "47000100000000\(order.suffix(1))" }

  private static func jws(_ order: String, on day: String) throws -> String {
    ApplePurchase(transaction(of: order), at: "\(day)T10:00:20Z").jws + "\n"
  }

  private static func lists(_ setup: Setup, asOf: String) async throws -> Outcome {
    Outcome(parts: try await setup.exports(Setup.lists + ["runs"], asOf: asOf))
  }

  /// Returns a copy of one environment after nights of the 11th and the 13th, with one price difference.
  private static func book() async throws -> Setup { try await base.value.copy(withFiles: true) }
  private static let base = Task<Setup, any Error> { try await CleanUp.shared(makeBook) }

  private static func makeBook() async throws -> Setup {
    let setup = try await Setup()
    try setup.write("inbox/users.csv", "user_id\nU1\n")
    try setup.write("inbox/orders-1.csv", order("PO-1", on: "2026-05-10", price: "5000"))
    try setup.write("inbox/apple-1.ndjson", try jws("PO-1", on: "2026-05-10"))
    for (day, out) in [("2026-05-11", "r11"), ("2026-05-13", "r13")] {
      try await setup.nightly(asOf: "\(day)T03:00:00Z", out: out, exits: 1)
    }
    return setup
  }

  @Test func earlierNightReportsOnlyItsKnowledge() async throws {
    let setup = try await Self.book()
    let instants = ["2026-05-11T03:00:00Z", "2026-05-12T03:00:00Z", "2026-05-13T03:00:00Z"]
    var before: [Outcome] = []
    for instant in instants { before.append(try await Self.lists(setup, asOf: instant)) }

    try setup.write("inbox/orders-2.csv", Self.order("PO-2", on: "2026-05-10"))
    let run = try await setup.nightly(asOf: "2026-05-12T03:00:00Z", out: "r12", exits: 3)
    #expect(run.text.contains("decide as of then or later; payrecon report --as-of shows what was known before"), "\(run.text)")
    #expect(run.text.contains("nothing was decided: decisions were made as of 2026-05-13T03:00:00Z"), "\(run.text)")
    #expect(run.text.contains("matches  nothing was decided\nbreaks   1 breaks ("), "\(run.text)")
    for (instant, lists) in zip(instants, before) {
      #expect(try await Self.lists(setup, asOf: instant).differences(from: lists) == [], "as of \(instant)")
    }
    try await setup.program("runs", "replay", String(run.text.split(separator: "\n")[0].split(separator: " ")[1]), exits: 0)

    try await setup.program("export", "runs", prints: ",2026-05-12T03:00:00Z,")

    // The next night includes the late input, and earlier results stay.
    try setup.write("inbox/apple-2.ndjson", try Self.jws("PO-3", on: "2026-05-10"))
    try await setup.nightly(asOf: "2026-05-14T03:00:00Z", out: "r14", exits: 1)
    let rows = try await Scenario.rows(setup.program("export", "breaks", "--format", "ndjson", "--as-of", "2026-05-14T03:00:00Z").output)
    let lines = rows.cells("class status opened_on").sorted()
    #expect(lines == ["AMOUNT_DIFF persisting 2026-05-10", "ORDER_NO_TX new 2026-05-11", "TX_NO_ORDER new 2026-05-11"], "\(lines)")
    for (instant, lists) in zip(instants, before) {
      #expect(try await Self.lists(setup, asOf: instant).differences(from: lists) == [], "as of \(instant)")
    }
  }

  @Test func `a night that was finished before decisions of a later clock ends as it did then, and its report stays`() async throws {
    let setup = try await Self.makeBook()
    let manifest = "\(setup.directory)/r11/manifest.json"
    let before = try Setup.bytes(manifest)
    for out in ["r11", "r11-copy"] {
      try await setup.nightly(asOf: "2026-05-11T03:00:00Z", out: out, exits: 1, prints: "\nverdict  breaks\n")
      try await setup.program("runs", "verify", out, exits: 0)
    }
    #expect(try Setup.bytes(manifest) == before)
    let last = "select verdict from payrecon.runs where as_of = '2026-05-11T03:00:00Z' order by attempt desc limit 1"
    #expect(try await setup.query(last) == "breaks")
    // New input cannot be decided at that clock.
    try setup.write("inbox/orders-2.csv", Self.order("PO-2", on: "2026-05-10"))
    try await setup.nightly(asOf: "2026-05-11T03:00:00Z", out: "late", exits: 3)
  }

  @Test func decidingJobsAreRefused() async throws {
    let setup = try await Self.book()
    let early = "2026-05-12T03:00:00Z"
    for words in [["match"], ["detect"], ["evidence", "judge"], ["renewals", "plan"], ["renewals", "settle"]] {
      try await setup.patiently(words, asOf: early, exits: 64, complains: "refused to decide as of \(early)")
      try await setup.patiently(words, asOf: "2026-05-13T03:00:00Z", exits: 0, 1)
      if words.count == 1 { try await setup.patiently(words + ["--dry-run"], asOf: early, exits: 0, 1) }
    }
  }

  /// Input read under a passed clock, or by the wall clock. It is unknown to earlier decisions, unless a night of that clock runs
  /// again.
  @Test(arguments: [["--as-of", "2026-05-12T00:00:00Z"], []])
  func lateInputIsUnknownEarlier(_ clock: [String]) async throws {
    let setup = try await Self.book()
    let asOf = "2026-05-13T03:00:00Z"
    let before = try await Self.lists(setup, asOf: asOf)
    let late = try setup.write("late.csv", Self.order("PO-2", on: "2026-05-10"))
    try await setup.program.run([Program.path, "ingest", "orders", late] + clock, exits: 0)
    #expect(try await Self.lists(setup, asOf: asOf).differences(from: before) == [])
    try await setup.nightly(asOf: asOf, out: "r13b", exits: 1)
    try await setup.program("export", "orders", "--as-of", asOf, prints: "PO-2")
  }

  /// A night that cannot decide is nowhere reported as a success, whether its clock is given or not. Neither is its window.
  @Test(arguments: [true, false]) func nightWithoutDecisionsIsNotASuccess(isClockGiven: Bool) async throws {
    var setup = try await Self.book()
    setup.program.environment["PAYRECON_METRICS_FILE"] = "\(setup.directory)/m.prom"
    try await setup.nightly(asOf: "2099-01-01T00:00:00Z", out: "ahead", exits: 1, 3)
    try await setup.nightly(
      asOf: isClockGiven ? "2026-05-14T03:00:00Z" : nil, out: "next", exits: 3,
      prints: "verdict  incomplete", "nothing was decided: decisions were made as of 2099-01-01T00:00:00Z",
      " lies ahead of this machine's clock: restore the backup from before it")
    let page = try Setup.text("\(setup.directory)/next/manifest.json")
    #expect(page.contains("\"incomplete\"") && page.contains("restore the backup"), "\(page)")
    // The night of the 13th is the last complete one.
    let metrics = try Setup.text("\(setup.directory)/m.prom")
    #expect(metrics.contains("payrecon_run_last_complete_as_of_seconds{job=\"nightly\"} 1778641200\n"), "\(metrics)")
    #expect(metrics.contains("payrecon_run_verdict{job=\"nightly\",verdict=\"incomplete\"} 1\n"), "\(metrics)")
    try await setup.program(
      "doctor", prints: "fault last night: nightly-", "fault decisions: the last were made as of 2099-01-01T00:00:00Z")
    // Lists show the present, not the run with the future clock.
    let breaks = try await setup.program("export", "breaks").text
    #expect(breaks.contains("AMOUNT_DIFF") && !breaks.contains("STALE_INPUT"), "\(breaks)")
    #expect(try await setup.program("breaks", "list", "--format", "csv").text == breaks)
    try setup.writeNightJob()
    try await setup.patiently(["run-due"], asOf: "2026-05-14T06:30:00Z", exits: 3, prints: "incomplete, exit 3, ")
    #expect(try await setup.query("select verdict || ' ' || exit_status from payrecon.job_windows") == "incomplete 3")
  }
}
