/// The review setup on the terminal, with one key per line.
@Suite(.cleansUp) struct TerminalReviewTests {
  private static let asOf = "2026-05-12T12:00:00Z"

  /// Returns an environment with three users whose delivered orders claim another user's purchase.
  private static func setup() async throws -> Setup {
    let setup = try await Setup()
    let orders = (1...4).map { Setup.order("PO-\($0)", user: "U\($0)", at: "2026-05-10T10:0\($0):00Z", names: "100") }
    try setup.write("inbox/orders.csv", Setup.table(orders))
    try setup.write("inbox/apple.ndjson", ApplePurchase("100", at: "2026-05-10T10:00:00Z").jws + "\n")
    try await setup.nightly(asOf: asOf, exits: 1)
    return setup
  }

  private static func statuses(_ setup: Setup) async throws -> [String] {
    try await setup.rows("cases", asOf: asOf).cells("subject_id status action").sorted()
  }

  /// Returns the output of a session in which these lines are typed.
  private static func work(_ setup: Setup, _ keys: [String]) async throws -> String {
    let typed = Array((keys.joined(separator: "\n") + "\n").utf8)
    return try await setup.program("queue", "work", "--as-of", asOf, input: .bytes(typed), exits: 0).text
  }

  @Test func oneCaseAfterAnother() async throws {
    let setup = try await Self.setup()
    #expect(try await Self.statuses(setup) == ["U2 open ", "U3 open ", "U4 open "])
    // An unknown key, a decision without a reason, a pass, a dismissal, a proposal. Then only the skipped case is left.
    expectParts(
      "queue: \"7\" is no key of this desk", "queue: decided", "queue: proposed, a second person must approve", "case ",
      "queue: nothing waits", "queue: 3 cases seen, 2 decided, 1 passed over", "[d] dismiss", "[b] ban*",
      in: try await Self.work(setup, ["7", "d", "", "n", "d", "a family", "b", "sold it on"]))
    #expect(try await Self.statuses(setup) == ["U2 open ", "U3 closed dismiss", "U4 waiting_approval ban"])
  }

  @Test func lastDecisionIsUndoneAndCaseReleased() async throws {
    let setup = try await Self.setup()
    // The end of the input ends the session and releases the case, too.
    for (keys, parts) in [
      (["u", "d", "a family", "u", "q"], ["queue: nothing was decided here yet", ": undone 1, proposed 0"]),
      (["s"], ["queue: 1 case seen, 0 decided"]),
    ] {
      let printed = try await Self.work(setup, keys)
      for part in parts { #expect(printed.contains(part), "\(part): \(printed)") }
      #expect(try await Self.statuses(setup).map { $0.split(separator: " ")[1] } == ["open", "open", "open"])
    }
  }
}
