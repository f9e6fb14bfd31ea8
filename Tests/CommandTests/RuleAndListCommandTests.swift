/// Rules and lists in a fraud analyst's daily use.
@Suite(.cleansUp) struct RuleAndListCommandTests {
  private static let asOf = ConsoleSetup.asOf

  /// Returns an environment where two users claim one purchase and an operator gave away a third order.
  private static func setup() async throws -> Setup { try await base.value.copy(withFiles: true) }
  private static let base = Task<Setup, any Error> { try await CleanUp.shared { try await ConsoleSetup.decided(withPlainOrders: false) } }

  @Test func listsNameOwnerReasonAndEnd() async throws {
    let setup = try await Self.setup()
    // A pasted id may have spaces around it; no user's id has.
    let entry = ["lists", "add", "allow", "user", " U3 ", "--until", "2027-01-01T00:00:00Z", "--as-of", Self.asOf]
    #expect(try await setup.program.run([Program.path] + entry + ["--owner", "ann"]).status == 64)
    #expect(try await setup.program.run([Program.path] + entry + ["--reason", "staff"]).status == 64)
    let withoutEnd = ["lists", "add", "allow", "user", "U3", "--owner", "ann", "--reason", "staff"]
    #expect(try await setup.program.run([Program.path] + withoutEnd).status == 64)
    try await setup.program.run([Program.path] + entry + ["--owner", "ann", "--reason", "staff"], text: "lists: added\n")
    #expect([0, 1].contains(try await setup.program("detect", "--as-of", Self.asOf).status))
    let signals = try await setup.rows("signals", asOf: Self.asOf)
    #expect(signals.cells("rule order_id state") == ["R01 PO-2 live", "R21 PO-3 allowed"])
    let listed = try await setup.printed("lists", "list", "--as-of", Self.asOf)
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
    for unknown in ["R99", ""] { #expect(try await setup.program("detect", "--rules", unknown).status == 64) }
    #expect(try await setup.program("detect", "--rules", "R01", "--as-of", "2026-05-01T00:00:00Z").status == 64)
    try setup.write("payrecon.yaml", Setup.settings() + "rules: {R02: {state: live, version: 2, users_max: 5}}\n")
    let rules = try await setup.printed("rules")
    let ids: [String] = (1...23).map { "R\($0 < 10 ? "0" : "")\($0)" }
    #expect(rules.cells("rule") == ids)
    #expect(rules.first { $0["rule"] == "R02" }?["parameters"] == "listed_max=20, users_max=5, window=2592000s")
    #expect(rules.first { $0["rule"] == "R02" }?["version"] == "2")
    #expect(try await setup.program("detect", "--shadow").status == 64)
  }
}
