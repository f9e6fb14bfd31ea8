import Glibc

/// Truncated inputs: the sound part is ingested, and the truncated end represents the file.
struct TruncatedInputTests {
  private static let optional = InputEnd(finalNewlineIsOptional: true)

  @Test(
    arguments: [
      // suffix, text, ingested users, line and bytes of the truncated end
      (".csv", "user_id\nu1\nu2\n", "u1 u2", nil), (".csv", "user_id\r\nu1\r\n", "u1", nil),
      (".csv", "user_id\nu1\n\n", "u1", nil), (".csv", "user_id\nu1\nu2", "u1", (3, "u2")),
      (".csv", "user_id\nu1\n\"u2", "u1", (3, "\"u2")), (".csv", "user_id\nu1\nu2\r", "u1", (3, "u2")),
      (".csv", "user_id\n", "", (2, "user_id")), (".csv", "user_id", "", (2, "user_id")),
      (".csv", "user_id\n\n\n", "", (4, "user_id")),
      (".ndjson", "{\"user_id\":\"u1\"}\n", "u1", nil), (".ndjson", "", "", (1, "")), (".ndjson", "\n\n", "", (3, "")),
      (".ndjson", "{\"user_id\":\"u1\"}\n{\"user_id\":\"u2\"}", "u1", (2, "{\"user_id\":\"u2\"}")),
      (".ndjson", "{\"user_id\":\"u1\"}\n{\"user", "u1", (2, "{\"user")),
      (".ndjson", "{\"user_id\":\"u1\"}\n  ", "u1", nil),
    ] as [(String, String, String, (Int, String)?)])
  func `a last record without its line end is the cut end`(suffix: String, text: String, taken: String, cut: (Int, String)?) throws {
    let reading = try readUsers(text, suffix: suffix, end: InputEnd())
    #expect(reading.rows.map(\.row.userID).joined(separator: " ") == taken)
    #expect(reading.parked.count == (cut == nil ? 0 : 1))
    #expect(reading.parked.allSatisfy { $0.isTruncated })
    #expect(reading.parked.first?.line == cut?.0)
    #expect(reading.parked.first?.raw == cut.map { Array($0.1.utf8) })
    #expect(reading.parked.first?.reason.english.isEmpty != true)
    // Skipping counts the truncated end as an item.
    let file = try TestFile(text, suffix: suffix)
    var reader = try RowFileReader<UserRow>(path: file.path)
    try reader.skip(items: reading.rows.count + reading.parked.count)
    #expect(try reader.next() == nil)
  }

  @Test func `settings may allow it, and a file without rows`() throws {
    #expect(try readUsers("user_id\nu1\nu2", end: Self.optional).rows.count == 2)
    #expect(try readUsers("user_id\n", end: InputEnd(mayBeEmpty: true)).parked.isEmpty)
    #expect(try readUsers("user_id\n", end: Self.optional).parked.map(\.reason.english) == ["the file has a header and no rows"])
  }

  // MARK: Compressed files

  private static func packed(_ program: String, _ text: String) throws -> [UInt8] {
    let file = try TestFile(text)
    let out = try TestFile("")
    guard unsafe system("\(program) -c < \(file.path) > \(out.path)") == 0 else {
      throw TestFault(reason: "\(program) could not pack a file")
    }
    return try out.bytes()
  }

  private static let rows = 3_000

  private static func table() -> String {
    "user_id,note\n" + (0..<rows).map { "u\($0),\($0 &* 2_654_435_761)\n" }.joined()
  }

  @Test(arguments: ["gzip", "zstd -q"])
  func `a packed file is read as what is in it`(program: String) throws {
    let bytes = try Self.packed(program, Self.table())
    for suffix in [".csv", ".csv.gz", ".csv.zst", ""] {
      let reading = try readUsers(bytes, suffix: suffix, end: InputEnd())
      #expect(reading.rows.count == Self.rows)
      #expect(reading.parked.isEmpty)
    }
    if program.hasPrefix("zstd") {
      // Parallel compressors begin with a frame that is skipped.
      let parallel = [0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 1, 2, 3, 4] + bytes
      #expect(try readUsers(parallel, suffix: ".csv", end: InputEnd()).rows.count == Self.rows)
    }
    let signed = try TestFile(Self.packed(program, "a.b.c\nd.e.f\n"))
    var lines = try EvidenceLines(path: signed.path)
    #expect(try lines.next() == .item(EvidenceLine(bytes: Array("a.b.c".utf8), line: 1)))
    #expect(try lines.next() == .item(EvidenceLine(bytes: Array("d.e.f".utf8), line: 2)))
    #expect(try lines.next() == nil)
  }

  @Test(arguments: ["gzip", "zstd -q"])
  func `a packed file that ends early is read as far as it goes`(program: String) throws {
    let bytes = try Self.packed(program, Self.table())
    for count in [bytes.count - 1, bytes.count - 9, bytes.count / 2, 30, 12] {
      let cut = Array(bytes.prefix(count))
      let reading: Reading<UserRow>
      do {
        reading = try readUsers(cut, suffix: ".csv", end: Self.optional)
      } catch let error as IntakeError {
        // zstd decompresses whole blocks only, so not even the header is available.
        let isPacked = error.reason.english.contains("packed file cannot be unpacked to its end")
        #expect(isPacked && error.isMissing || count <= 30, "\(error)")
        continue
      }
      #expect(reading.rows.map(\.row.userID) == (0..<reading.rows.count).map { "u\($0)" })
      #expect(reading.parked.count == 1)
      #expect(reading.parked.first?.isTruncated == true)
      #expect(reading.parked.first?.reason.english.contains("packed file cannot be unpacked to its end") == true)
    }
    let file = try TestFile(Array(bytes.prefix(12)), suffix: ".csv")
    let error = #expect(throws: IntakeError.self) {
      try InputPreview(UserRow.self, path: file.path, format: nil, mapping: nil, facts: PreviewFacts())
    }
    #expect(error?.reason.english.contains("packed file cannot be unpacked to its end") == true)
  }

  // MARK: Encodings

  @Test(
    arguments: [
      ([0xFF, 0xFE], "UTF-16"), ([0xFE, 0xFF], "UTF-16"), ([0xFF, 0xFE, 0, 0], "UTF-32"), ([], "UTF-16LE"),
    ] as [([UInt8], String)])
  func `another encoding of Unicode is named`(mark: [UInt8], name: String) throws {
    var wide: [UInt8] = []
    for letter in "user_id\nu1\n".utf8 { wide += mark.first == 0xFE ? [0, letter] : [letter, 0] }
    let file = try TestFile(mark + wide, suffix: ".csv")
    let ofRows = try #require(throws: IntakeError.self) { try RowFileReader<UserRow>(path: file.path) }
    let ofEvidence = try #require(throws: IntakeError.self) { try EvidenceLines(path: file.path) }
    for error in [ofRows, ofEvidence] {
      #expect(error.reason.english.contains("it is \(name),"))
      #expect(error.description.contains("iconv -f \(name)"))
    }
    #expect(ofRows.description.contains("Name the encoding in the settings"))
    #expect(!ofEvidence.description.contains("settings"))
  }

  // MARK: Evidence

  @Test(
    arguments: [
      ("a.b.c\nd.e.f", ["1 a.b.c"], "2 d.e.f"), ("a.b.c\nd.e.f\n", ["1 a.b.c", "2 d.e.f"], nil),
      ("a.b.c", ["1 a.b.c ?"], nil), ("a.b.c\n", ["1 a.b.c"], nil), ("", [], "1 "), ("\n\n", [], "3 "),
      ("{\n\"a\":1\n}", ["1 {\n\"a\":1\n} ?"], nil), ("{\n\"a\":[\n", ["1 {\n\"a\":[\n ?"], nil),
      ("{\"a\":1}\n{\"b\":", ["1 {\"a\":1}"], "2 {\"b\":"),
    ] as [(String, [String], String?)])
  func `evidence that has no line end is the cut end, or may be one when it is alone`(text: String, items: [String], cut: String?) throws {
    let file = try TestFile(text)
    var lines = try EvidenceLines(path: file.path)
    var found: [String] = []
    var cuts: [String] = []
    while let result = try lines.next() {
      switch result {
      case .item(let line):
        found.append("\(line.line) \(String(decoding: line.bytes, as: UTF8.self))\(line.mayBeTruncated ? " ?" : "")")
      case .parked(let item):
        #expect(item.isTruncated)
        cuts.append("\(item.line) \(String(decoding: item.raw, as: UTF8.self))")
      }
    }
    #expect(found == items)
    #expect(cuts == (cut.map { [$0] } ?? []))
  }

  /// Ids that are equivalent in Unicode are different records.
  @Test func `a truncated record is recognised by the bytes of its key`() throws {
    let header = Array("user_id,home_storefront".utf8)
    let cases = [("Jos\u{E9},U", "Jos\u{E9}", ["Jose\u{301}"]), ("Jos\u{E9}", "Jos\u{E9}phine", ["Jose\u{301}phine", "Jo"])]
    for (raw, completing, others) in cases {
      let record = try #require(TruncatedRecord(raw: Array(raw.utf8), header: header, key: "user_id"))
      #expect(record.isCompleted(by: completing))
      #expect(others.allSatisfy { !record.isCompleted(by: $0) })
    }
  }

  @Test(arguments: ["/dev/null", "/dev/zero"]) func `a device is refused`(path: String) throws {
    let error = try #require(throws: IntakeError.self) { try RowFileReader<UserRow>(path: path) }
    #expect(error.reason.english == "it is a device")
  }
}
