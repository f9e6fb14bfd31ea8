/// The acts forbidden to each database role, tried out.
@Suite(.cleansUp) struct RolePermissionTests {
  /// Tables of received evidence and of acts, which no role may change or remove.
  private static let records = [
    "evidence", "signed_headers", "evidence_links", "uploads", "unrecognized_values", "transactions", "renewal_infos",
    "notifications", "history_pages", "missed_notifications", "parked_items", "audit_log", "report_manifests", "job_attempts",
    "list_entries", "list_removals", "case_events", "consumption_answers", "consumption_intents", "consumption_outcomes",
    "parked_outcomes", "break_events", "signal_events", "detections", "ended_matches", "ended_refused_claims", "ended_second_charges",
    "ended_ambiguous_candidates", "erased_users", "erasure_key", "rule_trials", "rule_trial_ends", "rule_changes", "case_notes",
    "case_marks", "case_batches", "case_attachments", "period_steps", "period_reports", "period_figures",
  ]
  private static let decisions: Set<String> = [
    "list_entries", "list_removals", "case_events", "case_decisions", "case_undos", "consumption_answers", "case_leases",
    "case_notes", "case_marks", "case_batches", "case_attachments", "attachment_bodies", "console_views", "console_preferences",
    "rule_trials", "rule_changes", "period_steps", "period_reports", "period_figures",
  ]
  /// Tables written only by functions of the owner, never by a role directly.
  private static let kept = ["audit_log", "console_cases", "console_gathered"]

  private enum Act: CaseIterable { case insert, update, delete, truncate }

  /// Reports write nothing, records stay, reviewers touch no fact, jobs decide nothing, and erasure and retention remove certain rows only.
  @Test func rolesWriteNothingElse() async throws {
    let setup = try await Setup()
    let tables = try await setup.query("select tablename from pg_tables where schemaname = 'payrecon' order by 1").split(separator: "\n")
      .map(String.init)
    #expect(tables.count > 40)
    let columns = try await Self.firstColumns(setup)
    func expect(_ roles: [String], _ acts: [Act] = Act.allCases, on tables: [String], removing removable: [String] = []) async throws {
      for role in roles {
        let session = try await Self.open(setup, "payrecon_\(role)")
        let permitted = try await Self.permitted(acts, on: tables, columns, session)
        await session.close()
        #expect(permitted == removable.map { "delete from payrecon.\($0) where false" }, "\(role)")
      }
    }
    try await expect(["report", "reader"], on: tables)
    let writers = ["jobs", "review", "migrate"]
    try await expect(writers, [.update, .delete, .truncate], on: Self.records)
    try await expect(writers, [.delete, .truncate], on: ["case_decisions", "case_undos", "attachment_bodies"])
    // The erasure role may replace names. Rows whose key is a name are replaced, and attachments and the facts of a full run are removed.
    // Nothing else is removed.
    try await expect(
      ["erase"], [.delete, .truncate], on: tables,
      removing: ["attachment_bodies", "console_changed", "partitions", "user_versions", "users"])
    let signed = [
      "evidence", "signed_headers", "transactions", "charges", "matches", "matched_orders", "audit_log", "renewal_infos",
      "notifications", "runs", "report_manifests",
    ]
    try await expect(["erase"], [.update], on: signed)
    // Parked input is discarded by a reviewer, and retried by a job.
    try await expect(["review"], on: tables.filter { !Self.decisions.contains($0) && $0 != "parked_outcomes" })
    try await expect(["jobs"], on: Self.decisions.sorted())
    try await expect(
      ["retain"], [.delete, .truncate], on: tables, removing: ["case_leases", "job_attempts", "job_windows", "quarantined_items"])
    try await expect(["retain"], [.insert, .update], on: tables)
    // The chain and the queue are written by functions alone.
    try await expect(["jobs", "review", "retain", "report", "reader"], on: Self.kept)
    try await expect(["erase"], [.insert], on: Self.kept)
    // The migration role owns every table. A program without its password still works in the other roles.
    #expect(try await setup.query("select distinct tableowner from pg_tables where schemaname = 'payrecon'") == "payrecon_migrate")
  }

  @Test func `retention reads only the columns that it needs; only erasures and jobs read the tombstone key`() async throws {
    let setup = try await Setup()
    let retaining = try await Self.open(setup, "payrecon_retain")
    #expect(try await retaining.refusal(of: "update payrecon.parked_items set raw = '', header = null where false") == nil)
    for table in ["orders", "users", "evidence", "charges", "received_notifications", "erasure_key"] {
      #expect(try await retaining.refusal(of: "select from payrecon.\(table)") == "42501", "\(table)")
    }
    await retaining.close()
    for role in ["review", "jobs", "report", "reader"] {
      let session = try await Self.open(setup, "payrecon_\(role)")
      for function in ["console_begin('2026-05-12')", "console_list('2026-05-12')", "console_gather('2026-05-12', '{}', null, 1)"] {
        #expect(try await session.refusal(of: "select payrecon.\(function)") == (role != "review" ? "42501" : nil), "\(role): \(function)")
      }
      for column in role == "jobs" ? [] : ["key from payrecon.erasure_key", "body from payrecon.received_notifications"] {
        #expect(try await session.refusal(of: "select \(column)") == "42501", "\(role): \(column)")
      }
      await session.close()
    }
  }

  @Test func commandsActAsTheirRoles() async throws {
    let setup = try await Setup()
    #expect(try await setup.program("init").status == 0)
    try setup.write("bad.csv", "user_id,is_tester\nU1,perhaps\n")
    try await setup.program("ingest", "users", "bad.csv", "--as-of", Setup.asOf, exits: 1)
    let parked = try await setup.query("select parked_id from payrecon.parked_items")
    // Without the rights of the jobs role, reports and reviewers' decisions still work and recording commands fail.
    try await setup.query("revoke all on all tables in schema payrecon from payrecon_jobs")
    #expect(try await setup.program("export", "breaks", "--as-of", Setup.asOf).status == 0)
    #expect(try await setup.program("report", "daily", "--out", "r", "--as-of", Setup.asOf).status == 0)
    #expect(try await setup.program("queue", "list", "--as-of", Setup.asOf).status == 0)
    try await setup.program(
      "lists", "add", "block", "user", "U1", "--owner", "ann", "--reason", "x", "--until", "2027-01-01T00:00:00Z", "--as-of", Setup.asOf,
      exits: 0)
    try await setup.program("deadletter", "discard", parked, "--reason", "x", "--as-of", Setup.asOf, exits: 0)
    try setup.write("users.csv", "user_id\nU1\n")
    try await setup.program(
      "ingest", "users", "users.csv", "--as-of", Setup.asOf, exits: 2,
      complains: "The database login lacks a right that this command needs.")
  }

  // MARK: Attempts

  private static func open(_ setup: Setup, _ role: String) async throws -> Session {
    var settings = setup.connection
    settings.role = role
    return try await Session.open(settings)
  }

  /// Returns the acts that were not refused with 42501.
  private static func permitted(
    _ acts: [Act], on tables: [String], _ columns: [String: String], _ session: Session
  ) async throws -> [String] {
    var permitted: [String] = []
    for table in tables {
      let column = try #require(columns[table], "\(table)")
      for act in acts {
        let statement =
          switch act {
          case .insert: "insert into payrecon.\(table) (\(column)) select \(column) from payrecon.\(table) where false"
          case .update: "update payrecon.\(table) set \(column) = \(column) where false"
          case .delete: "delete from payrecon.\(table) where false"
          case .truncate: "truncate payrecon.\(table)"
          }
        if try await session.refusal(of: statement) != "42501" { permitted.append(statement) }
      }
    }
    return permitted
  }

  /// Returns the first column of each writable table.
  private static func firstColumns(_ setup: Setup) async throws -> [String: String] {
    let rows = try await setup.query(
      """
      select distinct on (table_name) table_name, column_name from information_schema.columns
      where table_schema = 'payrecon' and is_identity = 'NO' order by table_name, ordinal_position
      """)
    return Dictionary(
      uniqueKeysWithValues: rows.split(separator: "\n").map { row in
        let cells = row.split(separator: "|").map(String.init)
        return (cells[0], cells[1])
      })
  }
}
