internal import Domain
internal import Ingest
internal import JobCore
internal import Postgres

/// An appointment leased by this worker.
struct PollClaim: Sendable {
  var originalTransactionID: String
  var slot: String
  var dueAt: Timestamp
}

/// The outcome of an appointment.
struct PollResult: Sendable {
  enum End: Sendable {
    /// Apple answered; the text is a value of `payrecon.polls`.
    case answered(String, status: Int64?)
    /// Apple did not answer; the lease delays the next attempt.
    case failed(String)
    /// Any worker may try at once; with the fault when this worker failed.
    case released(fault: String?)
  }

  var claim: PollClaim
  var end: End
}

/// Leases and completes appointments, for the pollers of both interfaces.
struct PollLeases: Sendable {
  let job: RenewalPollJob
  let bundleID: String
  let session: Session
  let options: RenewalPollJob.Options
  let runID: String

  /// Maximum number of appointments leased at once.
  static let claimsMax = 512

  /// Number of attempts to lease when other workers have locked every due appointment; `claimPause` separates them.
  private static let claimAttemptsMax = 100
  private static let claimPause = Duration.milliseconds(50)

  /// Leases due appointments, the largest amounts first; returns an empty list when none is left.
  func claim(max: Int) async throws -> [PollClaim] {
    for _ in 0..<Self.claimAttemptsMax {
      let clock = job.now()
      let claims = try await claim(max: max, clock: clock)
      guard claims.isEmpty, try await isWaiting(clock: clock) else { return claims }
      try await Task.sleep(for: Self.claimPause)
    }
    return []
  }

  private func span(_ clock: Timestamp) -> [String: Value] {
    [
      "bundle_id": .text(bundleID), "as_of": job.context.asOfValue, "now": clock.sqlValue,
      "ahead_to": job.context.asOf.advanced(bySeconds: options.aheadSeconds).sqlValue,
    ]
  }

  private func isWaiting(clock: Timestamp) async throws -> Bool {
    try await session.rows(job.context.sql(RenewalsSQL.waitingPolls), span(clock)).first ?? false
  }

  private func claim(max: Int, clock: Timestamp) async throws -> [PollClaim] {
    let parameters = span(clock).merging([
      "worker": .text(job.worker), "row_max": .int8(Int64(max)),
      "lease_until": clock.advanced(bySeconds: options.leaseSeconds).sqlValue,
    ]) { $1 }
    return try await session.retrying { tx in
      try tx.rows(job.context.sql(RenewalsSQL.claimPolls), parameters).map { id, slot, dueAt in
        PollClaim(originalTransactionID: id, slot: slot, dueAt: Timestamp(microseconds: dueAt))
      }
    }
  }

  /// Creates the session's staging tables.
  static func prepare(_ context: JobContext, _ session: Session) async throws {
    let polls = try context.sql(RenewalsSQL.stagedPolls)
    try await session.transaction { tx in tx.send(polls) }
  }

  /// Records the outcomes of appointments: answers, and those left for another attempt.
  func record(_ results: [PollResult], environment: String = "Production", in tx: inout DatabaseTransaction) throws {
    let sql = job.context.sql
    let holder: [String: Value] = ["bundle_id": .text(bundleID), "worker": .text(job.worker)]
    _ = try tx.copyIn(
      "copy staged_answer (original_transaction_id, slot, answer, fault, apple_status, due_at) from stdin (format binary)"
    ) { writer in
      for result in results { try result.write(to: &writer) }
    }
    try tx.send(
      sql(RenewalsSQL.recordPolls),
      holder.merging(["environment": .text(environment), "run_id": .text(runID), "requested_at": job.context.asOfValue]) { $1 })
    try tx.send(sql(RenewalsSQL.pollNews))
    try tx.send(sql(RenewalsSQL.endPolls), ["bundle_id": .text(bundleID)])
    try tx.send(sql(RenewalsSQL.failPolls), holder)
  }
}

extension PollResult {
  fileprivate func write(to writer: inout CopyWriter) throws {
    let (answer, fault, status): (String, String?, Int64?) =
      switch end {
      case .answered(let word, let status): (word, nil, status)
      case .failed(let fault): ("failed", fault, nil)
      case .released(let fault): ("released", fault, nil)
      }
    try writer.row(claim.originalTransactionID, claim.slot, answer, fault, status.map { Int32(truncatingIfNeeded: $0) }, claim.dueAt)
  }
}
