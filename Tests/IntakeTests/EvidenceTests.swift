struct EvidenceTests {
  private static func items(_ bytes: [UInt8]) throws -> [EvidenceLineResult] {
    let file = try TestFile(bytes)
    var lines = try EvidenceLines(path: file.path, end: anyEnd)
    var all: [EvidenceLineResult] = []
    while let item = try lines.next() { all.append(item) }
    return all
  }

  @Test(
    arguments: [
      ("a.b.c\nd.e.f\n", [(1, "a.b.c"), (2, "d.e.f")]),
      ("a.b.c\r\n\r\n\n  \n d.e.f", [(1, "a.b.c"), (5, " d.e.f")]),
      ("\u{FEFF}a.b.c", [(1, "a.b.c")]),
      ("{\"a\":1}\n{\"b\":2}\n", [(1, "{\"a\":1}"), (2, "{\"b\":2}")]),
      ("[1]\n[2]\n", [(1, "[1]"), (2, "[2]")]),
      ("\n{\n  \"a\": 1\n}\n", [(2, "{\n  \"a\": 1\n}\n")]),
      ("[{\"a\":\"}\\\"\"},\n{\"b\":2}]\n", [(1, "[{\"a\":\"}\\\"\"},\n{\"b\":2}]\n")]),
      ("{\"a\":1\n,\"b\":2}", [(1, "{\"a\":1\n,\"b\":2}")]),
      // A truncated first line does not absorb the following ones.
      ("{\"evidence\":\"abc\nd.e.f\n", [(1, "{\"evidence\":\"abc"), (2, "d.e.f")]),
      ("{\"a\":1\n{\"b\":2}\n", [(1, "{\"a\":1"), (2, "{\"b\":2}")]),
      ("{\"a\":1,\n{\"b\":2}\n", [(1, "{\"a\":1,"), (2, "{\"b\":2}")]),
      ("{\"a\":1", [(1, "{\"a\":1")]), ("", []), ("\n \r\n", []),
      ("{\"signedTransactions\":[\neyJ.a.b\neyJ.c.d\n", [(1, "{\"signedTransactions\":["), (2, "eyJ.a.b"), (3, "eyJ.c.d")]),
      ("{\"signedTransactions\":[\nMIIabc\n", [(1, "{\"signedTransactions\":["), (2, "MIIabc")]),
      ("{\"a\":[\n{\"b\":1}\n{\"c\":2}\n", [(1, "{\"a\":["), (2, "{\"b\":1}"), (3, "{\"c\":2}")]),
      ("{\"a\":[\n{\"b\":1}\n", [(1, "{\"a\":["), (2, "{\"b\":1}")]),
      ("{\"a\":\n{\"b\":1}\n", [(1, "{\"a\":"), (2, "{\"b\":1}")]),
      ("[\n{\"b\":1},\n{\"c\":2}]\n", [(1, "[\n{\"b\":1},\n{\"c\":2}]\n")]),
      ("{\n\"a\": 1\n}\n{\"b\":1}\n", [(1, "{"), (2, "\"a\": 1"), (3, "}"), (4, "{\"b\":1}")]),
      ("{\n\"a\": [\n1,\n", [(1, "{\n\"a\": [\n1,\n")]),
    ] as [(String, [(Int, String)])])
  func `a file is its lines, or one document`(text: String, wanted: [(Int, String)]) throws {
    #expect(try Self.items(Array(text.utf8)) == wanted.map { .item(EvidenceLine(bytes: Array($0.1.utf8), line: $0.0)) })
  }

  @Test(arguments: [0x80, 0x81, 0x82, 0x83, 0x84] as [UInt8])
  func `a DER file is one item with every byte`(length: UInt8) throws {
    let bytes: [UInt8] = [0x30, length, 0x0A, 0x0D, 0x0A, 0x00, 0x0A]
    #expect(try Self.items(bytes) == [.item(EvidenceLine(bytes: bytes, line: 1))])
  }

  @Test(arguments: [(64, "\n", "MIIa+/9"), (76, "\r\n", "MIIa+/9"), (64, "\r\n", "eyJa-_9"), (76, "\n", "eyJa-_9")])
  func `a text that was folded is one item`(width: Int, end: String, letters: String) throws {
    let text = letters + ".c." + String(repeating: "Ab3x-_9", count: 26)
    let lines = stride(from: 0, to: text.count, by: width).map { String(text.dropFirst($0).prefix(width)) }
    let one = EvidenceLine(bytes: Array(text.utf8), line: 1)
    #expect(try Self.items(Array((lines.joined(separator: end) + end).utf8)) == [.item(one)])
    // Complete items of any length stay one per line. A line that is not continued also stays separate.
    #expect(try Self.items(Array((text + end + text + end).utf8)).count == 2)
    for next in ["{}", text] { #expect(try Self.items(Array((lines[0] + end + next + end).utf8)).count == 2) }
    // Reading ahead moves the window, so the line that is not continued is found again.
    let single = EvidenceLine(bytes: Array(lines[0].utf8), line: 2)
    for next in ["", "{}" + end] {
      #expect(try Self.items(Array(("{\"a\":1}\n" + lines[0] + end + next).utf8)).dropFirst().first == .item(single))
    }
    // It ends with its shorter last line, wherever it stands in the file.
    let folded = lines.joined(separator: end) + end
    let after = 1 + lines.count
    #expect(
      try Self.items(Array(("{\"a\":1}" + end + folded + text + end + folded + "{\"b\":1}" + end).utf8)) == [
        .item(EvidenceLine(bytes: Array("{\"a\":1}".utf8), line: 1)), .item(EvidenceLine(bytes: Array(text.utf8), line: 2)),
        .item(EvidenceLine(bytes: Array(text.utf8), line: 1 + after)), .item(EvidenceLine(bytes: Array(text.utf8), line: 2 + after)),
        .item(EvidenceLine(bytes: Array("{\"b\":1}".utf8), line: 2 + 2 * after - 1)),
      ])
  }

  @Test func `padding and blanks at the end of a folded text end it`() throws {
    let text = "MII" + String(repeating: "a", count: 123) + "=="
    let folded = text.prefix(64) + "\n" + text.dropFirst(64) + "\n"
    let items = try Self.items(Array((folded + folded).utf8))
    #expect(items == [1, 3].map { .item(EvidenceLine(bytes: Array(text.utf8), line: $0)) })
    let short = text.prefix(100)
    #expect(
      try Self.items(Array((short.prefix(64) + "\n" + short.dropFirst(64) + " \n").utf8)).first
        == .item(EvidenceLine(bytes: Array(short.utf8), line: 1)))
  }

  @Test func `folded signed texts without a shorter last line are separate items`() throws {
    let text = "eyJ" + String(repeating: "a", count: 60) + "." + String(repeating: "b", count: 63) + "." + String(repeating: "c", count: 64)
    let folded = stride(from: 0, to: text.count, by: 64).map { text.dropFirst($0).prefix(64) + "\n" }.joined()
    #expect(text.count % 64 == 0)
    let items = try Self.items(Array((folded + folded).utf8))
    #expect(items == [1, 4].map { .item(EvidenceLine(bytes: Array(text.utf8), line: $0)) })
  }

  @Test func `an item beyond the limit is parked with its length`() throws {
    let limit = IntakeLimits.evidenceBytesMax
    let fits = [UInt8](repeating: 0x61, count: limit)
    let items = try Self.items(fits + [0x0A] + fits + [0x61, 0x0D, 0x0A, 0x62])
    #expect(items.count == 3)
    #expect(items.first == .item(EvidenceLine(bytes: fits, line: 1)))
    guard case .parked(let parked) = items[1] else {
      Issue.record("the item was taken")
      return
    }
    #expect(parked.byteCount == limit + 1)
    #expect(parked.raw.count == IntakeLimits.overlongBytesKept)
    #expect(parked.kind == "apple")
    #expect(parked.line == 2)
    #expect(items.last == .item(EvidenceLine(bytes: [0x62], line: 3)))
  }

  @Test func `a document beyond the limit is parked with its length`() throws {
    let bytes = Array("{\n".utf8) + [UInt8](repeating: 0x20, count: IntakeLimits.evidenceBytesMax / 2)
    let whole = bytes + Array("\"a\":\n".utf8) + [UInt8](repeating: 0x0A, count: IntakeLimits.evidenceBytesMax)
    let items = try Self.items(whole)
    guard case .parked(let parked) = try #require(items.first) else {
      Issue.record("the document was taken")
      return
    }
    #expect(items.count == 1)
    #expect(parked.byteCount == whole.count)
  }

  @Test func `skipping gives what reading would have given`() throws {
    let text = (0..<500).map { "item.\($0).x\n\n" }.joined()
    let all = try Self.items(Array(text.utf8))
    let file = try TestFile(Array(text.utf8))
    for skipped in [0, 1, 250, 500] {
      var lines = try EvidenceLines(path: file.path, end: anyEnd)
      try lines.skip(items: skipped)
      var rest: [EvidenceLineResult] = []
      while let item = try lines.next() { rest.append(item) }
      #expect(rest == Array(all[skipped...]))
    }
    var short = try EvidenceLines(path: file.path, end: anyEnd)
    #expect(throws: IntakeError.self) { try short.skip(items: 501) }
  }
}
