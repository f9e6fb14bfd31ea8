import Postgres
import TestSupport
import Testing

/// Orders, users and catalogue pulled from another database.
@Suite(.cleansUp) struct PullTests {
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

  /// Returns an environment and the database of a shop on the same server.
  private static func shop() async throws -> (setup: Setup, shop: ConnectionSettings) {
    let setup = try await Setup()
    let shop = try await TestServer.shared.emptyDatabase()
    try setup.write("orders.sql", query)
    try await run(orders, on: shop, at: setup)
    return (setup, shop)
  }

  private static func end(_ setup: Setup, _ shop: ConnectionSettings) async {
    await TestServer.shared.drop(shop)
  }

  private static func run(_ sql: String, on shop: ConnectionSettings, at setup: Setup) async throws {
    let execution = try await setup.program.run(["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", sql, shop.conninfo])
    try #require(execution.status == 0, "\(sql): \(execution.complaint)")
  }

  private static func insert(_ ids: ClosedRange<Int>, changed: String, state: String = "delivered") -> String {
    """
    insert into orders
    select id, 'com.acme.reader', 'coins60', 'U' || id % 7, '\(state)', '2026-05-10T10:00:00Z', \(changed), 6000, 'CNY', null
    from generate_series(\(ids.lowerBound), \(ids.upperBound)) as id
    """
  }

  private static func pull(_ setup: Setup, _ shop: ConnectionSettings) async throws -> Execution {
    try await setup.patiently(["ingest", "orders", "--from", shop.conninfo, "--query", "orders.sql"], asOf: asOf)
  }

  @Test func onlyChangedRowsArePulledAgain() async throws {
    let (setup, shop) = try await Self.shop()
    try await Self.run(Self.insert(1...10, changed: "'2026-05-10T11:00:00Z'"), on: shop, at: setup)
    try await Self.run(Self.insert(11...12, changed: "'2026-05-10T13:00:00.123456Z'"), on: shop, at: setup)
    let first = try await Self.pull(setup, shop)
    #expect(first.text == "orders: input 12 = accepted 12 + repeated 0 + ignored 0 + parked 0\n", "\(first.complaint)")
    // Rows within the overlap are read again and recognised.
    let second = try await Self.pull(setup, shop)
    #expect(second.text == "orders: input 2 = accepted 0 + repeated 2 + ignored 0 + parked 0\n", "\(second.text)")
    // One row changes, one is committed late with an earlier instant, one has no instant, and one is invalid.
    try await Self.run("update orders set state = 'refunded', changed = '2026-05-11T09:00:00Z' where id = 3", on: shop, at: setup)
    try await Self.run(Self.insert(13...13, changed: "'2026-05-10T12:50:00Z'"), on: shop, at: setup)
    try await Self.run(Self.insert(14...14, changed: "null"), on: shop, at: setup)
    try await Self.run(Self.insert(15...15, changed: "'2026-05-11T09:30:00Z'", state: "\\weird \"state\""), on: shop, at: setup)
    let third = try await Self.pull(setup, shop)
    #expect(third.text == "orders: input 6 = accepted 3 + repeated 2 + ignored 0 + parked 1\n", "\(third.text)\(third.complaint)")
    let rows = CSVRows.decode(try await setup.program("export", "orders", "--as-of", Self.asOf).output)
    #expect(rows.count == 14 && rows.first { $0["order_id"] == "PO-3" }?["status"] == "refunded", "\(rows.count)")
    let parked = CSVRows.decode(try await setup.program("export", "parked", "--as-of", Self.asOf).output)
    #expect(parked.count == 1 && parked.first?["field"] == "status", "\(parked)")
    // The row without an instant is read every time, because no watermark can pass it.
    let fourth = try await Self.pull(setup, shop)
    #expect(fourth.text.hasPrefix("orders: input 2 = accepted 0 + repeated 1 + ignored 0 + parked 1\n"), "\(fourth.text)")
    await Self.end(setup, shop)
  }

  /// A row with a future change instant does not advance the watermark. Later changes are still read.
  @Test func futureRowsHideNothing() async throws {
    let (setup, shop) = try await Self.shop()
    try await Self.run(Self.insert(1...1, changed: "'2099-01-01T00:00:00Z'"), on: shop, at: setup)
    #expect(try await Self.pull(setup, shop).text.hasPrefix("orders: input 1 = accepted 1 "))
    try await Self.run(Self.insert(2...2, changed: "now()"), on: shop, at: setup)
    let next = try await Self.pull(setup, shop)
    #expect(next.text == "orders: input 2 = accepted 1 + repeated 1 + ignored 0 + parked 0\n", "\(next.text)\(next.complaint)")
    await Self.end(setup, shop)
  }

  /// A row with an invalid change instant is parked every time, at any position, and stops nothing.
  @Test(arguments: ["'infinity'", "'-infinity'", "'12026-05-10T11:00:00Z'", "'0044-03-15T11:00:00Z BC'"])
  func invalidInstantsStopNothing(_ changed: String) async throws {
    let (setup, shop) = try await Self.shop()
    try await Self.run(Self.insert(1...1, changed: changed), on: shop, at: setup)
    let alone = try await Self.pull(setup, shop)
    #expect(alone.status == 1 && alone.text.hasPrefix("orders: input 1 = accepted 0 + repeated 0 + ignored 0 + parked 1"), "\(alone.text)")
    try await Self.run(Self.insert(2...3, changed: "'2026-05-10T11:00:00Z'"), on: shop, at: setup)
    let next = try await Self.pull(setup, shop)
    #expect(next.text.hasPrefix("orders: input 3 = accepted 2 + repeated 0 + ignored 0 + parked 1"), "\(next.text)\(next.complaint)")
    let parked = CSVRows.decode(try await setup.program("export", "parked", "--as-of", Self.asOf).output)
    #expect(parked.count == 1 && parked.first?["field"] == "updated_at", "\(parked)")
    await Self.end(setup, shop)
  }

  /// More rows than a chunk with the same change instant. None is lost between chunks, and the pull ends.
  @Test func chunksOfOneInstant() async throws {
    let (setup, shop) = try await Self.shop()
    try await Self.run(Self.insert(1...40_001, changed: "'2026-05-10T11:00:00Z'"), on: shop, at: setup)
    let run = try await Self.pull(setup, shop)
    #expect(run.text == "orders: input 40001 = accepted 40001 + repeated 0 + ignored 0 + parked 0\n", "\(run.text)\(run.complaint)")
    #expect(try await setup.query("select count(*) from payrecon.batches where kind = 'orders'") == "3")
    await Self.end(setup, shop)
  }

  @Test func aRelationOfItsOwnServer() async throws {
    let setup = try await Setup()
    try await setup.query("create schema shop")
    try await setup.query("create table shop.people as select 'U' || id as user_id, id = 2 as is_tester from generate_series(1, 3) as id")
    let people = try await setup.program("ingest", "users", "--relation", "shop.people", "--as-of", Self.asOf)
    #expect(people.text == "users: input 3 = accepted 3 + repeated 0 + ignored 0 + parked 0\n", "\(people.complaint)")
    try await setup.query(
      "create view shop.orders as select 'PO-1' as order_id, 'com.acme.reader' as bundle_id, 'coins60' as product_id,"
        + " 'U1' as user_id, 'paid' as status, timestamptz '2026-05-10T10:00:00Z' as created_at,"
        + " timestamp '2026-05-10T10:00:00' as updated_at")
    let zoneless = try await setup.program("ingest", "orders", "--relation", "shop.orders", "--as-of", Self.asOf)
    #expect(zoneless.status == 2 && zoneless.complaint.contains("updated_at is no instant with an offset"), "\(zoneless.complaint)")
    #expect(zoneless.complaint.contains("at time zone 'UTC'"), "\(zoneless.complaint)")
  }

  private static let unreadable = [
    (["orders", "--relation", "a.b.c"], "it is no name such as shop.orders"),
    (["orders", "--relation", "x; drop table orders"], "it is no name such as shop.orders"),
    (["apple", "--relation", "shop.apple"], "is read from files"), (["orders"], "name files to read"),
    (["orders", "a.csv", "--relation", "b"], "name files to read"), (["orders", "--query", "missing.sql"], "is missing or empty"),
    (["orders", "--relation", "payrecon.v", "--overlap", "soon"], "is not a span"),
  ]

  @Test func unreadableSourcesAreRefused() async throws {
    let setup = try await Setup()
    for (words, reason) in Self.unreadable {
      let run = try await setup.program.run([Program.path, "ingest"] + words, exits: 64)
      #expect(run.complaint.contains(reason), "\(words): \(run.complaint)")
    }
  }

  /// A source connection only reads, whatever the query contains.
  @Test func aQueryCannotWrite() async throws {
    let (setup, shop) = try await Self.shop()
    try setup.write("orders.sql", "with gone as (delete from orders returning *) select * from gone")
    let run = try await Self.pull(setup, shop)
    #expect(run.status == 2 && run.complaint.contains("could not read the database of --from: "), "\(run.complaint)")
    await Self.end(setup, shop)
  }

  private static let unreachable: [(address: String, status: Int32, reason: String, remedy: String)] = [
    ("dbname=not_there", 2, "\"not_there\" does not exist", "Correct its address"),
    ("postgresql:///shop?bogus=1", 2, "\"bogus\"", "Correct its address"), ("shoe=1", 2, "\"shoe\"", "Correct its address"),
    ("host=127.0.0.1 port=1 password=secret", 75, "\"127.0.0.1\"", "Start again when its server answers"),
  ]

  /// An address that never connects is an error with its remedy, and a server that does not answer a temporary one.
  @Test func unreachableSourcesAreReported() async throws {
    let setup = try await Setup()
    try setup.write("orders.sql", Self.query)
    let server = setup.connection.conninfo.split(separator: " ").filter { !$0.hasPrefix("dbname=") }.joined(separator: " ")
    for (address, status, reason, remedy) in Self.unreachable {
      let full = address.hasPrefix("dbname=") ? "\(server) \(address)" : address
      let run = try await setup.program("ingest", "orders", "--from", full, "--query", "orders.sql", "--as-of", Self.asOf, exits: status)
      for part in ["could not read the database of --from: ", reason, remedy] {
        #expect(run.complaint.contains(part), "\(address): \(run.complaint)")
      }
      #expect(!run.complaint.contains("secret"), "\(run.complaint)")
    }
  }

  @Test func theNightReadsItsSources() async throws {
    let (setup, shop) = try await Self.shop()
    try await Self.run(Self.insert(1...3, changed: "'2026-05-10T11:00:00Z'"), on: shop, at: setup)
    try setup.write("shop.url", shop.conninfo + "\n")
    try setup.write("inbox/apple.ndjson", Scenario.sign(ApplePurchase("470001000000001", at: "2026-05-10T10:00:20Z")) + "\n")
    let sources = """
      sources:
        - {name: shop, kind: orders, url_file: \(setup.directory)/shop.url, query_file: \(setup.directory)/orders.sql}

      """
    try setup.write("payrecon.yaml", Setup.settings() + sources)
    let night = try await setup.nightly(asOf: Self.asOf, exits: 1)
    #expect(night.text.contains("orders   input 3 = accepted 3 + repeated 0 + ignored 0 + parked 0"), "\(night.text)")
    let shown = try await setup.program("settings", "show")
    #expect(shown.text.contains("sources.shop.kind") && !shown.text.contains("dbname"), "\(shown.text)")
    // With an unreachable source the rest of the night continues, and the night is incomplete.
    try setup.write("shop.url", "host=127.0.0.1 port=1 dbname=nowhere password=secret\n")
    let later = try await setup.nightly(asOf: "2026-05-13T00:00:00Z", out: "later", exits: 3)
    #expect(later.text.contains("could not read source \"shop\""), "\(later.text)")
    #expect(!later.text.contains("secret") && !later.complaint.contains("secret"))
    await Self.end(setup, shop)
  }
}
