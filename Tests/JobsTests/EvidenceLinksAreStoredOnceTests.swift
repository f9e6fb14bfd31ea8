import JobCore
import Testing
import TestSupport

/// The database has no key on evidence links. The writer itself must add only missing ones.
@Suite(.cleansUp) struct EvidenceLinksAreStoredOnceTests {
  private static let clock = "2026-05-10T12:00:00Z"

  /// Two inputs with many common texts, each text twice, and then all of them again.
  @Test func eachLinkIsStoredOnce() async throws {
    let scenario = try await Scenario()
    let bodies = (0..<60).map {
      Scenario.notification(
        "ONE_TIME_CHARGE", uuid: "n-\($0)", ApplePurchase("\(470_001_000_000_300 + $0)", at: "2026-05-09T10:00:00Z"),
        signedAt: "2026-05-09T10:00:05Z")
    }
    func bring(_ lines: [String], _ name: String) async throws {
      _ = try await scenario.ingest(.apple, (lines + lines).joined(separator: "\n") + "\n", name: name, asOf: Self.clock)
    }
    try await bring(Array(bodies[..<40]), "one")
    try await bring(Array(bodies[20...]), "other")
    try await bring(bodies.reversed(), "again")
    // Each transaction is inside a notification, which is inside a posted text.
    let answers = try await SpreadServer.answers(
      scenario, "select count(*) || ' of ' || count(distinct (sha256, parent_sha256)) from payrecon.evidence_links")
    #expect(answers == ["\(2 * bodies.count) of \(2 * bodies.count)"])
  }
}
