import TestSupport
import Testing

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
    CSVRows.decode(try await setup.program("export", "cases", "--as-of", asOf).output).cells("subject_id status action").sorted()
  }

  private static func work(_ setup: Setup, _ keys: [String]) async throws -> Execution {
    let typed = Array((keys.joined(separator: "\n") + "\n").utf8)
    return try await setup.program("queue", "work", "--as-of", asOf, input: .bytes(typed))
  }

  @Test func oneCaseAfterAnother() async throws {
    let setup = try await Self.setup()
    #expect(try await Self.statuses(setup) == ["U2 open ", "U3 open ", "U4 open "])
    // An unknown key, a decision without a reason, a pass, a dismissal, a proposal. Then only the skipped case is left.
    let run = try await Self.work(setup, ["7", "d", "", "n", "d", "a family", "b", "sold it on"])
    #expect(run.status == 0, "\(run.text)\(run.complaint)")
    for line in [
      "queue: \"7\" is no key of this desk", "queue: decided", "queue: proposed, a second person must approve",
      "queue: nothing waits", "queue: 3 cases seen, 2 decided, 1 passed over", "[d] dismiss", "[b] ban*",
    ] { #expect(run.text.contains(line), "\(line)\n\(run.text)") }
    #expect(run.text.contains("case "), "each case is shown")
    #expect(try await Self.statuses(setup) == ["U2 open ", "U3 closed dismiss", "U4 waiting_approval ban"])
  }

  @Test func lastDecisionIsUndoneAndCaseReleased() async throws {
    let setup = try await Self.setup()
    let run = try await Self.work(setup, ["u", "d", "a family", "u", "q"])
    #expect(run.status == 0, "\(run.text)\(run.complaint)")
    #expect(run.text.contains("queue: nothing was decided here yet"), "\(run.text)")
    #expect(run.text.contains(": undone 1, proposed 0"), "\(run.text)")
    #expect(try await Self.statuses(setup).map { $0.split(separator: " ")[1] } == ["open", "open", "open"])
    // The end of the input ends the session and releases the case.
    let ended = try await Self.work(setup, ["s"])
    #expect(ended.status == 0 && ended.text.contains("queue: 1 case seen, 0 decided"), "\(ended.text)\(ended.complaint)")
    #expect(try await Self.statuses(setup).map { $0.split(separator: " ")[1] } == ["open", "open", "open"])
  }
}
