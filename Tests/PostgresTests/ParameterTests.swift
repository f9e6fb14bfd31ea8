@Suite("SQL files") struct ParameterTests {
  @Test(arguments: [
    ("select :'a'", "select $1", ["a"]),
    ("select :'a'::timestamptz", "select $1::timestamptz", ["a"]),
    ("select :'b', :'a', :'b'", "select $1, $2, $1", ["b", "a"]),
    ("select ':''a'''", "select ':''a'''", []),
    ("select 'it''s', :'a'", "select 'it''s', $1", ["a"]),
    (#"select E'it\'s', :'a'"#, #"select E'it\'s', $1"#, ["a"]),
    (#"select 'back\', :'a'"#, #"select 'back\', $1"#, ["a"]),
    (#"select ":'a'", :'b'"#, #"select ":'a'", $1"#, ["b"]),
    ("select 1 -- :'a'\n, :'b'", "select 1 -- :'a'\n, $1", ["b"]),
    ("select /* :'a' /* :'b' */ :'c' */ :'d'", "select /* :'a' /* :'b' */ :'c' */ $1", ["d"]),
    ("select $$ :'a' $$, :'b'", "select $$ :'a' $$, $1", ["b"]),
    ("select $t$ $$ :'a' $t$, :'b'", "select $t$ $$ :'a' $t$, $1", ["b"]),
    ("select a$b$c, :'a'", "select a$b$c, $1", ["a"]),
    ("select x::text, y[1:2], :'a'", "select x::text, y[1:2], $1", ["a"]),
    ("select 5 - -1 / 2, :'a'", "select 5 - -1 / 2, $1", ["a"]),
    ("select 'ü', :'a'", "select 'ü', $1", ["a"]),
  ]) func `parameters are found where psql finds them`(source: String, text: String, names: [String]) throws {
    let file = try listing(source)
    #expect(file.text == text)
    #expect(file.parameterNames == names)
  }

  @Test func `a file that is not there, and a folder that is not there, are named`() throws {
    let folder = try SQLFolder(["a.sql": "select 1"])
    #expect(folder.files.paths == ["a.sql"])
    let file = #expect(throws: PostgresError.self) { try folder("b.sql") }
    #expect("\(try #require(file))".contains("b.sql"))
    let directory = #expect(throws: PostgresError.self) { try SQLFiles(directory: "/tmp/there-is-nothing-here") }
    #expect("\(try #require(directory))".contains("/tmp/there-is-nothing-here"))
  }

  @Test func `a parameter without a value, and a value without a parameter, are named`() async throws {
    let session = try await TestServer.session()
    let file = try sql("select :'one'::bigint", path: "some/file.sql")
    for (values, name) in [([:], "one"), (["one": Value.int8(1), "two": .int8(2)], "two")] as [([String: Value], String)] {
      let error = try await session.failure { tx in try tx.run(file, values) }
      #expect("\(error)".contains("\"\(name)\"") && "\(error)".contains("some/file.sql"), "\(error)")
    }
  }
}
