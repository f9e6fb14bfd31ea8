import FoundationEssentials
import Glibc

/// Truncated inputs and inputs that are not files. The night is incomplete and names them, and continues once they are complete.
@Suite(.cleansUp) struct IncompleteFileTests {
  private static let text = Setup.table((1...5).map { Setup.order("G\($0)") })

  private static let signed = (1...3).map { ApplePurchase("47000100000000\($0)", at: "2026-05-10T10:00:20Z").jws }
  private static let evidence = signed.joined(separator: "\n") + "\n"

  private let setup: Setup

  init() async throws { setup = try await Setup() }

  /// Writes complete evidence into the inbox, and orders; nil for no file.
  private func writeInbox(orders: String? = nil) throws {
    try setup.write("inbox/apple.ndjson", Self.evidence)
    if let orders { try setup.write("inbox/orders.csv", orders) }
  }

  /// Truncated in the last row, or after the header. Then completed under the same name. `IntakeTests` truncates everywhere.
  @Test(arguments: [("\(text.dropLast(30))", 4, "has no line end"), ("\(Setup.orderHeader)\n", 0, "a header and no rows")])
  func halfTable(_ half: String, _ taken: Int, _ reason: String) async throws {
    try writeInbox(orders: half)
    for _ in 0..<2 {
      // The file is still incomplete, whether it is read again or skipped as known.
      try await setup.nightly(exits: 3, prints: "orders.csv", reason)
      #expect(try await setup.rows("orders").count == taken)
      #expect(try Setup.text("\(setup.directory)/report/manifest.json").contains("incomplete"))
    }
    #expect(try await setup.rows("parked").cells("state") == ["open"])
    try setup.write("inbox/orders.csv", Self.text)
    let whole = try await setup.nightly()
    #expect(whole.status != 3, "\(whole.text)")
    #expect(!whole.text.contains("orders.csv"))
    #expect(try await setup.rows("orders").count == 5)
    #expect(try await setup.rows("parked").cells("state") == ["completed"])
    #expect(!whole.text.contains("wait in the dead letters"))
  }

  /// Input is known after the last night at the earliest, and is incomplete at an earlier clock of its command, too.
  @Test func halfTableBeforeTheLastNight() async throws {
    try writeInbox(orders: Self.text)
    try await setup.nightly()
    let file = try setup.write("cut.csv", "\(Self.text.dropLast(30))")
    try await setup.program("ingest", "orders", file, "--as-of", "2026-01-01T00:00:00Z", exits: 3, complains: "orders file \"cut.csv\"")
  }

  private static let refused: [(name: String, bytes: [UInt8], settings: String)] = {
    let orders = (1...3).map { ("R\($0)", "com.acme.reader,coins60,U1,paid,2026-05-10T10:00:00Z") }
    let table = "nr,bundle_id,product_id,user_id,status,created_at\n" + orders.map { "\($0.0),\($0.1)\n" }.joined()
    let names = ["bundle_id", "product_id", "user_id", "status", "created_at"]
    let lines = orders.map { id, rest in
      let cells = zip(names, rest.split(separator: ",")).map { #""\#($0)":"\#($1)""# }.joined(separator: ",")
      return #"{"order_id":"\#(id)",\#(cells)}"# + "\n"
    }
    let wide = lines.joined().utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    return [
      ("orders-refused.csv", Array(table.utf8), "{orders: {columns: {order_id: nr}}}"),
      ("orders-refused.ndjson", wide, "{orders: {encoding: utf-16le}}"),
    ]
  }()

  /// The file may be gone when the settings are corrected; its bytes are kept.
  @Test(arguments: refused) func refusedFilesAreRetriedWhole(_ name: String, _ bytes: [UInt8], _ settings: String) async throws {
    let file = try setup.write(name, bytes)
    try await setup.program("ingest", "orders", file, "--as-of", Setup.asOf, exits: 2)
    try FileManager.default.removeItem(atPath: file)
    let id = try #require(try await setup.rows("parked").first?["parked_id"])
    let kept = "deadletter: retried 1, taken 0, still parked 1\n"
    try await setup.program("deadletter", "retry", id, "--as-of", Setup.asOf, exits: 0, text: kept)
    try setup.write("payrecon.yaml", Setup.settings(inputs: settings))
    try await setup.program(
      "deadletter", "retry", id, "--as-of", Setup.asOf, exits: 0, text: "deadletter: retried 1, taken 1, still parked 0\n")
    #expect(try await setup.rows("orders").cells("order_id") == ["R1", "R2", "R3"])
    #expect(try await setup.rows("parked").cells("state") == ["retried"])
  }

  @Test func operatorMayAcceptTheTruncatedEnd() async throws {
    try writeInbox()
    try setup.write("inbox/orders.csv", String(Self.text.dropLast()))
    try await setup.nightly(exits: 3)
    let id = try #require(try await setup.rows("parked").first?["parked_id"])
    // The parked record may be incomplete. Without its id the command leaves it alone and reports it.
    try await setup.program(
      "deadletter", "retry", "--as-of", Setup.asOf, text: "deadletter: retried 0, taken 0, still parked 0\n",
      complains: "left alone: orders file", id)
    #expect(try await setup.rows("orders").count == 4)
    try await setup.program("deadletter", "retry", id, "--as-of", Setup.asOf, exits: 0, complains: "nights no longer wait")
    #expect(try await setup.nightly().status != 3)
    #expect(try await setup.rows("orders").count == 5)
    // Half a token is invalid, even when its id is given. Nights stay incomplete without a further message.
    try setup.write("inbox/users.csv", "user_id,app_account_token\nU9,a1000000-0000-40")
    try await setup.nightly(exits: 3)
    let half = try #require(try await setup.rows("parked").first { $0["kind"] == "users" }?["parked_id"])
    try await setup.program("deadletter", "retry", half, "--as-of", Setup.asOf, complains: "left alone: users file", lacks: "no longer")
    try await setup.nightly(exits: 3)
  }

  @Test func settingsMayAllowAMissingLineEnd() async throws {
    let file = try setup.write("orders.csv", String(Self.text.dropLast()))
    try await setup.program(
      "ingest", "orders", file, "--as-of", Setup.asOf, exits: 3,
      text: "orders: input 5 = accepted 4 + repeated 0 + ignored 0 + parked 1\n", complains: "orders.csv")
    try setup.write("payrecon.yaml", Setup.settings(inputs: "{orders: {max_age: 3650d, final_newline: optional}}"))
    let allowed = "orders: input 5 = accepted 1 + repeated 4 + ignored 0 + parked 0\n"
    try await setup.program("ingest", "orders", file, "--as-of", Setup.asOf, exits: 0, text: allowed)
  }

  @Test(arguments: [("gzip -c", "gz"), ("zstd -qc", "zst")])
  func packedFiles(_ command: String, _ ending: String) async throws {
    let plain = try setup.write("plain.csv", Self.text)
    let signed = try setup.write("plain.ndjson", Self.evidence)
    try setup.write("inbox/empty.tmp", "")
    _ = unsafe system("\(command) \(plain) > \(setup.directory)/inbox/orders.csv.\(ending)")
    _ = unsafe system("\(command) \(signed) > \(setup.directory)/inbox/apple.ndjson.\(ending)")
    #expect(try await setup.nightly().status != 3)
    #expect(try await setup.rows("orders").count == 5)
    #expect(try await setup.rows("transactions").count == 3)
    // The next file is truncated.
    let bytes = try Setup.bytes("\(setup.directory)/inbox/orders.csv.\(ending)")
    try setup.write("inbox/orders-2.csv.\(ending)", Array(bytes.dropLast(6)))
    try await setup.nightly(exits: 3, prints: "orders-2.csv.\(ending)")
  }

  /// A pipe can be read only once. Its bytes are inspected and ingested all the same.
  @Test func packedStandardInput() async throws {
    let plain = try setup.write("plain.csv", Self.text)
    _ = unsafe system("gzip -c \(plain) > \(setup.directory)/packed")
    let bytes = try Setup.bytes("\(setup.directory)/packed")
    try await setup.program(
      "ingest", "orders", "-", "--as-of", Setup.asOf, input: .stream { $0 == 0 ? bytes : nil }, exits: 0,
      text: "orders: input 5 = accepted 5 + repeated 0 + ignored 0 + parked 0\n")
  }

  @Test func halfEvidence() async throws {
    let signed = Self.signed
    let cuts = [
      ("lines.ndjson", signed[0] + "\n" + signed[1].dropLast(20)), ("one.jws", String(signed[2].dropLast(20))),
      ("page.json", "{\"signedTransactions\":[\n\"\(signed[0])\",\n"), ("empty.ndjson", ""),
    ]
    for (name, text) in cuts {
      let file = try setup.write(name, text)
      try await setup.program("ingest", "apple", file, "--as-of", Setup.asOf, exits: 3, complains: name)
    }
    // Truncated evidence is not verified, because an incomplete signature is not a forgery.
    #expect(try await setup.rows("evidence").allSatisfy { $0["verdict"] == "genuine" })
    #expect(try await setup.rows("transactions").count == 1)
    // A file of one complete item needs no final line end.
    for (name, text) in [("two.jws", signed[1]), ("three.json", "{\n\"signedTransactions\":[\n\"\(signed[2])\"]}")] {
      try await setup.program("ingest", "apple", try setup.write(name, text), "--as-of", Setup.asOf, exits: 0)
    }
    #expect(try await setup.rows("transactions").count == 3)
  }

  /// Entries that are not files, or that lead out of the inbox, are refused by name. A named pipe does not block the night.
  @Test func inboxHoldsMoreThanFiles() async throws {
    try writeInbox()
    try setup.write("inbox/orders-1.csv", Self.text)
    try setup.write("outside/orders.csv", Setup.table([Setup.order("X1")]))
    let inbox = "\(setup.directory)/inbox"
    _ = unsafe mkfifo("\(inbox)/orders-2.csv", 0o600)
    _ = unsafe symlink("/dev/zero", "\(inbox)/orders-3.csv")
    _ = unsafe symlink("\(setup.directory)/outside/orders.csv", "\(inbox)/orders-4.csv")
    _ = unsafe symlink("../outside", "\(inbox)/users")
    _ = unsafe symlink("orders-1.csv", "\(inbox)/orders-5.csv")
    try setup.write("inbox/orders-6.csv/part-0.csv", Self.text)
    try setup.write("inbox/orders/orders-7.csv/part-0.csv", Self.text)
    try setup.write("inbox/.archive/orders.csv", Self.text)
    let night = try await setup.nightly(exits: 3)
    for (name, reason) in [
      ("orders-2.csv", "named pipe"), ("orders-3.csv", "out of the inbox"), ("orders-4.csv", "out of the inbox"),
      ("users", "out of the inbox"), ("orders-6.csv", "called like a file"), ("orders/orders-7.csv", "called like a file"),
    ] {
      #expect(night.text.contains("inbox/\(name)\": it is a"), "\(night.text)")
      #expect(night.text.contains(reason))
    }
    for name in ["orders-5.csv", "archive"] { #expect(!night.text.contains(name)) }
    #expect(try await setup.rows("orders").count == 5)
  }

  /// Files in folders that are not read are named, except hidden, temporary and report files.
  @Test(
    arguments: [
      (["eu/orders_eu.csv"], "eu"), (["eu/2026/11/orders.csv"], "eu"), (["orders/eu/orders.csv"], "orders/eu"),
      (["finance/2026/x.csv"], "finance/2026"),
      (
        [
          "orders/.eu/orders.csv", ".done/orders.csv", "eu/.hidden", "eu/orders.csv.part", "eu/2026.tmp/x.csv",
          "reports/2026-05-11/daily.csv", "written/daily.csv",
        ], nil
      ),
    ] as [([String], String?)])
  func filesInFolders(_ files: [String], _ named: String?) async throws {
    try setup.write("payrecon.yaml", Setup.settings() + "reports: {directory: inbox/reports}\n")
    try writeInbox(orders: Self.text)
    for file in files { try setup.write("inbox/\(file)", Self.text) }
    let night = try await setup.nightly(out: "inbox/written")
    #expect((night.status == 3) == (named != nil), "\(night.text)\(night.complaint)")
    // The night's own report folder is not input. Doctor does not know it and names it.
    let written = "\(setup.directory)/inbox/written"
    #expect(try await setup.program("doctor").text.contains(" the first being inbox/\(named ?? "written"): "))
    try FileManager.default.removeItem(atPath: written)
    let doctor = try await setup.program("doctor").text
    if let named {
      #expect(night.text.contains("inbox/\(named)\": it is a folder that is not read, and it contains files"), "\(night.text)")
      #expect(night.text.contains("Put its files into the inbox itself"), "\(night.text)")
      #expect(doctor.contains("fault inbox: 1 entries are not read, the first being inbox/\(named): "), "\(doctor)")
      #expect(doctor.contains("do: Put its files into the inbox itself"), "\(doctor)")
    } else {
      #expect(doctor.contains("ok    inbox: "), "\(doctor)")
    }
    #expect(try await setup.rows("orders").count == 5)
  }

  /// A file that grows while the night reads it, always ending in whole lines.
  @Test(arguments: [true, false]) func growingFileIsIncomplete(grows: Bool) async throws {
    let rows = Self.text.split(separator: "\n").map { "\($0)\n" }
    try writeInbox(orders: rows[0..<4].joined())
    let blocker = try await setup.block("evidence")
    async let reading = setup.nightly()
    #expect(try await setup.waitForLock(on: "evidence"))
    if grows { try setup.write("inbox/orders.csv", rows.joined()) }
    await blocker.close()
    let night = try await reading
    #expect((night.status == 3) == grows, "\(night.text)\(night.complaint)")
    #expect(night.text.contains("inbox/orders.csv\" changed while the night read it") == grows, "\(night.text)")
    #expect(try await setup.rows("orders").count == 3)
    #expect(try await setup.nightly().status != 3)
    #expect(try await setup.rows("orders").count == (grows ? 5 : 3))
  }

  /// A file is ingested by command while a night decides. A known file changes nothing, and a new one makes the night incomplete.
  @Test(arguments: [(true, false), (false, true)]) func fileIngestedDuringANight(isKnown: Bool, isIncomplete: Bool) async throws {
    try writeInbox(orders: Self.text)
    #expect(try await setup.nightly().status != 3)
    try await setup.query(
      """
      insert into payrecon.batches (kind, file_name, content_sha256, source, run_id, state, is_clock_given, known_at)
      select kind, file_name, \(isKnown ? "content_sha256" : "'other'"), source, 'ingest', 'open', true, known_at
      from payrecon.batches
      where kind = 'orders'
      """)
    let next = try await setup.nightly()
    #expect((next.status == 3) == isIncomplete, "\(next.text)\(next.complaint)")
    #expect(next.text.contains("items of it were in") == isIncomplete, "\(next.text)")
  }

  /// A file truncated within an id, where later records begin with the same letters. Only the record at the same position completes
  /// it.
  @Test(arguments: [
    ("G1 G2 G", "N1 G77", true), ("G1 G2 G", "G1 G2 N1 G77", true), ("G1 G2 G", "G1 G2 G3 G4", false), ("G", "G77 N1", true),
  ]) func fileTruncatedWithinAnID(_ half: String, _ next: String, _ isOpen: Bool) async throws {
    try writeInbox()
    func text(_ ids: [Substring]) -> String { Setup.table(ids.map { Setup.order("\($0)") }) }
    let ids = half.split(separator: " ")
    try setup.write("inbox/orders.csv", text(ids.dropLast()) + ids[ids.count - 1])
    try await setup.nightly(exits: 3)
    try setup.write("inbox/orders.csv", text(next.split(separator: " ")))
    let night = try await setup.nightly()
    #expect((night.status == 3) == isOpen, "\(night.text)\(night.complaint)")
    #expect(night.text.contains("this record is not, or cannot be distinguished from others") == isOpen, "\(night.text)")
  }

  // MARK: Output

  @Test func reportsAreForOwnerAndGroup() async throws {
    try writeInbox(orders: Self.text)
    // A symbolic link occupies the path of a temporary file.
    let victim = try setup.write("victim", "precious")
    try FileManager.default.createDirectory(atPath: "\(setup.directory)/other", withIntermediateDirectories: true)
    _ = unsafe symlink(victim, "\(setup.directory)/other/.breaks.csv.partial")
    try await setup.nightly()
    _ = try await setup.program("report", "daily", "--as-of", Setup.asOf, "--out", "other")
    #expect(try Setup.lines(victim) == ["precious"])
    func mode(_ path: String) -> mode_t {
      var status = stat()
      return unsafe lstat("\(setup.directory)/\(path)", &status) == 0 ? status.st_mode & 0o7777 : 0
    }
    #expect(mode("report") & 0o027 == 0)
    for folder in ["report", "other"] {
      for name in try Setup.files(in: "\(setup.directory)/\(folder)").keys where !name.hasSuffix(".partial") {
        #expect(mode("\(folder)/\(name)") & 0o137 == 0, "\(folder)/\(name)")
      }
    }
    // Two reports at the same time do not share a folder.
    let words = ["/usr/bin/flock", "\(setup.directory)/other", Program.path, "report", "daily", "--as-of", Setup.asOf, "--out", "other"]
    try await setup.program.run(words, exits: 4, complains: "another process writes one there")
  }

  /// No external text is a formula in any table, all of which one writer writes. Numbers stay numbers.
  @Test func noCellIsAFormula() async throws {
    let marks = ["=1+1", "+1", "-1+1", "@SUM(A1)", "=HYPERLINK(\"\"x\"\";1)", "-5"]
    let rows = marks.enumerated().map { index, mark in
      "\"\(mark),\(index)\",com.acme.reader,\"\(mark)\",\"\(mark)\",delivered,2026-05-10T10:00:00Z,6000,CNY,"
    }
    try writeInbox(orders: Setup.table(rows + [Setup.order("-7", user: "-8")]))
    try await setup.nightly()
    let files = try Setup.files(in: "\(setup.directory)/report").filter { $0.key.hasSuffix(".csv") }
    for (name, bytes) in try await setup.exports(Setup.lists).merging(files, uniquingKeysWith: { $1 }) {
      for row in CSVRows.decode(bytes) {
        for (column, cell) in row where "=+-@\t\r".contains(cell.first ?? " ") {
          #expect(Double(cell) != nil && cell.first == "-", "\(name) \(column): \(cell)")
        }
      }
    }
    let ids = CSVRows.decode(try await setup.export("orders")).cells("order_id")
    #expect(ids.contains("-7") && ids.contains("'=1+1,0"))
    // The other format keeps every byte.
    #expect(try await setup.rows("orders").cells("order_id").contains("=1+1,0"))
    // An exported file can be ingested again without new rows.
    let export = try setup.write("export.csv", try await setup.export("orders"))
    let counts = "orders: input 7 = accepted 0 + repeated 7 + ignored 0 + parked 0\n"
    try await setup.program("ingest", "orders", export, "--as-of", Setup.asOf, text: counts)
  }
}
