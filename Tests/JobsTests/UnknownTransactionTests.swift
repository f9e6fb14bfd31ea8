import JobCore
import Postgres
import Testing
import TestSupport

/// An order with a transaction id unknown to Apple was delivered for that id, and for no other purchase of the user.
@Suite(.cleansUp) struct UnknownTransactionTests {
  private static let asOf = "2026-05-12T12:00:00Z"

  @Test func nextPurchaseIsNotTheGhostClaim() async throws {
    let scenario = try await Scenario()
    try await scenario.decide(
      users: ["U1,\(Scenario.token1),CHN,false"], orders: [TestOrder("PO-1", at: "2026-05-08T10:00:00Z", names: "9")],
      evidence: [ApplePurchase("1", at: "2026-05-10T10:00:00Z", token: Scenario.token1).jws], asOf: Self.asOf)
    // Before Apple is queried, the evidence for the id may still arrive.
    try await scenario.decide(asOf: Self.asOf)
    #expect(try await scenario.matches(asOf: Self.asOf) == ["PO-1 1 M2"])
    let context = try scenario.context(asOf: Self.asOf)
    try await context.withSession { session in
      try await session.transaction { tx in
        _ = try tx.run(
          context.sql(CollectSQL.recordMiss),
          ["bundle_id": .text("com.acme.reader"), "transaction_id": .text("9"), "requested_at": context.asOfValue])
      }
    }
    try await scenario.decide(asOf: Self.asOf)
    #expect(try await scenario.matches(asOf: Self.asOf) == [])
    #expect(try await scenario.openBreaks(asOf: Self.asOf) == ["GHOST_TX PO-1", "TX_NO_ORDER"])
    #expect(try await scenario.changesOfFullMatch(asOf: Self.asOf) == [])
    // Apple knows the transaction after all.
    try await scenario.decide(evidence: [ApplePurchase("9", at: "2026-05-08T10:00:20Z").jws], asOf: Self.asOf)
    #expect(try await scenario.matches(asOf: Self.asOf) == ["PO-1 9 M1"])
  }
}
