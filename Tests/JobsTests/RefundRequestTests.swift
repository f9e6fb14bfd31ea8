/// Refund requests in the refund report: their movement by month, how they were answered, and what Apple decided.
@Suite(.cleansUp) struct RefundRequestTests {
  private static let clock = "2026-05-14T12:00:00Z"
  private let scenario: Scenario
  init() async throws { scenario = try await Scenario() }

  private static func coins(_ id: String) -> ApplePurchase { ApplePurchase(id, at: "2026-04-20T10:00:00Z") }

  private static func notice(_ type: String, _ id: String, _ at: String, refunded: Bool = false) -> String {
    let purchase = coins(id).with { if refunded { ($0.revokedAt, $0.signedAt) = (instant(at), instant(at)) } }
    return Scenario.notification(type, uuid: "n-\(id)-\(at)", purchase, reason: "OTHER", signedAt: at)
  }

  @Test func requestsAreAMovement() async throws {
    try await scenario.evidence(
      [
        // Asked in April and decided in May, one answered and one not.
        Self.notice("CONSUMPTION_REQUEST", "80", "2026-04-29T10:00:00Z"),
        Self.notice("REFUND", "80", "2026-05-02T10:00:00Z", refunded: true),
        Self.notice("CONSUMPTION_REQUEST", "81", "2026-04-30T10:00:00Z"), Self.notice("REFUND_DECLINED", "81", "2026-05-01T10:00:00Z"),
        // Not decided: without consent, and asked twice with time left. April ends earlier in Shanghai.
        Self.notice("CONSUMPTION_REQUEST", "82", "2026-04-30T17:00:00Z"),
        Self.notice("CONSUMPTION_REQUEST", "83", "2026-05-14T09:00:00Z"), Self.notice("CONSUMPTION_REQUEST", "83", "2026-05-14T11:00:00Z"),
        // Decided before an answer with time left, and asked again after our answer.
        Self.notice("CONSUMPTION_REQUEST", "84", "2026-05-14T08:00:00Z"), Self.notice("REFUND_DECLINED", "84", "2026-05-14T09:00:00Z"),
        Self.notice("CONSUMPTION_REQUEST", "85", "2026-05-14T08:00:00Z"), Self.notice("CONSUMPTION_REQUEST", "85", "2026-05-14T10:00:00Z"),
        // Asked again after Apple declined.
        Self.notice("CONSUMPTION_REQUEST", "81", "2026-05-03T10:00:00Z"),
        Self.notice("REFUND", "81", "2026-05-04T10:00:00Z", refunded: true),
      ], asOf: Self.clock)
    let answered = { (id: String, isSent: Bool, at: String) in
      try await scenario.cases(asOf: at).answered(id, isSent: isSent, by: .ann, reason: "by hand")
    }
    try await answered("80", true, "2026-04-29T12:00:00Z")
    try await answered("82", false, "2026-04-30T18:00:00Z")
    try await answered("85", true, "2026-05-14T09:00:00Z")
    try await scenario.decide(asOf: Self.clock)
    let files = try await scenario.report(.refunds, asOf: Self.clock)
    let columns =
      "period opening_count asked_count granted_count declined_count closing_count undecided_count answered_count "
      + "no_consent_count expired_count decided_first_count in_time_count"
    let rows = try files.rows("refund_requests.csv").cells(columns)
    #expect(rows == ["2026-04 0 2 0 0 2 0 1 0 1 0 0", "2026-05 2 5 2 2 3 3 0 1 1 1 2"])
    try await FigureWalk.expect(scenario, .refunds, least: [.refundRequests: 13, .refundMovement: 4], asOf: Self.clock)
    let preferences = try files.rows("refund_preferences.csv").cells(
      "request_reason preference asked_count granted_count declined_count undecided_count")
    #expect(preferences == ["OTHER none 2 1 0 1", "OTHER not_sent 5 1 2 2"])
    let checks = try files.rows("refund_identities.csv").filter { ["answers", "requests"].contains($0["identity"]) }
    #expect(checks.count == 3 && checks.allSatisfy { $0["holds"] == "yes" }, "\(checks)")
  }

  /// Returns the refund requests that the report and the plan have in common: the transaction of the charge, and the day.
  private func requests() async throws -> [String] {
    try await scenario.answers(
      """
      select charges.transaction_ids[1] || ' ' || request.asked_at::date
      from payrecon.refund_requests_at('\(Self.clock)') as request
      left join payrecon.charges using (original_transaction_id, charge_id)
      where exists (
        select from payrecon.consumption_requests_at('\(Self.clock)', '-infinity', array[request.original_transaction_id]) as known
        where known.charge_id = request.charge_id)
      """)
  }

  @Test func aRequestIsKnownOnceItsSignatureIsGenuine() async throws {
    try scenario.trust(Scenario.stranger)
    try await scenario.evidence([Self.notice("CONSUMPTION_REQUEST", "80", "2026-05-14T08:00:00Z")], asOf: "2026-05-14T09:00:00Z")
    #expect(try await requests() == [])
    try scenario.trust(Scenario.authority)
    try await scenario.judge(asOf: Self.clock)
    #expect(try await requests() == ["80 2026-05-14"])
  }

  @Test func aRequestIsAboutTheChargeWhoseLineItemBecomesKnown() async throws {
    let month = ApplePurchase.month("600", at: "2026-04-20T10:00:00Z", until: "2026-05-20T10:00:00Z")
    let bare = month.with { $0.webOrderLineItemID = nil }
    try await scenario.evidence(
      [Scenario.notification("CONSUMPTION_REQUEST", uuid: "n-600", bare, reason: "OTHER", signedAt: "2026-05-14T08:00:00Z")],
      asOf: "2026-05-14T09:00:00Z")
    #expect(try await requests() == ["600 2026-05-14"])
    try await scenario.evidence([month.jws], asOf: Self.clock)
    #expect(try await requests() == ["600 2026-05-14"])
  }

  @Test func `a request with less than three hours left and no answer comes first, until Apple's time is over`() async throws {
    let clock = "2026-05-12T12:00:00Z"
    let bought = ApplePurchase("100", at: "2026-05-01T10:00:00Z")
    // Older cases: delivered from the sandbox, and never charged.
    let sandbox = ApplePurchase("200", at: "2026-04-01T10:00:00Z").with { $0.environment = "Sandbox" }
    try await scenario.decide(
      orders: [
        TestOrder("PO-1", at: "2026-05-01T09:59:00Z", names: "100"),
        TestOrder("PO-2", user: "U2", at: "2026-04-01T09:59:00Z", names: "200"), TestOrder("PO-3", user: "U3", at: "2026-04-01T09:59:00Z"),
      ],
      evidence: [sandbox.jws, Scenario.notification("CONSUMPTION_REQUEST", uuid: "n-1", bought, signedAt: "2026-05-12T02:00:00Z")],
      asOf: clock)
    for (asOf, isFirst) in [(clock, true), ("2026-05-12T14:00:01Z", false)] {
      let context = try scenario.context(asOf: asOf)
      let queue = try await context.table(QueueSQL.list, ["as_of": context.asOfValue], as: .review).records
        .map { try "\($0.text("names")) \($0.text("severity"))" }
      #expect(queue.count == 3 && (queue.first == "R20 critical") == isFirst, "\(asOf): \(queue)")
      #expect(queue.contains("R20 high") == !isFirst, "\(asOf): \(queue)")
      try await ConsoleCases(context: context).refresh()
      let ranked = "select array_to_string(names, ' ') || ' ' || rank from payrecon.console_cases order by place"
      let consoleCases = try await scenario.answers(ranked)
      #expect(
        consoleCases.count == 3 && (consoleCases.first == "R20 5") == isFirst && consoleCases.contains("R20 3") == !isFirst,
        "\(asOf): \(consoleCases)")
    }
  }
}
