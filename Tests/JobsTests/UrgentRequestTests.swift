import JobCore
import Review
import Testing
import TestSupport

/// A consumption request with less than three hours left and no answer comes first, until Apple's time is over.
@Suite(.cleansUp) struct UrgentRequestTests {
  private static let clock = "2026-05-12T12:00:00Z"
  private static let asked = "2026-05-12T02:00:00Z"
  private static let late = "2026-05-12T14:00:01Z"

  @Test func itsCaseIsFirstUntilTheDeadline() async throws {
    let scenario = try await Scenario()
    let bought = ApplePurchase("100", at: "2026-05-01T10:00:00Z")
    // Older cases: delivered from the sandbox, and never charged.
    let sandbox = ApplePurchase("200", at: "2026-04-01T10:00:00Z").with { $0.environment = "Sandbox" }
    try await scenario.decide(
      orders: [
        TestOrder("PO-1", at: "2026-05-01T09:59:00Z", names: "100"),
        TestOrder("PO-2", user: "U2", at: "2026-04-01T09:59:00Z", names: "200"), TestOrder("PO-3", user: "U3", at: "2026-04-01T09:59:00Z"),
      ],
      evidence: [sandbox.jws, Scenario.notification("CONSUMPTION_REQUEST", uuid: "n-1", bought, signedAt: Self.asked)],
      asOf: Self.clock)
    for (asOf, isFirst) in [(Self.clock, true), (Self.late, false)] {
      let bytes = ByteCollector()
      try await scenario.cases(asOf: asOf).list(format: .ndjson) { bytes.append($0) }
      let queue = try Scenario.rows(bytes.all).cells("names severity")
      #expect(queue.count == 3 && (queue.first == "R20 critical") == isFirst, "\(asOf): \(queue)")
      #expect(queue.contains("R20 high") == !isFirst, "\(asOf): \(queue)")
      try await ConsoleCases(context: try scenario.context(asOf: asOf)).refresh()
      let ranked = "select array_to_string(names, ' ') || ' ' || rank from payrecon.console_cases order by place"
      let consoleCases = try await scenario.answers(ranked)
      #expect(
        consoleCases.count == 3 && (consoleCases.first == "R20 5") == isFirst && consoleCases.contains("R20 3") == !isFirst,
        "\(asOf): \(consoleCases)")
    }
  }
}
