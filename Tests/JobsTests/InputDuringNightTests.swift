import FoundationEssentials

/// Inputs that arrive while a night decides, that were interrupted, or that could not be read.
@Suite(.cleansUp) struct InputDuringNightTests {
  private let scenario: Scenario

  init() async throws { scenario = try await Scenario() }

  private static let night = "2026-05-12T12:00:00Z"
  private static let nextNight = "2026-05-13T12:00:00Z"

  private static func order(_ number: Int, updatedAt: String? = nil) -> TestOrder {
    let second = instant("2026-05-12T00:00:00Z").advanced(bySeconds: Int64(number * 60)).rfc3339
    return TestOrder("PO-\(1000 + number)", user: "U\(number)", at: second, names: "\(47000 + number)") { $0.updatedAt = updatedAt }
  }

  private static func purchase(_ number: Int) -> String { ApplePurchase("\(47000 + number)", at: order(number).createdAt).jws }

  private static func inputs(_ outcome: NightlyJob.Outcome) -> [String] {
    outcome.reasons.map(\.english).filter { $0.hasPrefix("orders file \"") }
  }

  @Test func interruptedFileIsNamedAndCompletedNextNight() async throws {
    let count = 12
    try await scenario.evidence((0..<count).map(Self.purchase), asOf: Self.night)
    // Rows so wide that eight of them fill a chunk. The second chunk fails.
    try await scenario.execute(
      """
      create function payrecon.break_off() returns trigger language plpgsql as
        $$ begin raise exception 'broken off'; end $$;
      create trigger break_off before update on payrecon.batches for each row when (old.items_done > 0)
        execute function payrecon.break_off();
      """)
    let wide = String(repeating: "x", count: 1_000_000)
    let rows = (0..<count).map { Self.order($0).line + ",\(wide)" }
    let file = try scenario.write("orders-12.csv", ([Scenario.orderHeader + ",note"] + rows).joined(separator: "\n") + "\n")
    await #expect(throws: PostgresError.self) { try await scenario.ingest(.orders, files: [file], asOf: Self.night) }
    try await scenario.execute("drop function payrecon.break_off cascade")

    let outcome = try await scenario.night(asOf: Self.night)
    #expect(outcome.verdict == .incomplete)
    let known = try await scenario.rows(.orders, asOf: Self.night).count
    #expect(known > 0 && known < count)
    #expect(
      Self.inputs(outcome).contains { $0.hasPrefix("orders file \"orders-12.csv\" line \(known + 1): only \(known) items of it") },
      "\(outcome.reasons)")
    let past = try await Past(scenario, clock: Self.night, lists: [])

    // The next day's file of that name does not complete it.
    let aside = try scenario.write("aside/orders-12.csv", TestOrder.file([Self.order(20)]))
    try await scenario.ingest(.orders, files: [aside], resumes: true, asOf: "2026-05-12T12:10:00Z")
    try await scenario.evidence([Self.purchase(20)], asOf: "2026-05-12T12:10:00Z")
    let still = try await scenario.night(asOf: "2026-05-12T12:10:00Z")
    #expect(Self.inputs(still).count == 1, "\(still.reasons)")

    let rest = try await scenario.ingest(.orders, files: [file], resumes: true, asOf: Self.night)
    #expect(rest.tally == Tally(input: count, accepted: count))
    #expect(try await scenario.rows(.orders, asOf: Self.night).count == known)
    #expect(try await past.differences(scenario) == [])
    let next = try await scenario.night(asOf: "2026-05-12T13:00:00Z")
    #expect(next.verdict == .clean, "\(next.reasons)")
    #expect(try await scenario.matches(asOf: "2026-05-12T13:00:00Z").count == count + 1)
    #expect(try await scenario.auditFaults(asOf: Self.nextNight) == [])
  }

  /// Jobs of one window share a clock. Input ingested at the clock of a running run was not known to it.
  @Test func inputAtTheClockOfARunningRunIsLater() async throws {
    try await scenario.evidence([Self.purchase(0)], asOf: Self.night)
    let context = try scenario.context(asOf: Self.night)
    try await context.withSession { session in
      try await context.withRun(job: "match", on: session) { run in
        try await context.deciding(run: run.runID, on: session) { _ in }
        try await scenario.evidence([Self.purchase(1)], asOf: Self.night)
        return RunResult((), .clean)
      }
    }
    #expect(try await scenario.rows(.charges, asOf: Self.night).count == 1)
    #expect(try await scenario.rows(.charges, asOf: "2026-05-12T12:01:00Z").count == 2)
    try await scenario.decide(asOf: Self.night)
    #expect(try await scenario.rows(.charges, asOf: Self.night).count == 2)
  }

  @Test func inputDuringANightDoesNotChangeItsReport() async throws {
    let clock = "2026-05-12T12:15:00Z"
    let count = 60
    try await scenario.orders((0..<count).map { Self.order($0) }, asOf: Self.night)
    try await scenario.evidence([Self.purchase(0)], asOf: Self.night)
    async let reading: Void = { () async throws -> Void in
      for number in 1..<count {
        try await scenario.ingest(.apple, Self.purchase(number) + "\n", name: "apple-\(number)", asOf: clock)
      }
    }()
    let context = try scenario.context(asOf: Self.night)
    let folder = "\(scenario.directory)/night"
    let outcome = try await NightlyJob(context: context).run(inbox: nil, reportDirectory: folder)
    try await reading
    let replay = try await RunReplay(context: context).run(outcome.runID, directory: folder, out: nil)
    #expect(replay.findings.isEmpty, "\(replay.findings)")
    // Each charge known to the night has its order in the same report.
    #expect(try await scenario.matches(asOf: Self.night).count == scenario.rows(.charges, asOf: Self.night).count)
    let next = try await scenario.night(asOf: "2026-05-12T12:30:00Z")
    #expect(next.verdict == .clean, "\(next.reasons)")
    #expect(try await scenario.matches(asOf: "2026-05-12T12:30:00Z").count == count)
  }

  @Test func everyKindOfFileInTheInboxIsReadOnce() async throws {
    let folder = "\(scenario.directory)/inbox"
    let files = [
      "orders.csv": TestOrder.file([Self.order(0)]), "apple.ndjson": Self.purchase(0) + "\n", "users.csv": "user_id\nU0\n",
      "catalogue.csv": "bundle_id,product_id,type\ncom.acme.reader,coins60,consumable\n",
      "finance/85000001_0526_Z1.txt": FinanceFiles.may([.init("2026-05-04", settled: "2026-05-06")]),
      "bank/credits.csv": "bank_date,amount,currency,reference\n2026-07-02,58.75,EUR,APPLE\n",
    ]
    for (name, text) in files { try scenario.write("inbox/\(name)", text) }
    for hour in [12, 13, 14] {
      let outcome = try await scenario.night(inbox: folder, asOf: "2026-07-03T\(hour):00:00Z")
      #expect(outcome.verdict != .failed, "\(outcome.reasons)")
      let kinds = try await scenario.answers("select string_agg(kind, ' ' order by kind) from payrecon.batches")
      #expect(kinds == ["apple bank catalogue finance orders users"])
    }
  }

  private static let refused: [(String, [UInt8])] = [
    ("empty", []),
    ("half a header", Array("order_id,bundle_id,prod".utf8)),
    ("UTF-16", [0xFF, 0xFE] + "order_id,bundle_id\n".utf8.flatMap { [$0, 0] }),
    ("the beginning of a packed file", [0x28, 0xB5, 0x2F, 0xFD, 0x24, 0x40, 0x41]),
  ]

  @Test(arguments: refused) func refusedFileIsNamedUntilACompleteOneArrives(_ name: String, _ bytes: [UInt8]) async throws {
    try await scenario.orders([Self.order(0)], asOf: Self.night)
    try await scenario.evidence([Self.purchase(0)], asOf: Self.night)
    let folder = "\(scenario.directory)/inbox"
    let file = try scenario.write("inbox/orders-2.csv", bytes)
    for clock in [Self.night, "2026-05-12T12:10:00Z"] {
      let outcome = try await scenario.night(inbox: folder, asOf: clock)
      #expect(outcome.verdict == .incomplete && Self.inputs(outcome).count == 1, "\(name): \(outcome.reasons)")
    }
    try FileManager.default.removeItem(atPath: file)
    let gone = try await scenario.night(inbox: folder, asOf: "2026-05-12T12:20:00Z")
    #expect(gone.verdict == .incomplete && Self.inputs(gone).count == 1, "\(name): \(gone.reasons)")
    #expect(Self.inputs(gone)[0].hasPrefix("orders file \"orders-2.csv\" line 1: "), "\(name): \(gone.reasons)")
    try scenario.write("inbox/orders-2.csv", TestOrder.file([Self.order(0), Self.order(1)]))
    try await scenario.evidence([Self.purchase(1)], asOf: "2026-05-12T12:30:00Z")
    let whole = try await scenario.night(inbox: folder, asOf: "2026-05-12T12:30:00Z")
    #expect(whole.verdict == .clean, "\(name): \(whole.reasons)")
    // The same bytes are a second failed file under the same name, and another one under a new name.
    for name in ["orders-2", "orders-3"] { try scenario.write("inbox/\(name).csv", bytes) }
    let again = try await scenario.night(inbox: folder, asOf: "2026-05-12T12:40:00Z")
    let named = Self.inputs(again).map { $0.prefix(26) }
    #expect(named == ["orders file \"orders-2.csv\"", "orders file \"orders-3.csv\""], "\(name): \(again.reasons)")
  }

  @Test func completeFileMayUpdateRowsOfTheTruncatedOne() async throws {
    try await scenario.evidence((0..<3).map(Self.purchase), asOf: Self.night)
    let cut = String(TestOrder.file((0..<3).map { Self.order($0) }).dropLast(20))
    try await scenario.ingest(.orders, cut, name: "orders-3", asOf: Self.night)
    #expect(try await scenario.night(asOf: Self.night).verdict == .incomplete)
    try await scenario.orders([Self.order(7)], name: "orders-3", asOf: "2026-05-12T12:10:00Z")
    try await scenario.evidence([Self.purchase(7)], asOf: "2026-05-12T12:10:00Z")
    #expect(try await scenario.night(asOf: "2026-05-12T12:10:00Z").verdict == .incomplete)
    let whole = [Self.order(0, updatedAt: "2026-05-12T11:00:00Z"), Self.order(1), Self.order(2)]
    try await scenario.orders(whole, name: "orders-3", asOf: "2026-05-12T12:20:00Z")
    let outcome = try await scenario.night(asOf: "2026-05-12T12:20:00Z")
    #expect(outcome.verdict == .clean, "\(outcome.reasons)")
  }

  @Test func completeFileMayBeKnown() async throws {
    try await scenario.evidence((0..<3).map(Self.purchase), asOf: Self.night)
    let text = TestOrder.file((0..<3).map { Self.order($0) })
    func night(_ text: String, _ clock: String) async throws -> NightlyJob.Outcome {
      let file = try scenario.write("orders-3.csv", text)
      try await scenario.ingest(.orders, files: [file], resumes: true, asOf: clock)
      return try await scenario.night(asOf: clock)
    }
    #expect(try await night(text, Self.night).verdict == .clean)
    #expect(try await night(String(text.dropLast(20)), "2026-05-12T12:10:00Z").verdict == .incomplete)
    let whole = try await night(text, "2026-05-12T12:20:00Z")
    #expect(whole.verdict == .clean, "\(whole.reasons)")
    #expect(try await night("", "2026-05-12T12:30:00Z").verdict == .incomplete)
    let restored = try await night(text, "2026-05-12T12:40:00Z")
    #expect(restored.verdict == .clean, "\(restored.reasons)")
  }

  @Test func detectReportsUnmatchedInput() async throws {
    try await scenario.orders([Self.order(0)], asOf: Self.night)
    try await scenario.evidence([Self.purchase(0)], asOf: Self.night)
    let run = DecisionRun(context: try scenario.context(asOf: Self.night))
    let before = try await run.detect(isDryRun: false)
    #expect(before.verdict(failAt: .high) == .incomplete)
    #expect(before.staleInputs.contains { $0.english.contains("run payrecon match") }, "\(before.staleInputs)")
    _ = try await run.match(isDryRun: false)
    #expect(try await run.detect(isDryRun: false).staleInputs == [])
  }

  /// Statements that fail if the next statement could see more than the previous one.
  private static let guardText = """

    do $$
    begin
        if current_setting('transaction_isolation') <> 'repeatable read' then
            raise exception 'the input moves';
        end if;
    end
    $$;
    """

  @Test(arguments: ["match/work_tables.sql", "detect/00_work_tables.sql", "rules/00_work_tables.sql"])
  func `a run decides on one snapshot of all inputs, regardless of concurrent ingestion`(_ path: String) async throws {
    var scenario = self.scenario
    scenario.sql = try scenario.changedSQL(path) { $0 + Self.guardText }
    try await scenario.decide(asOf: Self.night)
  }

  @Test func matchDuringIngest() async throws {
    let count = 240
    func second(_ number: Int) -> String { instant("2026-05-10T00:00:00Z").advanced(bySeconds: Int64(number * 60)).rfc3339 }
    func token(_ number: Int) -> String { "a1000000-0000-4000-8000-\(String(100_000_000_000 + number))" }
    try await scenario.orders(
      (0..<count).map { number in
        TestOrder("PO-\(1000 + number)", user: "U\(number)", at: second(number), names: "\(47000 + number)") { $0.token = token(number) }
      }, asOf: Self.night)
    let lines = (0..<count).map { ApplePurchase("\(47000 + $0)", at: second($0), token: token($0)).jws }
    async let reading: Void = { () async throws -> Void in
      for start in stride(from: 0, to: count, by: 20) {
        try await scenario.ingest(
          .apple, lines[start..<start + 20].joined(separator: "\n") + "\n", name: "part\(start)", asOf: Self.night)
      }
    }()
    let run = DecisionRun(context: try scenario.context(asOf: Self.night))
    for number in 0..<8 {
      let partitioning = number.isMultiple(of: 2) ? Partitioning() : Partitioning(partitions: 3, workers: 2)
      _ = try await run.match(isFull: true, isDryRun: false, partitioning: partitioning)
    }
    try await reading
    _ = try await run.match(isFull: true, isDryRun: false)
    #expect(try await scenario.cells(.matches, "rung", asOf: Self.night) == Array(repeating: "M1", count: count))
    // Every decision was right the first time: no match was closed and created again on another rung.
    for found in [
      "select charge_id from payrecon.ended_matches", "select job from payrecon.runs where job = 'match' and last_batch_id is null",
    ] {
      #expect(try await scenario.answers(found) == [])
    }
  }
}
