import FoundationEssentials

/// A look-up prints the state of a subscription, Apple's notifications and answers, and the sources that were not queried.
@Suite(.cleansUp) struct SubscriptionLookupTests {
  private static let clock = "2026-05-12T12:00:00Z"

  private static let month = ApplePurchase.month("900", at: "2026-04-01T10:00:00Z", until: "2026-05-01T10:00:00Z")
  private static let coins = ApplePurchase("100", at: "2026-05-10T10:00:00Z")

  private static func world() async throws -> Scenario {
    let scenario = try await Scenario()
    try await scenario.orders(
      [
        TestOrder.month("PO-9", at: "2026-04-01T09:59:00Z", names: "900"),
        TestOrder("PO-1", user: "U2", at: "2026-05-10T09:59:00Z", names: "100"),
      ], asOf: clock)
    let grace = Scenario.renewalInfo("900", signedAt: "2026-05-01T10:05:00Z", isRetried: true, graceUntil: "2026-05-17T10:00:00Z")
    try await scenario.decide(
      evidence: [
        Scenario.notification(
          "DID_FAIL_TO_RENEW", subtype: "GRACE_PERIOD", uuid: "n-9", month, renewalInfo: grace, status: 4,
          signedAt: "2026-05-01T10:05:00Z"),
        Scenario.notification("CONSUMPTION_REQUEST", uuid: "n-1", coins, signedAt: "2026-05-11T10:00:00Z"),
        Scenario.notification("REFUND_DECLINED", uuid: "n-2", coins, signedAt: "2026-05-11T20:00:00Z"),
        Scenario.notification("CONSUMPTION_REQUEST", uuid: "n-3", coins, signedAt: "2026-05-12T10:00:00Z"),
      ], asOf: clock)
    return scenario
  }

  private static let subscription = [
    "subscription 900: in grace until 2026-05-17T10:00:00Z, auto-renew on",
    "2026-05-01T10:05:00Z  notified by Apple: renewal failed, access goes on in a grace period, transaction 900",
    "not asked: Apple's subscription status of 900", "not asked: Apple's notification history",
  ]
  private static let refund = [
    "notified by Apple: refund requested, Apple asks what was consumed, transaction 100",
    "2026-05-11T20:00:00Z  notified by Apple: refund declined",
    "open request: Apple asked 2026-05-12T10:00:00Z how much of transaction 100 was consumed, an answer is due by 2026-05-12T22:00:00Z",
    "not asked: Apple's refund history of 100",
  ]

  @Test func everyIDLeadsToApplesStatements() async throws {
    let scenario = try await Self.world()
    for (ids, lines, isRenewing) in [(["900", "PO-9", "U1"], Self.subscription, true), (["100", "PO-1", "U2"], Self.refund, false)] {
      for id in ids {
        let job = LookupJob(context: try scenario.context(asOf: Self.clock), access: try Self.noAccess())
        let text = try await job.run(id)
        for line in lines { #expect(text.contains(line), "\(id): \(line)\n\(text)") }
        let answer = try JSONDecoder().decode(Answer.self, from: Data(try await job.json(id).utf8))
        #expect(answer.lines.joined(separator: "\n") == text)
        #expect(answer.subscriptions.map(\.grace_until) == (isRenewing ? ["2026-05-17T10:00:00Z"] : []))
        #expect(answer.open_requests.map(\.due_at) == (isRenewing ? [] : ["2026-05-12T22:00:00Z"]))
        #expect(answer.notifications.count == (isRenewing ? 1 : 3))
        #expect(!answer.sources_not_asked.isEmpty)
      }
    }
    let urgent = LookupJob(context: try scenario.context(asOf: "2026-05-12T20:00:00Z"), access: try Self.noAccess())
    let first = try await urgent.run("100").split(separator: "\n").first { $0.contains("request: Apple asked") }
    #expect(first?.contains("urgent request: Apple asked 2026-05-12T10:00:00Z how much of transaction 100 was consumed") == true)
    // At an earlier clock, before all this was known.
    let before = LookupJob(context: try scenario.context(asOf: "2026-05-12T11:00:00Z"), access: try Self.noAccess())
    await #expect(throws: (any Error).self) { try await before.run("900") }
  }

  @Test func anEndOfAccessAndAnAnswerByHandAreShown() async throws {
    let scenario = try await Self.world()
    let refunded = Self.month.refunded(at: "2026-04-20T10:00:00Z", signedAt: "2026-05-02T10:00:00Z")
    try await scenario.decide(evidence: [refunded.jws], asOf: Self.clock)
    try await scenario.cases(asOf: Self.clock).answered(
      "100", isSent: false, by: .ann, reason: "by mail")
    for (id, line) in [
      ("900", "subscription 900: revoked, ended 2026-04-20T10:00:00Z"),
      ("100", "answer to Apple \(Self.clock) about transaction 100: no_consent, recorded by ann, by mail"),
    ] {
      let text = try await LookupJob(context: try scenario.context(asOf: Self.clock), access: try Self.noAccess()).run(id)
      #expect(text.contains(line), "\(text)")
      #expect(!text.contains("open request"))
    }
  }

  private static func noAccess() throws -> StoreAccess { throw CancellationError() }

  private struct Answer: Decodable {
    struct Subscription: Decodable { var grace_until: String? }
    struct Request: Decodable { var due_at: String }
    struct Notification: Decodable { var type: String }
    struct Source: Decodable { var source: String }
    var lines: [String]
    var subscriptions: [Subscription]
    var open_requests: [Request]
    var notifications: [Notification]
    var sources_not_asked: [Source]
  }
}
