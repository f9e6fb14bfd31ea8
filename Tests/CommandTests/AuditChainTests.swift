/// The audit chain: its entries, and the detection of one changed byte anywhere.
@Suite(.cleansUp) struct AuditChainTests {
  private static let asOf = "2026-05-12T12:00:00Z"

  /// Returns an environment after a night with a replayed purchase, a parked row and evidence in two files.
  private static func night() async throws -> Setup {
    let setup = try await Setup()
    let orders = [
      Setup.order("PO-1", names: "100"), Setup.order("PO-2", user: "U2", at: "2026-05-10T10:05:00Z", names: "100"),
      Setup.order("PO-3", user: "U3", at: "yesterday"),
    ]
    try setup.write("inbox/orders.csv", Setup.table(orders))
    for (name, id) in [("a", "100"), ("b", "101")] {
      try setup.write("inbox/apple-\(name).ndjson", ApplePurchase(id, at: "2026-05-10T10:00:00Z").jws + "\n")
    }
    try await setup.nightly(asOf: asOf, exits: 1)
    return setup
  }

  /// Returns a copy of one such environment, in a folder without the night's files.
  private static func setup() async throws -> Setup { try await base.value.copy() }
  private static let base = Task<Setup, any Error> { try await CleanUp.shared(night) }

  private static func faults(_ setup: Setup, _ arguments: String...) async throws -> [String] {
    let verified = try await setup.program.run([Program.path, "audit", "verify"] + arguments, exits: 1)
    return verified.text.split(separator: "\n").filter { $0.hasPrefix("WRONG") }.map(String.init)
  }

  private static func acts(_ setup: Setup) async throws -> [String] {
    try await setup.printed("audit", "list", "--format", "csv").cells("act")
  }

  // MARK: Entries

  @Test func everyActLeavesAnEntry() async throws {
    let setup = try await Self.night()
    let bob = try await setup.login("bob")
    let id = try #require(try await setup.printed("queue", "list", "--as-of", Self.asOf).first?["case_id"])
    let item = try #require(try await setup.printed("deadletter", "list", "--as-of", Self.asOf).first?["parked_id"])
    // A case that another person has is refused, and the proposer cannot approve, whatever the name.
    let commands: [([String], Int32)] = [
      (["queue", "take", id, "--person", "ann"], 0), (["queue", "take", id, "--person", "bob"], 4),
      (["queue", "decide", id, "--action", "ban", "--outcome", "confirmed", "--reason", "replay", "--person", "ann"], 0),
      (["queue", "decide", id, "--action", "accept", "--reason", "again", "--person", "ann"], 2),
      (["queue", "approve", id, "--reason", "sure", "--person", "ann"], 2),
      (["queue", "approve", id, "--reason", "sure", "--person", "zoe"], 2),
      (["queue", "approve", id, "--reason", "seen", "--person", "bob"], 0),
      (["queue", "answered", "100", "--no-consent", "--person", "ann"], 0),
      (["lists", "add", "block", "user", "U2", "--owner", "ann", "--reason", "ban", "--until", "2027-01-01T00:00:00Z"], 0),
      (["deadletter", "discard", item, "--reason", "a typing error"], 0),
    ]
    for (command, status) in commands {
      let program = command.contains("bob") ? bob : setup.program
      let run = try await program.run([Program.path] + command + ["--as-of", Self.asOf], exits: status)
      #expect(status != 2 || run.complaint.contains("a second person must decide"), "\(run.complaint)")
      // A proposed case is not to be taken. The hint names the acts that are left.
      let isDecidedAgain = status == 2 && command[1] == "decide"
      #expect(!isDecidedAgain || run.complaint.contains("payrecon queue withdraw \(id)"), "\(run.complaint)")
    }
    try await setup.program("queue", "show", id, "--as-of", Self.asOf, prints: "ban effective by bob (confirmed): seen, account test_bob")
    let closed = try #require(try await setup.rows("cases").first { $0["case_id"] == id })
    #expect([closed].cells("status action decided_by approved_by approved_account") == ["closed ban ann bob test_bob"], "\(closed)")
    #expect(closed["decided_account"] != "test_bob" && closed["decided_account"]?.isEmpty == false, "\(closed)")
    let entry = try #require(try await setup.rows("lists").first?["entry_id"])
    try await setup.program("lists", "remove", entry, "--owner", "bob", "--reason", "moved", "--as-of", Self.asOf, exits: 0)
    try setup.write("payrecon.yaml", Setup.settings() + "rules:\n  R02: {state: live, version: 2, users_max: 4}\n")
    try await setup.nightly(asOf: "2026-05-13T12:00:00Z")

    let acts = try await Self.acts(setup).filter { !["migration_applied", "functions_made", "reference_made"].contains($0) }
    #expect(
      acts == [
        "settings_changed", "rules_changed", "evidence_sealed", "evidence_sealed", "run_ended", "case_taken",
        "case_proposed", "case_effective", "consumption_answered", "list_added", "parked_discarded",
        "list_removed", "settings_changed", "rules_changed", "run_ended",
      ], "\(acts)")
    #expect(try await setup.program("audit", "verify", exits: 0).text.hasSuffix("whole\n"))
    // The entry names the actor, the login and the subject, but not the customer.
    let rows = try await setup.printed("audit", "list", "--format", "csv", "--as-of", Self.asOf)
    let approved = try #require(rows.first { $0["act"] == "case_effective" })
    #expect([approved].cells("actor subject") == ["bob \(id)"])
    #expect(approved["login"]?.isEmpty == false)
    #expect(!rows.contains { $0["subject"] == "U2" || $0["details"]?.contains("U2") == true })
    // As of the first day, the chain ends before the second night.
    #expect(rows.filter { $0["act"] == "run_ended" }.count == 1)
    let table = try await setup.program("audit", "list", "--as-of", Self.asOf).text.split(separator: "\n")
    #expect(table.count == rows.count + 1)
    let array = try await setup.program("audit", "list", "--format", "json", "--as-of", Self.asOf).text
    #expect(array.hasPrefix("[\n{\"number\":") && array.hasSuffix("}\n]\n"))
  }

  @Test func refusedActsLeaveNoEntry() async throws {
    let setup = try await Self.setup()
    let before = try await Self.acts(setup).count
    #expect(try await setup.program("match", "--dry-run", "--as-of", Self.asOf).status == 0)
    #expect(try await setup.program("lists", "remove", "nothing", "--owner", "bob", "--reason", "x").status == 2)
    #expect(try await setup.program("queue", "release", "nothing", "--person", "bob").status == 2)
    #expect(try await Self.acts(setup).count == before)
  }

  // MARK: Tampering

  /// Changes of stored rows by somebody with full access, and the faults that verification then finds.
  struct Tampering: NamedCase {
    var name: String
    /// Statements, each with the parts of a fault. `{a}` and `{b}` are the hashes of the two evidences, `{run}` is the night's entry.
    var steps: [(sql: String, fault: [String])]

    init(_ name: String, _ steps: (String, [String])...) {
      self.name = name
      self.steps = steps.map { (sql: $0.0, fault: $0.1) }
    }

    static func evidenceByte(_ name: String, at place: Int) -> Tampering {
      let sql = "update payrecon.evidence set body = set_byte(body, \(place), get_byte(body, \(place)) # 129) where transaction_id = '100'"
      return Tampering(name, (sql, ["evidence {a}: its bytes were changed", "apple-a.ndjson"]))
    }

    /// Parts that many payloads share are stored once in a table.
    static func sharedPart(_ column: String) -> Tampering {
      let sql = "update payrecon.signed_headers set \(column) = set_byte(\(column), 5, get_byte(\(column), 5) # 129)"
      return Tampering("the \(column) of several payloads", (sql, ["evidence {a}: its bytes were changed"]))
    }

    static func entry(_ column: String, _ value: String) -> Tampering {
      let sql = "update payrecon.audit_log set \(column) = \(value) where act = 'run_ended'"
      return Tampering("\(column) of an entry", (sql, ["entry {run}: was changed: its hash is"]))
    }
  }

  private static let tamperings: [Tampering] = [
    .evidenceByte("a byte of a signature", at: 20), .evidenceByte("a byte of the values, which are no longer UTF-8", at: 75),
    .sharedPart("frame"), .sharedPart("header"), .entry("details", "replace(details, 'breaks', 'clean ')"), .entry("actor", "'nightlx'"),
    .entry("at", "at + interval '1 second'"),
    .entry("hash", "overlay(hash placing case when left(hash, 1) = '0' then '1' else '0' end from 1 for 1)"),
    Tampering(
      "a column of evidence, and then the hash of its row",
      ("update payrecon.evidence set verdict = 'forged' where transaction_id = '101'", ["evidence {b}: its row was changed"]),
      (
        """
        update payrecon.evidence set row_hash = payrecon.evidence_row_hash(sha256, kind, verdict, reason, bundle_id,
          environment, source, header_key, charge_id, transaction_id, original_transaction_id, signed_at, received_at)
        """, ["apple-b.ndjson", "one was replaced"]
      )),
    Tampering(
      "removed evidence, and evidence that was added to another chunk",
      (
        """
        create table public.kept as select * from payrecon.evidence where transaction_id = '100';
        delete from payrecon.evidence where transaction_id = '100'
        """, ["sealed 1 rows, there are 0"]
      ),
      (
        "update public.kept set chunk = 7; insert into payrecon.evidence select * from public.kept",
        ["from item 8: 1 rows that no entry seals"]
      )),
    Tampering(
      "an entry with a recomputed hash",
      (
        """
        update payrecon.audit_log set actor = 'somebody',
          hash = payrecon.audit_hash(number, at, 'somebody', login, act, subject, details, previous_hash, recorded_at)
        where number = 3
        """, ["entry 4: does not follow entry 3"]
      )),
    Tampering("a removed entry", ("delete from payrecon.audit_log where number = 5", ["entry 5: is missing"])),
    // The chain is complete without it, but the recorded act reveals the removal.
    Tampering(
      "the newest entry removed",
      (
        "delete from payrecon.audit_log where act = 'run_ended'",
        ["run nightly-20260512T120000Z-", "no entry says so with its verdict breaks"]
      )),
    Tampering(
      "a verdict of the run ledger",
      ("update payrecon.runs set verdict = 'clean'", ["ended, and no entry says so with its verdict clean"])),
  ]

  @Test(arguments: tamperings) func changesAreFound(_ tampering: Tampering) async throws {
    let setup = try await Self.setup()
    var values = ["{run}": try await setup.query("select number from payrecon.audit_log where act = 'run_ended'")]
    for (name, id) in [("{a}", "100"), ("{b}", "101")] {
      values[name] = try await setup.query("select encode(sha256, 'hex') from payrecon.evidence where transaction_id = '\(id)'")
    }
    for (sql, fault) in tampering.steps {
      try await setup.query(sql)
      let parts = fault.map { part in values.reduce(part) { $0.replacing($1.key, with: $1.value) } }
      let faults = try await Self.faults(setup)
      // The removed item is named before the added one.
      let lines = parts.first?.hasPrefix("from item 8") == true ? faults : Array(faults.prefix(1))
      #expect(lines.contains { line in parts.allSatisfy { line.contains($0) } }, "\(parts): \(faults)")
      #expect(!sql.contains("set body") || faults.count == 1, "\(faults)")
    }
  }

  @Test func `a chain head stored elsewhere reveals the removal of the newest entry`() async throws {
    let setup = try await Self.setup()
    let whole = try await setup.program("audit", "verify")
    let head = try #require(whole.text.split(separator: "\n").first { $0.hasPrefix("head") }?.split(separator: " ").last)
    try await setup.query("delete from payrecon.audit_log where act = 'run_ended'")
    let faults = try await Self.faults(setup, "--expect", String(head))
    #expect(faults.contains { $0.contains("is no longer the one with hash") }, "\(faults)")
    try await setup.program("audit", "verify", "--expect", "3:abc", exits: 64)
  }

  @Test func aFinishedReport() async throws {
    let setup = try await Self.night()
    try await setup.program("runs", "verify", "report", exits: 0)
    var bytes = try Setup.bytes("\(setup.directory)/report/breaks.csv")
    bytes[bytes.count / 2] ^= 1
    try setup.write("report/breaks.csv", bytes)
    try await setup.program("runs", "verify", "report", exits: 1, prints: "report/breaks.csv was changed: its length is the same")
    // A forger who rewrites the manifest and its hash in the ledger fails at the chain.
    let manifest = try Setup.text("\(setup.directory)/report/manifest.json")
    let old = try #require(manifest.split(separator: "\n").first { $0.contains("breaks.csv") })
    let oldHash = try #require(old.split(separator: "\"").last { $0.count == 64 })
    let edited = Array(manifest.replacing(oldHash, with: SHA256.hex(bytes)).utf8)
    try setup.write("report/manifest.json", edited)
    let forged = SHA256.hex(edited)
    try await setup.query("update payrecon.report_manifests set manifest_sha256 = '\(forged)'")
    try await setup.program("runs", "verify", "report", exits: 1, prints: "was changed together with the ledger")
    let faults = try await Self.faults(setup)
    #expect(faults.contains { $0.contains(forged) && $0.contains("no entry of its run names it") })
    #expect(faults.contains { $0.contains("the ledger no longer knows it") }, "\(faults)")
  }

  /// The ledger knows the manifest of every report, whichever command wrote it. A report without ledger entry is not verified.
  @Test func everyReportIsInTheLedger() async throws {
    let setup = try await Self.setup()
    for kind in ["daily", "deferred", "coverage"] {
      try await setup.program("report", kind, "--as-of", Self.asOf, "--out", kind, exits: 0)
      try await setup.program("runs", "verify", kind, exits: 0, prints: "the ledger vouches for the manifest")
    }
    try await setup.program("audit", "verify", exits: 0)
    try await setup.query("delete from payrecon.report_manifests where directory like '%/deferred'")
    try await setup.program("runs", "verify", "deferred", exits: 1, prints: "the ledger does not vouch for the manifest")
    #expect(try await setup.program("runs", "verify", "deferred", "--folder-only").status == 0)
    let faults = try await Self.faults(setup)
    #expect(faults.contains { $0.contains("the ledger no longer knows it") }, "\(faults)")
  }

  // MARK: Several at once

  @Test func `six programs append at the same time: no number repeats and no link is lost`() async throws {
    let setup = try await Self.setup()
    await withTaskGroup(of: Void.self) { group in
      for person in 1...6 {
        group.addTask {
          for number in 1...3 {
            let execution = try? await setup.program(
              "lists", "add", "block", "device", "D\(person)-\(number)", "--owner", "p\(person)", "--reason", "x",
              "--until", "2027-01-01T00:00:00Z", "--as-of", Self.asOf)
            #expect(execution?.status == 0, "\(execution?.complaint ?? "")")
          }
        }
      }
    }
    #expect(try await Self.acts(setup).filter { $0 == "list_added" }.count == 18)
    try await setup.program("audit", "verify", exits: 0)
  }
}
