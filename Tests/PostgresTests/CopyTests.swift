@Suite("COPY and streams") struct CopyTests {
  private let session: Session

  init() async throws { session = try await TestServer.session() }

  private static let table = """
    create table every (n integer, t boolean, i4 integer, i8 bigint, s text collate "C", b bytea, z timestamptz)
    """

  @Test func `rows that COPY gives are read column by column`() async throws {
    let table = "from (values (1, 'é', true, 'infinity'::timestamptz), (2, null, false, null)) as given (n, s, t, z) order by n"
    let read = try sql("select n::bigint, s, t, z \(table);", gives: .int8, .optionalText, .bool, .optionalTimestamptz)
    let empty = try sql("select 1::bigint where false", gives: .int8)
    let failing = try sql("select 1 / (n - 2)::bigint from generate_series(1, 3) as n", gives: .int8)
    try await session.transaction { tx in
      var rows: [String] = []
      try tx.copyRows(read) { row in
        rows.append("\(try row.int8()) \(try row.optionalString() ?? "null") \(try row.bool()) \(try row.optionalTimestamptz() == nil)")
      }
      #expect(rows == ["1 é true false", "2 null false true"])
      try tx.copyRows(empty) { _ in Issue.record("a row of nothing") }
      // Surplus, missing and unexpectedly null columns are errors, and the session stays usable.
      let wrong: [@Sendable (inout CopyRow) throws -> Void] = [
        { _ = try $0.int8() }, { row in for _ in 0..<5 { _ = try row.cell() } },
        { row in
          _ = try row.int8()
          _ = try row.text()
          _ = try row.bool()
          _ = try row.cell()
        },
      ]
      for body in wrong { #expect(throws: PostgresError.self) { try tx.copyRows(read, body) } }
    }
    _ = try await session.failure { tx in try tx.copyRows(failing) { row in _ = try row.int8() } }
  }

  @Test func `binary COPY round trip of every type and null`() async throws {
    let read = try sql(
      "select t, i4::bigint, i8, s, b, z from every order by n", gives: .optionalBool, .optionalInt8, .optionalInt8, .optionalText,
      .optionalBytes, .optionalTimestamptz)
    try await session.transaction { tx in
      try tx.execute(Self.table)
      let count = try tx.copyIn("copy every from stdin (format binary)") { writer in
        try writer.beginRow(columns: 7)
        try writer.int4(1)
        try writer.bool(true)
        try writer.int4(.min)
        try writer.int8(.max)
        try writer.text("a\tb\\N\né\u{1F600}")
        try writer.bytes([0, 1, 255])
        try writer.timestamptz(microseconds: 1_700_000_000_123_456)
        try writer.beginRow(columns: 7)
        try writer.int4(2)
        for _ in 0..<5 { try writer.null() }
        try writer.optionalText(nil)
        try writer.beginRow(columns: 7)
        try writer.int4(3)
        try writer.bool(false)
        try writer.int4(-1)
        try writer.int8(.min)
        try writer.optionalText("")
        try writer.bytes([9, 8, 7][1...])
        try writer.timestamptz(microseconds: -1)
      }
      #expect(count == 3)
      let rows = try tx.rows(read).map { "\($0 as Any) \($1 as Any) \($2 as Any) \($3 as Any) \($4 as Any) \($5 as Any)" }
      #expect(
        rows == [
          "Optional(true) Optional(-2147483648) Optional(9223372036854775807) "
            + "Optional(\"a\\tb\\\\N\\né\u{1F600}\") Optional([0, 1, 255]) Optional(1700000000123456)",
          "nil nil nil nil nil nil",
          "Optional(false) Optional(-1) Optional(-9223372036854775808) Optional(\"\") Optional([8, 7]) Optional(-1)",
        ])
    }
  }

  @Test func `many rows cross the buffer's limit, stream back in flat memory and copy out`() async throws {
    let read = try listing("select n, s from every order by n")
    let rowCount: Int32 = 100_000
    try await session.transaction { tx in
      try tx.execute("create table every (n integer, s text)")
      let written = try tx.copyIn("copy every from stdin (format binary)") { writer in
        for number in 0..<rowCount {
          try writer.beginRow(columns: 2)
          try writer.int4(number)
          if number % 10 == 0 { try writer.null() } else { try writer.text("row \(number)") }
        }
      }
      #expect(written == Int(rowCount))
      var names: [String] = []
      var expected: Int32 = 0
      let streamed = try tx.stream(read, columns: { names = $0 }) { row in
        let text = row.bytes(1).map { String(decoding: $0, as: UTF8.self) }
        if row.count != 2 || row.bytes(0) != Array("\(expected)".utf8)
          || text != (expected % 10 == 0 ? nil : "row \(expected)") || !row.isNumeric(0) || row.isNumeric(1)
        {
          Issue.record("row \(expected) differs")
        }
        expected += 1
      }
      #expect(streamed == Int(rowCount))
      #expect(names == ["n", "s"])
      var lines = 0
      let copied = try tx.copyOut("copy every to stdout (format csv)") { chunk in lines += chunk.count { $0 == 0x0A } }
      #expect(copied == Int(rowCount))
      #expect(lines == Int(rowCount))
    }
  }

  @Test func `a stream without rows still names its columns`() async throws {
    let read = try listing("select 1 as one, true as yes where false")
    try await session.transaction { tx in
      var names: [String] = []
      let count = try tx.stream(read, columns: { names = $0 }) { _ in Issue.record("a row") }
      #expect(count == 0)
      #expect(names == ["one", "yes"])
    }
  }

  @Test func `a closure that throws in the middle of rows ends the transaction, not the session`() async throws {
    struct Stop: Error {}
    let endless = try listing("select generate_series(1, 1000000000)")
    let one = try sql("select 1", gives: .int4)
    await #expect(throws: Stop.self) {
      try await session.transaction { tx in try tx.stream(endless, columns: { _ in }) { _ in throw Stop() } }
    }
    await #expect(throws: Stop.self) {
      try await session.transaction { tx in
        try tx.execute("create table half (n integer)")
        return try tx.copyIn("copy half from stdin (format binary)") { writer in
          try writer.beginRow(columns: 1)
          try writer.int4(1)
          throw Stop()
        }
      }
    }
    await #expect(throws: Stop.self) {
      try await session.transaction { tx in
        try tx.copyOut("copy (select generate_series(1, 100000)) to stdout") { _ in throw Stop() }
      }
    }
    #expect(try await session.rows(one) == [1])
  }

  @Test func `rows that do not fit the table are the server's error`() async throws {
    let refusal = try await session.refusal { tx in
      try tx.execute("create table positive (n integer constraint above_zero check (n > 0))")
      return try tx.copyIn("copy positive from stdin (format binary)") { writer in
        try writer.beginRow(columns: 1)
        try writer.int4(-5)
      }
    }
    #expect(refusal.sqlState == .checkViolation)
    #expect(refusal.constraint == "above_zero")
  }
}
