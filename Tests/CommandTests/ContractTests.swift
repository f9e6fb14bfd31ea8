import FoundationEssentials

/// The contract for other programs: the views, their words, and the examples that use them.
@Suite(.cleansUp) struct ContractTests {
  private static let views = ["orders", "charges", "matches", "breaks", "cases", "signals", "runs", "subscriptions"]
  private static let python = PythonEnvironment(
    name: "contract",
    packages: ["dbt-core==1.10.0", "dbt-postgres==1.9.1", "promql-parser==0.12.0", "grafana-foundation-sdk==1769699998!10.1.0"],
    module: "dbt.cli.main, dbt.adapters.postgres, promql_parser, grafana_foundation_sdk")
  /// Columns of an export that its view lacks: computed columns, and columns added after other views depended on it.
  private static let computed = ["subscriptions": ["next_poll_at"], "cases": ["decided_account", "approved_account"]]

  /// Returns an environment after the night of a world.
  private static func night() async throws -> Setup { try await Worlds.shared.night().setup.copy() }

  // MARK: Views and exports

  /// Views and exports have the same words, columns and rows, at present and at an instant.
  @Test func viewsEqualExports() async throws {
    let setup = try await Self.night()
    for list in Self.views {
      let exported = try await setup.export(list)
      let header = try #require(String(decoding: exported, as: UTF8.self).split(separator: "\n").first)
      let columns = header.split(separator: ",").map(String.init).filter { !(Self.computed[list] ?? []).contains($0) }
      #expect(try await Self.columns(of: "v_\(list)", setup) == columns, "\(list)")
      let rows = try await setup.rows(list).map { row in row.filter { columns.contains($0.key) } }
      for view in ["v_\(list)_at('\(Setup.asOf)')", "v_\(list)"] {
        let shown = try await Self.rows(of: view, columns: columns, setup)
        // Columns computed from the clock may differ at present.
        let ofTheClock: Set<String> = list == "subscriptions" ? ["status"] : ["age_days", "age_bucket"]
        let ignored = view.hasSuffix(")") ? [] : ofTheClock
        let shownCells = { (row: [String: String]) in columns.filter { !ignored.contains($0) }.map { row[$0] ?? "" } }
        #expect(Set(shown.map(shownCells)) == Set(rows.map(shownCells)), "\(view)")
        #expect(shown.count == rows.count, "\(view)")
      }
    }
    #expect(try await setup.query("select count(*) from payrecon.v_orders where status = 'paid'") != "0")
  }

  private static func columns(of view: String, _ setup: Setup) async throws -> [String] {
    try await setup.query(
      "select column_name from information_schema.columns where table_schema = 'payrecon' and table_name = '\(view)' "
        + "order by ordinal_position"
    ).split(separator: "\n").map(String.init)
  }

  /// Returns the rows of a view with values formatted as in exports.
  private static func rows(of view: String, columns: [String], _ setup: Setup) async throws -> [[String: String]] {
    let types = try await setup.query(
      "select attname || ' ' || format_type(atttypid, null) from pg_attribute where attnum > 0 "
        + "and attrelid = 'payrecon.\(view.split(separator: "_at(")[0])'::regclass order by attnum"
    ).split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1) }
    #expect(types.map { String($0[0]) } == columns, "\(view)")
    let cells = types.map { $0[1] == "timestamp with time zone" ? "payrecon.rfc3339(\($0[0])) as \($0[0])" : String($0[0]) }
    let text = try await setup.query(
      "select row_to_json(viewed) from (select \(cells.joined(separator: ", ")) from payrecon.\(view)) as viewed")
    return try Scenario.rows(Array(text.utf8))
  }

  // MARK: Words

  /// Statements whose rows no file and no list contains.
  private static let unshown = ["column_words", "day_rows", "deferred_periods", "deferred_totals", "last_detection", "refund_cohorts"]

  @Test func `every column of every report and export has a description, and a type that the server agrees with`() async throws {
    let setup = try await Setup()
    let session = try await Session.open(setup.connection)
    let sql = try TestServer.sql()
    let words = try await setup.query("select relation || '.' || column_name || ' ' || type from payrecon.column_words")
      .split(separator: "\n").map { $0.split(separator: " ") }
    let kinds = Dictionary(uniqueKeysWithValues: words.map { (String($0[0]), $0.count > 1 ? String($0[1]) : "") })
    let catalogue = String(decoding: try Setup.bytes("\(TestServer.repository)/Sources/Wording/Catalogues/en.txt"), as: UTF8.self)
    let paths = sql.paths.filter { $0.hasPrefix("reports/") || $0.hasPrefix("exports/") }
    for path in paths {
      let name = String(path.split(separator: "/")[1].dropLast(".sql".count))
      if Self.unshown.contains(name) { continue }
      let relation = name == "break_list" ? "breaks" : name
      let isDescribed = kinds["\(relation)."] != nil || catalogue.contains("\nrelation.\(relation) = ")
      #expect(isDescribed, "\(relation) is described neither in sql/functions/reports/column_words.sql nor in the catalogues")
      let columns = try await session.transaction(.readOnlySnapshot) { tx in
        try tx.execute("set local search_path = payrecon, pg_catalog")
        return try tx.columns(of: sql(Listing(path)))
      }
      for column in columns {
        let kind = kinds["\(relation).\(column.name)"] ?? kinds[".\(column.name)"]
        #expect(kind != nil, "\(path): \(column.name) is not described in sql/functions/reports/column_words.sql")
        // Decimals are exported as exact text.
        #expect(kind == "number" || column.isNumeric == (kind == "integer"), "\(path): \(column.name) is no \(kind ?? "")")
        #expect(!column.isBoolean || kind == "boolean", "\(path): \(column.name) is no \(kind ?? "")")
      }
    }
    await session.close()
  }

  /// The pages about view columns agree with the database. PAYRECON_WRITE_PAGES=1 writes them.
  @Test(arguments: [
    ("ColumnsOfOrdersAndCharges", "Columns of orders and charges", ["v_charges", "v_matches", "v_orders", "v_subscriptions"]),
    ("ColumnsOfBreaksAndRuns", "Columns of breaks, cases and runs", ["v_breaks", "v_cases", "v_runs", "v_signals"]),
  ]) func columnPagesAreUpToDate(name: String, title: String, views: [String]) async throws {
    let setup = try await Setup()
    let lines = try await setup.query(
      """
      select case when place = 1 then '' || chr(30) || '## ' || view_name || chr(30) || chr(30) || view_description || chr(30) || chr(30)
        || '| column | type | unit | meaning |' || chr(30) || '|---|---|---|---|' || chr(30) else '' end
        || '| `' || column_name || '` | ' || type || ' | ' || unit || ' | ' || description || ' |'
      from payrecon.dictionary where view_name in (\(views.map { "'\($0)'" }.joined(separator: ", "))) order by view_name, place
      """)
    let head = """
      # \(title)

      The columns of the views of <doc:Views>, generated from `payrecon.dictionary`.

      """
    let page = head + lines.replacing("\u{1E}", with: "\n") + "\n"
    let path = "\(TestServer.repository)/Sources/payrecon/payrecon.docc/Reference/\(name).md"
    if ProcessInfo.processInfo.environment["PAYRECON_WRITE_PAGES"] != nil {
      try Data(page.utf8).write(to: URL(filePath: path))
    }
    #expect(try Setup.text(path) == page)
  }

  @Test func everyColumnOfAViewIsDescribed() async throws {
    let setup = try await Setup()
    let missing = try await setup.query(
      """
      select dictionary.view_name || '.' || dictionary.column_name from payrecon.dictionary
      where coalesce(col_description(('payrecon.' || view_name)::regclass, place), '') = ''
        or coalesce(view_description, '') not like '%Contract version ' || version || '%'
      """)
    #expect(missing == "")
    #expect(try await setup.query("select count(distinct view_name) from payrecon.dictionary") == "\(Self.views.count)")
  }

  // MARK: Read access

  @Test func readerRoleReadsViewsWithoutSignedBytes() async throws {
    let setup = try await Self.night()
    let run = { (words: [String]) in try await setup.program.run([Program.path, "database", "psql"] + words) }
    #expect(try await run(["-XAtc", "select current_user"]).text == "payrecon_reader\n")
    for list in Self.views {
      for view in ["v_\(list)", "v_\(list)_at(now())"] {
        #expect(try await run(["--", "-XAtc", "select count(*) from payrecon.\(view)"]).status == 0, "\(view)")
      }
    }
    let hidden = [
      "body from evidence", "* from judged_evidence", "raw from parked_items", "header from parked_items",
      "body_base64 from quarantined_items", "body from finance_parts", "body from received_notifications", "key from erasure_key",
    ]
    for what in hidden {
      #expect(try await run(["-XAtc", "select \(what)"]).complaint.contains("permission denied"), "\(what)")
    }
    #expect(try await run(["-XAtc", "select count(sha256) from evidence"]).text != "0\n")
    #expect(try await run(["-XAtc", "delete from v_runs"]).status != 0)
    #expect(try await run(["--owner", "-XAtc", "select current_user = session_user"]).text == "t\n")
  }

  // MARK: Examples

  /// dbt reads the sources, finds their views and columns, tests them, and checks their freshness.
  @Test(.enabled("dbt cannot be installed here") { try await python.install() })
  func dbtReadsTheSources() async throws {
    let setup = try await Self.night()
    let parts = setup.connection.conninfo.split(separator: " ").map { $0.split(separator: "=", maxSplits: 1) }
    let values = Dictionary(parts.map { (String($0[0]), String($0[1])) }) { _, last in last }
    try setup.write("dbt/dbt_project.yml", "name: shop\nversion: '1.0'\nprofile: shop\nmodel-paths: [models]\n")
    try setup.write(
      "dbt/profiles.yml",
      """
      shop:
        target: test
        outputs:
          test:
            type: postgres
            host: \(values["host"] ?? "localhost")
            port: \(values["port"] ?? "5432")
            user: \(values["user"] ?? "postgres")
            password: "\(values["password"] ?? "")"
            dbname: \(values["dbname"] ?? "")
            role: payrecon_reader
            schema: shop
            threads: 1

      """)
    let example = try Setup.bytes("\(TestServer.repository)/jobs/examples/dbt_sources.yml")
    try setup.write("dbt/models/sources.yml", example)
    var program = Self.python.program
    program.environment["DBT_SEND_ANONYMOUS_USAGE_STATS"] = "false"
    program.directory = "\(setup.directory)/dbt"
    let dbt = { (words: [String]) in
      try await program.run(["\(Self.python.folder)/bin/dbt", "--no-use-colors"] + words + ["--profiles-dir", "."])
    }
    let tested = try await dbt(["test", "--select", "source:*"])
    #expect(tested.status == 0, "\(tested.text.suffix(3000))\(tested.complaint)")
    _ = try await dbt(["source", "freshness"])
    let result = try Setup.text("\(setup.directory)/dbt/target/sources.json")
    #expect(result.components(separatedBy: "\"max_loaded_at\"").count == 4, "\(result)")
    #expect(!result.contains("runtime error"), "\(result)")
    let text = String(decoding: example, as: UTF8.self)
    for view in Self.views { #expect(text.contains("- name: v_\(view)\n"), "\(view)") }
  }

  @Test(.enabled("the dashboard's parsers cannot be installed here") { try await python.install() })
  func `Grafana's own model reads the dashboard, and each expression uses existing metrics`() async throws {
    let setup = try await Self.night()
    let metrics = try setup.write("payrecon.prom", try await setup.metrics())
    let words = ["Tests/contract_check/dashboard.py", "jobs/examples/grafana.json"].map { "\(TestServer.repository)/\($0)" }
    try await Self.python.program.run(["\(Self.python.folder)/bin/python"] + words + [metrics], exits: 0)
  }
}
