internal import Domain
public import JobCore
package import Postgres

/// Records the outcome of every plan member, and whether our orders agree with it.
public struct RenewalSettleJob: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  public struct Outcome: Sendable {
    /// Number of members whose outcome is new or changed.
    public var changedCount: Int
    /// Number of members per outcome over all plans.
    public var counts: [(outcome: String, count: Int)]
  }

  public func run() async throws -> Outcome {
    try await context.withRun(job: "renewals-settle", lock: .renewals) { run, session in
      let outcome = try await settle(runID: run.runID, on: session)
      return RunResult(outcome, .clean, counts: outcome.counts.map { ($0.outcome, $0.count) })
    }
  }

  /// Settles as part of an existing run.
  package func settle(runID: String, on session: Session) async throws -> Outcome {
    let (sql, asOf) = (context.sql, context.asOfValue)
    let skew = interval(seconds: context.settings.match.clockSkewSeconds)
    return try await session.retrying { tx in
      tx.send("set local enable_nestloop = off; set local enable_mergejoin = off; set local work_mem = '256MB'")
      try tx.send(sql(RenewalsSQL.endedMembers), ["as_of": asOf])
      let changed = try tx.run(sql(RenewalsSQL.settle), ["as_of": asOf, "run_id": .text(runID), "skew": skew])
      let counts = try tx.rows(sql(RenewalsSQL.outcomeCounts), ["as_of": asOf])
      return Outcome(changedCount: changed, counts: counts.map { (outcome: $0, count: Int($1)) })
    }
  }
}
