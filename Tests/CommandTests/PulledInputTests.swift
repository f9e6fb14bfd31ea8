/// Orders, users and catalogue pulled from another database.
@Suite(.cleansUp) struct PulledInputTests {
  private static let asOf = "2026-05-12T00:00:00Z"
  private static let orders = """
    create table orders (
        id bigint primary key, app text, product text, customer text, state text, created timestamptz,
        changed timestamptz, price bigint, currency text, apple_transaction text
    )
    """
  private static let query = """
    select 'PO-' || id as order_id, app as bundle_id, product as product_id, customer as user_id, state as status,
        created as created_at, changed as updated_at, price as price_milliunits, currency, apple_transaction as transaction_id
    from orders;

    """

  private let setup: Setup
  /// The database of a shop on the same server.
  private let shop: ConnectionSettings

  init() async throws {
    setup = try await Setup()
    shop = try await TestServer.shared.emptyDatabase()
    try setup.write("orders.sql", Self.query)
    try await run(Self.orders)
  }

  private func run(_ sql: String) async throws {
    try await setup.program.run(["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", sql, shop.conninfo], exits: 0)
  }

  private static func insert(_ ids: ClosedRange<Int>, changed: String, state: String = "delivered") -> String {
    """
    insert into orders
    select id, 'com.acme.reader', 'coins60', 'U' || id % 7, '\(state)', '2026-05-10T10:00:00Z', \(changed), 6000, 'CNY', null
    from generate_series(\(ids.lowerBound), \(ids.upperBound)) as id
    """
  }

  /// Pulls the orders, and expects these counts: the whole output if they end their line, else its beginning.
  @discardableResult
  private func pull(_ counts: String) async throws -> Execution {
    let words = ["ingest", "orders", "--from", shop.conninfo, "--query", "orders.sql"]
    let run = try await setup.patiently(words, asOf: Self.asOf)
    let isAll = counts.hasSuffix("\n")
    #expect(isAll ? run.text == "orders: \(counts)" : run.text.hasPrefix("orders: \(counts)"), "\(run.text)\(run.complaint)")
    return run
  }

  @Test func onlyChangedRowsArePulledAgain() async throws {
    try await run(Self.insert(1...10, changed: "'2026-05-10T11:00:00Z'"))
    try await run(Self.insert(11...12, changed: "'2026-05-10T13:00:00.123456Z'"))
    try await pull("input 12 = accepted 12 + repeated 0 + ignored 0 + parked 0\n")
    // Rows within the overlap are read again and recognised.
    try await pull("input 2 = accepted 0 + repeated 2 + ignored 0 + parked 0\n")
    // One row changes, one is committed late with an earlier instant, one has no instant, and one is invalid.
    try await run("update orders set state = 'refunded', changed = '2026-05-11T09:00:00Z' where id = 3")
    try await run(Self.insert(13...13, changed: "'2026-05-10T12:50:00Z'"))
    try await run(Self.insert(14...14, changed: "null"))
    try await run(Self.insert(15...15, changed: "'2026-05-11T09:30:00Z'", state: "\\weird \"state\""))
    try await pull("input 6 = accepted 3 + repeated 2 + ignored 0 + parked 1\n")
    let rows = try await setup.rows("orders", asOf: Self.asOf)
    #expect(rows.count == 14 && rows.first { $0["order_id"] == "PO-3" }?["status"] == "refunded", "\(rows.count)")
    #expect(try await setup.rows("parked", asOf: Self.asOf).cells("field") == ["status"])
    // The row without an instant is read every time, because no watermark can pass it.
    try await pull("input 2 = accepted 0 + repeated 1 + ignored 0 + parked 1\n")
  }

  /// The rows that a query left out may be older than its watermark.
  @Test func anotherQueryIsReadFromTheBeginning() async throws {
    try await run(Self.insert(1...12, changed: "timestamptz '2026-05-10T11:00:00Z' + id * interval '1 hour'"))
    func pull(_ query: String) async throws -> String {
      try setup.write("orders.sql", query)
      return try await setup.patiently(
        ["ingest", "orders", "--from", shop.conninfo, "--query", "orders.sql", "--name", "shop"], asOf: Self.asOf
      ).text
    }
    let narrow = Self.query.replacing("from orders;", with: "from orders where id in (1, 12)")
    #expect(try await pull(narrow) == "orders: input 2 = accepted 2 + repeated 0 + ignored 0 + parked 0\n")
    #expect(try await pull(Self.query) == "orders: input 12 = accepted 10 + repeated 2 + ignored 0 + parked 0\n")
    #expect(try await pull(Self.query) == "orders: input 1 = accepted 0 + repeated 1 + ignored 0 + parked 0\n")
  }

  /// A row with a future change instant does not advance the watermark. Later changes are still read.
  @Test func futureRowsHideNothing() async throws {
    try await run(Self.insert(1...1, changed: "'2099-01-01T00:00:00Z'"))
    try await pull("input 1 = accepted 1 ")
    try await run(Self.insert(2...2, changed: "now()"))
    try await pull("input 2 = accepted 1 + repeated 1 + ignored 0 + parked 0\n")
  }

  @Test(arguments: ["'infinity'", "'-infinity'", "'12026-05-10T11:00:00Z'", "'0044-03-15T11:00:00Z BC'"])
  func `a row with an invalid change instant is parked every time, at any position, and stops nothing`(_ changed: String) async throws {
    try await run(Self.insert(1...1, changed: changed))
    #expect(try await pull("input 1 = accepted 0 + repeated 0 + ignored 0 + parked 1").status == 1)
    try await run(Self.insert(2...3, changed: "'2026-05-10T11:00:00Z'"))
    try await pull("input 3 = accepted 2 + repeated 0 + ignored 0 + parked 1")
    #expect(try await setup.rows("parked", asOf: Self.asOf).cells("field") == ["updated_at"])
  }

  /// A text that is no instant has no place in the order of changes. Its row is parked, or states no change, and hides no other row.
  @Test(arguments: [("''", 3, 0), ("'0000-00-00 00:00:00'", 3, 0), ("'n/a'", 2, 1), ("'2026-02-30 10:00:00'", 2, 1)])
  func instantsThatAreNoneStopNothing(_ changed: String, _ accepted: Int, _ parked: Int) async throws {
    let columns = "updated_at: {from: changed, zone: UTC}, created_at: {from: made, zone: UTC}"
    try setup.write("payrecon.yaml", Setup.settings(inputs: "{orders: {columns: {\(columns)}}}"))
    try setup.write(
      "orders.sql",
      """
      select 'PO-' || id as order_id, app as bundle_id, product as product_id, customer as user_id, state as status,
          '2026-05-10 10:00:00' as made, case id when 3 then \(changed) else '2026-05-10 11:00:00' end as changed
      from orders
      """)
    try await run(Self.insert(1...3, changed: "now()"))
    let first = try await pull("input 3 = accepted \(accepted) + repeated 0 + ignored 0 + parked \(parked)")
    #expect(first.complaint.contains("all of its rows are read"), "\(first.complaint)")
    #expect(try await setup.rows("parked", asOf: Self.asOf).cells("field") == (parked == 0 ? [] : ["changed"]))
    #expect(try await setup.rows("orders", asOf: Self.asOf).cells("order_id") == (1...accepted).map { "PO-\($0)" })
    try await run(Self.insert(4...4, changed: "now()"))
    try await pull("input 4 = accepted 1 + repeated \(accepted) + ignored 0 + parked \(parked)")
  }

  /// More rows than a chunk with the same change instant. None is lost between chunks, and the pull ends.
  @Test func chunksOfOneInstant() async throws {
    try await run(Self.insert(1...40_001, changed: "'2026-05-10T11:00:00Z'"))
    try await pull("input 40001 = accepted 40001 + repeated 0 + ignored 0 + parked 0\n")
    #expect(try await setup.count("batches where kind = 'orders'") == 3)
  }

  @Test func aRelationOfItsOwnServer() async throws {
    try await setup.query("create schema shop")
    try await setup.query("create table shop.people as select 'U' || id as user_id, id = 2 as is_tester from generate_series(1, 3) as id")
    let people = "users: input 3 = accepted 3 + repeated 0 + ignored 0 + parked 0\n"
    try await setup.program("ingest", "users", "--relation", "shop.people", "--as-of", Self.asOf, text: people)
    try await setup.query(
      "create view shop.orders as select 'PO-1' as order_id, 'com.acme.reader' as bundle_id, 'coins60' as product_id,"
        + " 'U1' as user_id, 'paid' as status, timestamptz '2026-05-10T10:00:00Z' as created_at,"
        + " timestamp '2026-05-10T10:00:00' as updated_at")
    try await setup.program(
      "ingest", "orders", "--relation", "shop.orders", "--as-of", Self.asOf, exits: 2,
      complains: "updated_at is no instant with an offset", "at time zone 'UTC'")
  }

  private static let unreadable = [
    (["orders", "--relation", "a.b.c"], "it is no name such as shop.orders"),
    (["orders", "--relation", "x; drop table orders"], "it is no name such as shop.orders"),
    (["apple", "--relation", "shop.apple"], "is read from files"), (["orders"], "name files to read"),
    (["orders", "--from", "", "--query", "orders.sql"], "--from is empty"),
    (["orders", "a.csv", "--relation", "b"], "name files to read"), (["orders", "--query", "missing.sql"], "is missing or empty"),
    (["orders", "--relation", "payrecon.v", "--overlap", "soon"], "is not a span"),
  ]

  @Test func unreadableSourcesAreRefused() async throws {
    for (words, reason) in Self.unreadable {
      try await setup.program.run([Program.path, "ingest"] + words, exits: 64, complains: reason)
    }
  }

  @Test func aQueryCannotWrite() async throws {
    try setup.write("orders.sql", "with gone as (delete from orders returning *) select * from gone")
    try await setup.patiently(
      ["ingest", "orders", "--from", shop.conninfo, "--query", "orders.sql"], asOf: Self.asOf, exits: 2,
      complains: "could not read the database of --from: ")
  }

  private static let unreachable: [(address: String, status: Int32, reason: String, remedy: String)] = [
    ("dbname=not_there", 2, "\"not_there\" does not exist", "Correct its address"),
    ("postgresql:///shop?bogus=1", 64, "is no address that libpq reads", "%25"), ("shoe=1", 64, "is no address that libpq reads", "%25"),
    ("postgresql://shop:secret%dor&3x@db.example.com/shop", 64, "is no address that libpq reads", "%25"),
    ("postgresql://shop:Tr0ub@secret@127.0.0.1:1/shop", 64, "is no address that libpq reads", "%40"),
    ("host=127.0.0.1 port=1 password=secret", 75, "\"127.0.0.1\"", "Start again when its server answers"),
  ]

  /// An address that never connects is an error with its remedy, and a server that does not answer a temporary one.
  @Test func unreachableSourcesAreReported() async throws {
    let server = setup.connection.conninfo.split(separator: " ").filter { !$0.hasPrefix("dbname=") }.joined(separator: " ")
    for (address, status, reason, remedy) in Self.unreachable {
      let full = address.hasPrefix("dbname=") ? "\(server) \(address)" : address
      try await setup.program(
        "ingest", "orders", "--from", full, "--query", "orders.sql", "--as-of", Self.asOf, exits: status,
        complains: "could not read the database of --from: ", reason, remedy, lacks: "secret")
    }
  }

  @Test func theNightReadsItsSources() async throws {
    try await run(Self.insert(1...3, changed: "'2026-05-10T11:00:00Z'"))
    try setup.write("shop.url", shop.conninfo + "\n")
    try setup.write("inbox/apple.ndjson", Setup.bought)
    let sources = """
      sources:
        - {name: shop, kind: orders, url_file: \(setup.directory)/shop.url, query_file: \(setup.directory)/orders.sql}

      """
    try setup.write("payrecon.yaml", Setup.settings() + sources)
    let night = try await setup.nightly(asOf: Self.asOf, exits: 1)
    #expect(night.text.contains("orders   input 3 = accepted 3 + repeated 0 + ignored 0 + parked 0"), "\(night.text)")
    // A night that is started again reads the last rows again, and its report stays the same.
    let report = try Setup.files(in: "\(setup.directory)/report")
    try await setup.nightly(asOf: Self.asOf, exits: 1)
    #expect(try Setup.files(in: "\(setup.directory)/report") == report)
    try await setup.program("settings", "show", prints: "sources.shop.kind", lacks: "dbname")
    // With an unreachable source the rest of the night continues, and the night is incomplete.
    try setup.write("shop.url", "host=127.0.0.1 port=1 dbname=nowhere password=secret\n")
    let later = "could not read source \"shop\""
    try await setup.nightly(asOf: "2026-05-13T00:00:00Z", out: "later", exits: 3, prints: later, lacks: "secret")
    // The text of an address that libpq cannot read may contain a password anywhere.
    try setup.write("shop.url", "postgresql://shop:secret%dor&3x@db.example.com/shop\n")
    let malformed = "the address in \"\(setup.directory)/shop.url\" is no address that libpq reads"
    try await setup.nightly(asOf: "2026-05-14T00:00:00Z", out: "last", exits: 3, prints: malformed, lacks: "secret")
  }
}
