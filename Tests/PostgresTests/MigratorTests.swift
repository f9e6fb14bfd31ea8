import Foundation

@Suite("Migrations") struct MigratorTests {
  /// A substitute for SHA-256, which is in another module.
  private static let hash: @Sendable ([UInt8]) -> String = { bytes in
    "h" + String(bytes.reduce(UInt64(7)) { $0 &* 31 &+ UInt64($1) }, radix: 16)
  }
  private static let one = ["schema/0001_one.sql": "create table payrecon.one (n integer)"]
  private static let two = one.merging(["schema/0002_two.sql": "create table payrecon.two (n integer);"]) { a, _ in a }

  private func migrator(_ texts: [String: String]) throws -> Migrator {
    Migrator(files: try SQLFolder(texts).files, hash: Self.hash)
  }

  private let conninfo: String
  private let session: Session

  init() async throws {
    conninfo = try await TestServer.shared.database()
    session = try await TestServer.open(conninfo)
  }

  /// Migrates a database on four connections at once. Returns the names that were applied.
  private func migrateFourTimes(_ migrator: Migrator) async throws -> [String] {
    try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<4 { group.addTask { try await migrator.migrate(TestServer.open(conninfo)) } }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }

  private func failure(_ texts: [String: String]) async throws -> String {
    let migrator = try migrator(texts)
    let error = await #expect(throws: (any Error).self) { try await migrator.migrate(session) }
    return "\(try #require(error))"
  }

  @Test func `each file is applied once, in order, and later ones on top`() async throws {
    #expect(try await migrator(Self.two).pending(on: session) == ["0001_one", "0002_two"])
    #expect(try await migrator(Self.one).migrate(session) == ["0001_one"])
    #expect(try await migrator(Self.two).pending(on: session) == ["0002_two"])
    #expect(try await migrator(Self.two).migrate(session) == ["0002_two"])
    #expect(try await migrator(Self.two).migrate(session) == [])
    let kept = try sql("select number, name, sha256 from payrecon.migrations order by number", gives: .int4, .text, .text)
    let rows = try await session.transaction { tx in try tx.rows(kept).map { "\($0) \($1) \($2)" } }
    let hashes = ["schema/0001_one.sql", "schema/0002_two.sql"].map { Self.hash(Array(Self.two[$0, default: ""].utf8)) }
    #expect(rows == ["1 0001_one \(hashes[0])", "2 0002_two \(hashes[1])"])
  }

  @Test func `a file that was changed after it was applied is refused with both hashes`() async throws {
    _ = try await migrator(Self.two).migrate(session)
    let edited = "create table payrecon.one (n bigint)"
    let text = try await failure(Self.two.merging(["schema/0001_one.sql": edited]) { $1 })
    #expect(text.contains("0001_one"))
    #expect(text.contains(Self.hash(Array(edited.utf8))))
    #expect(text.contains(Self.hash(Array(Self.one["schema/0001_one.sql", default: ""].utf8))))
  }

  @Test func `the baseline is applied as one, in the order of names, and numbered files on top`() async throws {
    let base = ["schema/access.sql": "create schema other", "schema/orders.sql": "create table other.orders (n integer)"]
    let broken = base.merging(["schema/runs.sql": "create table other.runs (n nothing)"]) { $1 }
    #expect(try await failure(broken).contains("schema/runs.sql"))
    #expect(try await migrator(base).migrate(session) == ["baseline"])
    #expect(try await migrator(base).migrate(session) == [])
    #expect(try await migrator(base.merging(Self.two) { $1 }).migrate(session) == ["0001_one", "0002_two"])
    #expect(try await failure(base).contains("0001_one, which this program does not have"))
    let edited = base.merging(["schema/orders.sql": "create table other.orders (n bigint)"]) { $1 }
    let foreign = try await failure(edited.merging(Self.two) { $1 })
    #expect(foreign.contains("made by another version of payrecon; use the payrecon that made it, or another database"))
    #expect(try await failure(Self.two).contains("its migration 0 is baseline, here it is 0001_one"))
  }

  @Test func `gaps, shared numbers and other names are refused before anything is applied`() async throws {
    let gap = ["schema/0001_one.sql": "select 1", "schema/0003_three.sql": "select 1"]
    #expect(try await failure(gap).contains("number 2 is missing"))
    let shared = Self.one.merging(["schema/0001_too.sql": "select 1"]) { $1 }
    #expect(try await failure(shared).contains("share a number"))
    #expect(try await failure(["schema/1_one.sql": "select 1"]).contains("0001_what.sql"))
    #expect(try await failure(["other.sql": "select 1"]).contains("could not find migrations"))
    #expect(try await migrator(Self.one).pending(on: session) == ["0001_one"])
  }

  @Test func `a database that is ahead of the files, or went another way, is refused`() async throws {
    _ = try await migrator(Self.two).migrate(session)
    #expect(try await failure(Self.one).contains("0002_two, which this program does not have"))
    let other = Self.one.merging(["schema/0002_other.sql": "select 1"]) { $1 }
    #expect(try await failure(other).contains("its migration 2 is 0002_two, here it is 0002_other"))
  }

  @Test func `a file that fails leaves nothing of itself, and the ones before it stay`() async throws {
    let broken = Self.one.merging(["schema/0002_two.sql": "create table payrecon.two (n integer);\nselect nothing;"]) { $1 }
    #expect(try await failure(broken).contains("schema/0002_two.sql:2:8"))
    #expect(try await migrator(Self.two).migrate(session) == ["0002_two"])
  }

  @Test func `two migrators at once apply each file once`() async throws {
    var texts: [String: String] = [:]
    for number in 1...12 {
      let digits = String(repeating: "0", count: number < 10 ? 3 : 2) + "\(number)"
      texts["schema/\(digits)_t.sql"] = "create table payrecon.t\(number) (n integer)"
    }
    let applied = try await migrateFourTimes(try migrator(texts))
    #expect(applied.sorted() == texts.keys.map { String($0.dropFirst(7).dropLast(4)) }.sorted())
  }

  // MARK: Functions and reference data

  private static let base = one.merging([
    "functions/twice.sql":
      "create or replace function payrecon.twice(n integer) returns integer language sql as $$ select 2 * n $$;",
    // This file comes first by name and depends on the other.
    "functions/four_times.sql":
      "create or replace view payrecon.four_times as select payrecon.twice(payrecon.twice(one.n)) as n from payrecon.one;",
  ]) { $1 }

  private func texts(_ query: String) async throws -> [String] {
    try await session.rows(sql(query, gives: .text))
  }

  private func run(_ statements: String) async throws {
    try await session.transaction { tx in try tx.execute(statements) }
  }

  @Test("functions and views are made after the schema in the order of what they speak of, and again when a text changes")
  func functions() async throws {
    #expect(try await migrator(Self.base).pending(on: session) == ["0001_one", "functions"])
    #expect(try await migrator(Self.base).migrate(session) == ["0001_one", "functions"])
    #expect(try await migrator(Self.base).migrate(session) == [])
    try await run("insert into payrecon.one values (3)")
    #expect(try await texts("select n::text from payrecon.four_times") == ["12"])
    // The changed result type cannot be replaced in place, and a view depends on it. Another file is missing.
    var changed = Self.base
    changed["functions/twice.sql"] =
      "create or replace function payrecon.twice(n numeric) returns numeric language sql as $$ select 2 * n + 1 $$;"
    changed["functions/old.sql"] = "create or replace function payrecon.old() returns integer language sql as $$ select 1 $$;"
    #expect(try await migrator(changed).migrate(session) == ["functions"])
    #expect(try await texts("select n::text from payrecon.four_times") == ["15"])
    changed["functions/old.sql"] = nil
    changed["functions/four_times.sql"] = nil
    #expect(try await migrator(changed).migrate(session) == ["functions"])
    #expect(
      try await texts(
        "select proname || '(' || pg_get_function_arguments(oid) || ')' from pg_proc where pronamespace = 'payrecon'::regnamespace")
        == ["twice(n numeric)"])
    // A view keeps the columns of its table at creation, so a newer schema recreates it.
    let wide = Self.base.merging([
      "schema/0002_two.sql": "alter table payrecon.one add column more text",
      "functions/all_of_one.sql": "create or replace view payrecon.all_of_one as select * from payrecon.one;",
    ]) { $1 }
    #expect(try await migrator(wide).migrate(session) == ["0002_two", "functions"])
    let wider = wide.merging(["schema/0003_three.sql": "alter table payrecon.one add column most text"]) { $1 }
    #expect(try await migrator(wider).migrate(session) == ["0003_three", "functions"])
    try await run("select most from payrecon.all_of_one")
  }

  @Test func `what somebody else made stays, and what theirs rests on is replaced in its place`() async throws {
    _ = try await migrator(Self.base).migrate(session)
    try await run(
      """
      insert into payrecon.one values (3);
      create view public.theirs as select n + 1 as n from payrecon.four_times;
      create view payrecon.theirs as select 7 as n;
      create function payrecon.of_theirs() returns integer language sql as $$ select 8 $$;
      """)
    for factor in [3, 4] {
      let changed = Self.base.merging([
        "functions/twice.sql":
          "create or replace function payrecon.twice(n integer) returns integer language sql as $$ select \(factor) * n $$;"
      ]) { $1 }
      #expect(try await migrator(changed).migrate(session) == ["functions"])
      #expect(try await texts("select n::text from public.theirs") == ["\(factor * factor * 3 + 1)"])
    }
    #expect(try await texts("select (n + payrecon.of_theirs())::text from payrecon.theirs") == ["15"])
    // The users' own view depends on this function. Nothing is changed, and the server names the obstacle.
    let other = Self.base.merging([
      "functions/twice.sql": "create or replace function payrecon.twice(n integer) returns text language sql as $$ select '' $$;"
    ]) { $1 }
    #expect(try await failure(other).contains("functions/twice.sql"))
    #expect(try await texts("select n::text from public.theirs") == ["49"])
  }

  @Test func `an older program leaves newer functions alone unless it is asked to restore its own`() async throws {
    let newer = Self.base.merging(["functions/new.sql": "create view payrecon.new as select 1 as n;"]) { $1 }
    _ = try await migrator(Self.base).migrate(session)
    _ = try await migrator(newer).migrate(session)
    #expect(try await failure(Self.base).contains("has replaced the functions of this one"))
    #expect(try await texts("select n::text from payrecon.new") == ["1"])
    #expect(try await migrator(Self.base).migrate(session, restoring: true) == ["functions"])
    #expect(try await migrator(Self.base).migrate(session) == [])
    #expect(try await failure(newer).contains("payrecon init"))
  }

  @Test func `rows of reference data are added and overwritten, and those of the past stay`() async throws {
    var texts = ["schema/0001_kinds.sql": "create table payrecon.kinds (kind text primary key, rank integer not null, words text)"]
    texts["reference/kinds.csv"] = "kind,words,rank\nA,\"first, \"\"said\"\"\",1\nB,,2\n"
    #expect(try await migrator(texts).migrate(session) == ["0001_kinds", "reference"])
    #expect(try await migrator(texts).migrate(session) == [])
    texts["reference/kinds.csv"] = "kind,words,rank\nA,one,10\nC,three,3\n"
    #expect(try await migrator(texts).migrate(session) == ["reference"])
    #expect(
      try await self.texts("select concat_ws(' ', kind, rank, words) from payrecon.kinds order by kind")
        == ["A 10 one", "B 2", "C 3 three"])
    for (broken, said) in [
      ("kind,words,rank\nD,four,many\n", "reference/kinds.csv"), ("kind,word,rank\nD,four,4\n", "word"),
      ("kind,words,rank\nD,four,4\nD,five,5\n", "reference/kinds.csv"), ("kind,words,rank\nD,four,\n", "rank"),
    ] {
      texts["reference/kinds.csv"] = broken
      let text = try await failure(texts)
      #expect(text.contains(said), "\(text)")
    }
    texts["reference/kinds.csv"] = nil
    texts["reference/sorts.csv"] = "sort\nA\n"
    #expect(try await failure(texts).contains("there is no table"))
    #expect(try await self.texts("select count(*)::text from payrecon.kinds") == ["3"])
  }

  @Test func `a failure in functions leaves the ones before; the schema before them stays`() async throws {
    _ = try await migrator(Self.base).migrate(session)
    let broken = Self.base.merging([
      "schema/0002_two.sql": "insert into payrecon.one values (1)",
      "functions/twice.sql": "create or replace function payrecon.twice(n integer) returns integer language sql as $$ select m $$;",
    ]) { $1 }
    #expect(try await failure(broken).contains("functions/twice.sql"))
    #expect(try await texts("select n::text from payrecon.four_times") == ["4"])
    let mended = Self.base.merging(["schema/0002_two.sql": "insert into payrecon.one values (1)"]) { $1 }
    #expect(try await migrator(mended).migrate(session) == ["functions"])
  }

  @Test func `where nothing changed neither a lock nor a right to write is needed; where something did, one makes it`() async throws {
    let migrator = try migrator(Self.base)
    #expect(try await migrateFourTimes(migrator).sorted() == ["0001_one", "functions"])
    try await session.executeAlone("select pg_advisory_lock(\(0x7061_7972_6563_6F6E))")
    let reader = try await Session.open(
      ConnectionSettings(conninfo: conninfo + " options='-c default_transaction_read_only=on'", applicationName: "test"))
    #expect(try await migrator.migrate(reader) == [])
  }
}
