import FoundationEssentials

/// Cells that pages and lists read by column name. A misspelt name must not read as empty or as 0.
@Suite(.cleansUp) struct ColumnNameTests {
  @Test func missingColumnIsAnError() throws {
    let row = ReportRecord(index: ["paid_milliunits": 0, "note": 1, "due": 2], cells: ["6000", "late", nil])
    #expect(try row.int("paid_milliunits") == 6000)
    #expect(try row.int("due") == 0)
    #expect(try row.text("due") == "")
    for read in [
      { _ = try row.int("payed_milliunits") }, { _ = try row.text("payed_milliunits") }, { _ = try row["payed_milliunits"] },
    ] as [() throws -> Void] {
      let error = try #require(#expect(throws: JobError.self) { try read() })
      #expect("\(error)".contains("\"payed_milliunits\"") && "\(error)".contains("paid_milliunits"), "\(error)")
    }
    let error = try #require(#expect(throws: JobError.self) { try row.int("note") })
    #expect("\(error)".contains("\"note\"") && "\(error)".contains("late"), "\(error)")
  }

  /// Columns of the revenue table, which no statement gives.
  private static let computed: Set = ["restates_period"]

  /// Every column name in a target belongs to a statement that the target names, or to a statement whose rows it receives.
  @Test func everyNameIsAColumn() async throws {
    let columns = try await Session.open(TestServer.shared.database()).use { session in
      try await session.transaction { tx in try StatementCheck(files: TestServer.sql()).read(&tx).columns }
    }
    var count = 0
    for (target, handing) in [("Reports", []), ("Jobs", []), ("Console", ["Review"]), ("JobCore", [])] {
      let sources = try Self.sources(of: target)
      let texts = try (sources + handing.flatMap { try Self.sources(of: $0) }).map(\.text)
      let named = Dictionary(grouping: SQLStatements.declared) { $0.path.prefix { $0 != "/" } }.filter { folder, _ in
        let words = folder.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }
        let name = folder == "exports" ? "ExportList" : "\(words.joined())SQL"
        return texts.contains { $0.contains("\(name).") }
      }
      let known = Set(named.values.joined().flatMap { columns[$0.path] ?? [] }.map(\.name))
        .union(target == "Reports" ? Self.computed : [])
      for source in sources {
        for name in Self.names(in: source.text) {
          count += 1
          #expect(known.contains(name), "\(source.path) reads \"\(name)\", which no statement named in \(target) gives")
        }
      }
    }
    #expect(count > 300, "names are no longer found")
  }

  private static func sources(of target: String) throws -> [(path: String, text: String)] {
    let root = "\(TestServer.repository)/Sources/\(target)"
    // The rule catalogue reads a separate file.
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root).filter {
      $0.hasSuffix(".swift") && !$0.hasSuffix("/RuleCatalogue.swift")
    }
    return try paths.sorted().map { path in
      ("\(target)/\(path)", try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8))
    }
  }

  private static func names(in source: String) -> [String] {
    source.matches(of: /\b(\w+)\??\.(?:text|int)\("([a-z_0-9]+)"\)/).filter { !["fields", "form", "sql"].contains($0.output.1) }
      .map { String($0.output.2) }
      + source.matches(of: /\$[01]\.(?:text|int)\("([a-z_0-9]+)"\)/).map { String($0.output.1) }
      + source.matches(of: /\b(?:row|record|slice|head|run|cell)\??\["([a-z_0-9]+)"\](?! = )/).map { String($0.output.1) }
  }
}
