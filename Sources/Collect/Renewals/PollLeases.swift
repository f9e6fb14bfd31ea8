internal import Domain
internal import Ingest
internal import JobCore
internal import Postgres

/// An appointment leased by this worker.
struct PollLease: Sendable {
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

  var lease: PollLease
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
  static let leasesMax = 512

  /// Number of attempts to lease when other workers have locked every due appointment; `attemptPause` separates them.
  private static let attemptsMax = 100
  private static let attemptPause = Duration.milliseconds(50)

  /// Leases due appointments, the largest amounts first; returns an empty list when none is left.
  func lease(max: Int) async throws -> [PollLease] {
    for _ in 0..<Self.attemptsMax {
      let clock = job.now()
      let leased = try await lease(max: max, clock: clock)
      guard leased.isEmpty, try await isWaiting(clock: clock) else { return leased }
      try await Task.sleep(for: Self.attemptPause)
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

  private func lease(max: Int, clock: Timestamp) async throws -> [PollLease] {
    let parameters = span(clock).merging([
      "worker": .text(job.worker), "row_max": .int8(Int64(max)),
      "lease_until": clock.advanced(bySeconds: options.leaseSeconds).sqlValue,
    ]) { $1 }
    return try await session.retrying { tx in
      try tx.rows(job.context.sql(RenewalsSQL.leasePolls), parameters).map { id, slot, dueAt in
        PollLease(originalTransactionID: id, slot: slot, dueAt: Timestamp(microseconds: dueAt))
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
    try tx.send(sql(RenewalsSQL.queueAnsweredChains))
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
    try writer.row(lease.originalTransactionID, lease.slot, answer, fault, status.map { Int32(truncatingIfNeeded: $0) }, lease.dueAt)
  }
}
