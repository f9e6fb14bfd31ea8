struct CSVTests {
  @Test(arguments: [
    ("user_id,home_storefront\nu1,USA\nu2,CHN\n", [2, 3]),
    ("user_id,home_storefront\r\nu1,USA\r\nu2,CHN\r\n", [2, 3]),
    ("user_id,home_storefront\r\nu1,USA\r\nu2,CHN", [2, 3]),
    ("user_id,home_storefront\r\nu1,USA\r\nu2,CHN\r", [2, 3]),
    ("\u{FEFF}user_id,home_storefront\nu1,USA\nu2,CHN\n", [2, 3]),
    ("home_storefront,user_id\nUSA,u1\nCHN,u2\n", [2, 3]),
    ("\n\nuser_id,home_storefront\n\nu1,USA\n\r\n\nu2,CHN\n\n", [5, 8]),
    ("\"user_id\",\"home_storefront\"\n\"u1\",\"USA\"\n\"u2\",CHN", [2, 3]),
    ("note,user_id,home_storefront\n\"a \"\"c\",u1,USA\n,u2,CHN\n", [2, 3]),
  ])
  func `one table is read however it is written`(text: String, lines: [Int]) throws {
    let reading = try readUsers(text)
    #expect(reading.parked.isEmpty)
    #expect(reading.rows.map(\.row.userID) == ["u1", "u2"])
    #expect(reading.rows.map(\.row.homeStorefront) == ["USA", "CHN"])
    #expect(reading.rows.map(\.line) == lines)
  }

  @Test func `quotes and commas inside quotes are text`() throws {
    #expect(try readUsers("user_id\n\"a,b \"\"c\"\"\"\n\"\"\"\"\n").rows.map(\.row.userID) == ["a,b \"c\"", "\""])
  }

  /// Our tables put an apostrophe before text that a spreadsheet would evaluate. Ingestion removes it again.
  @Test(arguments: [
    ("=1", "'=1"), ("+1", "'+1"), ("-1+1", "'-1+1"), ("@a", "'@a"), ("'=1", "''=1"), ("''-5", "'''-5"), ("-5", "-5"),
    ("-9.99", "-9.99"), ("--5", "'--5"), ("-", "'-"), ("-.5", "'-.5"), ("-5.", "'-5."), ("-1.2.3", "'-1.2.3"), ("'a", "'a"), ("'", "'"),
    ("a=1", "a=1"), ("=\"1\"", "'=\"1\""),
  ])
  func `what a spreadsheet would compute is read back as it was`(value: String, written: String) throws {
    #expect((SpreadsheetGuard.isNeeded(by: value.utf8.span) ? "'" : "") + value == written)
    let quoted = written.replacing("\"", with: "\"\"")
    #expect(try readUsers("user_id\n\"\(quoted)\"\n").rows.map(\.row.userID) == [value])
    guard quoted == written else { return }
    #expect(try readUsers("user_id,note\n\(written),\n").rows.map(\.row.userID) == [value])
  }

  @Test(arguments: [
    ("u1,\"x\ny\nu3,z\n", 2, "never closed"), ("u1,\"x\"y\nu3,z\n", 2, "closing quote"),
    ("u1,x\"y\nu3,z\n", 2, "not quoted"), ("\nu1,\"x\"\r y\nu3,z\n", 3, "closing quote"),
    ("u1\nu3,z\n", 2, "1 values"), ("u1,x,y\nu3,z\n", 2, "3 values"),
    ("u1,\(String(repeating: ",", count: 500))\nu3,z\n", 2, "more than 200 values"),
  ])
  func `a row with a fault is parked and the one behind it is in`(text: String, line: Int, reason: String)
    throws
  {
    let reading = try readUsers("user_id,note\n" + text)
    let parked = try #require(reading.parked.first)
    #expect(parked.line == line)
    #expect(parked.kind == "users")
    #expect(parked.reason.english.contains(reason), "\(parked.reason)")
    #expect(parked.raw.count == parked.byteCount)
    #expect(!parked.raw.contains(0x0A))
    #expect(reading.rows.map(\.row.userID).contains("u3"))
  }

  @Test func `a quote left open costs one line and names its column`() throws {
    let rows = (0..<50_000).map { "u\($0),x" }.joined(separator: "\n")
    let reading = try readUsers("user_id,note\nopen,\"x\n\(rows)\n")
    #expect(reading.parked.map(\.line) == [2])
    #expect(reading.parked.map(\.field) == ["note"])
    #expect(reading.parked.map(\.raw) == [Array("open,\"x".utf8)])
    #expect(reading.rows.count == 50_000)
    #expect(reading.rows.last?.line == 50_002)
  }

  /// Two stray quotes at any distance affect only their own lines.
  @Test(arguments: [0, 1, 2, 9_000])
  func `two stray quotes swallow no row between them`(count: Int) throws {
    let rows = (0..<count).map { "u\($0),x" }.joined(separator: "\n")
    for (first, second) in [("a,\"x", "b\",x"), ("\"a,x", "b,x\""), ("a,\"x", "\",b"), ("a,\"", "\"")] {
      let reading = try readUsers("user_id,note\n\(first)\n\(rows)\n\(second)\nlast,x\n")
      #expect(reading.rows.map(\.row.userID) == (0..<count).map { "u\($0)" } + ["last"])
      #expect(reading.parked.map(\.line) == [2, count + (count == 0 ? 4 : 3)])
      #expect(reading.parked.map(\.raw) == [Array(first.utf8), Array(second.utf8)])
    }
  }

  @Test(arguments: [0, 1, 2, 3, 300_000])
  func `the limit of a record is exact`(excess: Int) throws {
    let limit = IntakeLimits.recordBytesMax
    let note = String(repeating: "n", count: limit - 3 + excess)
    let reading = try readUsers("user_id,note\nu1,\(note)\r\nu2,\n")
    #expect(reading.rows.map(\.row.userID) == (excess == 0 ? ["u1", "u2"] : ["u2"]))
    #expect(reading.rows.last?.line == 3)
    if excess > 0 {
      let parked = try #require(reading.parked.first)
      #expect(parked.byteCount == limit + excess)
      #expect(parked.raw.count == IntakeLimits.overlongBytesKept)
      #expect(parked.reason.english.contains("limit"))
    }
  }

  @Test(arguments: [
    ("bundle_id,product_id\n", ["type", "bundle_id", "line 1", "`payrecon ingest catalogue --preview FILE` proposes a mapping"]),
    ("bundle_id,product_id,type,type\n", ["repeats \"type\""]),
    ("", ["empty"]), ("\n\r\n", ["empty"]), ("bundle_id,\"product_id\n", ["never closed"]),
    ("bundle_id,\"product\n_id\",type\n", ["a line break inside quotes"]),
    ("bundle_id,product_id,type\rcom.a,p,Consumable\r", ["carriage returns alone", "tr '\\r' '\\n'"]),
    (String(repeating: "a,", count: 300) + "\n", ["200 columns"]),
  ])
  func `a header with a fault refuses the file`(text: String, words: [String]) throws {
    let file = try TestFile(text, suffix: ".csv")
    let error = try #require(throws: IntakeError.self) { try RowFileReader<CatalogueRow>(path: file.path) }
    for word in words + [file.path] { #expect(error.description.contains(word), "\(error)") }
  }

  @Test(
    arguments: [
      ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 0, 4], "xz"), (Array("BZh91AY&SY\n".utf8), "bzip2"), ([0x50, 0x4B, 3, 4, 20, 0], "zip"),
      ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 4], "7z"),
    ] as [([UInt8], String)])
  func `a file that is packed in another way is named`(bytes: [UInt8], name: String) throws {
    let file = try TestFile(bytes, suffix: ".csv")
    let ofRows = try #require(throws: IntakeError.self) { try RowFileReader<UserRow>(path: file.path) }
    let ofEvidence = try #require(throws: IntakeError.self) { try EvidenceLines(path: file.path) }
    for error in [ofRows, ofEvidence] { #expect(error.reason.english.contains("packed as \(name)")) }
  }

  @Test func `columns without a meaning are reported and ignored`() throws {
    let file = try TestFile("user_id,note,Extra\nu1,x,y\n", suffix: ".csv")
    let reader = try RowFileReader<UserRow>(path: file.path)
    #expect(reader.unrecognizedColumns == ["note", "Extra"])
    #expect(reader.headerBytes == Array("user_id,note,Extra".utf8))
    #expect(try Reading(reader).rows.count == 1)
  }

  @Test func `bytes that are not UTF-8 are parked with their place`() throws {
    let reading = try readUsers(Array("user_id,home_storefront\nu".utf8) + [0xFF] + Array(",USA\nü,USA\n".utf8))
    #expect(reading.parked.map(\.field) == ["user_id"])
    #expect(reading.parked.first?.reason.english.contains("byte 1") == true)
    #expect(reading.rows.map(\.row.userID) == ["ü"])
  }
}
