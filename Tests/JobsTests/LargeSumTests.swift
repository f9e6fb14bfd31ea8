import JobCore
import Reports
import Testing
import TestSupport

/// Amounts near the 64-bit limit from older versions, which did not park them. Their sums are longer, and every list and report
/// prints them.
@Suite(.cleansUp) struct LargeSumTests {
  private static let asOf = "2026-05-12T12:00:00Z"
  private static let amount = "9000000000000000000"

  @Test func sumsPastSixtyFourBits() async throws {
    let scenario = try await Scenario()
    let at = "2026-05-09T10:00:00Z"
    let orders = (1...4).map { number in
      TestOrder("PO-\(number)", at: at) { $0.transactionID = number > 2 ? nil : "47000100000000\(number)" }
    }
    let charges = [1, 2, 5, 6].map { ApplePurchase("47000100000000\($0)", at: at, product: $0 > 2 ? "coins600" : "coins60") }
    try await scenario.orders(orders, asOf: Self.asOf)
    try await scenario.evidence(charges.map(\.jws), asOf: Self.asOf)
    for table in ["orders", "charges"] { try await scenario.execute("update payrecon.\(table) set price_milliunits = \(Self.amount)") }
    try await scenario.decide(asOf: Self.asOf)
    let breaks = try await scenario.openBreaks(asOf: Self.asOf)
    #expect(breaks == ["ORDER_NO_TX PO-3", "ORDER_NO_TX PO-4", "TX_NO_ORDER", "TX_NO_ORDER"])
    for list in ExportList.allCases { #expect(try await !scenario.export(list, asOf: Self.asOf).isEmpty, "\(list)") }
    let report = try await scenario.report(.all, asOf: Self.asOf)
    for (name, sum) in [("daily.csv", "36000000000000000000"), ("ageing.csv", "18000000000000000000")] {
      let text = try #require(report.first { $0.name == name }?.text, "\(report.map(\.name))")
      #expect(text.contains(sum), "\(name): \(text)")
    }
  }
}
