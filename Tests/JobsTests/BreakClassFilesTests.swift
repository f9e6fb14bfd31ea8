import FoundationEssentials

/// A break class is one file and one line, and every file fits the database.
@Suite(.cleansUp) struct BreakClassFilesTests {
  private static let asOf = "2026-05-12T12:00:00Z"

  /// Returns a world with one order and a changed copy of the SQL.
  private static func scenario(_ change: (_ sql: String) throws -> Void) async throws -> Scenario {
    var scenario = try await Scenario()
    let folder = "\(scenario.directory)/sql"
    try FileManager.default.copyItem(atPath: "\(TestServer.repository)/sql", toPath: folder)
    try change(folder)
    let files = try SQLFiles.withTexts(in: folder)
    scenario.sql = files
    try await scenario.migrate(files)
    try await scenario.orders(
      [
        TestOrder("PO-1", at: "2026-05-01T10:00:00Z"),
        TestOrder("PO-2", user: "U2", at: "2026-05-01T11:00:00Z") { $0.priceMilliunits = 9_000_000 },
      ], asOf: asOf)
    return scenario
  }

  private static func append(_ text: String, to path: String) throws {
    let old = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    try Data((old + text).utf8).write(to: URL(filePath: path))
  }

  private static let dear = """
    -- purpose: ORDER_VERY_DEAR: an order of more than 5000
    -- parameters: grace (interval)
    -- grain:   one finding per order
    insert into finding (class, subject_id, bundle_id, environment, order_id, user_id, amount_milliunits, currency, breaks_at, detail)
    select
        'ORDER_VERY_DEAR', 'order:' || order_id, bundle_id, environment, order_id, user_id, price_milliunits, currency,
        created_at + :'grace'::interval, to_jsonb('look at it'::text)
    from orders
    where price_milliunits > 5000000;

    """

  @Test func `an added class file and a changed reference line lead to a re-evaluation`() async throws {
    var scenario = try await Self.scenario { _ in }
    try await scenario.decide(asOf: Self.asOf)
    let folder = "\(scenario.directory)/sql"
    try Self.append(Self.dear, to: "\(folder)/detect/classes/order_very_dear.sql")
    // A file outside the folder of classes is not run as a class.
    try Self.append("select 1 / 0;\n", to: "\(folder)/detect/helper_of_mine.sql")
    let lines = try String(contentsOfFile: "\(folder)/reference/break_classes.csv", encoding: .utf8)
      .split(separator: "\n").map {
        $0.hasPrefix("ORDER_NO_TX,order_claim,high,") ? String($0).replacing(",high,", with: ",critical,") : String($0)
      }
    try Data((lines.joined(separator: "\n") + "\nORDER_VERY_DEAR,dear,low,finance,\"ask, then book\",10,72,words,true,\n").utf8)
      .write(to: URL(filePath: "\(folder)/reference/break_classes.csv"))
    let files = try SQLFiles.withTexts(in: folder)
    scenario.sql = files
    #expect(try await scenario.migrate(files) == ["reference"])
    try await scenario.decide(asOf: "2026-05-12T13:00:00Z")
    let rows = try await scenario.rows(.breaks, asOf: "2026-05-12T13:00:00Z").filter { $0["status"] != "resolved" }
    #expect(
      rows.cells("class severity order_id").sorted()
        == ["ORDER_NO_TX critical PO-1", "ORDER_NO_TX critical PO-2", "ORDER_VERY_DEAR low PO-2"])
    let found = rows.filter { $0["class"] == "ORDER_VERY_DEAR" }.cells("owner_team runbook status amount_milliunits")
    #expect(found == ["finance ask, then book new 9000000"])
    #expect(try await scenario.changesOfFullDetect(asOf: "2026-05-12T13:00:00Z") == [])
  }

  @Test func aClassWithoutALineIsRefusedByName() async throws {
    let scenario = try await Self.scenario { sql in
      try Self.append(Self.dear, to: "\(sql)/detect/classes/order_very_dear.sql")
    }
    let refused = await refusal { try await scenario.decide(asOf: Self.asOf) }
    #expect(refused.contains("ORDER_VERY_DEAR"), "\(refused)")
    #expect(try await scenario.rows(.breaks, asOf: Self.asOf).isEmpty)
  }

  @Test func aStatementThatDoesNotFitIsNamed() async throws {
    let scenario = try await Scenario()
    let path = "detect/classes/tx_no_order.sql"
    let files = try scenario.changedSQL(path) {
      $0.replacing("detect_open_charge.at_risk_milliunits", with: "detect_open_charge.at_risk")
    }
    let session = try await scenario.session(role: nil)
    let faults = try await session.transaction { tx in try StatementCheck(files: files).run(&tx) }
    #expect(faults.map(\.path) == [path], "\(faults)")
  }

  @Test func theGuideNamesEveryRung() throws {
    let guide = try String(
      contentsOfFile: "\(TestServer.repository)/Sources/payrecon/payrecon.docc/Explanation/HowAComponentIsDecided.md", encoding: .utf8)
    let rows = try TestServer.sql().text("reference/rungs.csv").split(separator: "\n").dropFirst()
    #expect(rows.count == 8)
    for row in rows {
      let cells = row.split(separator: ",", maxSplits: 2)
      #expect(guide.contains("\n| \(cells[0]) `\(cells[1])` |"), "\(row)")
    }
  }

  @Test func `a class evaluated over the whole database is found by the file in its table row, never by a single component`() throws {
    let files = try TestServer.sql()
    let rows = try files.text("reference/break_classes.csv").split(separator: "\n").dropFirst()
    let whole = rows.compactMap { row -> (name: Substring, file: Substring)? in
      let cells = row.split(separator: ",", omittingEmptySubsequences: false)
      return cells.last.flatMap { $0.isEmpty ? nil : (name: cells[0], file: $0) }
    }
    #expect(Set(whole.map(\.file)).count == 5)
    for (name, file) in whole {
      #expect(try files.text("detect/classes/\(file).sql").contains("'\(name)'"), "\(name)")
    }
  }

  @Test func everyClassAndRuleHasASuggestedDecision() throws {
    for file in ["break_classes", "rules"] {
      let names = try TestServer.sql().text("reference/\(file).csv").split(separator: "\n").dropFirst().map { $0.prefix { $0 != "," } }
      try #require(names.count > 20)
      #expect(names.filter { UsualDecision.action(for: String($0)) == nil } == [], "\(file)")
    }
    #expect(UsualDecision.action(for: "NO_CLASS") == nil)
  }

  /// Every function file has a purpose and can be replaced in place. The table contains every class.
  @Test func filesOfFunctionsAndClassesAreInOrder() throws {
    let files = try TestServer.sql()
    let listed = Set(try files.text("reference/break_classes.csv").split(separator: "\n").map { $0.prefix { $0 != "," } })
    for path in files.paths where path.hasPrefix("functions/") || path.hasPrefix("detect/classes/") {
      let text = try files.text(path)
      #expect(text.hasPrefix("-- purpose: "), "\(path) says nothing")
      if path.hasPrefix("functions/") {
        #expect(!text.contains("create function") && !text.contains("create view") && !text.contains("create procedure"), "\(path)")
      } else {
        let classes = text.matches(of: /'([A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+)'/).map { $0.output.1 }
        #expect(classes.contains { listed.contains($0) }, "\(path) finds no class of the table")
      }
    }
  }
}
