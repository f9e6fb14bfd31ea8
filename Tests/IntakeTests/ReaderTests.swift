import Dice

struct ReaderTests {
  @Test(
    arguments: [
      ("a.csv", InputFormat.csv), ("a.csv.gz", .csv), ("b/c.ndjson.zst", .ndjson), ("x.gz", nil), ("a.CSV.GZ", .csv),
      ("b/c.NDJSON", .ndjson), ("a.jsonl", .ndjson), ("a.json", .ndjson),
      ("a.txt", nil),
      ("-", nil), ("a.csv/data", nil), ("", nil), ("csv", nil),
    ] as [(String, InputFormat?)])
  func `a name may state the format`(path: String, format: InputFormat?) { #expect(InputFormat(path: path) == format) }

  @Test func `the first byte decides what the name does not, and an option beats both`() throws {
    let rows = try TestFile("\u{FEFF}\n {\"user_id\":\"u\"}")
    #expect(try RowFileReader<UserRow>(path: rows.path).format == .ndjson)
    let table = try TestFile("\nuser_id,x\nu1,\n")
    #expect(try RowFileReader<UserRow>(path: table.path).format == .csv)
    let named = try TestFile("{\"user_id\":\"u1\"}", suffix: ".csv")
    #expect(try Reading(RowFileReader<UserRow>(path: named.path, format: .ndjson, end: anyEnd)).rows.count == 1)
  }

  @Test(arguments: [("/nowhere/at/all.csv", "No such file"), ("/tmp", "directory")])
  func `unreadable input is reported with its reason`(path: String, reason: String) throws {
    for error in [
      try #require(throws: IntakeError.self) { try RowFileReader<UserRow>(path: path) },
      try #require(throws: IntakeError.self) { try EvidenceLines(path: path) },
    ] {
      #expect(error.description.contains("\"\(path)\""))
      #expect(error.description.contains(reason))
    }
  }

  @Test(arguments: [".csv", ".ndjson"])
  func `skipping gives what reading would have given`(suffix: String) throws {
    var text = suffix == ".csv" ? "user_id,home_storefront\n" : ""
    for number in 0..<3_000 {
      let storefront = number % 7 == 0 ? "oops" : "USA"
      text +=
        suffix == ".csv"
        ? "u\(number),\(number % 11 == 0 ? "\"\(storefront)\"x" : storefront)\n\n"
        : "{\"user_id\":\"u\(number)\",\"home_storefront\":\"\(storefront)\"}\n\n"
    }
    let file = try TestFile(text, suffix: suffix)
    var whole = try RowFileReader<UserRow>(path: file.path)
    var all: [RowResult<UserRow>] = []
    while let result = try whole.next() { all.append(result) }
    #expect(all.count == 3_000)
    for skipped in [0, 1, 7, 1_500, 2_999, 3_000] {
      var reader = try RowFileReader<UserRow>(path: file.path)
      try reader.skip(items: skipped)
      var rest: [RowResult<UserRow>] = []
      while let result = try reader.next() { rest.append(result) }
      #expect(rest == Array(all[skipped...]))
    }
    var short = try RowFileReader<UserRow>(path: file.path)
    #expect(throws: IntakeError.self) { try short.skip(items: 3_001) }
  }

  @Test func `a parked row is parked again with its place, and taken when it is mended`() throws {
    let file = try TestFile("note,user_id,home_storefront\nx,u1,USA\n\"a,b\",u2,usa\n", suffix: ".csv")
    let reader = try RowFileReader<UserRow>(path: file.path)
    let parked = try #require(try Reading(reader).parked.first)
    var again = try RowFileReader<UserRow>(bytes: parked.raw, header: reader.headerBytes, file: parked.file, line: parked.line)
    #expect(try again.next() == .parked(parked))
    #expect(try again.next() == nil)
    let mended = Array(String(decoding: parked.raw, as: UTF8.self).replacing("usa", with: "USA").utf8)
    var third = try RowFileReader<UserRow>(bytes: mended, header: reader.headerBytes, file: parked.file, line: parked.line)
    let (row, line) = try #require(try third.next()?.row, "the mended row was parked")
    #expect(row.userID == "u2")
    #expect(line == 3)
  }

  @Test(arguments: [InputFormat.csv, .ndjson])
  func `where the chunks of a file end makes no difference`(format: InputFormat) throws {
    var random = Dice(seed: 7)
    var text = ""
    for number in 0..<40_000 {
      let filling = String(repeating: "é", count: .random(in: 0...40, using: &random))
      switch Int.random(in: 0..<12, using: &random) {
      case 0: text += "\r\n"
      case 1: text += format == .csv ? "u\(number),\"\(filling)\nx\"\r\n" : "{\"user_id\":\"\(filling)\n"
      case 2: text += format == .csv ? "u\(number),\"\(filling)\"\"\"\n" : "{\"user_id\":\"\\u00e9\"}\n"
      case 3: text += format == .csv ? "u\(number),\"\(filling)\"x\n" : "[]\r\n"
      default: text += format == .csv ? "u\(number),\(filling)\n" : "{\"user_id\":\"u\(number)\(filling)\"}\n"
      }
    }
    let header = "user_id,note"
    let file = try TestFile(format == .csv ? "\(header)\n\(text)" : text)
    var streamed = try RowFileReader<UserRow>(path: file.path, format: format)
    var whole = try RowFileReader<UserRow>(
      bytes: Array(text.utf8), header: format == .csv ? Array(header.utf8) : nil, file: file.path, line: format == .csv ? 2 : 1)
    var count = 0
    while let result = try whole.next() {
      #expect(try streamed.next() == result)
      count += 1
    }
    #expect(try streamed.next() == nil)
    #expect(count > 30_000)
  }

  @Test(arguments: [InputFormat.csv, .ndjson])
  func `no bytes trap, and every line is an item or blank`(format: InputFormat) throws {
    var random = Dice(seed: 20_250_301)
    let alphabet = Array("\"\"\",,,\n\r\n{}[]:u1a\\ t0-9.e".utf8) + [0, 0xFF, 0xC3, 0xA9, 0xEF, 0xBB, 0xBF]
    for round in 0..<3_000 {
      let count = Int.random(in: 0...120, using: &random)
      let noise = (0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] }
      let head = Array((format == .csv ? "user_id,home_storefront\n" : "{\"user_id\":\"u\"").utf8)
      let file = try TestFile(head + noise + Array("\nlast,USA\n{\"user_id\":\"last\"}\n".utf8))
      let reading = try Reading(RowFileReader<UserRow>(path: file.path, format: format))
      // The last good row is found after any noise in its format.
      #expect(reading.rows.last?.row.userID == "last", "round \(round): \(noise)")
      #expect(reading.rows.count + reading.parked.count >= 1)
      var evidence = try EvidenceLines(path: file.path)
      while try evidence.next() != nil {}
    }
  }
}
