/// The trace of every component agrees with its decisions.
@Suite struct TraceTests {
  @Test(arguments: PropertyTests.seeds) func findingsAgreeWithMatches(seed: UInt64) {
    var dice = Dice(seed: seed)
    for _ in 0..<PropertyTests.componentsPerSeed / 5 {
      let component = RandomComponent.make(&dice)
      let trace = Ladder.trace(component, Facts.settings)
      #expect(trace.decision.matches == Ladder.decide(component, Facts.settings).matches, "seed \(seed)")
      for match in trace.decision.matches where match.rung != .decided {
        let findings = trace.findings(order: match.order, charge: match.charge)
        #expect(findings.filter(\.didMatch).map(\.rung) == [match.rung], "seed \(seed)")
      }
      for charge in component.charges.indices where !trace.decision.matches.contains(where: { $0.charge == charge }) {
        #expect(trace.findings(charge: charge).count == 6, "seed \(seed)")
      }
    }
  }

  struct Story: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var facts: Facts
    /// By rung: whether it matched the first order and charge, or the beginning of its statement.
    var stated: [Rung: String]
  }

  @Test(arguments: stories) func states(_ story: Story) {
    let findings = Ladder.trace(story.facts.component, Facts.settings).findings(order: 0, charge: 0)
    for (rung, text) in story.stated {
      let found = findings.first { $0.rung == rung }.map { $0.didMatch ? "granted" : words($0.finding) } ?? ""
      #expect(found.hasPrefix(text), "\(rung.code): \(found)")
    }
  }

  /// Returns the text of a finding without the rung's kind.
  private func words(_ finding: Finding) -> String {
    switch finding {
    case .name(let finding): "\(finding)"
    case .token(let finding): "\(finding)"
    case .period(let finding): "\(finding)"
    case .candidate(let finding): "\(finding)"
    }
  }

  private static let token = ChargeFact("c1", token: "t")

  static let stories = [
    Story(
      testDescription: "M2 of the only order", facts: Facts([OrderFact("o1")], [token]).holding("t", "u1"),
      stated: [.transactionID: "noTransaction", .appAccountToken: "granted"]),
    Story(
      testDescription: "M2 between two orders", facts: Facts([OrderFact("o1"), OrderFact("o2")], [token]).holding("t", "u1"),
      stated: [.appAccountToken: "equals([1])", .singleCandidate: "contested"]),
    Story(
      testDescription: "M2 after a paid order",
      facts: Facts([OrderFact("o1", status: .created), OrderFact("o2")], [token]).holding("t", "u1"),
      stated: [.appAccountToken: "leads(outranked: nil"]),
    Story(
      testDescription: "M1 of another app",
      facts: Facts([OrderFact("o1", names: "c1")], [ChargeFact("c1") { $0.app = "kids" }]),
      stated: [.transactionID: "named(", .singleCandidate: "barred("]),
    Story(
      testDescription: "M4 without an owner", facts: Facts([OrderFact("o1", at: 719)], [.month("c1", 1, of: "c0")]),
      stated: [.chain: "unknownOwner", .singleCandidate: "barred("]),
    Story(
      testDescription: "M6 of the only order of the uploader",
      facts: Facts([OrderFact("o1")], [ChargeFact("c1")]).uploading("c1", user: "u1"),
      stated: [.evidence: "noEvidence", .singleCandidate: "granted"]),
  ]
}
