import FoundationEssentials

/// Every large table is partitioned by its key in `sql/distribution.csv`. The server refuses constraints without the key, and the
/// results are the same.
@Suite(.cleansUp) struct SpreadTablesTests {
  private static let asOf = "2026-11-19T00:00:00Z"
  private static let orders = 400
  private static let parts = 3

  @Test func partitionedTablesAgree() async throws {
    let plain = try await Scenario()
    let spread = try await Self.spread()
    let world = "\(plain.directory)/world"
    _ = try await World.write(seed: 5, orders: Self.orders, directory: world, noise: .usual)
    for scenario in [plain, spread] { try await Self.ingest(world, scenario) }
    #expect(try await plain.rows(.matches, asOf: Self.asOf).count > Self.orders / 2)
    // Runs have wall-clock times.
    for list in ExportList.allCases where list != .runs {
      let same = try await plain.export(list, asOf: Self.asOf) == spread.export(list, asOf: Self.asOf)
      #expect(same, "\(list)")
    }
    #expect(try await spread.changesOfFullRuns(asOf: Self.asOf) == [])
  }

  private static func spread() async throws -> Scenario {
    var scenario = try await Scenario()
    await TestServer.shared.drop(scenario.connection)
    scenario.connection = try await TestServer.shared.emptyDatabase()
    let files = try SQLFiles.withTexts(in: try spreadSchema(in: scenario.directory))
    scenario.sql = files
    try await scenario.migrate(files)
    return scenario
  }

  /// Copies the SQL with each large table partitioned. Returns its folder.
  private static func spreadSchema(in directory: String) throws -> String {
    let sql = "\(directory)/sql"
    try FileManager.default.copyItem(atPath: "\(TestServer.repository)/sql", toPath: sql)
    let files = try FileManager.default.contentsOfDirectory(atPath: "\(sql)/schema").map { "\(sql)/schema/\($0)" }
    let texts = try files.map { try String(contentsOfFile: $0, encoding: .utf8) }
    var keys: [Substring: Substring] = [:]
    for row in try String(contentsOfFile: "\(sql)/distribution.csv", encoding: .utf8).split(separator: "\n").dropFirst() {
      let fields = row.split(separator: ",")
      if fields.count == 2 { keys[fields[0]] = fields[1] }
    }
    for (path, text) in zip(files, texts) {
      let spread = text.replacing(/create table payrecon\.(?<name>\w+) \((?s:.*?)\n\);/) { making in
        let name = making.output.name
        guard let key = keys.removeValue(forKey: name) else { return String(making.output.0) }
        return "\(making.output.0.dropLast()) partition by hash (\(key));\n\(parts(of: name))"
      }
      try Data(spread.utf8).write(to: URL(filePath: path))
    }
    #expect(keys.isEmpty, "not found in the schema: \(keys.keys.sorted())")
    return sql
  }

  private static func parts(of table: Substring) -> String {
    (0..<parts).map { part in
      "create table payrecon.\(table)_part\(part) partition of payrecon.\(table) "
        + "for values with (modulus \(parts), remainder \(part));\n"
    }.joined()
  }

  /// Runs a first night, links the keys of all facts, and then ingests newer facts.
  private static func ingest(_ world: String, _ scenario: Scenario) async throws {
    try await scenario.ingestWorld(world, asOf: asOf)
    for _ in 0..<2 { try await scenario.decide(asOf: asOf) }
    let late = ApplePurchase("470009", at: "2026-11-18T10:00:00Z")
    try await scenario.orders([TestOrder("LATE-1", user: "U9", at: "2026-11-18T10:00:00Z", names: "470009")], asOf: asOf)
    try await scenario.decide(evidence: [late.jws], asOf: asOf)
  }
}
