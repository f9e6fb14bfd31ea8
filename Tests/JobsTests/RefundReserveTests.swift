import Reports
import Testing
import TestSupport

/// The estimate of refunds still to come in the refund report, and its back-test.
@Suite(.cleansUp) struct RefundReserveTests {
  /// Four purchases of each month of 6.00 CNY. One of each month up to April, and two of May, are refunded a month later.
  private static var evidence: [ApplePurchase] {
    (1...6).flatMap { month -> [ApplePurchase] in
      let sold = (1...4).map { ApplePurchase("\(month)\($0)", at: "2026-0\(month)-10T10:00:00Z") }
      return sold + sold.prefix(month < 5 ? 1 : month == 5 ? 2 : 0).map { $0.refunded(at: "2026-0\(month + 1)-09T10:00:00Z") }
    } + [
      // After the last complete month.
      ApplePurchase("71", at: "2026-07-02T10:00:00Z"),
      // One month of another currency is too little.
      ApplePurchase("81", at: "2026-06-10T10:00:00Z").with { $0.currency = "EUR" },
      // Refunded and charged again.
      ApplePurchase("61", at: "2026-06-10T10:00:00Z").refunded(at: "2026-06-12T10:00:00Z"),
      ApplePurchase("61", at: "2026-06-10T10:00:00Z").signed(at: "2026-06-14T10:00:00Z"),
    ]
  }

  @Test func estimateAndBackTest() async throws {
    let asOf = "2026-07-10T12:00:00Z"
    let scenario = try await Scenario()
    try await scenario.decide(evidence: Self.evidence.map(\.jws), asOf: asOf)
    let files = try await scenario.report(.refunds, asOf: asOf)
    func rows(_ table: String, _ columns: String) throws -> [String] { try ReportFiles.rows(files, "\(table).csv").cells(columns) }
    // Six of twenty purchases were refunded a month later.
    #expect(
      try rows(
        "refund_reserve_totals",
        "currency period history charged_milliunits refunded_milliunits to_come_milliunits not_estimated_milliunits"
      ) == ["CNY 2026-06 sufficient 144000 36000 7200 0", "EUR 2026-06 insufficient 0 0  6000"])
    #expect(
      try rows(
        "refund_reserve", "currency purchase_month age_months curve_months charged_milliunits refunded_milliunits to_come_milliunits"
      ) == (1...6).map { "CNY 2026-0\($0) \(6 - $0) 3 24000 \([6000, 6000, 6000, 6000, 12_000, 0][$0 - 1]) \($0 == 6 ? 7200 : 0)" }
        + ["EUR 2026-06 0  6000 0 "])
    // At the end of April and May the share was one of four.
    #expect(
      try rows(
        "refund_backtest", "currency period to_come_milliunits predicted_milliunits actual_milliunits error_milliunits error_bp"
      ) == ["CNY 2026-04 6000 6000 6000 0 0", "CNY 2026-05 6000 6000 12000 -6000 -5000"])
  }
}
