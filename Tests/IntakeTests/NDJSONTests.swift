struct NDJSONTests {
  @Test(arguments: [
    "{\"user_id\":\"u1\",\"is_tester\":true}", " { \"is_tester\" : \"T\" , \"user_id\" : \"\\u0075\\u0031\" } ",
    "{\"user_id\":\"u1\",\"is_tester\":1,\"note\":null,\"home_storefront\":null,\"erased_at\":\"\"}",
    "{\"note\":1.5e-7,\"user_id\":\"u1\",\"is_tester\":\"true\",\"x\":false}",
    "{\"meta\":{\"user_id\":\"u2\",\"a\":[1,{\"}\":\"]\\\"\"}]},\"user_id\":\"u1\",\"tags\":[],\"is_tester\":true}",
  ])
  func `one row is read however it is written`(line: String) throws {
    let reading = try readUsers("\u{FEFF}\n\(line)\r\n  \n\(line)", suffix: ".jsonl")
    #expect(reading.parked.isEmpty, "\(reading.parked.map(\.reason))")
    #expect(reading.rows.map(\.row) == [UserRow(userID: "u1", isTester: true), UserRow(userID: "u1", isTester: true)])
    #expect(reading.rows.map(\.line) == [2, 4])
  }

  @Test(arguments: [
    ("{\"user_id\":\"a\",\"user_id\":\"b\"}", "user_id", "more than once"),
    ("{\"user_id\":\"a\",\"x\":1,\"x\":2}", "x", "more than once"),
    ("{\"user_id\":\"a\",\"us\\u0065r_id\":\"b\"}", "user_id", "more than once"),
    ("{\"user_id\":{\"a\":1}}", "user_id", "is a JSON object where"),
    ("{\"user_id\":[]}", "user_id", "is a JSON array where"),
    ("{\"user_id\":\"a\",\"x\":{\"a\":1]}", "x", "nested JSON value is not well formed"),
    ("{\"user_id\":\"a\",\"x\":[1,", "x", "nested JSON value is not well formed"),
    ("{\"user_id\":\"a\",\"x\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}", "x", "more than 32 levels"),
    ("{\"user_id\":\"a\",\"x\":[],\"x\":{}}", "x", "more than once"),
    ("{\"user_id\":\"a\"} x", "", "behind"), ("{\"user_id\":\"a\"", "", "closing brace"),
    ("{\"user_id\":\"a", "user_id", "never closed"), ("{\"user_id\"", "", "colon"),
    ("{\"user_id\":", "", "ends"),
    ("{\"user_id\":\"a\",}", "", "text"), ("{user_id:1}", "", "text"), ("[]", "", "not a JSON object"),
    ("null", "", "not a JSON object"), ("{\"user_id\":'a'}", "user_id", "neither"),
    ("{\"user_id\":\"\\x\"}", "user_id", "escape"), ("{\"user_id\":\"\\ud800\"}", "user_id", "surrogate"),
    ("{\"user_id\":\"\\ud800\\u0041\"}", "user_id", "surrogate"), ("{\"user_id\":\"\\u12", "user_id", "four"),
    ("{\"user_id\":\"a\tb\"}", "user_id", "control character"),
    ("{\"user_id\":\"\\u0000\"}", "user_id", "control character"), ("{\"user_id\":01}", "user_id", "number"),
    ("{\"user_id\":-}", "user_id", "number"), ("{\"user_id\":1.}", "user_id", "number"),
    ("{\"user_id\":1e}", "user_id", "number"), ("{\"user_id\":1.5}", "user_id", "digits only"),
    ("{\"user_id\":true}", "user_id", "boolean"), ("{}", "user_id", "missing"),
    ("{\"user_id\":\"\"}", "user_id", "missing"),
    ("{\"user_id\":null}", "user_id", "missing"),
  ])
  func `a line with a fault is parked whole`(line: String, field: String, reason: String) throws {
    let reading = try readUsers("\(line)\n{\"user_id\":\"u2\"}\n", suffix: ".ndjson")
    let parked = try #require(reading.parked.first)
    #expect(parked.field == field)
    #expect(parked.reason.english.contains(reason), "\(parked.reason)")
    #expect(parked.raw == Array(line.utf8))
    #expect(parked.line == 1)
    #expect(reading.rows.map(\.row.userID) == ["u2"])
  }

  @Test func `a pair of escapes is one character and an id in digits may be a number`() throws {
    let reading = try readUsers(
      "{\"user_id\":\"\\ud83d\\ude00\\n\"}\n{\"user_id\":\"\\ud83d\\ude00\"}\n{\"user_id\":9007199254740993}", suffix: ".ndjson")
    #expect(reading.rows.map(\.row.userID) == ["😀", "9007199254740993"])
    #expect(reading.parked.count == 1)
  }

  @Test func `keys without a meaning are reported once, in whichever row they are`() throws {
    let file = try TestFile("\n{\"user_id\":\"u1\",\"note\":1}\n{\"user_id\":\"u2\",\"note\":2,\"meta\":{}}\n", suffix: ".ndjson")
    var reader = try RowFileReader<UserRow>(path: file.path)
    #expect(reader.headerBytes == nil)
    while try reader.next() != nil {}
    #expect(reader.unrecognizedColumns == ["note", "meta"])
  }

  @Test(arguments: [0, 1, 2, 700_000])
  func `the limit of a line is exact`(excess: Int) throws {
    let limit = IntakeLimits.recordBytesMax
    let head = "{\"user_id\":\"u1\",\"note\":\""
    let line = head + String(repeating: "n", count: limit - head.utf8.count - 2 + excess) + "\"}"
    for ending in ["\n", "\r\n", ""] {
      let reading = try readUsers(line + ending, suffix: ".ndjson")
      #expect(reading.rows.count == (excess == 0 ? 1 : 0))
      #expect(reading.parked.map(\.byteCount) == (excess == 0 ? [] : [limit + excess]))
    }
  }

  @Test func `an empty file has no rows`() throws { #expect(try readUsers("", suffix: ".ndjson").rows.isEmpty) }
}
