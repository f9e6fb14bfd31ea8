import FoundationEssentials
import Review
import Testing
import TestSupport

/// The suggested decisions, and the table of actions with their outcomes.
@Suite struct SuggestedDecisionTests {
  @Test func everyClassAndRuleHasASuggestion() throws {
    for file in ["break_classes", "rules"] {
      let text = try String(contentsOfFile: "\(TestServer.repository)/sql/reference/\(file).csv", encoding: .utf8)
      let names = text.split(separator: "\n").dropFirst().compactMap { $0.split(separator: ",").first.map(String.init) }
      try #require(names.count > 20)
      #expect(names.filter { UsualDecision.action(for: $0) == nil } == [], "\(file)")
    }
    #expect(UsualDecision.action(for: "NO_CLASS") == nil)
  }

  /// The default of each action is in its table, and contradictions are not.
  @Test func contradictionsAreNotAllowed() {
    for action in CaseAction.allCases {
      let decision = CaseDecision(action: action, reason: "x")
      #expect(action.outcomes.first == decision.outcome && Set(action.outcomes).count == action.outcomes.count, "\(action)")
    }
    #expect(!CaseAction.dismiss.outcomes.contains(.confirmed))
    for action in [CaseAction.ban, .takeBack, .writeOff] { #expect(!action.outcomes.contains(.falsePositive), "\(action)") }
  }
}
