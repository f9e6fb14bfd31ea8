import Domain
import JobCore
import Matching
import Postgres
import Testing
import TestSupport

/// Every rule fires where it should, and at none of its named traps.
@Suite struct RuleTests {
  static let cases = RuleClaimCases.all + RulePatternCases.all + RuleFactCases.all

  @Test(arguments: cases) func rule(_ test: RuleCase) async throws { try await test.check() }

  @Test func everyRuleHasACaseThatFiresAndATrap() throws {
    for rule in try RuleCatalogue.read(TestServer.sql()).map(\.name) {
      let own = Self.cases.filter { $0.rule == rule }
      #expect(own.contains { !$0.found.isEmpty }, "\(rule)")
      #expect(own.contains { $0.found.isEmpty && $0.name.hasPrefix("trap") }, "\(rule)")
    }
  }

  @Test func everyRuleFileSaysWhatItDoesAndTakesWhatIsSet() throws {
    let sql = try TestServer.sql()
    let rules = try RuleCatalogue.read(sql)
    #expect(sql.paths.filter { $0.contains(/^rules\/r\d\d_/) } == rules.map { "rules/\($0.file).sql" })
    for rule in rules {
      let text = try sql.text("rules/\(rule.file).sql")
      #expect(text.hasPrefix("-- purpose: \(rule.name) "), "\(rule.name)")
      #expect(text.contains("-- traps: "), "\(rule.name)")
      let names = try Set(rule.statement(in: sql).parameters.keys).subtracting(["version", "as_of"])
      #expect(names == Set(rule.shipped.parameters.keys), "\(rule.name)")
    }
  }

  /// The tie-out's break is told by hand: R11 judges what the tie-out found, whoever found it.
  @Test(arguments: [("2026-07-20T12:00:00Z", ["R11 charge"]), ("2026-05-30T12:00:00Z", [])])
  func uncollectedInNoSettledReport(_ asOf: String, _ found: [String]) async throws {
    let world = RuleCase(
      rule: "R11", name: "tie-out", asOf: asOf,
      orders: [TestOrder("PO-1", user: "U1", at: "2026-05-10T10:00:00Z") { $0.transactionID = "100" }],
      evidence: [Scenario.sign(ApplePurchase("100", at: "2026-05-10T10:00:00Z"))])
    let scenario = try await world.load()
    try await scenario.decide(asOf: asOf)
    let session = try await Session.open(scenario.connection)
    try await session.executeAlone(
      """
      with told as (
        insert into payrecon.break_events (
          break_id, attempt, family, subject_id, class, severity, charge_id, detail, run_id, amount_milliunits, currency,
          is_open, as_of, opened_at)
        select 'tie', 1, 'tieout', 'charge:' || charge_id, 'NEVER_COLLECTED', 'medium', charge_id, 'in no cell', 'test',
          price_milliunits, currency, true, '\(asOf)', '2026-05-10T10:00:00Z'
        from payrecon.charges
        returning *
      )
      insert into payrecon.open_breaks (break_id, subject_id, attempt, as_of)
      select break_id, subject_id, attempt, as_of from told
      """)
    await session.close()
    let trial = try RuleTrial(context: try scenario.context(asOf: asOf), rules: ["R11"], isShadow: false)
    _ = try await trial.run(isDryRun: false)
    #expect(try await RuleCase.open(scenario, asOf: asOf) == found)
    // Detect never found it, and does not resolve it.
    try await scenario.decide(asOf: asOf)
    #expect(try await RuleCase.open(scenario, asOf: asOf) == found)
    await scenario.end()
  }
}
