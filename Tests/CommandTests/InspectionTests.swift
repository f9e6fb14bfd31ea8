import Cryptography
import TestSupport
import Testing

/// Commands that only read: dry runs, explanations, lists. And the dead letters, which may change.
@Suite(.cleansUp) struct InspectionTests {
  private static let header = "order_id,bundle_id,product_id,user_id,status,created_at,price_milliunits,currency,transaction_id"

  private static func order(_ id: String, transaction: String, at created: String = "2026-05-10T10:00:00Z") -> String {
    "\(id),com.acme.reader,coins60,U1,delivered,\(created),6000,CNY,\(transaction)"
  }

  /// Returns an environment with one match to create and one order without a charge.
  private static func setup() async throws -> (setup: Setup, jws: String) {
    let setup = try await Setup()
    let orders = [1, 2].map { order("PO-\($0)", transaction: "47000100000000\($0)") }
    try await setup.ingest("orders", ([header] + orders).joined(separator: "\n") + "\n")
    let jws = Scenario.sign(ApplePurchase("470001000000001", at: "2026-05-10T10:00:20Z"))
    try await setup.ingest("apple", jws + "\n")
    return (setup, jws)
  }

  /// Returns the row counts of all tables that a job may write.
  private static func state(_ setup: Setup) async throws -> [String] {
    var state: [String] = []
    for list in Setup.lists + ["runs"] {
      state.append(String(decoding: try await setup.export(list), as: UTF8.self))
    }
    for table in ["matched_orders", "refused_claims", "break_events", "pending_breaks", "detections", "batches"] {
      state.append(try await setup.query("select count(*) from payrecon.\(table)"))
    }
    return state
  }

  @Test func dryRun() async throws {
    let (setup, _) = try await Self.setup()
    let before = try await Self.state(setup)
    let match = try await setup.program("match", "--dry-run", "--as-of", Setup.asOf, exits: 0)
    let planned = CSVRows.decode(match.output)
    #expect(planned.cells("order_id") == ["PO-1"])
    #expect(planned.cells("rung") == ["M1"])
    #expect(try await Self.state(setup) == before)
    let detect = try await setup.program("detect", "--dry-run", "--as-of", Setup.asOf)
    // Before the first match run, detect sees both orders without a charge, and reports that.
    #expect(detect.status == 3, "\(detect.complaint)")
    #expect(detect.complaint.contains("run payrecon match"))
    #expect(Set(CSVRows.decode(detect.output).cells("class")).contains("ORDER_NO_TX"))
    #expect(try await Self.state(setup) == before)

    // The match run creates the matches that the dry run listed.
    #expect(try await setup.program("match", "--as-of", Setup.asOf).status == 0)
    let matches = try await setup.rows("matches")
    #expect(matches.cells("charge_id") == planned.cells("charge_id"))
    let shown = try await setup.program("detect", "--dry-run", "--as-of", Setup.asOf)
    try await setup.patiently(["detect"], asOf: Setup.asOf, exits: 1)
    let breaks = try await setup.rows("breaks")
    #expect(breaks.cells("break_id") == CSVRows.decode(shown.output).cells("break_id"))
    #expect(breaks.cells("class") == ["ORDER_NO_TX"])

    // After the run, the dry run lists nothing.
    let again = try await setup.program("match", "--dry-run", "--as-of", Setup.asOf)
    #expect(again.text == "change,order_id,charge_id,rung\n")
  }

  /// For an order, transaction, charge or hash: the deciding rung, its evidence, and the bytes.
  @Test func explain() async throws {
    let (setup, jws) = try await Self.setup()
    #expect(try await setup.program("match", "--as-of", Setup.asOf).status == 0)
    #expect(try await setup.program("detect", "--as-of", Setup.asOf).status == 1)
    let sha256 = try #require(try await setup.rows("evidence").first?["sha256"])
    let charge = try #require(try await setup.rows("charges").first?["charge_id"])
    for id in ["PO-1", "470001000000001", charge, sha256] {
      for words in [["match", "--explain", id], ["lookup", id], ["detect", "--explain", id]] {
        let execution = try await setup.program.run([Program.path] + words, exits: 0)
        #expect(execution.text.contains("M1"), "\(words): \(execution.text)")
        #expect(execution.text.contains("PO-1"), "\(words): \(execution.text)")
        #expect(execution.text.contains(sha256), "\(words): \(execution.text)")
      }
    }
    let breakID = try #require(try await setup.rows("breaks").first?["break_id"])
    for words in [["breaks", "show", breakID], ["detect", "--explain", breakID], ["lookup", "PO-2"]] {
      let execution = try await setup.program.run([Program.path] + words, exits: 0)
      #expect(execution.text.contains("ORDER_NO_TX"), "\(words): \(execution.text)")
    }
    let missing = try await setup.program("lookup", "PO-3", exits: 2)
    #expect(missing.complaint.contains("could not find \"PO-3\""), "\(missing.complaint)")
    // The signed bytes are stored unchanged: header and body hash to the evidence's id.
    let kept = try await setup.query(
      "select convert_from(payrecon.evidence_text(header, frame, body, unpacked_length), 'UTF8') from payrecon.evidence "
        + "left join payrecon.signed_headers using (header_key) where sha256 = '\\x\(sha256)'")
    #expect(SHA256.hex(Array(kept.utf8)) == sha256)
    #expect(kept == jws)
  }

  @Test func deadletters() async throws {
    let setup = try await Setup()
    let lines = [
      Self.header, Self.order("PO-1", transaction: "470001000000001"), Self.order("PO-2", transaction: "470001000000002", at: "2026-05-10"),
      Self.order("PO-3", transaction: "470001000000003", at: "yesterday, \"\"early\"\""),
    ]
    let file = try setup.write("orders.csv", lines.joined(separator: "\n") + "\n")
    #expect(try await setup.program("ingest", "orders", file, "--as-of", Setup.asOf).status == 0)
    let list = try await setup.program("deadletter", "list", "--as-of", Setup.asOf)
    let items = CSVRows.decode(list.output)
    #expect(items.cells("line") == ["3", "4"])
    #expect(items.cells("state") == ["open", "open"])
    let ids = items.compactMap { $0["parked_id"] }
    try #require(ids.count == 2)

    // Items with a remaining fault stay parked.
    let retry = try await setup.patiently(["deadletter", "retry"], asOf: Setup.asOf, exits: 0)
    #expect(retry.text == "deadletter: retried 2, taken 0, still parked 2\n")

    // A discarded item leaves the list once, with a reason. Its bytes stay.
    let discard = try await setup.program("deadletter", "discard", ids[1], "--reason", "written by hand", "--as-of", Setup.asOf)
    #expect(discard.text == "deadletter: discarded 1\n", "\(discard.complaint)")
    let twice = try await setup.program("deadletter", "discard", ids[1], "--reason", "written by hand", "--as-of", Setup.asOf)
    #expect(twice.text == "deadletter: discarded 0\n", "\(twice.complaint)")
    let states = try await setup.rows("parked").cells("state")
    #expect(states == ["open", "discarded"])
    // An item discarded by mistake is ingested again only when its id is given.
    let others = try await setup.patiently(["deadletter", "retry"], asOf: Setup.asOf)
    #expect(others.text == "deadletter: retried 1, taken 0, still parked 1\n")
    let named = try await setup.patiently(["deadletter", "retry", ids[1]], asOf: Setup.asOf)
    #expect(named.text == "deadletter: retried 1, taken 0, still parked 1\n")
    #expect(try await setup.query("select count(*) from payrecon.parked_items") == "2")
    for command in [["deadletter", "discard", "no-such-item", "--reason", "x"], ["deadletter", "retry", ids[0], "no-such-item"]] {
      let wrong = try await setup.program.run([Program.path] + command)
      #expect(wrong.status == 64 && wrong.complaint.contains("could not find parked item \"no-such-item\""), "\(wrong.complaint)")
    }
  }

  /// An item that was rejected because of the settings is ingested after their correction.
  @Test func deadletterIsIngestedAfterItsCauseIsFixed() async throws {
    let setup = try await Setup()
    try setup.write("payrecon.yaml", "apps: [{bundle_id: com.acme.reader, apple_id: 1500000001}]\n")
    let jws = Scenario.sign(ApplePurchase("470001000000001", at: "2026-05-10T10:00:20Z"))
    // A damaged record is complete in the second file.
    let file = try setup.write("apple.ndjson", "{\"evidence\":17}\n\(jws)\n")
    let first = try await setup.program("ingest", "apple", file, "--as-of", Setup.asOf)
    #expect(first.text == "apple: input 2 = accepted 1 + repeated 0 + ignored 0 + parked 1\n", "\(first.complaint)")
    let retry = try await setup.patiently(["deadletter", "retry"], asOf: Setup.asOf)
    #expect(retry.text == "deadletter: retried 1, taken 0, still parked 1\n")
    #expect(try await setup.rows("parked").cells("state") == ["open"])
  }

  /// CSV and NDJSON have the same rows: same columns, same order, same values.
  @Test func formatsAgree() async throws {
    let setup = try await Worlds.shared.night().setup.copy()
    // A parked item that contains quotes, commas and line breaks.
    let odd = try setup.write("orders-odd.csv", "\(Self.header)\n\"P,\"\"1\"\"\nx\",com.acme.reader,c,U,nope,x,,,\n")
    try await setup.patiently(["ingest", "orders", odd], asOf: Setup.asOf, exits: 1)
    for list in Setup.lists + ["runs"] {
      let (csv, json) = (CSVRows.decode(try await setup.export(list)), try await setup.rows(list))
      #expect(!json.isEmpty && csv == json, "\(list)")
    }
  }

  /// The inputs in a report are the ingested files, each by its name.
  @Test func reportNamesItsInputs() async throws {
    let setup = try await Setup()
    for index in 1...3 {
      let file = try setup.write(
        "orders-\(index).csv", "\(Self.header)\n\(Self.order("PO-\(index)", transaction: "47000100000000\(index)"))\n")
      try await setup.patiently(["ingest", "orders", file], asOf: Setup.asOf, exits: 0)
    }
    #expect(try await setup.program("report", "daily", "--out", "report", "--as-of", Setup.asOf).status == 0)
    let inputs = CSVRows.decode(try #require(try Setup.files(in: "\(setup.directory)/report")["inputs.csv"]))
    #expect(inputs.cells("file_name").sorted() == ["orders-1.csv", "orders-2.csv", "orders-3.csv"])
    let accepted: [Int] = inputs.map { Int($0["accepted_count"] ?? "") ?? 0 }
    #expect(accepted.reduce(0, +) == 3)
  }
}
