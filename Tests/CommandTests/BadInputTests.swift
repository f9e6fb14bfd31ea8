import FoundationEssentials
import Glibc

/// Invalid input: a clear message and exit status, the good rows stored, nothing lost.
@Suite(.cleansUp) struct BadInputTests {
  private let setup: Setup

  init() async throws { setup = try await Setup() }

  private static func json(_ id: String, _ more: String = "") -> String {
    "{\"order_id\":\"\(id)\",\"bundle_id\":\"com.acme.reader\",\"product_id\":\"coins60\",\"user_id\":\"U1\","
      + "\"status\":\"delivered\",\"created_at\":\"2026-05-10T10:00:00Z\"\(more)}"
  }

  /// Files with good rows (G) and invalid rows (B), each with its field and a part of its reason. `~` stands for a byte that is not
  /// UTF-8. `IntakeTests` has every kind of fault.
  private static let mixedFiles: [(ending: String, rows: [(id: String, text: String, field: String, reason: String)])] = [
    (
      "csv",
      [
        ("G1", Setup.order("G1"), "", ""), ("B1", Setup.order("B~1"), "order_id", "not UTF-8 at byte 1"),
        ("B2", Setup.order("B2", price: "1e3"), "price_milliunits", "\"1e3\" is not a whole number in digits"),
        ("B3", Setup.order("B3", price: "10000000000001"), "price_milliunits", "is more than 10000000000000"),
        ("B4", Setup.order("B4") + ",more", "", ""), ("G2", Setup.order("G2", price: "10000000000000"), "", ""),
        ("B5", "\"" + Setup.order("B5"), "order_id", "a quote is opened and never closed"), ("G3", Setup.order("G3"), "", ""),
      ]
    ),
    (
      "ndjson",
      [
        ("G1", json("G1"), "", ""), ("B1", json("B1", ",\"order_id\":\"B2\""), "order_id", "the JSON key is there more than once"),
        ("B3", String(json("B3").dropLast(20)), "", ""), ("G2", json("G2"), "", ""),
      ]
    ),
  ]

  /// Order ids that a spreadsheet shortened. They are stored, because an id may be any text, and a warning names them.
  @Test func shortenedIdsAreWarnedOf() async throws {
    let rows = (1...5).map { Setup.order("2.02611E+11").replacing("U1", with: "U\($0)") }
    let file = try setup.write("orders.csv", Setup.table(rows))
    try await setup.program(
      "ingest", "orders", file, "--as-of", Setup.asOf, exits: 0, complains: "holds numbers in exponential form",
      "rows of 1 orders name another user or created_at")
    // A first row, one with another creation time, and one that agrees with the stored row.
    for (day, hour, isWarned) in [("10", "10", false), ("11", "11", true), ("11", "11", false)] {
      let order = Setup.order("PO-1", at: "2026-05-10T\(hour):00:00Z") + ",2026-05-\(day)T00:00:00Z"
      let file = try setup.write("dated.csv", Setup.table(Setup.orderHeader + ",updated_at", [order]))
      let read = try await setup.program("ingest", "orders", file)
      #expect(read.complaint.contains("name another user or created_at") == isWarned, "\(read.complaint)")
    }
  }

  /// The exit status shows that no row was accepted. A known file, or a partly accepted one, is not a failure.
  @Test func statusOfARejectedFile() async throws {
    for (ids, status) in [(["B1", "B2"], 1), (["G1", "B3"], 0), (["G2"], 0), ([], 3)] as [([String], Int32)] {
      let rows = ids.map { Setup.order($0, price: $0.hasPrefix("B") ? "x" : "6000") }
      let file = try setup.write("orders.csv", Setup.table(rows))
      for _ in 0..<2 { try await setup.program("ingest", "orders", file, "--as-of", Setup.asOf, exits: status) }
    }
  }

  @Test(arguments: mixedFiles.indices) func invalidRowsAreParked(_ index: Int) async throws {
    let (ending, rows) = Self.mixedFiles[index]
    let lines = ((ending == "csv" ? [Setup.orderHeader] : []) + rows.map(\.text)).map { line in
      line.utf8.map { $0 == UInt8(ascii: "~") ? 0xFF : $0 }
    }
    let file = try setup.write("orders.\(ending)", Array(lines.joined(separator: [0x0A])) + [0x0A])
    let good = rows.map(\.id).filter { $0.hasPrefix("G") }
    let bad = rows.enumerated().filter { $0.element.id.hasPrefix("B") }.map {
      (line: lines.count - rows.count + $0.offset, row: $0.element)
    }
    let end = " + ignored 0 + parked \(bad.count)\n"
    try await setup.program(
      "ingest", "orders", file, "--as-of", Setup.asOf, exits: 0,
      text: "orders: input \(rows.count) = accepted \(good.count) + repeated 0\(end)", complains: "payrecon deadletter list")
    #expect(try await setup.rows("orders").cells("order_id") == good)
    let parked = try await setup.rows("parked")
    #expect(parked.cells("line file state") == bad.map { "\($0.line + 1) orders.\(ending) open" })
    for (row, (_, expected)) in zip(parked, bad) {
      let (field, reason) = (row["field"] ?? "", row["reason"] ?? "")
      #expect(field.hasPrefix(expected.field) && !reason.isEmpty && reason.contains(expected.reason), "\(expected.id): \(field) \(reason)")
    }
    // The parked bytes are complete and unchanged.
    let kept = try await setup.query("select encode(raw, 'hex') from payrecon.parked_items order by line")
    #expect(kept == bad.map { Hexadecimal.text(lines[$0.line]) }.joined(separator: "\n"))
    // The same file again adds nothing to either place.
    try await setup.program(
      "ingest", "orders", file, "--as-of", Setup.asOf,
      text: "orders: input \(rows.count) = accepted 0 + repeated \(good.count)\(end)")
    #expect(try await setup.rows("parked") == parked)
  }

  private static let memoryMaxKiB = 300 << 10

  // MARK: Whole files

  @Test(arguments: [
    ("order_id,bundle_id,product_id,user_id,created_at", "lacks \"status\"", 2),
    ("order_id,bundle_id,product_id,user_id,status,created_at,status", "repeats \"status\"", 2),
    // An empty file is missing input, as an empty file of NDJSON is.
    ("", "it is empty", 3),
  ]) func header(_ header: String, _ reason: String, _ status: Int) async throws {
    let file = try setup.write("orders.csv", header.isEmpty ? "" : "\(header)\nB1,,,,,\n")
    let good = try setup.write("good.csv", Setup.table([Setup.order("G1")]))
    try await setup.program(
      "ingest", "orders", file, good, "--as-of", Setup.asOf, exits: Int32(status),
      text: "orders: input 2 = accepted 1 + repeated 0 + ignored 0 + parked 1\n",
      complains: "could not read input file \"\(file)\" line 1: ", reason)
    #expect(try await setup.rows("orders").compactMap { $0["order_id"] } == ["G1"])
    // The message names the remedy. After the user corrects the header, the file is ingested, because nothing of it was stored
    // before.
    try setup.write("orders.csv", Setup.table([Setup.order("G2")]))
    #expect(try await setup.program("ingest", "orders", file, "--as-of", Setup.asOf).status == 0)
    #expect(try await setup.rows("orders").compactMap { $0["order_id"] } == ["G1", "G2"])
  }

  /// A file that cannot be opened is named with the reason and exit status 2. The other files are ingested.
  @Test(arguments: ["missing", "directory", "forbidden"]) func unreadable(_ kind: String) async throws {
    let good = try setup.write("good.csv", Setup.table([Setup.order("G1")]))
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
      try setup.write("\(kind).csv", Setup.orderHeader)
      unsafe chmod(path, 0)
      reason = "Permission denied"
    }
    let said = "could not read input file \"\(path)\": \(reason)"
    try await setup.program("ingest", "orders", path, good, "--as-of", Setup.asOf, exits: 2, complains: said)
    #expect(try await setup.rows("orders").compactMap { $0["order_id"] } == ["G1"])
  }

  /// An unreadable file in the inbox makes the night incomplete. All other input is ingested and evaluated.
  @Test func inboxFileIsUnreadable() async throws {
    try setup.write("inbox/orders-1.csv", Setup.table([Setup.order("G1")]))
    try setup.write("inbox/orders-3.csv", Setup.table([Setup.order("G3")]))
    try setup.write("inbox/orders-4.csv", "order_id\nB1\n")
    try setup.write("inbox/apple.ndjson", Setup.bought)
    // Even root cannot read a link without a target.
    unsafe symlink("\(setup.directory)/nowhere", "\(setup.directory)/inbox/orders-2.csv")
    try await setup.nightly(
      exits: 3, prints: "verdict  incomplete", "could not read input file \"inbox/orders-2.csv\": No such file or directory",
      "could not read input file \"inbox/orders-4.csv\" line 1: the header lacks")
    #expect(try await setup.rows("orders").compactMap { $0["order_id"] } == ["G1", "G3"])
    #expect(try await setup.rows("transactions").count == 1)
    #expect(try await setup.rows("breaks").isEmpty == false)
    #expect(try Setup.files(in: "\(setup.directory)/report")["manifest.json"] != nil)
  }

  @Test func `a line of 1 GiB on standard input is parked, truncated, within constant memory`() async throws {
    let pieceBytes = 1 << 20
    let pieceCount = 1 << 10
    let head = Array(Setup.table([Setup.order("G1")]).utf8)
    let tail = Array("\n\(Setup.order("G2"))\n".utf8)
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
      }, exits: 0, text: "orders: input 3 = accepted 2 + repeated 0 + ignored 0 + parked 1\n")
    #expect(execution.peakKiB < Self.memoryMaxKiB)
    #expect(try await setup.rows("orders").compactMap { $0["order_id"] } == ["G1", "G2"])
    let parked = try #require(try await setup.rows("parked").first)
    #expect([parked].cells("line byte_count") == ["3 \(pieceBytes * pieceCount)"])
    #expect(parked["reason"]?.isEmpty == false)
  }

  /// Evidence of the same length.
  @Test func longEvidence() async throws {
    let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
    let pieceCount = 1 << 10
    let good = Array("\n\(ApplePurchase("470001000000001", at: "2026-05-10T10:00:20Z").jws)\n".utf8)
    let execution = try await setup.program(
      "ingest", "apple", "-", "--as-of", Setup.asOf,
      input: .stream { index in index < pieceCount ? piece : index == pieceCount ? good : nil }, exits: 0,
      text: "apple: input 2 = accepted 1 + repeated 0 + ignored 0 + parked 1\n")
    #expect(execution.peakKiB < Self.memoryMaxKiB)
    #expect(try await setup.rows("transactions").compactMap { $0["transaction_id"] } == ["470001000000001"])
  }

  /// Rows of an orders file under another name, with two dots or another number of fields, and a list of items: the reason says what to
  /// do. Other text is not reported as wrongly encoded either.
  @Test func ordersFileWithAnotherName() async throws {
    let rows = [
      "\u{FEFF}order_id,bundle_id,product_id", "order_d21,com.ops.a,coins,u1,delivered", "PO-1;com;coins;1.5", "0123,com.ops.a,\u{E9}",
    ]
    let words = ["one.two.three", "plain"]
    let lists = ["[\"\(ApplePurchase("470001000000001", at: "2026-05-10T10:00:20Z").jws)\",\"plain\",\"plain\"]", "\u{FEFF} [{}]"]
    for (name, lines) in [("order_d21.csv", rows), ("notes.txt", words), ("list.ndjson", lists)] {
      let file = try setup.write(name, lines.joined(separator: "\n") + "\n")
      try await setup.program("ingest", "apple", file, "--as-of", Setup.asOf, prints: "apple: input \(lines.count) = ")
      for row in try await setup.rows("parked") where row["file"] == name {
        let reason = row["reason"] ?? ""
        switch name {
        case "notes.txt": #expect(reason == "evidence is malformed: text is no JWS of three segments")
        case "list.ndjson": #expect(reason.contains("it begins a JSON list: write one item per line"), "\(reason)")
        default: #expect(reason.contains("it looks like a row of a CSV, and a file whose name"), "\(reason)")
        }
      }
    }
    #expect(try await setup.rows("parked").count == rows.count + words.count + lists.count)
  }

  /// A JWS truncated in any of its parts proves nothing. The complete one beside it is ingested.
  @Test func truncatedJWS() async throws {
    let whole = ApplePurchase("470001000000001", at: "2026-05-10T10:00:20Z").jws
    let other = ApplePurchase("470001000000002", at: "2026-05-10T10:00:20Z").jws
    let firstDot = try #require(other.firstIndex(of: "."))
    let lastDot = try #require(other.lastIndex(of: "."))
    let cuts = [String(other[..<firstDot]), String(other[..<lastDot]), String(other[...lastDot]), String(other.dropLast(10))]
    let file = try setup.write("apple.ndjson", (cuts + [whole]).joined(separator: "\n") + "\n")
    // A text that is no longer a JWS is parked. One with three segments is stored as malformed. Neither counts as money.
    let counts = "apple: input 5 = accepted 3 + repeated 0 + ignored 0 + parked 2\n"
    try await setup.program("ingest", "apple", file, "--as-of", Setup.asOf, exits: 0, text: counts)
    #expect(try await setup.rows("transactions").compactMap { $0["transaction_id"] } == ["470001000000001"])
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
