import Postgres
import TestSupport
import Testing

/// The acts forbidden to each database role, tried out.
@Suite(.cleansUp) struct RoleTests {
  /// Tables of received evidence and of acts, which no role may change or remove.
  private static let records = [
    "evidence", "signed_headers", "evidence_links", "uploads", "unrecognized_values", "transactions", "renewal_infos",
    "notifications", "history_pages", "missed_notifications", "parked_items", "audit_log", "report_manifests", "job_attempts",
    "list_entries", "list_removals", "case_events", "consumption_answers", "consumption_intents", "consumption_outcomes",
    "parked_outcomes", "break_events", "signal_events", "detections", "ended_matches", "ended_refused_claims", "ended_second_charges",
    "ended_ambiguous_candidates", "erased_users", "erasure_key", "rule_trials", "rule_trial_ends", "rule_changes", "case_notes",
    "case_marks", "case_batches", "case_attachments", "period_steps", "period_reports", "period_figures",
  ]
  /// Tables of human decisions.
  private static let decisions: Set<String> = [
    "list_entries", "list_removals", "case_events", "case_decisions", "case_undos", "consumption_answers", "case_leases",
    "case_notes", "case_marks", "case_batches", "case_attachments", "attachment_bodies", "console_views", "console_preferences",
    "rule_trials", "rule_changes", "period_steps", "period_reports", "period_figures",
  ]
  /// Tables written only by functions of the owner, never by a role directly.
  private static let kept = ["audit_log", "console_cases", "console_gathered"]

  private enum Act: CaseIterable { case insert, update, delete, truncate }

  @Test func reportsWriteNothing() async throws {
    let desk = try await Desk()
    for role in ["payrecon_report", "payrecon_reader"] {
      let tables = try await Self.tables(desk)
      #expect(tables.count > 40)
      #expect(try await Self.permitted(Act.allCases, on: tables, as: role, desk) == [])
    }
  }

  @Test func recordsCannotBeChanged() async throws {
    let desk = try await Desk()
    for role in ["payrecon_jobs", "payrecon_review", "payrecon_migrate"] {
      #expect(try await Self.permitted([.update, .delete, .truncate], on: Self.records, as: role, desk) == [])
      let kept = ["case_decisions", "case_undos", "attachment_bodies"]
      #expect(try await Self.permitted([.delete, .truncate], on: kept, as: role, desk) == [])
    }
    // The erasure role may replace names, but removes nothing.
    #expect(try await Self.permitted([.delete, .truncate], on: Self.records, as: "payrecon_erase", desk) == [])
    let signed = [
      "evidence", "signed_headers", "transactions", "charges", "matches", "matched_orders", "audit_log", "renewal_infos",
      "notifications", "runs", "report_manifests",
    ]
    #expect(try await Self.permitted([.update], on: signed, as: "payrecon_erase", desk) == [])
    // Rows whose key is a name are replaced, and attachments and the facts of a full run are removed. Nothing else is removed.
    let removable = ["attachment_bodies", "console_changed", "partitions", "user_versions", "users"]
    #expect(
      try await Self.permitted([.delete, .truncate], on: Self.tables(desk), as: "payrecon_erase", desk)
        == removable.map { "payrecon_erase: delete from payrecon.\($0) where false" })
  }

  @Test func reviewTouchesNoFact() async throws {
    let desk = try await Desk()
    // Parked input is discarded by a reviewer, and retried by a job.
    let facts = try await Self.tables(desk).filter { !Self.decisions.contains($0) && $0 != "parked_outcomes" }
    #expect(try await Self.permitted(Act.allCases, on: facts, as: "payrecon_review", desk) == [])
  }

  /// The retention role removes only old operational rows and reads only the columns it needs.
  @Test func retentionRemovesOnlyOperationalRows() async throws {
    let desk = try await Desk()
    let tables = try await Self.tables(desk)
    let removable = ["case_leases", "job_attempts", "job_windows", "quarantined_items"]
    #expect(
      try await Self.permitted([.delete, .truncate], on: tables, as: "payrecon_retain", desk)
        == removable.map { "payrecon_retain: delete from payrecon.\($0) where false" })
    #expect(try await Self.permitted([.update], on: tables, as: "payrecon_retain", desk) == [])
    let inserted = try await Self.permitted([.insert], on: tables, as: "payrecon_retain", desk)
    #expect(inserted == [])
    let session = try await Self.open(desk, "payrecon_retain")
    #expect(try await !Self.isRefused("update payrecon.parked_items set raw = '', header = null where false", on: session))
    for table in ["orders", "users", "evidence", "charges", "received_notifications", "erasure_key"] {
      #expect(try await Self.isRefused("select from payrecon.\(table)", on: session), "\(table)")
    }
    await session.close()
  }

  @Test func jobsDecideNothing() async throws {
    let desk = try await Desk()
    #expect(try await Self.permitted(Act.allCases, on: Self.decisions.sorted(), as: "payrecon_jobs", desk) == [])
  }

  @Test func theChainAndTheQueueAreWrittenByFunctionsAlone() async throws {
    let desk = try await Desk()
    for role in ["payrecon_jobs", "payrecon_review", "payrecon_retain", "payrecon_report", "payrecon_reader"] {
      #expect(try await Self.permitted(Act.allCases, on: Self.kept, as: role, desk) == [])
    }
    #expect(try await Self.permitted([.insert], on: Self.kept, as: "payrecon_erase", desk) == [])
    for (role, isAllowed) in [("payrecon_review", true), ("payrecon_jobs", false), ("payrecon_report", false), ("payrecon_reader", false)] {
      let session = try await Self.open(desk, role)
      for function in ["console_begin('2026-05-12')", "console_list('2026-05-12')", "console_gather('2026-05-12', '{}', null, 1)"] {
        #expect(try await Self.isRefused("select payrecon.\(function)", on: session) != isAllowed, "\(role): \(function)")
      }
      await session.close()
    }
  }

  @Test func onlyErasuresAndJobsReadTheTombstoneKey() async throws {
    let desk = try await Desk()
    for role in ["payrecon_report", "payrecon_reader", "payrecon_review"] {
      let session = try await Self.open(desk, role)
      #expect(try await Self.isRefused("select key from payrecon.erasure_key", on: session))
      #expect(try await Self.isRefused("select body from payrecon.received_notifications", on: session))
      await session.close()
    }
  }

  /// The migration role owns every table. A program without its password still works in the other roles.
  @Test func migrationsOwnTheSchema() async throws {
    let desk = try await Desk()
    let owners = try await desk.query("select distinct tableowner from pg_tables where schemaname = 'payrecon'")
    #expect(owners == "payrecon_migrate")
  }

  /// Commands act in their roles, as the database confirms.
  @Test func commandsActAsTheirRoles() async throws {
    let desk = try await Desk()
    #expect(try await desk.program("init").status == 0)
    try desk.write("bad.csv", "user_id,is_tester\nU1,perhaps\n")
    try await desk.program("ingest", "users", "bad.csv", "--as-of", Desk.asOf, exits: 1)
    let parked = try await desk.query("select parked_id from payrecon.parked_items")
    // Without the rights of the jobs role, reports and reviewers' decisions still work and recording commands fail.
    try await desk.query("revoke all on all tables in schema payrecon from payrecon_jobs")
    #expect(try await desk.program("export", "breaks", "--as-of", Desk.asOf).status == 0)
    #expect(try await desk.program("report", "daily", "--out", "r", "--as-of", Desk.asOf).status == 0)
    #expect(try await desk.program("queue", "list", "--as-of", Desk.asOf).status == 0)
    #expect(
      try await desk.program(
        "lists", "add", "block", "user", "U1", "--owner", "ann", "--reason", "x", "--until", "2027-01-01T00:00:00Z", "--as-of", Desk.asOf
      ).status == 0)
    try await desk.program("deadletter", "discard", parked, "--reason", "x", "--as-of", Desk.asOf, exits: 0)
    try desk.write("users.csv", "user_id\nU1\n")
    let refused = try await desk.program("ingest", "users", "users.csv", "--as-of", Desk.asOf, exits: 2)
    #expect(refused.complaint.contains("permission denied"), "\(refused.complaint)")
  }

  // MARK: Attempts

  private static func open(_ desk: Desk, _ role: String) async throws -> Session {
    var settings = desk.connection
    settings.role = role
    return try await Session.open(settings)
  }

  private static func tables(_ desk: Desk) async throws -> [String] {
    try await desk.query("select tablename from pg_tables where schemaname = 'payrecon' order by 1").split(separator: "\n").map(String.init)
  }

  /// Returns the acts that were not refused with 42501.
  private static func permitted(_ acts: [Act], on tables: [String], as role: String, _ desk: Desk) async throws -> [String] {
    let session = try await open(desk, role)
    let columns = try await firstColumns(desk)
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
        if try await !isRefused(statement, on: session) { permitted.append("\(role): \(statement)") }
      }
    }
    await session.close()
    return permitted
  }

  /// Returns the first column of each writable table.
  private static func firstColumns(_ desk: Desk) async throws -> [String: String] {
    let rows = try await desk.query(
      """
      select distinct on (table_name) table_name, column_name from information_schema.columns
      where table_schema = 'payrecon' and is_identity = 'NO' order by table_name, ordinal_position
      """)
    return Dictionary(uniqueKeysWithValues: rows.split(separator: "\n").map { row in
      let cells = row.split(separator: "|").map(String.init)
      return (cells[0], cells[1])
    })
  }

  private static func isRefused(_ statement: String, on session: Session) async throws -> Bool {
    do {
      try await session.transaction { tx in try tx.execute(statement) }
      return false
    } catch PostgresError.server(let error) {
      return error.sqlState.code == "42501"
    }
  }
}
