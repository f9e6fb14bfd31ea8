/// Limits for small tasks in a populated database: they never scan a whole table.
///
/// PostgreSQL counts the rows read by sequential scans, independent of the plan.
@Suite(.cleansUp) struct AccessPathTests {
  private typealias Work = @Sendable () async throws -> Void

  static let asOf = "2026-11-19T00:00:00Z"
  static let orders = 20_000
  /// Accepted number of scanned rows: a few pages, which no index makes faster.
  static let rowsMax: Int64 = 500

  /// Tables that grow with the history.
  static let histories = [
    "orders", "order_versions", "users", "evidence", "evidence_links", "uploads", "transactions", "charges",
    "renewal_infos", "notifications", "matches", "matched_orders", "ended_matches", "polls",
    "break_events", "signal_events", "console_cases",
  ]

  @Test func smallTasksScanNoTable() async throws {
    let scenario = try await Scenario()
    let world = "\(scenario.directory)/world"
    _ = try await World.write(seed: 3, orders: Self.orders, directory: world)
    try await scenario.ingestWorld(world, asOf: Self.asOf)
    let context = try scenario.context(asOf: Self.asOf)
    let run = DecisionRun(context: context)
    // From the second run on, each evaluates only changes.
    for _ in 0..<3 { try await scenario.decide(asOf: Self.asOf) }
    let consoleCases = ConsoleCases(context: context)
    try await consoleCases.refresh()
    try await scenario.execute("vacuum analyze")

    let matches = try await scenario.rows(.matches, asOf: Self.asOf)
    let guess = try #require(matches.first { $0["rung"] == "M6" })
    let refused = try #require(try await scenario.rows(.breaks, asOf: Self.asOf).first { $0["class"] == "REPLAY_MULTI_USER" })
    let order = try #require(matches.first { $0["rung"] == "M1" })
    let found = try #require(try await Self.row(scenario, .breaks))
    let waiting = try #require(try await Self.row(scenario, .cases))
    // The server counts the reads of a session when the session is idle for a while or ends.
    try await scenario.execute(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()")
    let purchase = ApplePurchase("470009", at: "2026-11-10T10:00:00Z")
    // The queue evaluates every break and signal by design. Detect counts the open ones, here nearly all.
    let allowed = ["queue": ["break_events", "signal_events"], "detect of what changed": ["break_events"]]
    let works: KeyValuePairs<String, Work> = [
      "ingest orders": { _ = try await Self.ingest(.orders, Self.someOrders, context, scenario) },
      "ingest evidence": {
        let lines = [purchase.jws, Scenario.notification("ONE_TIME_CHARGE", uuid: "n", purchase, signedAt: "2026-11-10T10:00:05Z")]
        _ = try await Self.ingest(.apple, lines.map { $0 + "\n" }.joined(), context, scenario)
      },
      "match of what changed": { _ = try await run.match(isDryRun: false) },
      "detect of what changed": { _ = try await run.detect(isDryRun: false) },
      "lookup of an order": { _ = try await ExplainJob(context: context).explain(order["order_id"] ?? "") },
      "lookup of a transaction": { _ = try await ExplainJob(context: context).explain(order["transaction_id"] ?? "") },
      "lookup of a charge": { _ = try await ExplainJob(context: context).explain(order["charge_id"] ?? "") },
      "lookup of a guess": { _ = try await ExplainJob(context: context).explain(guess["order_id"] ?? "") },
      "lookup of a refused order": { _ = try await ExplainJob(context: context).explain(refused["order_id"] ?? "") },
      "lookup of a break": { _ = try await ExplainJob(context: context).explain(found["break_id"] ?? "") },
      "queue": {
        let job = CaseJob(context: context)
        _ = try await job.show(waiting["case_id"] ?? "")
        _ = try await job.take(waiting["case_id"], by: .ann, leaseSeconds: 60)
        try await job.release(waiting["case_id"] ?? "", by: .ann, reason: "test")
      },
      "the console's next case": { _ = try await consoleCases.takeNext(of: [], by: .bob, leaseSeconds: 60) },
      "the console after an act": {
        let id = waiting["case_id"] ?? ""
        try await CaseJob(context: context).mark(id, .follow(true), by: .bob)
        try await consoleCases.refresh()
      },
    ]
    let pages = Self.pages(of: waiting["case_id"] ?? "", order["order_id"] ?? "", found["break_id"] ?? "", context)
    for (name, work) in Array(works) + pages {
      let before = try await Self.scanned(scenario)
      try await work()
      let after = try await Self.scanned(scenario)
      let read = after.filter { !(allowed[name] ?? []).contains($0.key) }
        .filter { $0.value > Self.rowsMax + (before[$0.key] ?? 0) }.map { "\($0.key): \($0.value - (before[$0.key] ?? 0)) rows" }
      #expect(read.isEmpty, "\(name) read whole tables: \(read.sorted())")
    }
  }

  /// Executes the statements of the console's pages, except those that count all cases.
  private static func pages(
    of caseID: String, _ order: String, _ found: String, _ context: JobContext
  ) -> [(key: String, value: Work)] {
    let about: [String: Value] = ["order_ids": .textArray([order]), "charge_ids": .textArray([]), "break_ids": .textArray([found])]
    let filters = ["name", "severity", "app", "storefront", "holder", "assignee", "after", "currency"].reduce(into: [String: Value]()) {
      $0[$1] = .text("")
    }
    let all: [String: Value] = about.merging(filters) { first, _ in first }.merging([
      "case_id": .text(caseID), "as_of": context.asOfValue, "account": .text("ann"), "inboxes": .textArray([]), "rows": .int8(51),
      "orders": .int8(50), "decisions": .int8(5000), "names": .textArray(["NOT_PAID"]), "aside": .bool(false), "days": .int8(0),
      "under": .int8(0), "late": .bool(false), "first_day": .null, "last_day": .null, "until_day": .null,
      "amount": .int8(0), "approver": .null,
    ]) { first, _ in first }
    let statements: [any DeclaredStatement] = [
      ConsoleSQL.breakPage, ConsoleSQL.breaks, ConsoleSQL.caseHead, ConsoleSQL.caseHistory, ConsoleSQL.caseLinks,
      ConsoleSQL.evidenceOf, ConsoleSQL.followedCases, ConsoleSQL.identities, ConsoleSQL.queue, ConsoleSQL.similar, ConsoleSQL.state,
      ConsoleSQL.timeline,
    ]
    return statements.map { statement in
      let work: Work = {
        try await context.transaction(as: .review, .readOnlySnapshot) { tx in
          let listing = Listing(statement.path)
          _ = try ReportTable.read(listing, context.sql(listing).picking(from: all), files: context.sql, tx: &tx)
        }
      }
      return (key: statement.path, value: work)
    }
  }

  private static func row(_ scenario: Scenario, _ list: ExportList) async throws -> [String: String]? {
    try await scenario.rows(list, asOf: asOf).first { $0["status"] != "resolved" }
  }

  private static let someOrders: String = {
    let rows = (0..<50).map { "N\($0),com.acme.reader,coins60,U\($0),delivered,2026-11-10T10:00:00Z,T\($0)" }
    return "order_id,bundle_id,product_id,user_id,status,created_at,transaction_id\n" + rows.joined(separator: "\n") + "\n"
  }()

  private static func ingest(_ kind: InputKind, _ text: String, _ context: JobContext, _ scenario: Scenario) async throws {
    let path = try scenario.write("more.\(kind == .apple ? "ndjson" : "csv")", text)
    let outcome = try await IngestJob(context: context).run(
      kind: kind, files: [path], format: nil, source: .imported, runID: "more", resumes: false)
    #expect(outcome.tally.accepted > 0)
  }

  private static func scanned(_ scenario: Scenario) async throws -> [String: Int64] {
    // Sessions report their counts at their end, and are listed until then.
    try await scenario.wait(
      until: """
        not exists (
          select from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and backend_type in ('client backend', 'parallel worker'))
        """)
    let scans = "select relname::text, coalesce(seq_tup_read, 0) from pg_stat_user_tables where schemaname = 'payrecon'"
    let rows = try await scenario.query(scans, gives: .text, .int8)
    return Dictionary(uniqueKeysWithValues: rows).filter { histories.contains($0.key) }
  }
}
