import Dispatch
import Synchronization

@Suite("Sessions and transactions") struct SessionTests {
  private let session: Session

  init() async throws { session = try await TestServer.session() }

  @Test func `every type goes to the server and comes back`() async throws {
    let file = try sql(
      """
      select :'t'::boolean, :'i4'::integer, :'i8'::bigint, :'s'::text, :'b'::bytea, :'z'::timestamptz,
        cardinality(:'list'::text[]), (:'list'::text[])[2], cardinality(:'none'::text[]), :'null'::text, :'empty'::bytea
      """, gives: .bool, .int4, .int8, .text, .bytes, .timestamptz, .int4, .text, .int4, .optionalText, .bytes)
    let values: [String: Value] = [
      "t": .bool(true), "i4": .int4(.min), "i8": .int8(.max), "s": .text("é\u{1F600}'\\"),
      "b": .bytes([0, 255, 1]),
      "z": .timestamptz(microseconds: -1), "list": .textArray(["a", "b,\"{}", ""]), "none": .textArray([]),
      "null": .null, "empty": .bytes([]),
    ]
    try await session.transaction { tx in
      let row = try #require(try tx.rows(file, values).first)
      #expect(row.0)
      #expect(row.1 == .min)
      #expect(row.2 == .max)
      #expect(row.3 == "é\u{1F600}'\\")
      #expect(row.4 == [0, 255, 1])
      #expect(row.5 == -1)
      #expect(row.6 == 3)
      #expect(row.7 == "b,\"{}")
      #expect(row.8 == 0)
      #expect(row.9 == nil)
      #expect(row.10 == [])
    }
  }

  @Test func `settings of a database that change the form of values, or limit a statement's time, do not hold`() async throws {
    let address = try await TestServer.shared.database()
    let owner = try await TestServer.open(address)
    let settings = ["standard_conforming_strings = off", "bytea_output = escape", "datestyle = German", "statement_timeout = 100"]
    for setting in settings {
      let text = "do $$ begin execute format('alter database %I set \(setting)', current_database()); end $$"
      try await owner.executeAlone(text)
    }
    await owner.close()
    let session = try await TestServer.open(address)
    let file = try sql(
      #"select 'a\\b', '\xff'::bytea::text, date '2026-05-01'::text from pg_sleep(0.2)"#, gives: .text, .text, .text)
    let row = try #require(try await session.transaction { tx in try tx.rows(file) }.first)
    #expect(row == (#"a\\b"#, #"\xff"#, "2026-05-01"))
    await session.close()
  }

  @Test func `a null, another type, a missing column and one that nobody reads are errors that name the file`() async throws {
    let query = "select null::bigint, 'x'::text"
    func read<each Cell>(_ columns: repeat Column<each Cell>) async throws -> String {
      let file = try sql(query, path: "q/null.sql", gives: repeat each columns)
      return "\(try await session.failure { tx in _ = try tx.rows(file) })"
    }
    #expect(try await read(.int8, .text) == "cannot read q/null.sql: column 1 is null, a int8 was expected")
    #expect(try await read(.text, .text).contains("column 1 has type OID 20"))
    #expect(try await read(.optionalInt8) == "cannot read q/null.sql: it has 2 columns, 1 were read")
    #expect(try await read(.optionalInt8, .text, .text).contains("q/null.sql"))
  }

  @Test func `an error has SQLSTATE, file, line and column, and no parameter`() async throws {
    let file = try sql("-- ü\nselect :'secret'::text,\n  nothing", path: "q/place.sql")
    let server = try await session.refusal { tx in try tx.run(file, ["secret": .text("hunter2")]) }
    #expect(server.sqlState == SQLState("42703"))
    #expect(server.position?.line == 3)
    #expect(server.position?.column == 3)
    #expect("\(server)".contains("q/place.sql:3:3"))
    #expect(!"\(server)".contains("hunter2"))
    let twice = try sql("insert into once values (1), (1)")
    let violation = try await session.refusal { tx in
      try tx.execute("create table once (id integer constraint once_only primary key)")
      return try tx.run(twice)
    }
    #expect(violation.sqlState == .uniqueViolation)
    #expect(violation.constraint == "once_only")
  }

  /// The messages of a server with Citus when a node fails. Function names stand for their places.
  @Test(
    "a node that went away is named, and may be back later",
    arguments: [
      ("58030", "failed to COPY to shard 0 on 10.0.0.2:5432", "put", "10.0.0.2:5432"),
      ("XX000", "server closed the connection\n\tunexpectedly", "while executing command on db-2.local:5432", "db-2.local:5432"),
      ("XX000", "failure on connection marked as essential: db-2:5432", "put", "db-2:5432"),
      ("58030", "could not read block 7 in file \"base/1/2\"", "put", nil),
      ("XX000", "cache lookup failed for relation 7", "put", nil),
      ("23514", "wrong on db-2:5432", "while executing command on db-2:5432", nil),
    ] as [(String, String, String, String?)])
  func lostNodes(code: String, message: String, place: String, node: String?) async throws {
    let thrown = try await session.failure { tx in
      try tx.execute(
        "create function \"\(place)\"() returns void language plpgsql as $f$ begin raise exception '%', $m$\(message)$m$ "
          + "using errcode = '\(code)'; end $f$; select \"\(place)\"()")
    }
    #expect(thrown.isTemporary == (node != nil), "\(thrown)")
    let said = "\(message.replacing("\n\t", with: " ")) (SQLSTATE \(code))"
    #expect("\(thrown)" == (node.map { "the node \($0), which holds a part of the tables, failed: " } ?? "") + said)
  }

  @Test func `a node that did not commit its part fails the transaction, and what comes after does not`() async throws {
    try await session.executeAlone(
      """
      create table warned (id integer);
      create function warn() returns trigger language plpgsql as
        $$ begin raise warning 'failed to commit transaction on db-2:5432'; return null; end $$;
      create constraint trigger warns after insert on warned deferrable initially deferred for each row execute function warn();
      """)
    let error = try await session.failure { tx in try tx.execute("insert into warned values (1)") }
    #expect(error.isTemporary)
    #expect("\(error)".contains("the node db-2:5432 failed while it committed"))
    let count = try sql("select count(*) from warned", gives: .int8)
    #expect(try await session.transaction { tx in try tx.rows(count) } == [1])
  }

  @Test func `a sent statement takes effect before the next one, which throws its error with file and place`() async throws {
    try await session.executeAlone("create table sent (id integer)")
    let count = try sql("select count(*) from sent", gives: .int8)
    let add = try sql("insert into sent values (1)")
    let fail = try sql("-- ü\ninsert into sent\nvalues (missing)", path: "q/sent.sql")
    let seen = try await session.transaction { tx in
      tx.send("insert into sent values (2); set local work_mem = '1MB'; analyze sent")
      try tx.send(add)
      return try tx.rows(count)
    }
    #expect(seen == [2])
    for isLast in [false, true] {
      let error = try await session.failure { tx in
        try tx.send(add)
        try tx.send(fail)
        try tx.send(add)
        if !isLast { _ = try tx.rows(count) }
      }
      #expect("\(error)".contains("(SQLSTATE 42703, q/sent.sql:3:9)"), "thrown by the commit: \(isLast)")
      #expect(try await session.rows(count) == [2])
    }
    let addLarge = try sql("insert into sent select 1 where :'bytes'::bytea is not null")
    let large: [String: Value] = ["bytes": .bytes([UInt8](repeating: 1, count: 3 << 20))]
    try await session.transaction { tx in
      for _ in 0..<3 { try tx.send(addLarge, large) }
      #expect(try tx.rows(count) == [5])
    }
    let twice = try await session.failure(.singleStatement) { tx in _ = try (tx.rows(count), tx.rows(count)) }
    #expect("\(twice)".contains("a transaction of one statement has no other"))
  }

  @Test func `a throw rolls back, and so does a failure that the closure hides`() async throws {
    let insert = try sql("insert into kept values (1)")
    let wrong = try sql("select 1 / 0")
    let count = try sql("select count(*) from kept", gives: .int8)
    try await session.transaction { tx in try tx.execute("create table kept (id integer)") }
    struct Stop: Error {}
    await #expect(throws: Stop.self) {
      try await session.transaction { tx in
        #expect(try tx.run(insert) == 1)
        throw Stop()
      }
    }
    _ = try await session.failure { tx in
      _ = try tx.run(insert)
      _ = try? tx.run(wrong)
    }
    #expect(try await session.transaction(.readOnlySnapshot) { tx in try tx.rows(count) } == [0])
    let refused = try await session.failure(.readOnlySnapshot) { tx in try tx.run(insert) }
    #expect("\(refused)".contains("25006"))
  }

  @Test func `a serialization conflict is tried again, another error is not`() async throws {
    let conninfo = try await TestServer.shared.database()
    let (first, second) = (try await TestServer.open(conninfo), try await TestServer.open(conninfo))
    try await first.transaction { tx in
      try tx.execute("create schema payrecon; create table total (n bigint); insert into total values (0)")
    }
    let read = try sql("select n from total", gives: .int8)
    let add = try sql("update total set n = n + 1")
    // The first try of the first session blocks until the second session has written.
    let hasRead = AsyncStream.makeStream(of: Void.self)
    let hasWritten = DispatchSemaphore(value: 0)
    let tries = Mutex(0)
    async let changed: Void = first.retrying(attempts: 3, .snapshot) { tx in
      let number = tries.withLock {
        $0 += 1
        return $0
      }
      _ = try tx.rows(read)
      if number == 1 {
        hasRead.continuation.finish()
        hasWritten.wait()
      }
      _ = try tx.run(add)
    }
    for await _ in hasRead.stream {}
    _ = try await second.transaction(.snapshot) { tx in try tx.run(add) }
    hasWritten.signal()
    try await changed
    #expect(tries.withLock { $0 } == 2)
    #expect(try await second.transaction { tx in try tx.rows(read) } == [2])
    let failures = Mutex(0)
    let wrong = try sql("select 1 / 0")
    await #expect(throws: PostgresError.self) {
      try await first.retrying(attempts: 5) { tx in
        failures.withLock { $0 += 1 }
        return try tx.run(wrong)
      }
    }
    #expect(failures.withLock { $0 } == 1)
  }

  @Test("cancelling the task ends a statement that would run for an hour, and the session stays usable", arguments: [false, true])
  func cancellation(isSentWithTheCommit: Bool) async throws {
    let hour = try sql("select 1 from pg_sleep(3600)")
    let one = try sql("select 1", gives: .int4)
    let running = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      try await session.transaction { tx in
        running.continuation.finish()
        if isSentWithTheCommit { try tx.send(hour) } else { _ = try tx.run(hour) }
      }
    }
    for await _ in running.stream {}
    task.cancel()
    let error = await #expect(throws: (any Error).self) { try await task.value }
    if let error = error as? PostgresError, case .cancelled = error {} else { Issue.record("not cancelled") }
    #expect(try await session.rows(one) == [1])
  }

  @Test func `an advisory lock is held by one session and goes with it`() async throws {
    let conninfo = try await TestServer.shared.database()
    let (first, second) = (try await TestServer.open(conninfo), try await TestServer.open(conninfo))
    for (session, key, isTaken) in [(first, 7, true), (second, 7, false), (second, 8, true)] {
      try await session.executeAlone("do $$ begin assert pg_try_advisory_lock(\(key)) = \(isTaken); end $$")
    }
    await first.close()
    let wait = try sql("select pg_advisory_xact_lock(7)")
    _ = try await second.transaction { tx in try tx.run(wait) }
  }

  @Test func `a server that is not there, and a session that lost its server, say so without the password`() async throws {
    let settings = ConnectionSettings(conninfo: "host=/tmp/there-is-nothing-here dbname=x password=hunter2", applicationName: "test")
    let refused = await #expect(throws: PostgresError.self) { _ = try await Session.open(settings) }
    guard case .connectionFailed(let text) = try #require(refused) else { throw PostgresError.decoding("another error") }
    #expect(!text.contains("hunter2"))
    let end = try sql("select pg_terminate_backend(pg_backend_pid())")
    for _ in 0..<2 {
      let broken = try await session.failure { tx in try tx.run(end) }
      guard case .connectionLost = broken else { throw PostgresError.decoding("another error") }
    }
  }
}
