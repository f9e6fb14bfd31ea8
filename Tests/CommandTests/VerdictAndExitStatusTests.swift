import FoundationEssentials

/// One verdict, one exit status.
@Suite(.cleansUp) struct VerdictAndExitStatusTests {
  private let setup: Setup

  init() async throws { setup = try await Setup() }

  /// Writes a complete inbox, or removes one input of it.
  private func inbox(price: Int = 6000, without missing: String? = nil) throws {
    try setup.writeInbox(price: price)
    try setup.write("inbox/users.csv", "user_id\nU1\n")
    let file = missing == "apple" ? "apple.ndjson" : "orders.csv"
    if missing != nil { try FileManager.default.removeItem(atPath: "\(setup.directory)/inbox/\(file)") }
  }

  /// A price that differs is a break, and the threshold decides whether it fails the night. Parked input causes a warning, never a break.
  @Test(
    arguments: [
      (6000, "low", false, 0, "clean", "verdict"), (5000, "low", false, 1, "breaks", "verdict"),
      (5000, "critical", false, 0, "warnings", "verdict"),
      (6000, "low", true, 0, "warnings", "1 parked item waits in the dead letters"),
    ] as [(Int, String, Bool, Int32, String, String)])
  func everyVerdict(price: Int, failAt: String, isParked: Bool, status: Int32, verdict: String, part: String) async throws {
    try setup.write("payrecon.yaml", Setup.settings(failAt: failAt))
    try inbox(price: price)
    if isParked { try setup.write("inbox/orders-2.csv", Setup.table([Setup.order("PO-2", at: "2026-05-10")])) }
    let night = try await setup.nightly(exits: status, prints: "verdict  \(verdict)\n", part)
    #expect(verdict != "clean" || night.errors.isEmpty, "\(night.complaint)")
    let breaks = try await setup.rows("breaks")
    #expect(breaks.cells("class") == (price == 5000 ? ["AMOUNT_DIFF"] : []))
    #expect(breaks.allSatisfy { $0["severity"] != "critical" })
  }

  @Test func pendingIsNotABreak() async throws {
    try inbox()
    try setup.write("inbox/orders-2.csv", Setup.table([Setup.order("PO-2", at: "2026-05-10T20:00:00Z")]))
    try await setup.nightly(asOf: "2026-05-11T00:00:00Z", exits: 0, prints: "verdict  pending\n")
    // After the grace period, the same order is a break.
    try await setup.nightly(asOf: "2026-05-12T00:00:00Z", exits: 1, prints: "verdict  breaks\n")
  }

  @Test(arguments: ["orders", "apple"]) func incomplete(_ missing: String) async throws {
    try inbox(without: missing)
    try await setup.nightly(exits: 3, prints: "verdict  incomplete\n", "no \(missing) input was ever read")
    // Detect alone would report breaks. The night's report is incomplete because input is missing.
    #expect(try Setup.text("\(setup.directory)/report/manifest.json").contains("\"verdict\":\"incomplete\""))
    // After the late input arrives, the same night is clean.
    try inbox()
    try await setup.nightly(exits: 0)
  }

  /// While another process runs a night, or reads evidence that the night has to read, the night does not begin.
  @Test(arguments: [("nightly", 0x7061_7907), ("apple", 0x7061_7904)] as [(String, Int64)])
  func lockIsHeld(_ name: String, _ key: Int64) async throws {
    try inbox()
    let holder = try await Session.open(setup.connection)
    try await holder.executeAlone("select pg_advisory_lock(\(key))")
    let execution = try await setup.program(
      "nightly", "--as-of", Setup.asOf, "--inbox", "inbox", "--out", "report", exits: 4,
      complains: "another process holds the lock of \"\(name)\"")
    #expect(execution.output.isEmpty)
    #expect(try await setup.rows("orders").isEmpty)
    #expect(try await setup.rows("runs").isEmpty)
    await holder.close()
    try await setup.nightly(exits: 0)
  }

  @Test func sequentialCommandsMeetNoLock() async throws {
    let file = try setup.write("users.csv", "user_id\nU1\n")
    var statuses: [Int32?] = []
    for _ in 0..<20 {
      statuses.append(try await setup.program("ingest", "users", file, "--as-of", Setup.asOf).status)
    }
    #expect(statuses == Array(repeating: 0, count: 20))
  }

  /// While a night matches and detects, the commands `match` and `detect` are refused.
  @Test(arguments: ["match", "detect"]) func nightExcludesOtherDecisions(_ job: String) async throws {
    try inbox()
    let blocker = try await setup.block("matches")
    async let night = setup.nightly()
    #expect(try await setup.waitForLock(on: "matches"))
    // A second night and the single job are refused at once, without waiting for the table.
    #expect(try await setup.program("nightly", "--as-of", Setup.asOf, "--inbox", "inbox", "--out", "report").status == 4)
    let hasEnded = Flag()
    async let alone = {
      defer { hasEnded.set() }
      return try await setup.program(job, "--as-of", Setup.asOf, exits: 4)
    }()
    // The command either ends, as expected, or waits behind the night for the table.
    for _ in 0..<Setup.looksMax where !hasEnded.isSet {
      if try await setup.waiting(on: ["matches"]) > 1 { break }
    }
    await blocker.close()
    _ = try await alone
    #expect(try await night.status == 0)
  }
}
