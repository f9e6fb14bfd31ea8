import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Invalid input: a clear message and exit status, the good rows stored, nothing lost.
@Suite(.cleansUp) struct BadInputTests {
  private let setup: Setup

  init() async throws { setup = try await Setup() }

  static let header = "order_id,bundle_id,product_id,user_id,status,created_at,price_milliunits,currency"

  static func row(_ id: String, price: String = "6000") -> String {
    "\(id),com.acme.reader,coins60,U1,delivered,2026-05-10T10:00:00Z,\(price),CNY"
  }

  static func json(_ id: String, _ more: String = "") -> String {
    "{\"order_id\":\"\(id)\",\"bundle_id\":\"com.acme.reader\",\"product_id\":\"coins60\",\"user_id\":\"U1\","
      + "\"status\":\"delivered\",\"created_at\":\"2026-05-10T10:00:00Z\"\(more)}"
  }

  /// A file of orders in which some rows have faults.
  struct RowCase: NamedCase {
    var name: String
    var ending = "csv"
    var lines: [[UInt8]]
    /// Order ids stored afterwards.
    var taken: [String]
    /// `line field` and a part of the reason, for each parked item.
    var parked: [(place: String, reason: String)]

    init(_ name: String, ending: String = "csv", _ lines: [String], taken: [String], parked: [(place: String, reason: String)]) {
      self.name = name
      self.ending = ending
      self.lines = lines.map { Array($0.utf8) }
      self.taken = taken
      self.parked = parked
    }

    func replacing(_ text: String, with bytes: [UInt8]) -> RowCase {
      var copy = self
      copy.lines = lines.map { $0.replacing(Array(text.utf8), with: bytes) }
      return copy
    }
  }

  static let rowCases: [RowCase] = [
    RowCase(
      "text that is not UTF-8", [header, row("G1"), row("B~1"), row("G2")], taken: ["G1", "G2"],
      parked: [("3 order_id", "not UTF-8 at byte 1")]
    ).replacing("~", with: [0xFF]),
    RowCase(
      "a quote that is never closed", [header, row("G1"), "\"" + row("B1"), row("G2")], taken: ["G1", "G2"],
      parked: [("3 order_id", "a quote is opened and never closed")]),
    RowCase(
      "text behind a closing quote", [header, row("G1"), "\"B1\"x" + row("").dropFirst(0), row("G2")],
      taken: ["G1", "G2"], parked: [("3 ", "")]),
    RowCase("too many fields", [header, row("G1"), row("B1") + ",more", row("G2")], taken: ["G1", "G2"], parked: [("3 ", "")]),
    RowCase(
      "a negative price", [header, row("G1"), row("B1", price: "-6000"), row("G2")], taken: ["G1", "G2"],
      parked: [("3 price_milliunits", "\"-6000\" is less than 0")]),
    RowCase(
      "a number of 300 digits",
      [header, row("G1"), row("B1", price: String(repeating: "9", count: 300)), row("G2")],
      taken: ["G1", "G2"], parked: [("3 price_milliunits", "is more than 10000000000000")]),
    RowCase(
      "one more than money may be",
      [header, row("B1", price: "10000000000001"), row("G1", price: "10000000000000")],
      taken: ["G1"], parked: [("2 price_milliunits", "is more than 10000000000000")]),
    RowCase(
      "two stray quotes", [header, "\"" + row("B1"), row("G1"), row("G2"), row("B2") + "\"", row("G3")],
      taken: ["G1", "G2", "G3"], parked: [("2 order_id", "a quote is opened and never closed"), ("5 ", "a quote inside a value")]),
    RowCase(
      "an exponent", [header, row("B1", price: "1e3"), row("G1")], taken: ["G1"],
      parked: [("2 price_milliunits", "\"1e3\" is not a whole number in digits")]),
    RowCase(
      "an exponent in JSON", ending: "ndjson", [json("B1", ",\"price_milliunits\":1e3"), json("G1")],
      taken: ["G1"], parked: [("1 price_milliunits", "\"1e3\" is not a whole number in digits")]),
    RowCase(
      "a key twice in JSON", ending: "ndjson", [json("G1"), json("B1", ",\"order_id\":\"B2\""), json("G2")],
      taken: ["G1", "G2"], parked: [("2 order_id", "the JSON key is there more than once")]),
    RowCase(
      "a key twice, once with an escape", ending: "ndjson",
      [json("G1"), json("B1", ",\"order\\u005fid\":\"B2\"")], taken: ["G1"],
      parked: [("2 order_id", "the JSON key is there more than once")]),
    RowCase(
      "JSON cut off", ending: "ndjson", [json("G1"), String(json("B1").dropLast(20)), json("G2")],
      taken: ["G1", "G2"], parked: [("2 ", "")]),
  ]

  /// Order ids that a spreadsheet shortened. They are stored, because an id may be any text, and a warning names them.
  @Test func shortenedIdsAreWarnedOf() async throws {
    let rows = (1...5).map { Self.row("2.02611E+11").replacing("U1", with: "U\($0)") }
    let file = try setup.write("orders.csv", ([Self.header] + rows).joined(separator: "\n") + "\n")
    let read = try await setup.program("ingest", "orders", file, "--as-of", Setup.asOf, exits: 0)
    #expect(read.complaint.contains("holds numbers in exponential form"), "\(read.complaint)")
    #expect(read.complaint.contains("rows of 1 orders name another user or created_at"), "\(read.complaint)")
    // First a file with another creation time, then one that agrees with the stored rows.
    for (time, isWarned) in [("11:00:00Z", true), ("11:00:00Z", false)] {
      let later = Self.row("PO-1").replacing("10:00:00Z", with: time)
      if isWarned { _ = try await setup.program("ingest", "orders", setup.write("first.csv", "\(Self.header),updated_at\n\(Self.row("PO-1")),2026-05-10T00:00:00Z\n")) }
      let file = try setup.write("later.csv", "\(Self.header),updated_at\n\(later),2026-05-11T00:00:00Z\n")
      let again = try await setup.program("ingest", "orders", file)
      #expect(again.complaint.contains("name another user or created_at") == isWarned, "\(again.complaint)")
    }
  }

  /// The exit status shows that no row was accepted. A known file, or a partly accepted one, is not a failure.
  @Test func statusOfARejectedFile() async throws {
    for (ids, status) in [(["B1", "B2"], 1), (["G1", "B3"], 0), (["G2"], 0), ([], 3)] as [([String], Int32)] {
      let rows = ids.map { Self.row($0, price: $0.hasPrefix("B") ? "x" : "6000") }
      let file = try setup.write("orders.csv", ([Self.header] + rows).joined(separator: "\n") + "\n")
      for _ in 0..<2 { try await setup.program("ingest", "orders", file, "--as-of", Setup.asOf, exits: status) }
    }
  }

  @Test(arguments: rowCases) func row(_ test: RowCase) async throws {
    let file = try setup.write("orders.\(test.ending)", Array(test.lines.joined(separator: [0x0A])) + [0x0A])
    let first = try await setup.program("ingest", "orders", file, "--as-of", Setup.asOf)
    let input = test.taken.count + test.parked.count
    #expect(first.status == 0, "\(first.complaint)")
    #expect(
      first.text == "orders: input \(input) = accepted \(test.taken.count) + repeated 0 + ignored 0 + parked \(test.parked.count)\n")
    #expect(first.complaint.contains("payrecon deadletter list"))
    #expect(try await setup.rows("orders").compactMap { $0["order_id"] } == test.taken)
    let parked = try await setup.rows("parked")
    #expect(parked.count == test.parked.count)
    for (row, wanted) in zip(parked, test.parked) {
      #expect("\(row["line"] ?? "") \(row["field"] ?? "")".hasPrefix(wanted.place))
      #expect(row["reason"]?.contains(wanted.reason) == true, "\(row["reason"] ?? "")")
      #expect(row["reason"]?.isEmpty == false)
      #expect([row].cells("file state") == ["orders.\(test.ending) open"])
    }
    // The parked bytes are complete and unchanged.
    let lines = test.parked.compactMap { Int($0.place.split(separator: " ").first ?? "") }.map { test.lines[$0 - 1] }
    let kept = try await setup.query("select encode(raw, 'hex') from payrecon.parked_items order by line")
    #expect(kept == lines.map(Self.hex).joined(separator: "\n"))
    // The same file again adds nothing to either place.
    let again = try await setup.program("ingest", "orders", file, "--as-of", Setup.asOf)
    #expect(
      again.text == "orders: input \(input) = accepted 0 + repeated \(test.taken.count) + ignored 0 + parked \(test.parked.count)\n")
    #expect(try await setup.rows("parked") == parked)
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  // MARK: Whole files

  @Test(arguments: [
    ("order_id,bundle_id,product_id,user_id,created_at", "lacks \"status\"", 2),
    ("order_id,bundle_id,product_id,user_id,status,created_at,status", "repeats \"status\"", 2),
    // An empty file is missing input, as an empty file of NDJSON is.
    ("", "it is empty", 3),
  ]) func header(_ header: String, _ reason: String, _ status: Int) async throws {
    let file = try setup.write("orders.csv", header.isEmpty ? "" : "\(header)\nB1,,,,,\n")
    let good = try setup.write("good.csv", "\(Self.header)\n\(Self.row("G1"))\n")
    let execution = try await setup.program("ingest", "orders", file, good, "--as-of", Setup.asOf, exits: Int32(status))
    #expect(execution.text == "orders: input 2 = accepted 1 + repeated 0 + ignored 0 + parked 1\n")
    #expect(execution.complaint.contains("could not read input file \"\(file)\" line 1: "), "\(execution.complaint)")
    #expect(execution.complaint.contains(reason), "\(execution.complaint)")
    #expect(try await setup.rows("orders").compactMap { $0["order_id"] } == ["G1"])
    // The message names the remedy. After the user corrects the header, the file is ingested, because nothing of it was stored
    // before.
    try setup.write("orders.csv", "\(Self.header)\n\(Self.row("G2"))\n")
    #expect(try await setup.program("ingest", "orders", file, "--as-of", Setup.asOf).status == 0)
    #expect(try await setup.rows("orders").compactMap { $0["order_id"] } == ["G1", "G2"])
  }

  /// A file that cannot be opened is named with the reason and exit status 2. The other files are ingested.
  @Test(arguments: ["missing", "directory", "forbidden"]) func unreadable(_ kind: String) async throws {
    let good = try setup.write("good.csv", "\(Self.header)\n\(Self.row("G1"))\n")
    let path = "\(setup.directory)/\(kind).csv"
    let reason: String
    switch kind {
    case "missing": reason = "No such file or directory"
    case "directory":
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      reason = "it is a directory"
    default:
      guard getuid() != 0 else {
        return print("skipped: root may read every file, so \"forbidden\" cannot be tried as root")
      }
      try setup.write("\(kind).csv", Self.header)
      unsafe chmod(path, 0)
      reason = "Permission denied"
    }
    let execution = try await setup.program("ingest", "orders", path, good, "--as-of", Setup.asOf, exits: 2)
    #expect(execution.complaint.contains("could not read input file \"\(path)\": \(reason)"), "\(execution.complaint)")
    #expect(try await setup.rows("orders").compactMap { $0["order_id"] } == ["G1"])
  }

  /// An unreadable file in the inbox makes the night incomplete. All other input is ingested and evaluated.
  @Test func inboxFileIsUnreadable() async throws {
    try setup.write("inbox/orders-1.csv", "\(Self.header)\n\(Self.row("G1"))\n")
    try setup.write("inbox/orders-3.csv", "\(Self.header)\n\(Self.row("G3"))\n")
    try setup.write("inbox/orders-4.csv", "order_id\nB1\n")
    try setup.write("inbox/apple.ndjson", Scenario.sign(ApplePurchase("470001000000001", at: "2026-05-10T10:00:20Z")) + "\n")
    // Even root cannot read a link without a target.
    unsafe symlink("\(setup.directory)/nowhere", "\(setup.directory)/inbox/orders-2.csv")
    let execution = try await setup.nightly(exits: 3)
    #expect(execution.text.contains("verdict  incomplete"))
    #expect(execution.text.contains("could not read input file \"inbox/orders-2.csv\": No such file or directory"))
    #expect(execution.text.contains("could not read input file \"inbox/orders-4.csv\" line 1: the header lacks"))
    #expect(try await setup.rows("orders").compactMap { $0["order_id"] } == ["G1", "G3"])
    #expect(try await setup.rows("transactions").count == 1)
    #expect(try await setup.rows("breaks").isEmpty == false)
    #expect(try Setup.files(in: "\(setup.directory)/report")["manifest.json"] != nil)
  }

  /// A folder that is not an inbox makes the night incomplete, and the night reports it.
  @Test func inboxIsMissing() async throws {
    let execution = try await setup.nightly("nowhere", exits: 3)
    #expect(execution.text.contains("could not read inbox \"nowhere\": No such file or directory"))
  }

  /// A line of 1 GiB on standard input is parked, truncated, within constant memory.
  @Test func longLine() async throws {
    let pieceBytes = 1 << 20
    let pieceCount = 1 << 10
    let memoryMaxKiB = 300 << 10
    let head = Array("\(Self.header)\n\(Self.row("G1"))\n".utf8)
    let tail = Array("\n\(Self.row("G2"))\n".utf8)
    let piece = [UInt8](repeating: UInt8(ascii: "x"), count: pieceBytes)
    let execution = try await setup.program(
      "ingest", "orders", "-", "--format", "csv", "--as-of", Setup.asOf,
      input: .stream { index in
        switch index {
        case 0: head
        case 1...pieceCount: piece
        case pieceCount + 1: tail
        default: nil
        }
      })
    #expect(execution.status == 0, "\(execution.complaint)")
    #expect(execution.text == "orders: input 3 = accepted 2 + repeated 0 + ignored 0 + parked 1\n")
    #expect(execution.peakKiB < memoryMaxKiB)
    #expect(try await setup.rows("orders").compactMap { $0["order_id"] } == ["G1", "G2"])
    let parked = try #require(try await setup.rows("parked").first)
    #expect([parked].cells("line byte_count") == ["3 \(pieceBytes * pieceCount)"])
    #expect(parked["reason"]?.isEmpty == false)
  }

  /// Evidence of the same length.
  @Test func longEvidence() async throws {
    let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
    let pieceCount = 1 << 10
    let good = Array("\n\(Scenario.sign(ApplePurchase("470001000000001", at: "2026-05-10T10:00:20Z")))\n".utf8)
    let execution = try await setup.program(
      "ingest", "apple", "-", "--as-of", Setup.asOf,
      input: .stream { index in index < pieceCount ? piece : index == pieceCount ? good : nil })
    #expect(execution.status == 0, "\(execution.complaint)")
    #expect(execution.text == "apple: input 2 = accepted 1 + repeated 0 + ignored 0 + parked 1\n")
    #expect(execution.peakKiB < 300 << 10)
    #expect(try await setup.rows("transactions").compactMap { $0["transaction_id"] } == ["470001000000001"])
  }

  /// Rows of an orders file under another name, with two dots or another number of fields. The reason says that the text looks like
  /// CSV.
  @Test(arguments: [
    "order_d21,com.ops.a,coins,u1,delivered", "\u{FEFF}order_id,bundle_id,product_id", "PO-1;com;coins;1.5", "0123,com.ops.a,\u{E9}",
  ]) func ordersFileWithAnotherName(_ line: String) async throws {
    let file = try setup.write("order_d21.csv", "\(line)\n\(line)2\n")
    let execution = try await setup.program("ingest", "apple", file, "--as-of", Setup.asOf)
    #expect(execution.text.hasPrefix("apple: input 2 = "), "\(execution.text)\(execution.complaint)")
    let parked = try await setup.rows("parked").compactMap { $0["reason"] }
    #expect(parked.count == 2 && parked.allSatisfy { $0.contains("it looks like a row of a CSV, and a file whose name") }, "\(parked)")
  }

  /// Text that is neither is not reported as wrongly encoded.
  @Test func wordsWithDotsAreNotAJWS() async throws {
    let file = try setup.write("notes.txt", "one.two.three\nplain\n")
    _ = try await setup.program("ingest", "apple", file, "--as-of", Setup.asOf)
    let parked = try await setup.rows("parked").compactMap { $0["reason"] }
    #expect(parked == Array(repeating: "evidence is malformed: text is no JWS of three segments", count: 2), "\(parked)")
  }

  /// A JWS truncated in any of its parts proves nothing. The complete one beside it is ingested.
  @Test func truncatedJWS() async throws {
    let whole = Scenario.sign(ApplePurchase("470001000000001", at: "2026-05-10T10:00:20Z"))
    let other = Scenario.sign(ApplePurchase("470001000000002", at: "2026-05-10T10:00:20Z"))
    let firstDot = try #require(other.firstIndex(of: "."))
    let lastDot = try #require(other.lastIndex(of: "."))
    let cuts = [String(other[..<firstDot]), String(other[..<lastDot]), String(other[...lastDot]), String(other.dropLast(10))]
    let file = try setup.write("apple.ndjson", (cuts + [whole]).joined(separator: "\n") + "\n")
    let execution = try await setup.program("ingest", "apple", file, "--as-of", Setup.asOf, exits: 0)
    #expect(try await setup.rows("transactions").compactMap { $0["transaction_id"] } == ["470001000000001"])
    // A text that is no longer a JWS is parked. One with three segments is stored as malformed. Neither counts as money.
    #expect(execution.text == "apple: input 5 = accepted 3 + repeated 0 + ignored 0 + parked 2\n")
    let parked = try await setup.rows("parked")
    #expect(parked.cells("line") == ["1", "2"])
    #expect(parked.allSatisfy { $0["reason"]?.contains("no JWS of three segments") == true })
    let refused = try await setup.rows("evidence").filter { $0["verdict"] != "genuine" }
    #expect(refused.count == cuts.count)
    #expect(refused.allSatisfy { ($0["verdict"] == "malformed" && $0["kind"] == "other") || $0["verdict"] == "forged" })
    #expect(refused.allSatisfy { $0["reason"]?.isEmpty == false })
    #expect(try await setup.rows("charges").count == 1)
  }
}
