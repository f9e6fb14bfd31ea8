import TestSupport
import Testing

/// Rules, lists and the queue in a fraud analyst's daily use.
@Suite(.cleansUp) struct ReviewTests {
  private static let asOf = "2026-05-12T12:00:00Z"

  /// Returns an environment where two users claim one purchase and an operator gave away a third order.
  private static func setup() async throws -> Setup {
    let setup = try await Setup()
    let header = "order_id,bundle_id,product_id,user_id,status,created_at,price_milliunits,currency,transaction_id,operator_id"
    let orders = [
      "PO-1,com.acme.reader,coins60,U1,delivered,2026-05-10T10:00:00Z,6000,CNY,100,",
      "PO-2,com.acme.reader,coins60,U2,delivered,2026-05-10T10:05:00Z,6000,CNY,100,",
      "PO-3,com.acme.reader,coins60,U3,delivered,2026-05-10T10:06:00Z,6000,CNY,,op-7",
    ]
    try await setup.ingest("orders", ([header] + orders).joined(separator: "\n") + "\n", asOf: asOf)
    try await setup.ingest("apple", Scenario.sign(ApplePurchase("100", at: "2026-05-10T10:00:00Z")) + "\n", asOf: asOf)
    try await setup.decide(asOf: asOf)
    return setup
  }

  @Test func signalIsDecidedByTwoPeople() async throws {
    let setup = try await Self.setup()
    let signals = CSVRows.decode(try await setup.program("export", "signals", "--as-of", Self.asOf).output)
    #expect(signals.cells("rule order_id") == ["R01 PO-2", "R21 PO-3"])
    let queue = CSVRows.decode(try await setup.program("queue", "list", "--as-of", Self.asOf).output)
    #expect(queue.cells("subject_id") == ["U2", "U3"])
    let id = try #require(queue.first?["case_id"])

    let taken = try await setup.program("queue", "take", "--person", "ann", "--as-of", Self.asOf)
    #expect(taken.text.contains("case \(id): user U2, taken by ann"))
    #expect(try await setup.program("queue", "take", id, "--person", "bob", "--as-of", Self.asOf).status == 4)
    let proposed = try await setup.program(
      "queue", "decide", id, "--action", "ban", "--outcome", "confirmed", "--reason", "replay", "--person", "ann", "--as-of", Self.asOf)
    #expect(proposed.text == "queue: proposed, a second person must approve\n")
    let alone = try await setup.program("queue", "approve", id, "--reason", "sure", "--person", "ann", "--as-of", Self.asOf, exits: 2)
    #expect(alone.complaint.contains("a second person must decide"))
    // Another name under the same login is the same person.
    try await setup.program("queue", "approve", id, "--reason", "sure", "--person", "bob", "--as-of", Self.asOf, exits: 2)
    let bob = try await setup.login("bob")
    try await bob("queue", "approve", id, "--reason", "seen", "--person", "bob", "--as-of", Self.asOf, exits: 0)
    let cases = CSVRows.decode(try await setup.program("export", "cases", "--as-of", Self.asOf).output)
    let closed = try #require(cases.first { $0["case_id"] == id })
    #expect([closed["status"], closed["action"], closed["decided_by"], closed["approved_by"]] == ["closed", "ban", "ann", "bob"])
    let logins = [closed["decided_account"] ?? "", closed["approved_account"] ?? ""]
    #expect(logins[1] == "test_bob" && !logins[0].isEmpty && logins[0] != logins[1], "\(logins)")
    let shown = try await setup.program("queue", "show", id, "--as-of", Self.asOf).text
    #expect(shown.contains("ban effective by bob (confirmed): seen, account test_bob"), "\(shown)")
  }

  @Test func listsNameOwnerReasonAndEnd() async throws {
    let setup = try await Self.setup()
    let entry = ["lists", "add", "allow", "user", "U3", "--until", "2027-01-01T00:00:00Z", "--as-of", Self.asOf]
    #expect(try await setup.program.run([Program.path] + entry + ["--owner", "ann"]).status == 64)
    #expect(try await setup.program.run([Program.path] + entry + ["--reason", "staff"]).status == 64)
    let withoutEnd = ["lists", "add", "allow", "user", "U3", "--owner", "ann", "--reason", "staff"]
    #expect(try await setup.program.run([Program.path] + withoutEnd).status == 64)
    let added = try await setup.program.run([Program.path] + entry + ["--owner", "ann", "--reason", "staff"])
    #expect(added.text == "lists: added\n", "\(added.complaint)")
    #expect([0, 1].contains(try await setup.program("detect", "--as-of", Self.asOf).status))
    let signals = CSVRows.decode(try await setup.program("export", "signals", "--as-of", Self.asOf).output)
    #expect(signals.cells("state") == ["live", "allowed"])
    let listed = CSVRows.decode(try await setup.program("lists", "list", "--as-of", Self.asOf).output)
    #expect(listed.cells("subject_id status reason") == ["U3 active staff"])
    let id = try #require(listed.first?["entry_id"])
    try await setup.program("lists", "remove", id, "--owner", "bob", "--reason", "left", "--as-of", Self.asOf, exits: 0)
  }

  @Test func rulesAlone() async throws {
    let setup = try await Self.setup()
    let before = try await setup.program("export", "signals", "--as-of", Self.asOf).output
    let trial = try await setup.program("detect", "--rules", "R01,R04", "--shadow", "--as-of", Self.asOf, exits: 0)
    #expect(CSVRows.decode(trial.output).cells("subject_id") == ["PO-2"])
    #expect(try await setup.program("export", "signals", "--as-of", Self.asOf).output == before)
    #expect(try await setup.program("detect", "--rules", "R99").status == 64)
    try setup.write("payrecon.yaml", Setup.settings() + "rules: {R02: {state: live, version: 2, users_max: 5}}\n")
    let rules = CSVRows.decode(try await setup.program("rules").output)
    let ids: [String] = (1...23).map { "R\($0 < 10 ? "0" : "")\($0)" }
    #expect(rules.cells("rule") == ids)
    #expect(rules.first { $0["rule"] == "R02" }?["parameters"] == "listed_max=20, users_max=5, window=2592000s")
    #expect(rules.first { $0["rule"] == "R02" }?["version"] == "2")
    #expect(try await setup.program("detect", "--shadow").status == 64)
  }
}
