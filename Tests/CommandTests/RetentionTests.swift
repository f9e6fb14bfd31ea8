import Foundation
import Glibc

/// Operational rows are removed at their exact age, to the second. Rows that may still be queried stay.
@Suite(.cleansUp) struct RetentionTests {
  private static let asOf = Setup.asOf
  private static let spans = "retention: {parked: 30d, job_windows: 60d, case_leases: 10d}\n"
  private static let persons = "retention: {persons: 400d}\n"
  /// The clock minus 400 days.
  private static let heardUntil = "2025-10-15T00:00:00Z"
  /// Lists of a past clock, except `parked`, which loses the bytes themselves.
  private static let lists = Setup.lists.filter { $0 != "parked" } + ["runs", "lists"]

  // MARK: Rows

  @Test func onlyDueRowsAreRemoved() async throws {
    var setup = try await Worlds.shared.night().setup.copy()
    try setup.addSettings(Self.spans)
    try await Self.addRows(setup)
    #expect(try await setup.program("report", "all", "--as-of", Self.asOf, "--out", "before").status == 0)
    let before = try await Self.exports(setup)
    let tables = try await Self.tables(setup)

    let dry = try await Self.retain(setup, "--dry-run")
    #expect(dry.text.hasPrefix("retain: would go\n"))
    #expect(try await Self.tables(setup) == tables)
    let done = try await Self.retain(setup)
    #expect(done.text == dry.text.replacing("would go", with: "gone"))
    #expect(
      done.text == """
        retain: gone
          parked_items 2, from before 2026-10-20T00:00:00Z
          job_windows  2, from before 2026-09-20T00:00:00Z
          job_attempts 4, from before 2026-09-20T00:00:00Z
          case_leases  1, from before 2026-11-09T00:00:00Z
          persons      kept for ever

        """)
    #expect(try await setup.query("select string_agg(case_id, ' ' order by case_id) from payrecon.case_leases") == "held young")
    #expect(
      try await setup.query("select string_agg(job || extract(day from window_to), ' ' order by job, window_to) from payrecon.job_windows")
        == "a20 a21 b2 b3 c1")
    #expect(try await setup.count("job_attempts") == 10)
    #expect(
      try await setup.query(
        "select string_agg(parked_id, ' ' order by parked_id) from payrecon.parked_items where raw <> '' and parked_id like 'p-%'")
        == "p-open p-twice p-young")
    #expect(try await setup.query("select string_agg(byte_count::text, ' ') from payrecon.parked_items where raw = ''") == "3 3")

    #expect(try await Self.exports(setup) == before)
    try await setup.program("report", "all", "--as-of", Self.asOf, "--out", "after", exits: 0)
    let reports = try ["before", "after"].map { try Setup.files(in: "\(setup.directory)/\($0)") }
    #expect(reports[0].count >= 10)
    for (name, bytes) in reports[0] { #expect(reports[1][name] == bytes, "\(name)") }
    let entries = try await setup.query(
      """
      select subject || ' ' || actor || ' ' || (details::json ->> 'before') || ' ' || coalesce(details::json ->> 'job_attempts', '')
      from payrecon.audit_log where act = 'rows_removed' order by number
      """)
    #expect(
      entries == """
        parked_items retention 2026-10-20T00:00:00Z \("")
        job_windows retention 2026-09-20T00:00:00Z 4
        case_leases retention 2026-11-09T00:00:00Z \("")
        """)
    let second = try await Self.retain(setup)
    #expect(second.text.components(separatedBy: " 0, from").count == 5, "\(second.text)")
    #expect(try await setup.count("audit_log where act = 'rows_removed'") == 3)
    try await setup.program("audit", "verify", "--as-of", Self.asOf, exits: 0)
  }

  @Test func `without the settings block nothing is removed, whatever its age`() async throws {
    let setup = try await Self.setup("")
    try await Self.addRows(setup)
    let tables = try await Self.tables(setup)
    #expect(try await Self.retain(setup).text.split(separator: "\n").count { $0.hasSuffix("kept for ever") } == 5)
    #expect(try await Self.tables(setup) == tables)
    for (spans, named) in [("{parked: 6d}", "7d"), ("{job_windows: 59d}", "60d"), ("{persons: 179d}", "180d")] {
      try setup.write("payrecon.yaml", Setup.settings() + "retention: \(spans)\n")
      try await setup.program("retain", "--as-of", Self.asOf, exits: 64, complains: "must be \(named) or longer")
    }
  }

  // MARK: People

  @Test func inactivePeopleAreErased() async throws {
    let setup = try await Self.setup(Self.persons)
    try await Self.addPeople(setup)
    let names =
      "select string_agg(user_id, ' ' order by user_id) from (select user_id from payrecon.users union select user_id from payrecon.orders) as u"
    let before = try await setup.query(names)
    let exports = try await Self.exports(setup)
    let dry = try await Self.retain(setup, "--dry-run")
    #expect(dry.text.contains("  persons      4, from before \(Self.heardUntil)\n"), "\(dry.text)")
    #expect(try await setup.query(names) == before)
    let done = try await Self.retain(setup)
    #expect(done.text.contains("  persons      4, from before"), "\(done.text)")
    let left = try await setup.query(names).split(separator: " ").map(String.init)
    #expect(
      left.filter { !$0.hasPrefix("erased-") } == [
        "K-access", "K-blocked", "K-break", "K-heard", "K-order", "K-owner", "K-tester", "K-upload", "K-young",
      ])
    #expect(left.count { $0.hasPrefix("erased-") } == 4)
    let acts = try await setup.query(
      "select distinct actor || ' ' || (details::json ->> 'reason') from payrecon.audit_log where act = 'person_erased'")
    #expect(acts == "retention nothing was heard since \(Self.heardUntil)")

    // No figure changes: only the names of the four users differ.
    var expected = exports
    for (user, order) in [("G-bought", "PO-bought"), ("G-cancelled", "PO-cancelled")] {
      let pseudonym = try await setup.query("select user_id from payrecon.orders where order_id = '\(order)'")
      expected = expected.mapValues { $0.replacing(user, with: pseudonym) }
    }
    func sorted(_ lists: [String: String]) -> [String: [Substring]] {
      lists.mapValues { $0.split(separator: "\n").sorted() }
    }
    let after = try await Self.exports(setup)
    for list in Self.lists where list != "cases" { #expect(sorted(after)[list] == sorted(expected)[list], "\(list)") }
    #expect(try await Self.retain(setup).text.contains("  persons      0, from before"))
    #expect(try await setup.program("audit", "verify", "--as-of", Self.asOf).status == 0)
    // Nobody is erased while a job that writes names is running.
    let writer = try await Session.open(setup.connection)
    try await writer.executeAlone("select pg_advisory_lock(\(0x7061_7901))")
    #expect(try await setup.program("retain", "--as-of", Self.asOf).status == 4)
    await writer.close()
  }

  // MARK: Fixtures

  private static func setup(_ spans: String) async throws -> Setup {
    var setup = try await Setup()
    try setup.addSettings(spans)
    return setup
  }

  private static func retain(_ setup: Setup, _ words: String...) async throws -> Execution {
    try await setup.program.run([Program.path, "retain", "--as-of", asOf] + words, exits: 0, 4)
  }

  private static func exports(_ setup: Setup) async throws -> [String: String] {
    let now = try await setup.exports(lists.filter { $0 != "runs" }, asOf: asOf).map { ("\($0) now", $1) }
    let before = try await setup.exports(lists, asOf: "2026-11-18T23:59:59Z")
    return before.merging(now) { $1 }.mapValues { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the sizes of all tables that retention could change.
  private static func tables(_ setup: Setup) async throws -> String {
    try await setup.query(
      """
      select (select count(*) || '/' || sum(length(raw)) from payrecon.parked_items) || ' '
        || (select count(*) from payrecon.job_windows) || ' ' || (select count(*) from payrecon.job_attempts) || ' '
        || (select count(*) from payrecon.case_leases) || ' ' || (select count(*) from payrecon.users)
      """)
  }

  /// Adds, for each kind, a row that is due by a second, one that is not due, and one kept at any age.
  private static func addRows(_ setup: Setup) async throws {
    try await setup.query(
      """
      insert into payrecon.batches (kind, file_name, content_sha256, source, run_id, state, is_clock_given, known_at)
      values ('orders', 'o.csv', '', 'import', 'r', 'done', true, '2026-01-01');
      insert into payrecon.parked_items (parked_id, kind, file, field, reason, header, raw, line, byte_count, batch_id)
      select 'p-' || name, 'orders', 'o.csv', 'f', '"r"', 'h', 'abc', place, 3, (select max(batch_id) from payrecon.batches)
      from unnest(array['due', 'retried', 'young', 'twice', 'open']) with ordinality as made (name, place);
      insert into payrecon.parked_outcomes (parked_id, outcome, reason, decided_at)
      values
        ('p-due', 'discarded', 'x', '2026-10-19T23:59:59Z'), ('p-retried', 'retried', '', '2026-10-19T23:59:59Z'),
        ('p-young', 'discarded', 'x', '2026-10-20T00:00:00Z'), ('p-twice', 'retried', '', '2026-10-01T00:00:00Z'),
        ('p-twice', 'discarded', 'x', '2026-10-21T00:00:00Z');
      -- Decisions are in the audit chain, as the command appends them.
      select payrecon.audit_append('2026-10-01', 'root', 'parked_' || outcome, 'items', json_build_object('items', json_agg(parked_id))::text)
      from payrecon.parked_outcomes group by outcome;
      insert into payrecon.case_leases (case_id, person, account, taken_at, lease_until)
      values
        ('due', 'ann', 'root', '2026-11-01T00:00:00Z', '2026-11-08T23:59:59Z'),
        ('young', 'ann', 'root', '2026-11-01T00:00:00Z', '2026-11-09T00:00:00Z'),
        ('held', 'ann', 'root', '2026-11-18T00:00:00Z', '2026-11-19T01:00:00Z');
      insert into payrecon.job_windows (
        job, window_from, window_to, scheduled_at, origin, host, attempt, lease_until, started_at, ended_at, is_final, verdict
      )
      select job, at::timestamptz - interval '1 day', at::timestamptz, at::timestamptz, 'schedule', 'h', 2, at::timestamptz,
        at::timestamptz, at::timestamptz, is_final, verdict
      from (
        values
          ('a', '2026-09-18T00:00:00Z', true, 'failed'), ('a', '2026-09-19T23:59:59Z', true, 'clean'),
          ('a', '2026-09-20T00:00:00Z', true, 'clean'), ('a', '2026-09-21T00:00:00Z', true, 'clean'),
          -- The last that ended well, and one that may be tried again.
          ('b', '2026-01-02T00:00:00Z', true, 'clean'), ('b', '2026-01-03T00:00:00Z', true, 'failed'),
          ('c', '2026-01-01T00:00:00Z', false, 'failed')
      ) as made (job, at, is_final, verdict);
      insert into payrecon.job_attempts (job, window_from, window_to, attempt, host, started_at, ended_at, verdict)
      select job, window_from, window_to, number, host, started_at, ended_at, verdict
      from payrecon.job_windows cross join generate_series(1, 2) as number
      """)
  }

  /// Adds four users with only old rows (G-), and nine users whom a reason protects (K-).
  private static func addPeople(_ setup: Setup) async throws {
    func token(_ digit: Int) -> String { "1111111\(digit)-2222-4333-8444-555555555555" }
    let old = "2024-05-01T00:00:00Z"
    let users = [
      "G-silent,,false,\(old)", "G-unknown,,false,", "G-bought,\(token(1)),false,\(old)", "G-cancelled,,false,\(old)",
      "K-young,,false,2025-10-15T00:00:00Z", "K-order,,false,\(old)", "K-break,,false,\(old)",
      "K-access,\(token(2)),false,\(old)", "K-owner,\(token(3)),false,\(old)", "K-blocked,,false,\(old)",
      "K-tester,,true,\(old)", "K-upload,,false,\(old)", "K-heard,\(token(4)),false,\(old)",
    ]
    // Before the retention span, so that a user without an instant counts from its ingestion.
    let ingested = "2025-10-14T23:00:00Z"
    try await setup.ingest("users", Setup.table("user_id,app_account_token,is_tester,created_at", users), asOf: ingested)
    let orders = [
      "PO-bought,G-bought,coins60,delivered,\(old),\(old),440000000000001,\(old)",
      "PO-cancelled,G-cancelled,coins60,cancelled,\(old),\(old),,",
      "PO-order,K-order,coins60,cancelled,2025-10-15T00:00:00Z,2025-10-15T00:00:00Z,,",
      "PO-break,K-break,coins60,delivered,\(old),\(old),440000000000009,\(old)",
    ]
    let header = "order_id,user_id,product_id,status,created_at,updated_at,transaction_id,delivered_at,bundle_id"
    try await setup.ingest("orders", Setup.table(header, orders.map { "\($0),com.acme.reader" }), asOf: ingested)
    let purchases = [
      ApplePurchase("440000000000001", at: old, token: token(1)),
      .month("440000000000002", original: "440000000000002", lineItem: "1", at: old, until: "2027-01-01T00:00:00Z", token: token(2)),
      ApplePurchase("440000000000003", at: old, product: "unlock", type: "Non-Consumable", token: token(3)),
      ApplePurchase("440000000000004", at: "2025-10-15T00:00:00Z", token: token(4)),
    ].map(\.jws)
    let upload =
      "{\"evidence\":\"\(ApplePurchase("440000000000005", at: old).jws)\",\"source\":\"client\","
      + "\"user_id\":\"K-upload\",\"device_id\":\"D1\",\"received_at\":\"2025-10-15T00:00:00Z\"}"
    try await setup.ingest("apple", (purchases + [upload]).joined(separator: "\n") + "\n", asOf: ingested)
    try await setup.program(
      "lists", "add", "block", "user", "K-blocked", "--owner", "ann", "--reason", "x", "--until", "2027-01-01T00:00:00Z", "--as-of", old,
      exits: 0)
    // The purchase that Apple signed after the clock of its input is held until a later clock verifies it.
    for job in [["evidence", "judge"], ["match"], ["detect"]] {
      try await setup.patiently(job, asOf: "2026-11-18T00:00:00Z", exits: 0, 1)
    }
  }
}
