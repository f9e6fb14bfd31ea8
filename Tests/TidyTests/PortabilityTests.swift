/// The SQL is portable to a database that distributes its large tables over several machines. `unportable.csv` lists the
/// exceptions, and that list only gets shorter.
@Suite struct PortabilityTests {
  /// Returns the rows of a simple CSV file without its header, by fields.
  private static func rows(_ path: String) throws -> [[String]] {
    try Repository.text(path).split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// Returns the distribution key of each table. Views that are read like tables have the key of their table.
  private static func keys() throws -> [String: String] {
    var keys = try rows("sql/distribution.csv").reduce(into: [:]) { $0[$1[0]] = $1[1] }
    keys["judged_evidence"] = keys["evidence"]
    return keys
  }

  @Test func portabilityFaultsAreListed() throws {
    let lint = PortableSQL(keys: try Self.keys())
    let paths = try Repository.paths(under: "sql", ending: ".sql").map { String($0.dropFirst("sql/".count)) }
      .filter { !$0.hasPrefix("schema/") }
    try #require(paths.count > 500)
    var found: Set<String> = []
    for path in paths {
      let faults = lint.faults(in: try Repository.text("sql/\(path)"))
      for (fault, all) in Dictionary(grouping: faults, by: \.rawValue) { found.insert("\(path),\(fault),\(all.count)") }
    }
    let listed = Set(try Self.rows("Tests/TidyTests/unportable.csv").map { $0.joined(separator: ",") })
    #expect(found.subtracting(listed).sorted() == [], "look up, decide in working tables, write by key")
    #expect(listed.subtracting(found).sorted() == [], "is mended: strike it off unportable.csv")
  }

  /// Refused statements and similar accepted ones.
  @Test(arguments: [
    ("select 1 from small left join orders on orders.order_id = small.order_id", "outer join"),
    ("select 1 from orders left join small on small.order_id = orders.order_id", ""),
    ("select 1 from orders right join small on small.order_id = orders.order_id", "outer join"),
    ("select 1 from orders left join matched_orders on matched_orders.charge_id = orders.order_id", "outer join"),
    ("select 1 from orders left join matched_orders on matched_orders.order_id = orders.order_id", ""),
    ("select 1 from orders left join matched_orders using (order_id)", ""),
    ("with o as (select 1 from t inner join orders on orders.order_id = t.id) select 1 from t left join o on o.id = t.id", ""),
    ("select 1 from small inner join orders on orders.order_id = small.order_id", ""),
    ("select 1 from small where not exists (select 1 from orders where orders.order_id = small.order_id)", "subquery"),
    ("select 1 from orders where exists (select 1 from small where small.order_id = orders.order_id)", "subquery"),
    ("select 1 from orders as o where not exists (select 1 from matched_orders as m where m.order_id = o.order_id)", ""),
    ("select 1 from orders where order_id in (select small.order_id from small)", ""),
    ("select (select max(orders.at) from orders where orders.user_id = small.user_id) from small", "subquery"),
    ("select 1 from small cross join lateral (select 1 from orders where orders.order_id = small.id) as o", "subquery"),
    ("select 1 from orders cross join lateral (values (orders.paid_at)) as t (at)", ""),
    ("select 1 from orders, matched_orders where matched_orders.charge_id = orders.order_id", "repartition"),
    ("select 1 from orders, matched_orders where matched_orders.order_id = orders.order_id", ""),
    ("select 1 from t inner join orders on orders.order_id = t.id inner join matched_orders on matched_orders.order_id = t.id", ""),
    ("select 1 from small where exists (select from other where other.id = small.id)", "empty select"),
    ("update users set user_id = 'x' where user_id = 'y'", "key update"),
    ("update users set erased_at = null where user_id = 'y'", ""),
    ("delete from payrecon.matches as m using t where m.original_transaction_id = t.chain and t.a is distinct from m.b", ""),
    ("do $a$ begin execute $$ select $1 from t left join orders on orders.order_id = t.id $$ using 1; end $a$", "outer join"),
    ("-- left join orders\nselect 'left join orders on true' from small", ""),
  ]) func unsupportedStatementsAreFound(_ text: String, _ fault: String) throws {
    let faults = PortableSQL(keys: try Self.keys()).faults(in: text)
    #expect(faults.map(\.rawValue) == (fault.isEmpty ? [] : [fault]), "\(text)")
  }
}
