import JobCore
import Postgres
import Testing
import TestSupport

/// An order with a transaction id unknown to Apple was delivered for that id, and for no other purchase of the user.
@Suite(.cleansUp) struct UnknownTransactionTests {
  private static let asOf = "2026-05-12T12:00:00Z"
  private static let token = "a1000000-0000-4000-8000-000000000001"

  @Test func nextPurchaseIsNotTheGhostClaim() async throws {
    let scenario = try await Scenario()
    try await scenario.users(["U1,\(Self.token),CHN,false"], asOf: Self.asOf)
    try await scenario.orders([TestOrder("PO-1", at: "2026-05-08T10:00:00Z", names: "9")], asOf: Self.asOf)
    try await scenario.evidence([ApplePurchase("1", at: "2026-05-10T10:00:00Z", token: Self.token).jws], asOf: Self.asOf)
    // Before Apple is queried, the evidence for the id may still arrive.
    for _ in 0..<2 { try await scenario.decide(asOf: Self.asOf) }
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
