import FoundationEssentials
import JobCore
import Matching
import Testing
import TestSupport

/// The worked example of the page "How a component is decided" gives the printed output.
@Suite(.cleansUp) struct ExamplePageTests {
  private static let asOf = "2026-05-06T00:00:00Z"
  private static let path = "\(TestServer.repository)/Sources/payrecon/payrecon.docc/Explanation/HowAComponentIsDecided.md"

  private static func blocks(_ page: String) -> [(language: Substring, lines: [String])] {
    var found: [(language: Substring, lines: [String])] = []
    var isInside = false
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        if !isInside { found.append((line.dropFirst(3), [])) }
        isInside.toggle()
      } else if isInside {
        found[found.count - 1].lines.append(String(line))
      }
    }
    return found
  }

  @Test func exampleAgreesWithThePage() async throws {
    let page = try String(contentsOfFile: Self.path, encoding: .utf8)
    let blocks = Self.blocks(page)
    let orders = try #require(blocks.first { $0.language == "csv" })
    let purchases = page.matches(of: /\n\| `(\d+)` \| ([0-9TZ:-]+) \| (\w+) \|/)
    #expect(purchases.count == 3)
    let scenario = try await Scenario()
    try await scenario.ingest(.orders, orders.lines.joined(separator: "\n") + "\n", asOf: Self.asOf)
    try await scenario.decide(
      evidence: purchases.map { row in
        let (id, at, user) = (String(row.output.1), String(row.output.2), String(row.output.3))
        return Scenario.upload(ApplePurchase(id, at: at).jws, user: user, at: at)
      }, asOf: Self.asOf)
    let matches = try await scenario.rows(.matches, asOf: Self.asOf).cells("order_id rung")
    #expect(matches.sorted() == ["PO-1 M1", "PO-3 M6"])
    let job = ExplainJob(context: try scenario.context(asOf: Self.asOf))
    let explained = blocks.filter { $0.lines.first?.hasPrefix("order PO-") == true }
    #expect(explained.count == 3)
    for block in explained {
      let id = try #require(block.lines.first?.split(separator: " ")[1].dropLast())
      let text = try await job.explain(String(id))
      // A line that ends with an ellipsis is a prefix.
      for line in block.lines where line != "…" {
        #expect(text.contains(line.hasSuffix("…") ? String(line.dropLast()) : "\(line)\n"), "\(line)\nis not in\n\(text)")
      }
    }
  }
}
