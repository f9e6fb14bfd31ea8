/// Evidence ingested again under other roots, apps or settings than the first time.
///
/// If none of them makes it genuine, only the latest verification counts.
@Suite(.cleansUp) struct EvidenceIngestedAgainTests {
  typealias Mistake = EvidenceUnderOtherRootsTests.Mistake

  private static let clocks = (9...14).map { "2026-05-\($0 < 10 ? "0" : "")\($0)T12:00:00Z" }
  private static let elsewhere = ApplePurchase("470001000000290", at: "2026-05-09T10:00:00Z").with { $0.bundleID = "com.other.app" }
  private static let kids = ApplePurchase("470001000000291", at: "2026-05-09T10:00:00Z").with { $0.bundleID = "com.acme.kids" }
  private static let bought = ApplePurchase("470001000000292", at: "2026-05-09T10:00:00Z")
  /// Constants, because another signature would have other bytes.
  private static let foreign = elsewhere.jws
  private static let foreignKids = kids.jws
  private static let listed = """
    {"bundleId":"com.other.app","environment":"Production","signedTransactions":["\(foreign)"]}
    """
  private static let answer = """
    {"status":0,"environment":"Production","receipt":{"bundle_id":"com.other.app","in_app":[{"transaction_id":"1",\
    "original_transaction_id":"1","product_id":"coins60","quantity":"1","purchase_date_ms":"1778320800000"}]}}
    """

  private static let lines = [
    foreign, Scenario.notification("ONE_TIME_CHARGE", uuid: "n-1", elsewhere, signedAt: "2026-05-09T10:00:05Z"),
    Scenario.upload(elsewhere.with { $0.transactionID = "470001000000293" }.jws, user: "U1", order: "PO-1", at: "2026-05-09T10:00:30Z"),
    Scenario.upload(Scenario.sign(bought, by: Scenario.forger), user: "U2", at: "2026-05-09T10:00:30Z"),
    Scenario.notification("REFUND", uuid: "n-2", bought, by: Scenario.forger, signedAt: "2026-05-09T10:00:05Z"), answer,
  ]

  private struct Step {
    var reader = Mistake.none
    var lines: [String] = []
    /// Whether this program itself received the lines from Apple.
    var isFromApple = false
    /// Whether the step verifies the stored evidence again instead of ingesting.
    var isJudged = false
  }

  private static func outcome(_ steps: [Step]) async throws -> [String] {
    var scenario = try await Scenario()
    let right = scenario.settings
    try await scenario.orders([TestOrder("PO-1", at: "2026-05-09T09:59:00Z")], asOf: clocks[0])
    for (step, clock) in zip(steps, clocks) {
      scenario.settings = right
      try scenario.trust(Scenario.authority)
      try step.reader.make(&scenario)
      if step.isJudged {
        try await scenario.judge(asOf: clock)
        #expect(try await scenario.judge(asOf: clock).readCount == 0)
      } else if step.isFromApple {
        try await scenario.fromApple(step.lines, asOf: clock)
      } else {
        try await scenario.evidence(step.lines, asOf: clock)
      }
      try await scenario.decide(asOf: clock)
    }
    let end = clocks[clocks.count - 1]
    try await scenario.decide(asOf: end)
    let verdicts = try await scenario.cells(.evidence, "sha256 kind verdict reason", asOf: end)
    let breaks = try await scenario.rows(.breaks, asOf: end).filter { $0["status"] != "resolved" }.cells("class order_id transaction_id")
    #expect(try await scenario.auditFaults(asOf: end) == [])
    #expect(try await scenario.changesOfFullDetect(asOf: end) == [])
    return verdicts.sorted() + breaks.sorted()
  }

  @Test(
    "read, read again with other roots or apps, and judged as at first again",
    arguments: [
      (Mistake.none, Mistake.rootsMissing, [String]()), (.rootsMissing, .none, []), (.none, .appMissing, []),
      (.otherAppleID, .rootsMissing, []), (.appMissing, .rootsMissing, [foreignKids]),
    ]) func repeatedEvidenceIsVerifiedAgain(_ first: Mistake, _ second: Mistake, _ more: [String]) async throws
  {
    let lines = Self.lines + more
    let found = try await Self.outcome([
      Step(reader: first, lines: lines), Step(reader: second, lines: lines), Step(reader: first, isJudged: true),
    ])
    #expect(try await found == Self.outcome([Step(reader: first, lines: lines)]))
  }

  @Test("evidence sent alone by one sender and inside other evidence by another is judged once for both") func otherCompany() async throws {
    let wanted = try await Self.outcome([Step(lines: [Self.foreign, Self.listed])])
    for (one, other) in [([Self.foreign], [Self.listed]), ([Self.listed], [Self.foreign])] {
      let found = try await Self.outcome([Step(lines: one), Step(reader: .rootsMissing, lines: other), Step(isJudged: true)])
      #expect(found == wanted)
    }
  }

  @Test func `a copy of what Apple itself gave us says no less than Apple did, whoever read either of them last`() async throws {
    let apples = Step(lines: [Self.answer], isFromApple: true)
    let copy = Step(lines: [Self.answer])
    func by(_ reader: Mistake, _ step: Step) -> Step { Step(reader: reader, lines: step.lines, isFromApple: step.isFromApple) }
    let wanted = try await Self.outcome([apples, copy])
    let judged = Step(isJudged: true)
    let histories = [
      [copy, apples], [apples, by(.appMissing, copy), judged], [copy, by(.appMissing, apples), judged],
      [by(.appMissing, apples), judged, copy], [by(.appMissing, copy), judged, apples],
      [by(.appMissing, apples), by(.otherAppleID, copy), judged], [by(.appMissing, apples), apples, copy, judged],
    ]
    for (place, history) in histories.enumerated() {
      #expect(try await Self.outcome(history) == wanted, "history \(place)")
    }
  }

  @Test func `a client's upload of genuine bytes that is read under an earlier clock leads to its purchase all the same`() async throws {
    let scenario = try await Scenario()
    let jws = Self.bought.jws
    try await scenario.evidence([jws], asOf: Self.clocks[0])
    try await scenario.evidence([Scenario.upload(jws, user: "U1", at: "2026-05-09T10:00:30Z")], asOf: "2026-05-09T06:00:00Z")
    try await scenario.decide(orders: [TestOrder("PO-1", at: "2026-05-09T09:59:30Z")], asOf: Self.clocks[2])
    #expect(try await scenario.matches(asOf: Self.clocks[2]) == ["PO-1 470001000000292 M6"])
  }
}
