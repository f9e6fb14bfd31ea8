import Glibc
import Postgres
import TestSupport
import Testing

/// One verdict, one exit status.
@Suite(.cleansUp) struct VerdictTests {
  private static let nightLock: Int64 = 0x7061_7901 + 6
  private static let header = "order_id,bundle_id,product_id,user_id,status,created_at,price_milliunits,currency,transaction_id"

  /// Writes an inbox of one order and one charge. `price` may make the order differ from Apple's charge.
  private static func inbox(_ setup: Setup, price: Int = 6000, has evidence: Bool = true, orders: Bool = true) throws {
    if orders {
      try setup.write(
        "inbox/orders.csv", "\(header)\nPO-1,com.acme.reader,coins60,U1,delivered,2026-05-10T10:00:00Z,\(price),CNY,470001000000001\n")
    }
    if evidence {
      let purchase = ApplePurchase("470001000000001", at: "2026-05-10T10:00:20Z")
      try setup.write("inbox/apple.ndjson", Scenario.sign(purchase) + "\n")
    }
    try setup.write("inbox/users.csv", "user_id\nU1\n")
  }

  private static func verdict(_ execution: Execution) -> String {
    execution.text.split(separator: "\n").first { $0.hasPrefix("verdict") }.map {
      String($0.split(separator: " ").last ?? "")
    } ?? ""
  }

  @Test func clean() async throws {
    let setup = try await Setup()
    try Self.inbox(setup)
    let execution = try await setup.nightly(exits: 0)
    #expect(Self.verdict(execution) == "clean")
    #expect(execution.errors.isEmpty, "\(execution.complaint)")
  }

  @Test func pendingIsNotABreak() async throws {
    let setup = try await Setup()
    try Self.inbox(setup)
    try setup.write("inbox/orders-2.csv", "\(Self.header)\nPO-2,com.acme.reader,coins60,U1,delivered,2026-05-10T20:00:00Z,6000,CNY,\n")
    let execution = try await setup.nightly(asOf: "2026-05-11T00:00:00Z", exits: 0)
    #expect(Self.verdict(execution) == "pending")
    // After the grace period, the same order is a break.
    let later = try await setup.nightly(asOf: "2026-05-12T00:00:00Z", exits: 1)
    #expect(Self.verdict(later) == "breaks")
  }

  /// The threshold decides whether the same break fails the night.
  @Test(arguments: [("low", Int32(1), "breaks"), ("critical", 0, "warnings")])
  func threshold(_ failAt: String, _ status: Int32, _ verdict: String) async throws {
    let setup = try await Setup()
    try setup.write("payrecon.yaml", Setup.settings(failAt: failAt))
    try Self.inbox(setup, price: 5000)
    let execution = try await setup.nightly(exits: status)
    #expect(Self.verdict(execution) == verdict)
    let breaks = try await setup.rows("breaks")
    #expect(breaks.cells("class") == ["AMOUNT_DIFF"])
    #expect(breaks.cells("severity") != ["critical"])
  }

  @Test(arguments: ["orders", "apple"]) func incomplete(_ missing: String) async throws {
    let setup = try await Setup()
    try Self.inbox(setup, has: missing != "apple", orders: missing != "orders")
    let execution = try await setup.nightly(exits: 3)
    #expect(Self.verdict(execution) == "incomplete")
    #expect(execution.text.contains("no \(missing) input was ever read"))
    // Detect alone would report breaks. The night's report is incomplete because input is missing.
    let manifest = try #require(try Setup.files(in: "\(setup.directory)/report")["manifest.json"])
    #expect(String(decoding: manifest, as: UTF8.self).contains("\"verdict\":\"incomplete\""))
    // After the late input arrives, the same night is clean.
    try Self.inbox(setup)
    try await setup.nightly(exits: 0)
  }

  /// Parked input causes a warning, never a break.
  @Test func parkedIsAWarning() async throws {
    let setup = try await Setup()
    try Self.inbox(setup)
    try setup.write("inbox/orders-2.csv", "\(Self.header)\nPO-2,com.acme.reader,coins60,U1,delivered,2026-05-10,6000,CNY,\n")
    let execution = try await setup.nightly(exits: 0)
    #expect(Self.verdict(execution) == "warnings")
    #expect(execution.text.contains("1 parked item waits in the dead letters"))
  }

  @Test func lockIsHeld() async throws {
    let setup = try await Setup()
    try Self.inbox(setup)
    let holder = try await Session.open(setup.connection)
    #expect(try await holder.tryAdvisoryLock(Self.nightLock))
    let execution = try await setup.program("nightly", "--as-of", Setup.asOf, "--inbox", "inbox", "--out", "report", exits: 4)
    #expect(execution.complaint.contains("another process holds the lock of \"nightly\""), "\(execution.complaint)")
    #expect(execution.output.isEmpty)
    #expect(try await setup.rows("orders").isEmpty)
    #expect(try await setup.rows("runs").isEmpty)
    await holder.close()
    try await setup.nightly(exits: 0)
  }

  /// A command never meets the lock of a previous one that has ended.
  @Test func sequentialCommandsMeetNoLock() async throws {
    let setup = try await Setup()
    let file = try setup.write("users.csv", "user_id\nU1\n")
    var statuses: [Int32?] = []
    for _ in 0..<20 {
      statuses.append(try await setup.program("ingest", "users", file, "--as-of", Setup.asOf).status)
    }
    #expect(statuses == Array(repeating: 0, count: 20))
  }

  /// While a night matches and detects, the commands `match` and `detect` are refused.
  @Test(arguments: ["match", "detect"]) func nightExcludesOtherDecisions(_ job: String) async throws {
    let setup = try await Setup()
    try Self.inbox(setup)
    let blocker = try await setup.block("matches")
    async let night = setup.nightly()
    #expect(try await setup.waitForLock(on: "matches"))
    // A second night and the single job are refused at once, without waiting for the table.
    #expect(try await setup.program("nightly", "--as-of", Setup.asOf, "--inbox", "inbox", "--out", "report").status == 4)
    let hasEnded = Flag()
    async let alone = {
      defer { hasEnded.set() }
      return try await setup.program(job, "--as-of", Setup.asOf)
    }()
    // The command either ends, as expected, or waits behind the night for the table.
    for _ in 0..<Setup.looksMax where !hasEnded.isSet {
      if try await setup.waiting(on: ["matches"]) > 1 { break }
    }
    await blocker.close()
    let refused = try await alone
    #expect(refused.status == 4, "\(refused.text)\(refused.complaint)")
    #expect(try await night.status == 0)
  }

  /// Two nights at once: one works, the other reports that. Both agree on the result.
  @Test func twoNightsAtOnce() async throws {
    let world = try await Worlds.shared.small()
    let words = [Program.path, "nightly", "--as-of", Setup.asOf, "--inbox", "\(world)/inbox", "--out", "report"]
    let expected = try await Worlds.shared.night().outcome
    let setup = try await Setup(world: world)
    async let first = setup.program.run(words)
    async let second = setup.program.run(words)
    let statuses = [try await first.status ?? -1, try await second.status ?? -1].sorted()
    #expect(statuses == [1, 4] || statuses == [1, 1], "\(statuses)")
    #expect(try await setup.outcome().differences(from: expected) == [])
  }

  /// Ingest commands of different kinds run in parallel.
  @Test func kindsAreIngestedInParallel() async throws {
    let world = try await Worlds.shared.small()
    let expected = try await Worlds.shared.night().outcome
    let setup = try await Setup(world: world)
    let files = [("orders", "orders.csv"), ("users", "users.csv"), ("catalogue", "catalogue.csv"), ("apple", "apple.ndjson")]
    let statuses = try await withThrowingTaskGroup(of: Int32?.self) { group in
      for (kind, file) in files {
        group.addTask {
          try await setup.program("ingest", kind, "\(world)/inbox/\(file)", "--as-of", Setup.asOf).status
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == [0, 0, 0, 0])
    try await setup.nightly("\(world)/inbox", exits: 1)
    let names = ["report inputs.csv", "report manifest.json", "report daily.json", "report report.html"]
    #expect(try await setup.outcome().without(names).differences(from: expected.without(names)) == [])
  }
}
