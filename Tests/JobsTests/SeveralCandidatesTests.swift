import Testing
import TestSupport

/// Several open orders and charges of one user and product, and the pairs that time alone decides.
@Suite(.cleansUp) struct SeveralCandidatesTests {
  struct Case: NamedCase {
    var name: String
    /// `user instant` of each order PO-1, PO-2, …
    var orders: [String]
    /// `uploader instant` of each charge 1, 2, …
    var charges: [String]
    var device: String?
    var matches: [String] = []
    var breaks: [String] = []
  }

  static let cases: [Case] = [
    Case(
      name: "two equal purchases in one minute are two purchases", orders: ["U1 10:00:00", "U1 10:00:30"],
      charges: ["U1 10:00:20", "U1 10:00:50"], matches: ["PO-1 1 M6", "PO-2 2 M6"]),
    Case(
      name: "the order is told before its charge, whatever the names", orders: ["U1 10:00:30", "U1 10:00:00"],
      charges: ["U1 10:00:50", "U1 10:00:20"], matches: ["PO-1 1 M6", "PO-2 2 M6"]),
    Case(
      name: "two orders, then two charges: both ways are as good", orders: ["U1 10:00:00", "U1 10:00:10"],
      charges: ["U1 10:00:20", "U1 10:00:30"], breaks: ["AMBIGUOUS_MATCH", "AMBIGUOUS_MATCH"]),
    Case(
      name: "a tie leaves the rest of the day decided", orders: ["U1 10:00:00", "U1 10:00:10", "U1 15:00:00"],
      charges: ["U1 10:00:20", "U1 10:00:30", "U1 15:00:10"], matches: ["PO-3 3 M6"], breaks: ["AMBIGUOUS_MATCH", "AMBIGUOUS_MATCH"]),
    Case(
      name: "two orders, one charge: who is left over is a guess", orders: ["U1 10:00:00", "U1 10:05:00"],
      charges: ["U1 10:05:10"], breaks: ["AMBIGUOUS_MATCH"]),
    Case(
      name: "one order, two charges", orders: ["U1 10:00:00"], charges: ["U1 10:00:10", "U1 10:05:10"],
      breaks: ["AMBIGUOUS_MATCH", "AMBIGUOUS_MATCH"]),
    Case(
      name: "two users of one device", orders: ["U1 10:00:00", "U2 10:00:30"],
      charges: ["U1 10:00:20", "U2 10:00:50"], device: "D1", breaks: ["AMBIGUOUS_MATCH", "AMBIGUOUS_MATCH"]),
    Case(
      name: "more than anybody assigns", orders: (0..<65).map { "U1 10:\(two($0 / 4)):\(two($0 % 4 * 15))" },
      charges: (0..<65).map { "U1 10:\(two($0 / 4)):\(two($0 % 4 * 15 + 7))" }, breaks: Array(repeating: "AMBIGUOUS_MATCH", count: 65)),
    Case(
      name: "as many as are assigned", orders: (0..<64).map { "U1 10:\(two($0 / 4)):\(two($0 % 4 * 15))" },
      charges: (0..<64).map { "U1 10:\(two($0 / 4)):\(two($0 % 4 * 15 + 7))" }, matches: (1...64).map { "PO-\($0) \($0) M6" }),
  ]

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  @Test(arguments: cases) func decides(_ test: Case) async throws {
    let asOf = "2026-05-12T12:00:00Z"
    let scenario = try await Scenario()
    let orders = test.orders.enumerated().map { index, text in
      TestOrder("PO-\(index + 1)", user: String(text.prefix(2)), at: "2026-05-10T\(text.suffix(8))Z") { $0.deviceID = test.device }
    }
    let evidence = test.charges.enumerated().map { index, text in
      let at = "2026-05-10T\(text.suffix(8))Z"
      return Scenario.upload(
        Scenario.sign(ApplePurchase("\(index + 1)", at: at)), user: String(text.prefix(2)), device: test.device, at: at)
    }
    try await scenario.decide(orders: orders, evidence: evidence, asOf: asOf)
    #expect(try await scenario.matches(asOf: asOf) == test.matches.sorted())
    #expect(try await scenario.openBreaks(asOf: asOf) == test.breaks.sorted())
  }
}
