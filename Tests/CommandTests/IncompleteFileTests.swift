import FoundationEssentials
import Glibc
import Postgres
import TestSupport
import Testing

/// Truncated inputs and inputs that are not files. The night is incomplete and names them, and continues once they are complete.
@Suite(.cleansUp) struct IncompleteFileTests {
  private static let header = BadInputTests.header
  private static let text = header + "\n" + (1...5).map { BadInputTests.row("G\($0)") + "\n" }.joined()

  private static func evidence() -> [String] {
    (1...3).map { Scenario.sign(ApplePurchase("47000100000000\($0)", at: "2026-05-10T10:00:20Z")) }
  }

  /// Returns an environment with complete evidence in the inbox, and orders; nil for no file.
  private static func desk(orders: String? = nil) async throws -> Desk {
    let desk = try await Desk()
    try desk.write("inbox/apple.ndjson", evidence().joined(separator: "\n") + "\n")
    if let orders { try desk.write("inbox/orders.csv", orders) }
    return desk
  }

  /// Truncated in the last row, at its end, inside a quote, after the header. Then completed under the same name.
  private static let halves: [(String, Int, String)] = [
    ("\(text.dropLast(30))", 4, "has no line end"), ("\(text.dropLast())", 4, "has no line end"),
    ("\(text.dropLast(40))\"", 4, "has no line end"), ("\(header)\n", 0, "a header and no rows"),
  ]

  @Test(arguments: halves)
  func halfTable(_ half: String, _ taken: Int, _ reason: String) async throws {
    let desk = try await Self.desk(orders: half)
    for _ in 0..<2 {
      // The file is still incomplete, whether it is read again or skipped as known.
      let night = try await desk.nightly(exits: 3)
      #expect(night.text.contains("orders.csv"))
      #expect(night.text.contains(reason))
      #expect(try await desk.rows("orders").count == taken)
      let manifest = try Desk.bytes("\(desk.directory)/report/manifest.json")
      #expect(String(decoding: manifest, as: UTF8.self).contains("incomplete"))
    }
    let parked = try await desk.rows("parked")
    #expect(parked.cells("state") == ["open"])
    try desk.write("inbox/orders.csv", Self.text)
    let whole = try await desk.nightly()
    #expect(whole.status != 3, "\(whole.text)")
    #expect(!whole.text.contains("orders.csv"))
    #expect(try await desk.rows("orders").count == 5)
    #expect(try await desk.rows("parked").cells("state") == ["completed"])
    #expect(!whole.text.contains("wait in the dead letters"))
  }

  /// The next day's file of the same name has newer rows of the same orders, or other orders. It does not complete the truncated
  /// file.
  @Test(arguments: [("G1 G2 G3 G4", 4), ("N1", 0)]) func theNextDaysFile(_ rows: String, _ sound: Int) async throws {
    let desk = try await Self.desk()
    let lines = (1...(sound + 1)).map { BadInputTests.row("G\($0)") + "\n" }.joined()
    try desk.write("inbox/orders.csv", String((Self.header + "\n" + lines).dropLast(30)))
    try await desk.nightly(exits: 3)
    let next = rows.split(separator: " ").map { BadInputTests.row("\($0)") + "\n" }.joined()
    try desk.write("inbox/orders.csv", Self.header + "\n" + next)
    let other = try await desk.nightly()
    #expect(other.status == 3 && other.text.contains("orders.csv"), "\(other.text)")
    // The missing rows may arrive in any file of that name, beside others.
    try desk.write("inbox/orders.csv", Self.header + "\n" + next + lines)
    let whole = try await desk.nightly()
    #expect(whole.status != 3, "\(whole.text)")
  }

  @Test func operatorMayAcceptTheTruncatedEnd() async throws {
    let desk = try await Self.desk()
    try desk.write("inbox/orders.csv", String(Self.text.dropLast()))
    try await desk.nightly(exits: 3)
    let id = try #require(try await desk.rows("parked").first?["parked_id"])
    // The parked record may be incomplete. Without its id the command leaves it alone and reports it.
    let all = try await desk.program("deadletter", "retry", "--as-of", Desk.asOf)
    #expect(all.text == "deadletter: retried 0, taken 0, still parked 0\n")
    #expect(all.complaint.contains("left alone: orders file") && all.complaint.contains(id), "\(all.complaint)")
    #expect(try await desk.rows("orders").count == 4)
    let named = try await desk.program("deadletter", "retry", id, "--as-of", Desk.asOf)
    #expect(named.status == 0 && named.complaint.contains("nights no longer wait"), "\(named.complaint)")
    let night = try await desk.nightly()
    #expect(night.status != 3, "\(night.text)")
    #expect(try await desk.rows("orders").count == 5)
    // Half a token is invalid, even when its id is given. Nights stay incomplete without a further message.
    try desk.write("inbox/users.csv", "user_id,app_account_token\nU9,a1000000-0000-40")
    try await desk.nightly(exits: 3)
    let half = try #require(try await desk.rows("parked").first { $0["kind"] == "users" }?["parked_id"])
    let kept = try await desk.program("deadletter", "retry", half, "--as-of", Desk.asOf)
    #expect(kept.complaint.contains("left alone: users file") && !kept.complaint.contains("no longer"), "\(kept.complaint)")
    try await desk.nightly(exits: 3)
  }

  @Test func settingsMayAllowAMissingLineEnd() async throws {
    let desk = try await Desk()
    let file = try desk.write("orders.csv", String(Self.text.dropLast()))
    let strict = try await desk.program("ingest", "orders", file, "--as-of", Desk.asOf, exits: 3)
    #expect(strict.text == "orders: input 5 = accepted 4 + repeated 0 + ignored 0 + parked 1\n")
    #expect(strict.complaint.contains("orders.csv"))
    try desk.write("payrecon.yaml", Desk.settings(inputs: "{orders: {max_age: 3650d, final_newline: optional}}"))
    let allowed = try await desk.program("ingest", "orders", file, "--as-of", Desk.asOf, exits: 0)
    #expect(allowed.text == "orders: input 5 = accepted 1 + repeated 4 + ignored 0 + parked 0\n")
    try desk.write("payrecon.yaml", Desk.settings(inputs: "{orders: {final_newline: maybe}}"))
    let misspelt = try await desk.program("ingest", "orders", file, "--as-of", Desk.asOf)
    #expect(misspelt.status != 0)
    #expect(misspelt.complaint.contains("inputs.orders.final_newline"))
  }

  @Test(arguments: [("gzip -c", "gz"), ("zstd -qc", "zst")])
  func packedFiles(_ command: String, _ ending: String) async throws {
    let desk = try await Desk()
    let plain = try desk.write("plain.csv", Self.text)
    let signed = try desk.write("plain.ndjson", Self.evidence().joined(separator: "\n") + "\n")
    try desk.write("inbox/empty.tmp", "")
    _ = unsafe system("\(command) \(plain) > \(desk.directory)/inbox/orders.csv.\(ending)")
    _ = unsafe system("\(command) \(signed) > \(desk.directory)/inbox/apple.ndjson.\(ending)")
    #expect(try await desk.nightly().status != 3)
    #expect(try await desk.rows("orders").count == 5)
    #expect(try await desk.rows("transactions").count == 3)
    // The next file is truncated.
    let bytes = try Desk.bytes("\(desk.directory)/inbox/orders.csv.\(ending)")
    try desk.write("inbox/orders-2.csv.\(ending)", Array(bytes.dropLast(6)))
    let night = try await desk.nightly(exits: 3)
    #expect(night.text.contains("orders-2.csv.\(ending)"))
  }

  /// A pipe can be read only once. Its bytes are inspected and ingested all the same.
  @Test func packedStandardInput() async throws {
    let desk = try await Desk()
    let plain = try desk.write("plain.csv", Self.text)
    _ = unsafe system("gzip -c \(plain) > \(desk.directory)/packed")
    let bytes = try Desk.bytes("\(desk.directory)/packed")
    let execution = try await desk.program("ingest", "orders", "-", "--as-of", Desk.asOf, input: .stream { $0 == 0 ? bytes : nil })
    #expect(execution.status == 0, "\(execution.complaint)")
    #expect(execution.text == "orders: input 5 = accepted 5 + repeated 0 + ignored 0 + parked 0\n")
  }

  @Test func halfEvidence() async throws {
    let desk = try await Desk()
    let signed = Self.evidence()
    let cuts = [
      ("lines.ndjson", signed[0] + "\n" + signed[1].dropLast(20)), ("one.jws", String(signed[2].dropLast(20))),
      ("page.json", "{\"signedTransactions\":[\n\"\(signed[0])\",\n"), ("empty.ndjson", ""),
    ]
    for (name, text) in cuts {
      let file = try desk.write(name, text)
      let execution = try await desk.program("ingest", "apple", file, "--as-of", Desk.asOf, exits: 3)
      #expect(execution.complaint.contains(name))
    }
    // Truncated evidence is not verified, because an incomplete signature is not a forgery.
    #expect(try await desk.rows("evidence").allSatisfy { $0["verdict"] == "genuine" })
    #expect(try await desk.rows("transactions").count == 1)
    // A file of one complete item needs no final line end.
    for (name, text) in [("two.jws", signed[1]), ("three.json", "{\n\"signedTransactions\":[\n\"\(signed[2])\"]}")] {
      try await desk.program("ingest", "apple", try desk.write(name, text), "--as-of", Desk.asOf, exits: 0)
    }
    #expect(try await desk.rows("transactions").count == 3)
  }

  @Test func truncatedFirstLineAbsorbsNothing() async throws {
    let desk = try await Desk()
    let signed = (100..<300).map { Scenario.sign(ApplePurchase("470001000000\($0)", at: "2026-05-10T10:00:20Z")) }
    let file = try desk.write("apple.ndjson", "{\"signedTransactions\":[\n" + signed.joined(separator: "\n") + "\n")
    let execution = try await desk.program("ingest", "apple", file, "--as-of", Desk.asOf, exits: 0)
    #expect(execution.text == "apple: input 201 = accepted 200 + repeated 0 + ignored 0 + parked 1\n")
  }

  @Test func utf16IsNamed() async throws {
    let desk = try await Self.desk()
    try desk.write("inbox/orders.csv", [0xFF, 0xFE] + Self.text.utf8.flatMap { [$0, 0] as [UInt8] })
    let night = try await desk.nightly(exits: 3)
    #expect(night.text.contains("orders.csv\": it is UTF-16"))
  }

  /// Entries that are not files, or that lead out of the inbox, are refused by name. A named pipe does not block the night.
  @Test func inboxHoldsMoreThanFiles() async throws {
    let desk = try await Self.desk()
    try desk.write("inbox/orders-1.csv", Self.text)
    try desk.write("outside/orders.csv", "\(Self.header)\n\(BadInputTests.row("X1"))\n")
    let inbox = "\(desk.directory)/inbox"
    _ = unsafe mkfifo("\(inbox)/orders-2.csv", 0o600)
    _ = unsafe symlink("/dev/zero", "\(inbox)/orders-3.csv")
    _ = unsafe symlink("\(desk.directory)/outside/orders.csv", "\(inbox)/orders-4.csv")
    _ = unsafe symlink("../outside", "\(inbox)/users")
    _ = unsafe symlink("orders-1.csv", "\(inbox)/orders-5.csv")
    try desk.write("inbox/orders-6.csv/part-0.csv", Self.text)
    try desk.write("inbox/orders/orders-7.csv/part-0.csv", Self.text)
    try desk.write("inbox/.archive/orders.csv", Self.text)
    let night = try await desk.nightly(exits: 3)
    for (name, reason) in [
      ("orders-2.csv", "named pipe"), ("orders-3.csv", "out of the inbox"), ("orders-4.csv", "out of the inbox"),
      ("users", "out of the inbox"), ("orders-6.csv", "called like a file"), ("orders/orders-7.csv", "called like a file"),
    ] {
      #expect(night.text.contains("inbox/\(name)\": it is a"), "\(night.text)")
      #expect(night.text.contains(reason))
    }
    for name in ["orders-5.csv", "archive"] { #expect(!night.text.contains(name)) }
    #expect(try await desk.rows("orders").count == 5)
  }

  /// Files in folders that are not read are named, except hidden, temporary and report files.
  @Test(arguments: [
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
    let desk = try await Desk()
    try desk.write("payrecon.yaml", Desk.settings() + "reports: {directory: inbox/reports}\n")
    try desk.write("inbox/orders.csv", Self.text)
    try desk.write("inbox/apple.ndjson", Self.evidence().joined(separator: "\n") + "\n")
    for file in files { try desk.write("inbox/\(file)", Self.text) }
    let night = try await desk.nightly(out: "inbox/written")
    #expect((night.status == 3) == (named != nil), "\(night.text)\(night.complaint)")
    // The night's own report folder is not input. Doctor does not know it and names it.
    let written = "\(desk.directory)/inbox/written"
    #expect(try await desk.program("doctor").text.contains(" the first being inbox/\(named ?? "written"): "))
    try FileManager.default.removeItem(atPath: written)
    let doctor = try await desk.program("doctor").text
    if let named {
      #expect(night.text.contains("inbox/\(named)\": it is a folder that is not read, and it contains files"), "\(night.text)")
      #expect(night.text.contains("Put its files into the inbox itself"), "\(night.text)")
      #expect(doctor.contains("fault inbox: 1 entries are not read, the first being inbox/\(named): "), "\(doctor)")
      #expect(doctor.contains("do: Put its files into the inbox itself"), "\(doctor)")
    } else {
      #expect(doctor.contains("ok    inbox: "), "\(doctor)")
    }
    #expect(try await desk.rows("orders").count == 5)
  }

  /// A file that grows while the night reads it, always ending in whole lines.
  @Test(arguments: [true, false]) func growingFileIsIncomplete(grows: Bool) async throws {
    let desk = try await Desk()
    #expect(try await desk.program("init").status == 0)
    let rows = Self.text.split(separator: "\n").map { "\($0)\n" }
    try desk.write("inbox/orders.csv", rows[0..<4].joined())
    try desk.write("inbox/apple.ndjson", Self.evidence().joined(separator: "\n") + "\n")
    let blocker = try await desk.block("evidence")
    async let reading = desk.nightly()
    #expect(try await desk.waitForLock(on: "evidence"))
    if grows { try desk.write("inbox/orders.csv", rows.joined()) }
    await blocker.close()
    let night = try await reading
    #expect((night.status == 3) == grows, "\(night.text)\(night.complaint)")
    #expect(night.text.contains("inbox/orders.csv\" changed while the night read it") == grows, "\(night.text)")
    #expect(try await desk.rows("orders").count == 3)
    let next = try await desk.nightly()
    #expect(next.status != 3, "\(next.text)\(next.complaint)")
    #expect(try await desk.rows("orders").count == (grows ? 5 : 3))
  }

  /// A file is ingested by command while a night decides. A known file changes nothing, and a new one makes the night incomplete.
  @Test(arguments: [(true, false), (false, true)]) func fileIngestedDuringANight(isKnown: Bool, isIncomplete: Bool) async throws {
    let desk = try await Self.desk(orders: Self.text)
    #expect(try await desk.nightly().status != 3)
    try await desk.query(
      """
      insert into payrecon.batches (kind, file_name, content_sha256, source, run_id, state, is_clock_given, known_at)
      select kind, file_name, \(isKnown ? "content_sha256" : "'other'"), source, 'ingest', 'open', true, known_at
      from payrecon.batches
      where kind = 'orders'
      """)
    let next = try await desk.nightly()
    #expect((next.status == 3) == isIncomplete, "\(next.text)\(next.complaint)")
    #expect(next.text.contains("items of it were in") == isIncomplete, "\(next.text)")
  }

  /// A file truncated within an id, where later records begin with the same letters. Only the record at the same position completes
  /// it.
  @Test(arguments: [
    ("G1 G2 G", "N1 G77", true), ("G1 G2 G", "G1 G2 N1 G77", true), ("G1 G2 G", "G1 G2 G3 G4", false), ("G", "G77 N1", true),
  ]) func fileTruncatedWithinAnID(_ half: String, _ next: String, _ isOpen: Bool) async throws {
    let desk = try await Self.desk()
    func text(_ ids: [Substring]) -> String { Self.header + "\n" + ids.map { BadInputTests.row("\($0)") + "\n" }.joined() }
    let ids = half.split(separator: " ")
    try desk.write("inbox/orders.csv", text(ids.dropLast()) + ids[ids.count - 1])
    try await desk.nightly(exits: 3)
    try desk.write("inbox/orders.csv", text(next.split(separator: " ")))
    let night = try await desk.nightly()
    #expect((night.status == 3) == isOpen, "\(night.text)\(night.complaint)")
    #expect(night.text.contains("this record is not, or cannot be distinguished from others") == isOpen, "\(night.text)")
  }

  // MARK: Output

  @Test func reportsAreForOwnerAndGroup() async throws {
    let desk = try await Self.desk(orders: Self.text)
    // A symbolic link occupies the path of a temporary file.
    let victim = try desk.write("victim", "precious")
    try FileManager.default.createDirectory(atPath: "\(desk.directory)/other", withIntermediateDirectories: true)
    _ = unsafe symlink(victim, "\(desk.directory)/other/.breaks.csv.partial")
    try await desk.nightly()
    _ = try await desk.program("report", "daily", "--as-of", Desk.asOf, "--out", "other")
    #expect(try Desk.lines(victim) == ["precious"])
    func mode(_ path: String) -> mode_t {
      var status = stat()
      return unsafe lstat("\(desk.directory)/\(path)", &status) == 0 ? status.st_mode & 0o7777 : 0
    }
    #expect(mode("report") & 0o027 == 0)
    for folder in ["report", "other"] {
      for name in try Desk.files(in: "\(desk.directory)/\(folder)").keys where !name.hasSuffix(".partial") {
        #expect(mode("\(folder)/\(name)") & 0o137 == 0, "\(folder)/\(name)")
      }
    }
    // Two reports at the same time do not share a folder.
    let words = ["/usr/bin/flock", "\(desk.directory)/other", Program.path, "report", "daily", "--as-of", Desk.asOf, "--out", "other"]
    let second = try await desk.program.run(words)
    #expect(second.status == 4 && second.complaint.contains("another process writes one there"), "\(second.complaint)")
  }

  /// No external text is a formula in any table of any command. Numbers stay numbers.
  @Test func noCellIsAFormula() async throws {
    let desk = try await Desk()
    let marks = ["=1+1", "+1", "-1+1", "@SUM(A1)", "=HYPERLINK(\"\"x\"\";1)", "-5"]
    let rows = marks.enumerated().map { index, mark in
      "\"\(mark),\(index)\",com.acme.reader,\"\(mark)\",\"\(mark)\",delivered,2026-05-10T10:00:00Z,6000,CNY"
    }
    let plain = "-7,com.acme.reader,coins60,-8,delivered,2026-05-10T10:00:00Z,6000,CNY"
    try desk.write("inbox/orders.csv", ([Self.header] + rows + [plain]).joined(separator: "\n") + "\n")
    try desk.write("inbox/apple.ndjson", Self.evidence().joined(separator: "\n") + "\n")
    try await desk.program("ingest", "orders", "\(desk.directory)/inbox/orders.csv", "--as-of", Desk.asOf, exits: 0)
    var tables: [(String, [UInt8])] = []
    for arguments in [
      ["match", "--dry-run", "--as-of", Desk.asOf], ["detect", "--dry-run", "--as-of", Desk.asOf], ["rules"],
      ["detect", "--rules", "R01,R16", "--shadow", "--as-of", Desk.asOf],
    ] {
      tables.append((arguments.joined(separator: " "), try await desk.program.run([Program.path] + arguments).output))
    }
    try await desk.nightly()
    for list in Desk.lists { tables.append((list, try await desk.export(list))) }
    for (name, bytes) in try Desk.files(in: "\(desk.directory)/report") where name.hasSuffix(".csv") {
      tables.append((name, bytes))
    }
    for (name, bytes) in tables {
      for row in CSVRows.decode(bytes) {
        for (column, cell) in row where "=+-@\t\r".contains(cell.first ?? " ") {
          #expect(Double(cell) != nil && cell.first == "-", "\(name) \(column): \(cell)")
        }
      }
    }
    let ids = CSVRows.decode(try await desk.export("orders")).compactMap { $0["order_id"] }
    #expect(ids.contains("-7"))
    #expect(ids.contains("'=1+1,0"))
    // The other format keeps every byte.
    #expect(try await desk.rows("orders").compactMap { $0["order_id"] }.contains("=1+1,0"))
    // An exported file can be ingested again without new rows.
    let export = try desk.write("export.csv", String(decoding: try await desk.export("orders"), as: UTF8.self))
    let again = try await desk.program("ingest", "orders", export, "--as-of", Desk.asOf)
    #expect(again.text == "orders: input 7 = accepted 0 + repeated 7 + ignored 0 + parked 0\n", "\(again.text)\(again.complaint)")
  }
}
