import FoundationEssentials

/// A developer tries break classes with psql on all orders and charges. Nothing of it is stored.
@Suite(.cleansUp) struct BreakClassTrialTests {
  /// Returns an environment with one paid order without a charge.
  private static func setup(names transaction: String = "") async throws -> Setup {
    let setup = try await Setup()
    let order = "PO-1,com.acme.reader,coins,U1,paid,2026-05-01T10:00:00Z,6000,CNY,\(transaction)"
    try await setup.ingest("orders", Setup.table([order]), asOf: asOf)
    return setup
  }
  private static let asOf = "2026-05-12T00:00:00Z"

  /// Runs files of `sql` after `inputs/all.psql` in one session, then a query.
  private static func tryOut(_ files: [String], _ query: String, _ setup: Setup, gives line: String) async throws {
    var words = ["psql", "-qX1At", "-v", "ON_ERROR_STOP=1", "-v", "as_of=\(asOf)", "-v", "version=1"]
    for file in ["inputs/all.psql"] + files { words += ["-f", "\(TestServer.repository)/sql/\(file)"] }
    let tried = try await setup.program.run(words + ["-c", query, setup.connection.conninfo], exits: 0)
    #expect(tried.text.split(separator: "\n") == [Substring(line)], "\(tried.text)")
  }

  @Test func everyClassCanBeTriedWithPsql() async throws {
    let setup = try await Self.setup()
    let classes = try TestServer.sql().paths.filter { $0.hasPrefix("detect/classes/") }
    #expect(classes.count > 15)
    try await Self.tryOut(classes, "select class, order_id from finding", setup, gives: "ORDER_NO_TX|PO-1")
    #expect(try await setup.count("break_events") == 0)
  }

  /// Two abuse rules without parameters.
  @Test func rulesCanBeTriedWithPsql() async throws {
    let query = "select order_id, transaction_id from in_orders where not exists (select from signal_found)"
    let setup = try await Self.setup(names: "T1")
    try await Self.tryOut(["rules/r01_receipt_replay.sql", "rules/r04_sandbox_leak.sql"], query, setup, gives: "PO-1|T1")
  }

  /// The tables that a step of the tie-out reads and writes.
  private static let tieoutTables = """
    \\i '\(TestServer.repository)/sql/tieout/01_more_work_tables.sql'
    create temp table tie_rest (
        cell_no bigint, sku text, currency text, price numeric, day date, sign integer, l1_left bigint, l3_left bigint
    );

    """

  @Test func `new SQL in the developers' guide runs as printed`() async throws {
    let setup = try await Setup()
    let files = try GuideDiff.all().compactMap { diff in
      diff.path.firstMatch(of: /^sql\/(?:detect|rules|tieout)\/(?:\w+\/)?(\w+\.sql)$/).map { (String($0.output.1), diff.added) }
    }
    #expect(files.count == 3)
    var words = ["psql", "-qX1At", "-v", "ON_ERROR_STOP=1", "-v", "orders_min=20"]
    let inputs = "\\i '\(TestServer.repository)/sql/inputs/all.psql'\n"
    for (name, text) in [("all.psql", inputs), ("tieout.psql", Self.tieoutTables)] + files {
      words += ["-f", try setup.write(name, text)]
    }
    try await setup.program.run(words + [setup.connection.conninfo], exits: 0)
  }

  @Test func `changed files contain the guide's old lines, and added files do not exist yet`() throws {
    let diffs = try GuideDiff.all()
    #expect(Set(diffs.map(\.page)).count == 10)
    for diff in diffs {
      let path = "\(TestServer.repository)/\(diff.path)"
      // A report section is shown in its final form.
      let isThere = diff.section.hasPrefix("A section")
      let wanted = isThere ? diff.lines.map { String($0.dropFirst()) } : diff.before
      guard FileManager.default.fileExists(atPath: path) else {
        #expect(wanted.isEmpty, "\(diff.path) is no file")
        continue
      }
      let lines = try Setup.lines(path)
      for line in wanted { #expect(lines.contains(line), "\(diff.path) does not hold: \(line)") }
      // A file that only gains lines is a list.
      let isList =
        diff.path.hasSuffix(".csv") || diff.path.hasSuffix("column_words.sql") || diff.path.hasSuffix(".swift")
        || diff.path.hasSuffix("en.txt")
      #expect(isList || isThere, "\(diff.path) is a file already")
    }
  }
}
