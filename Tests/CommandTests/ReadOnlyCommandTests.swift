/// Commands that only read: dry runs, explanations, lists. And parked items, which may change.
@Suite(.cleansUp) struct ReadOnlyCommandTests {
  /// Returns an environment with one match to create and one order without a charge.
  private static func setup() async throws -> Setup {
    let setup = try await Setup()
    try await setup.ingest("orders", Setup.table([1, 2].map { Setup.order("PO-\($0)", names: "47000100000000\($0)") }))
    try await setup.ingest("apple", Setup.bought)
    return setup
  }

  /// Returns the lists, and the row counts of the other tables that a job may write.
  private static func state(_ setup: Setup) async throws -> [String: [UInt8]] {
    var state = try await setup.exports(Setup.lists + ["runs"])
    for table in ["matched_orders", "refused_claims", "break_events", "pending_breaks", "detections", "batches"] {
      state[table] = Array("\(try await setup.count(table))".utf8)
    }
    return state
  }

  @Test func dryRun() async throws {
    let setup = try await Self.setup()
    let before = try await Self.state(setup)
    let planned = try await setup.printed("match", "--dry-run", "--as-of", Setup.asOf, exits: 0)
    #expect(planned.cells("order_id rung") == ["PO-1 M1"])
    #expect(try await Self.state(setup) == before)
    // Before the first match run, detect sees both orders without a charge, and reports that.
    let detect = try await setup.program("detect", "--dry-run", "--as-of", Setup.asOf, exits: 3, complains: "run payrecon match")
    #expect(Set(CSVRows.decode(detect.output).cells("class")).contains("ORDER_NO_TX"))
    #expect(try await Self.state(setup) == before)

    // The match run creates the matches that the dry run listed.
    try await setup.program("match", "--as-of", Setup.asOf, exits: 0)
    #expect(try await setup.rows("matches").cells("charge_id") == planned.cells("charge_id"))
    let shown = try await setup.printed("detect", "--dry-run", "--as-of", Setup.asOf)
    try await setup.patiently(["detect"], asOf: Setup.asOf, exits: 1)
    let breaks = try await setup.rows("breaks")
    #expect(breaks.cells("break_id") == shown.cells("break_id"))
    #expect(breaks.cells("class") == ["ORDER_NO_TX"])

    // After the run, the dry run lists nothing.
    try await setup.program("match", "--dry-run", "--as-of", Setup.asOf, text: "change,order_id,charge_id,rung\n")
  }

  /// For an order, transaction, charge or hash: the deciding rung, its evidence, and the bytes.
  @Test func explain() async throws {
    let setup = try await Self.setup()
    try await setup.program("match", "--as-of", Setup.asOf, exits: 0)
    try await setup.program("detect", "--as-of", Setup.asOf, exits: 1)
    let sha256 = try #require(try await setup.rows("evidence").first?["sha256"])
    let charge = try #require(try await setup.rows("charges").first?["charge_id"])
    for id in ["PO-1", "470001000000001", charge, sha256] {
      for words in [["match", "--explain", id], ["lookup", id], ["detect", "--explain", id]] {
        try await setup.program.run([Program.path] + words, exits: 0, prints: "M1", "PO-1", sha256)
      }
    }
    let breakID = try #require(try await setup.rows("breaks").first?["break_id"])
    for words in [["breaks", "show", breakID], ["detect", "--explain", breakID], ["lookup", "PO-2"]] {
      try await setup.program.run([Program.path] + words, exits: 0, prints: "ORDER_NO_TX")
    }
    try await setup.program("lookup", "PO-3", exits: 2, complains: "could not find \"PO-3\"")
    // The signed bytes are stored unchanged: header and body hash to the evidence's id.
    let kept = try await setup.query(
      "select convert_from(payrecon.evidence_text(header, frame, body, unpacked_length), 'UTF8') from payrecon.evidence "
        + "left join payrecon.signed_headers using (header_key) where sha256 = '\\x\(sha256)'")
    #expect(SHA256.hex(Array(kept.utf8)) == sha256)
    #expect(kept + "\n" == Setup.bought)
  }

  @Test func parkedItems() async throws {
    let setup = try await Setup()
    let times = ["2026-05-10T10:00:00Z", "2026-05-10", "yesterday, \"\"early\"\""]
    try await setup.ingest("orders", Setup.table(times.enumerated().map { Setup.order("PO-\($0)", at: $1, names: "47000100000000\($0)") }))
    let items = try await setup.printed("deadletter", "list", "--as-of", Setup.asOf)
    #expect(items.cells("line state") == ["3 open", "4 open"])
    let ids = items.compactMap { $0["parked_id"] }
    try #require(ids.count == 2)

    // Items with a remaining fault stay parked.
    let kept = "deadletter: retried 2, taken 0, still parked 2\n"
    try await setup.patiently(["deadletter", "retry"], asOf: Setup.asOf, exits: 0, text: kept)

    // A discarded item leaves the list once, with a reason. Its bytes stay.
    for count in [1, 0] {
      let words = ["deadletter", "discard", ids[1], "--reason", "written by hand"]
      try await setup.patiently(words, asOf: Setup.asOf, text: "deadletter: discarded \(count)\n")
    }
    #expect(try await setup.rows("parked").cells("state") == ["open", "discarded"])
    // An item discarded by mistake is ingested again only when its id is given.
    try await setup.patiently(["deadletter", "retry"], asOf: Setup.asOf, text: "deadletter: retried 1, taken 0, still parked 1\n")
    try await setup.patiently(
      ["deadletter", "retry", ids[1]], asOf: Setup.asOf, text: "deadletter: retried 1, taken 0, still parked 1\n",
      complains: "the item is still invalid", "there is a quote inside a value")
    #expect(try await setup.count("parked_items") == 2)
    for command in [["deadletter", "discard", "no-such-item", "--reason", "x"], ["deadletter", "retry", ids[0], "no-such-item"]] {
      try await setup.program.run([Program.path] + command, exits: 64, complains: "could not find parked item \"no-such-item\"")
    }
  }

  @Test func `CSV and NDJSON have the same rows: same columns, same order, same values`() async throws {
    let setup = try await Worlds.shared.night().setup.copy()
    // A parked item that contains quotes, commas and line breaks.
    let odd = try setup.write("orders-odd.csv", Setup.table(["\"P,\"\"1\"\"\nx\",com.acme.reader,c,U,nope,x,,,"]))
    try await setup.patiently(["ingest", "orders", odd], asOf: Setup.asOf, exits: 1)
    for list in Setup.lists + ["runs"] {
      let (csv, json) = (CSVRows.decode(try await setup.export(list)), try await setup.rows(list))
      #expect(!json.isEmpty && csv == json, "\(list)")
    }
  }

  @Test func `the inputs in a report are the ingested files, each by its name`() async throws {
    let setup = try await Setup()
    for index in 1...3 {
      let file = try setup.write("orders-\(index).csv", Setup.table([Setup.order("PO-\(index)", names: "47000100000000\(index)")]))
      try await setup.patiently(["ingest", "orders", file], asOf: Setup.asOf, exits: 0)
    }
    try await setup.program("report", "daily", "--out", "report", "--as-of", Setup.asOf, exits: 0)
    let inputs = CSVRows.decode(try #require(try Setup.files(in: "\(setup.directory)/report")["inputs.csv"]))
    #expect(inputs.cells("file_name accepted_count").sorted() == ["orders-1.csv 1", "orders-2.csv 1", "orders-3.csv 1"])
  }
}
