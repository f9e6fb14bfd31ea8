import Domain
import JobCore
import Reports
import Review
import Testing
import TestSupport

/// Who may hold sandbox goods is one question with one answer, for breaks as for signals.
@Suite struct SandboxHolderTests {
  private static let asOf = "2026-05-12T12:00:00Z"

  /// Ways to be a tester.
  enum Way: String, CaseIterable, Sendable { case settings, users, list }

  @Test(arguments: Way.allCases) func aTesterIsATesterEverywhere(_ way: Way) async throws {
    var scenario = try await Scenario()
    try await scenario.orders(
      [TestOrder("PO-1", user: "U1", at: "2026-05-10T10:00:00Z") { $0.transactionID = "1" }], asOf: Self.asOf)
    try await scenario.evidence(
      [Scenario.sign(ApplePurchase("1", at: "2026-05-10T10:00:00Z").with { $0.environment = "Sandbox" })],
      asOf: Self.asOf)
    for _ in 0..<2 { try await scenario.decide(asOf: Self.asOf) }
    #expect(try await scenario.openBreaks(asOf: Self.asOf) == ["SANDBOX_IN_PROD PO-1"])
    switch way {
    case .settings: for index in scenario.settings.apps.indices { scenario.settings.apps[index].testers = ["U1"] }
    case .users: try await scenario.users(["U1,,CHN,true"], asOf: Self.asOf)
    case .list:
      var entry = ListEntry(
        list: .tester, subject: .user, id: "U1", owner: "ann", reason: "tests", until: instant("2027-01-01T00:00:00Z"))
      entry.from = instant("2026-05-01T00:00:00Z")
      _ = try await ListJob(context: try scenario.context(asOf: Self.asOf)).add(entry)
    }
    try await scenario.decide(asOf: Self.asOf)
    #expect(try await scenario.openBreaks(asOf: Self.asOf) == [])
    let signals = try await scenario.rows(.signals, asOf: Self.asOf)
    #expect(!signals.contains { $0["rule"] == "R04" && $0["is_open"] == "true" })
    #expect(try await scenario.changesOfFullDetect(asOf: Self.asOf) == [])
    await scenario.end()
  }
}
