/// No SQL joins only by an id of Apple's, except the joins listed with a reason in `unscoped_joins.csv`.
@Suite struct AppleIDJoinTests {
  @Test func joinsByAppleIDsCompareAppAndEnvironment() throws {
    let rows = try Repository.text("Tests/TidyTests/unscoped_joins.csv").split(separator: "\n").dropFirst()
      .map { $0.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false).map(String.init) }
    let folders = rows.map { $0[0] }.filter { $0.hasSuffix("/") }
    let paths = try Repository.paths(under: "sql", ending: ".sql").map { String($0.dropFirst("sql/".count)) }
      .filter { path in !path.hasPrefix("schema/") && !folders.contains { path.hasPrefix($0) } }
    try #require(paths.count > 400)
    let found = try paths.map { ($0, AppleIDJoins.faults(in: try Repository.text("sql/\($0)"))) }.filter { !$0.1.isEmpty }
    let listed = Dictionary(uniqueKeysWithValues: rows.filter { !folders.contains($0[0]) }.map { ($0[0], $0[1]) })
    for (path, faults) in found {
      #expect(listed[path] == "\(faults.count)", "\(path): compare bundle_id and environment as well: \(faults)")
    }
    #expect(Set(listed.keys).subtracting(found.map { $0.0 }) == [], "is mended: strike it off unscoped_joins.csv")
    #expect(rows.allSatisfy { !$0[2].isEmpty })
  }

  /// Refused statements and similar accepted ones.
  @Test(arguments: [
    ("select 1 from a inner join b on b.original_transaction_id = a.original_transaction_id", ["b a"]),
    ("select 1 from a inner join b on b.transaction_id = a.transaction_id and b.bundle_id = a.bundle_id", ["b a"]),
    (
      "select 1 from a inner join b on b.original_transaction_id = a.original_transaction_id and b.bundle_id = a.bundle_id "
        + "and b.environment = a.environment", []
    ),
    (
      "select 1 from a inner join b on b.original_transaction_id = a.original_transaction_id and b.bundle_id = a.bundle_id "
        + "where a.environment = 'Production'", []
    ),
    ("select 1 from a inner join b on b.original_transaction_id = a.original_transaction_id and b.charge_id = a.charge_id", []),
    ("select 1 from a inner join b on b.original_transaction_id = a.original_transaction_id and b.charge_id = a.stated_id", []),
    ("select 1 from a where not exists (select 1 from b where b.original_transaction_id = a.original_transaction_id)", ["b a"]),
    (
      "select 1 from a where a.environment = 'Production' and not exists (select 1 from b where b.original_transaction_id = "
        + "a.original_transaction_id and b.bundle_id = a.bundle_id)", []
    ),
    (
      "select 1 from a inner join b on b.original_transaction_id = a.original_transaction_id where b.bundle_id = :'bundle_id'::text "
        + "and b.environment = :'environment'::text", []
    ),
    ("select 1 from a where a.transaction_id = :'id'::text", []),
    ("select 1 from a inner join b using (original_transaction_id, product_id)", ["using original_transaction_id product_id"]),
    ("select 1 from a inner join b using (original_transaction_id, charge_id)", []),
    ("select 1 from a inner join b using (original_transaction_id, bundle_id) where b.environment = 'Production'", []),
    ("do $a$ begin perform 1 from a inner join b on b.transaction_id = a.transaction_id; end $a$", ["b a"]),
  ]) func unsupportedStatementsAreFound(_ text: String, _ faults: [String]) {
    #expect(AppleIDJoins.faults(in: text) == faults, "\(text)")
  }
}
