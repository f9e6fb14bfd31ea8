import Domain
import Jobs
import Postgres
import Testing
import TestSupport

/// Every rule fires where it should, and at none of its named traps.
@Suite struct RuleTests {
  static let cases = RuleClaimCases.all + RulePatternCases.all + RuleFactCases.all

  @Test(arguments: cases) func rule(_ test: RuleCase) async throws { try await test.check() }

  @Test func everyRuleHasACaseThatFiresAndATrap() {
    for rule in RuleCatalogue.all.map(\.name) {
      let own = Self.cases.filter { $0.rule == rule }
      #expect(own.contains { !$0.found.isEmpty }, "\(rule)")
      #expect(own.contains { $0.found.isEmpty && $0.name.hasPrefix("trap") }, "\(rule)")
    }
  }

  @Test func everyRuleFileSaysWhatItDoesAndTakesWhatIsSet() throws {
    let sql = try TestServer.sql()
    for rule in RuleCatalogue.all {
      let text = try sql.text("rules/\(rule.file).sql")
      #expect(text.hasPrefix("-- purpose: \(rule.name) "), "\(rule.name)")
      #expect(text.contains("-- traps: "), "\(rule.name)")
      let names = Set(try sql("rules/\(rule.file).sql").parameterNames).subtracting(["version", "as_of"])
      #expect(names == Set(rule.shipped.parameters.keys), "\(rule.name)")
    }
  }
}
