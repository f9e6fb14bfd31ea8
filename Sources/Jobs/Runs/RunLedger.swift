internal import Domain
internal import Logging
internal import Postgres

/// Rows about runs: one before the work, its verdict after; a run that has no verdict did not finish.
struct RunLedger: Sendable {
  let context: JobContext
  let session: Session

  /// Records the start of a run and returns its attempt number, from 1.
  ///
  /// A run of the wall clock's facts is also where those facts enter the business clock.
  func begin(job: String) async throws -> RunHandle {
    let runID = context.runID(job: job)
    let parameters: [String: Value] = [
      "run_id": .text(runID), "job": .text(job), "settings_sha256": .text(context.settingsSHA256),
      "code_version": .text(context.codeVersion), "as_of": context.asOfValue,
    ]
    let sql = context.sql
    let asOf = context.asOfValue
    let attempt = try await session.retrying { tx in
      _ = try tx.run(sql("runs/adopt_batches.sql"), ["as_of": asOf])
      return try tx.rows(sql("runs/begin.sql"), parameters) { row throws(PostgresError) in try row.int4() }
    }
    context.log.info("run started", metadata: ["run.id": "\(runID)", "job.name": "\(job)"])
    return RunHandle(runID: runID, job: job, attempt: attempt.first ?? 1)
  }

  /// Records how a run ended.
  ///
  /// - Parameter counts: JSON object of what was counted.
  func end(_ run: RunHandle, verdict: Verdict, counts: String, message: String?) async throws {
    let sql = context.sql
    let parameters: [String: Value] = [
      "run_id": .text(run.runID), "attempt": .int4(run.attempt), "verdict": .text(verdict.rawValue),
      "counts": .text(counts), "message": message.map(Value.text) ?? .null,
    ]
    try await session.retrying { tx in _ = try tx.run(sql("runs/end.sql"), parameters) }
    context.log.info(
      "run ended",
      metadata: ["run.id": "\(run.runID)", "job.name": "\(run.job)", "verdict": "\(verdict.rawValue)"])
  }
}

/// A run that has begun.
struct RunHandle: Sendable {
  var runID: String
  var job: String
  var attempt: Int32
}

/// Advisory locks: one writer for each kind of work.
enum JobLock: Int64, Sendable {
  case orders = 0x7061_7901, users, catalogue, apple, match, detect, nightly, collect, renewals

  /// Takes the lock for as long as the session lives.
  ///
  /// - Throws: `JobError` with status 4 when another process holds it.
  func take(on session: Session) async throws {
    guard try await session.tryAdvisoryLock(rawValue) else {
      throw JobError(
        "could not start: another process holds the lock of \"\(self)\"",
        hint: "Wait until it ends, then start again; nothing was changed.", status: .lockHeld)
    }
  }
}
