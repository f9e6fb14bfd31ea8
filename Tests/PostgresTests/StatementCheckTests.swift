@Suite("Check of statements") struct StatementCheckTests {
  private static let schema = """
    create schema payrecon;
    create table payrecon.orders (order_id text, price bigint);
    create table payrecon.charges (charge_id text, note text);
    """

  private func faults(_ texts: [String: String], _ declared: [any DeclaredStatement] = []) async throws -> [String] {
    let session = try await TestServer.open(TestServer.shared.database())
    try await session.transaction { tx in try tx.execute(Self.schema + "set search_path to payrecon") }
    let folder = try SQLFolder(texts)
    return try await session.transaction { tx in
      let faults = try StatementCheck(files: folder.files, declared: declared).run(&tx)
      // Nothing of the statement is left behind.
      try tx.execute("create temp table work_order (n integer) on commit drop; select order_id from orders")
      return faults.map(\.description)
    }
  }

  @Test func `what others make is made first, whatever the order; scripts are taken apart, and parameters need no value`() async throws {
    let faults = try await faults([
      "a/1_reads.sql": "-- purpose: reads; nothing\nselect work_order.* from work_order where order_id = :'id'::text;",
      "a/2_of_work.sql": "create temp table work_sum as select sum(price) as total from work_order where price > :'least'::bigint",
      "a/3_script.sql":
        """
      -- Two; a ; in a comment, and ';' in a text.
      create temp table work_order (order_id text, price bigint default 3, note text default ';') on commit drop;
      alter table work_order add column rank integer;
      analyze work_order; /* ; */
      """,
      "b/1_rank.sql": "update work_order set rank = 1 where note = ';'",
      "c/1_other.sql": "create temp table work_order on commit drop as select order_id from orders",
      "schema/0001_any.sql": "select nothing of the kind",
    ])
    #expect(faults == [])
  }

  @Test(arguments: [
    ("select cost from orders", "column \"cost\" does not exist"),
    ("select order_id from order_lines", "relation \"order_lines\" does not exist"),
    ("insert into orders (order_id) select 1, 2", "more expressions than target columns"),
    ("update orders set price = 'x' || price", "is of type bigint but expression is of type text"),
    ("select half(price) from orders", "function half(bigint) does not exist"),
    ("create temp table t as select cost from orders", "column \"cost\" does not exist"),
    ("create temp table t (n integer);\ninsert into t (m) values (1)", "column \"m\""),
    ("select order_id from orders where", "syntax error"),
    ("select order_id from orders where price = :'at'::timestamptz", "operator does not exist: bigint = timestamp"),
  ]) func `what does not fit is named with its file`(text: String, said: String) async throws {
    let faults = try await faults(["a/good.sql": "select order_id from orders", "a/wrong.sql": text])
    #expect(faults.count == 1, "\(faults)")
    #expect(faults.first?.hasPrefix("a/wrong.sql: ") == true && faults.first?.contains(said) == true, "\(faults)")
  }

  private static let made =
    "-- parameters: least (bigint)\ncreate temp table dear as select price from orders where price > :'least'::bigint"
  private static let text = "select price from orders where order_id = :'id'::text"
  private static let price = "-- parameters: other,\n-- id (text): an order\n\(text)"

  @Test(
    "a declaration or a header that says otherwise is named with what it should say",
    arguments: [
      (Statement("a/price.sql", gives: .optionalInt8), []),
      (Statement("a/price.sql"), []),
      (Listing("a/price.sql"), []),
      (Script("a/script.sql"), []),
      (Statement("a/price.sql", gives: .text), ["a/price.sql: it gives bigint, and is read as text"]),
      (Statement("a/price.sql", gives: .int8, .bool), ["a/price.sql: it gives bigint, and is read as bigint, boolean"]),
      (Statement("a/price.sql", passed: ["as_of", "id"]), []),
      (Statement("a/price.sql", passed: ["as_of"]), ["a/price.sql: it takes id, and is given only as_of"]),
      (Listing("a/bare.sql"), ["a/bare.sql: its header does not list id (text)"]),
      (Listing("a/other.sql"), ["a/other.sql: its header does not list id (text)"]),
      (Listing("a/prices.sql"), ["a/prices.sql: it is no statement"]),
      (Statement("a/made.sql"), []),
    ] as [(any DeclaredStatement, [String])])
  func isDeclaredOtherwise(declared: any DeclaredStatement, said: [String]) async throws {
    let texts = [
      "a/price.sql": Self.price, "a/bare.sql": Self.text, "a/other.sql": "-- parameters: id (bigint), key (text)\n\(Self.text)",
      "a/made.sql": Self.made, "a/script.sql": "analyze orders",
    ]
    #expect(try await faults(texts, [declared]) == said)
  }
}
