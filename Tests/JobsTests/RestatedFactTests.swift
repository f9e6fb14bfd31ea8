/// A later source describes a known charge. The result is the same in any order and any division into nights.
@Suite(.cleansUp) struct RestatedFactTests {
  private static let clocks = ["2026-05-11T12:00:00Z", "2026-05-12T12:00:00Z", "2026-05-13T12:00:00Z", "2026-05-14T12:00:00Z"]

  // MARK: Line items

  private static func month(_ id: String, lineItem: String?, signedAt: String) -> ApplePurchase {
    ApplePurchase.month(
      id, original: "470001000000700", lineItem: lineItem ?? "", at: "2026-05-10T10:00:00Z", until: "2026-06-10T10:00:00Z"
    ).with { ($0.webOrderLineItemID, $0.signedAt) = (lineItem, instant(signedAt)) }
  }

  /// Two periods of one subscription, product and instant. One is first reported without its line item and then refunded.
  private static let periods = [
    month("470001000000701", lineItem: nil, signedAt: "2026-05-10T10:00:01Z"),
    month("470001000000702", lineItem: "9000702", signedAt: "2026-05-10T10:00:02Z"),
    month("470001000000701", lineItem: "9000701", signedAt: "2026-05-10T10:00:03Z"),
    month("470001000000701", lineItem: nil, signedAt: "2026-05-10T10:00:04Z").with { $0.revokedAt = instant("2026-05-10T10:00:04Z") },
  ]

  /// Returns charges, matches and breaks as of the last clock, and charges as of each earlier clock.
  private static func stated(_ scenario: Scenario) async throws -> [[String]] {
    let last = clocks[3]
    let charges = try await scenario.cells(.charges, "transaction_ids web_order_line_item_id state refunded_milliunits", asOf: last)
    return [charges.sorted(), try await scenario.matches(asOf: last), try await scenario.openBreaks(asOf: last)]
  }

  private static let outcome = [
    ["470001000000701 9000701 refunded 25000", "470001000000702 9000702 charged 0"],
    ["PO-1 470001000000701 M1", "PO-2 470001000000702 M1"], ["REFUND_NOT_APPLIED PO-1"],
  ]

  private static let orders = ["1": "470001000000701", "2": "470001000000702"].map { number, transaction in
    TestOrder.month("PO-\(number)", at: "2026-05-10T09:59:00Z", names: transaction) { $0.entitlementExpiresAt = "2026-06-10T10:00:00Z" }
  }

  @Test(arguments: [[0, 1, 2, 3], [3, 2, 1, 0], [1, 0, 3, 2], [3, 1, 0, 2], [2, 0, 1, 3], [0, 3, 1, 2]])
  func periodBelongsToItsLineItem(_ order: [Int]) async throws {
    let nights = try await Scenario()
    try await nights.orders(Self.orders, asOf: Self.clocks[0])
    var before: [(clock: String, charges: [UInt8])] = []
    for (clock, place) in zip(Self.clocks, order) {
      try await nights.decide(evidence: [Self.periods[place].jws], asOf: clock)
      before.append((clock, try await nights.export(.charges, asOf: clock)))
    }
    #expect(try await Self.stated(nights) == Self.outcome)
    for (clock, charges) in before { #expect(try await nights.export(.charges, asOf: clock) == charges, "\(clock)") }
    #expect(try await nights.changesOfFullRuns(asOf: Self.clocks[3]) == [])
    let once = try await Scenario()
    try await once.decide(orders: Self.orders, evidence: order.map { Self.periods[$0].jws }, asOf: Self.clocks[3])
    #expect(try await Self.stated(once) == Self.outcome)
  }

  /// One period without order, of two devices.
  private static let reports = [
    month("470001000000703", lineItem: nil, signedAt: "2026-05-10T10:00:01Z"),
    month("470001000000703", lineItem: "9000703", signedAt: "2026-05-10T10:00:02Z"),
    month("470001000000704", lineItem: "9000703", signedAt: "2026-05-10T10:00:03Z"),
  ]

  @Test(arguments: [[0, 1], [1, 0], [0, 2], [2, 0], [2, 0, 1]]) func breakKeepsItsID(_ order: [Int]) async throws {
    let nights = try await Scenario()
    var breaks: [[String]] = []
    for (clock, place) in zip(Self.clocks, order) {
      try await nights.decide(evidence: [Self.reports[place].jws], asOf: clock)
      breaks.append(try await nights.cells(.breaks, "break_id opened_on status", asOf: clock))
    }
    let once = try await Scenario()
    try await once.decide(evidence: order.map { Self.reports[$0].jws }, asOf: Self.clocks[0])
    let new = try #require(try await once.cells(.breaks, "break_id opened_on status", asOf: Self.clocks[0]).first)
    let persisting = new.replacing(" new", with: " persisting")
    #expect(breaks == [[new]] + order.dropFirst().map { _ in [persisting] })
  }

  // MARK: Revocations

  struct Revocation: NamedCase {
    var name = ""
    /// Reported instants of the revocation on each of three nights; nil where there is none.
    var stated: [String?]
    var isOpen: Bool
  }

  private static let revocations = Revocation.table([
    "stated again with a later instant": Revocation(stated: ["2026-05-11T10:00:00Z", "2026-05-13T11:00:00Z"], isOpen: true),
    "stated again twice": Revocation(stated: ["2026-05-11T10:00:00Z", "2026-05-12T11:00:00Z", "2026-05-13T11:00:00Z"], isOpen: true),
    "reversed in between": Revocation(stated: ["2026-05-11T10:00:00Z", nil, "2026-05-13T11:00:00Z"], isOpen: false),
    "stated late": Revocation(stated: ["2026-05-13T11:00:00Z"], isOpen: false),
  ])

  private static let bought = ApplePurchase("470001000000710", at: "2026-05-10T10:00:00Z")
  private static let unknown = ApplePurchase("470001000000711", at: "2026-05-10T10:00:00Z")

  private static func notifications(_ revocation: Revocation) -> [[String]] {
    revocation.stated.enumerated().map { night, revokedAt in
      [bought, unknown].map { purchase in
        Scenario.sign(
          purchase.with {
            $0.revokedAt = revokedAt.map { instant($0) }
            $0.signedAt = instant("2026-05-1\(night + 1)T11:00:00Z")
          })
      }
    }
  }

  @Test(arguments: revocations, [false, true])
  func graceStartsAtTheFirstReport(_ revocation: Revocation, _ isReversed: Bool) async throws {
    let last = Self.clocks[2]
    let order = TestOrder("PO-1", at: "2026-05-10T09:59:00Z", names: Self.bought.transactionID)
    let expected = revocation.isOpen ? ["REFUND_NOT_APPLIED PO-1", "REFUND_NO_ORDER"] : []
    let notifications = Self.notifications(revocation)
    let nights = try await Scenario()
    try await nights.orders([order], asOf: Self.clocks[0])
    for (night, clock) in Self.clocks.prefix(3).enumerated() where night < notifications.count {
      try await nights.evidence(isReversed ? notifications[notifications.count - 1 - night] : notifications[night], asOf: clock)
      // Evidence that Apple signed after an earlier clock was held until this one.
      try await nights.judge(asOf: clock)
      try await nights.decide(asOf: clock)
    }
    try await nights.decide(asOf: last)
    #expect(try await nights.openBreaks(asOf: last) == expected)
    #expect(try await nights.changesOfFullDetect(asOf: last) == [])
    let once = try await Scenario()
    try await once.decide(orders: [order], evidence: (isReversed ? notifications.reversed() : notifications).flatMap { $0 }, asOf: last)
    #expect(try await once.openBreaks(asOf: last) == expected)
  }

  @Test func aCorrectedAppReachesTheBreak() async throws {
    let scenario = try await Scenario()
    for (clock, app) in zip(Self.clocks, ["com.acme.reader", "com.acme.kids"]) {
      let order = TestOrder("PO-1", at: "2026-05-09T10:00:00Z") { ($0.bundleID, $0.updatedAt) = (app, clock) }
      try await scenario.decide(orders: [order], asOf: clock)
      #expect(try await scenario.cells(.breaks, "class bundle_id", asOf: clock) == ["ORDER_NO_TX \(app)"])
    }
  }
}
