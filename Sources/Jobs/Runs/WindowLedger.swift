internal import Domain
internal import JobCore
internal import Postgres
internal import Scheduling
internal import TimeZones

struct WindowLedger: Sendable {
  /// Wait before the second attempt, in seconds. Each further wait is five times as long.
  private static let retrySeconds: Int64 = 60
  private static let retryFactor: Int64 = 5

  let context: JobContext
  let session: Session
  /// Name of this process for other hosts.
  let host: String
  let leaseSeconds: Int64

  struct State: Sendable {
    /// The latest scheduled start up to the clock; nil for a job that never ran.
    var lastScheduledAt: Timestamp?
    /// The latest scheduled start of all. It lies after the clock if the clock was set back.
    var lastKnownAt: Timestamp?
    var isRunning: Bool
    var isWaiting: Bool
    var retries: [Window]
  }

  struct Ending: Sendable {
    var verdict: Verdict
    /// Id of the child process; nil if none was started.
    var processID: Int32?
    var exitStatus: Int32?
    var runID: String?
    var rows: Int64?
    var message: String?
    /// Seconds until the window may be started again; 0 for at once, nil if the end is final.
    var retryAfter: Int64?
  }

  func state(of job: JobFile, now: Timestamp) async throws -> State {
    let name = Value.text(job.name)
    return try await session.retrying { tx in
      try lockAndEndDead(job, &tx)
      let parameters = ["job": name, "now": now.sqlValue]
      let states = try tx.rows(context.sql(RunsSQL.windowState), parameters).map { scheduled, isRunning, isWaiting, known in
        State(
          lastScheduledAt: scheduled.map { Timestamp(microseconds: $0) },
          lastKnownAt: known.map { Timestamp(microseconds: $0) }, isRunning: isRunning, isWaiting: isWaiting,
          retries: [])
      }
      guard var state = states.first else { throw JobError("could not read the state of job \"\(job.name)\"") }
      state.retries = try tx.rows(context.sql(RunsSQL.windowRetries), ["job": name]).map { row in
        let scheduled = Timestamp(microseconds: row.0)
        // The business day is derived from the job, as at the first attempt.
        return Window(
          scheduledAt: scheduled, from: Timestamp(microseconds: row.1), to: Timestamp(microseconds: row.2),
          businessDay: job.latestWindow(at: scheduled)?.businessDay ?? CivilDate(daysSince1970: 0))
      }
      return state
    }
  }

  private func lockAndEndDead(_ job: JobFile, _ tx: inout DatabaseTransaction) throws {
    _ = try tx.rows(context.sql(RunsSQL.windowLock), ["job": .text(job.name)])
    try tx.send(
      context.sql(RunsSQL.windowEndDead), ["job": .text(job.name), "attempts_max": .int4(Int32(job.attemptsMax))])
  }

  /// The result of a request for a window's lease.
  enum LeaseOutcome: Sendable, Equatable {
    /// This host has the window. `attempt` counts from 1.
    case taken(attempt: Int32)
    /// The window has ended and is not started again.
    case ended
    case busy
  }

  /// Leases a window for this host.
  ///
  /// - Parameter repeats: verdicts with which an ended window is started again.
  func lease(_ window: Window, of job: JobFile, origin: String, repeats: [Verdict]) async throws -> LeaseOutcome {
    let values = key(
      job, window,
      [
        "scheduled_at": window.scheduledAt.sqlValue, "origin": .text(origin), "host": .text(host), "lease": interval(seconds: leaseSeconds),
        "attempts_max": .int4(Int32(job.attemptsMax)), "repeats": .textArray(repeats.map(\.rawValue)),
      ])
    return try await session.retrying { tx in
      try lockAndEndDead(job, &tx)
      if let attempt = try tx.rows(context.sql(RunsSQL.windowLease), values).first { return .taken(attempt: attempt) }
      let state = try tx.rows(context.sql(RunsSQL.windowState), ["job": .text(job.name), "now": window.scheduledAt.sqlValue]).first
      return state?.1 == true ? .busy : .ended
    }
  }

  /// Renews the lease; false if another host has the window.
  func renew(_ window: Window, of job: JobFile, attempt: Int32) async throws -> Bool {
    let values = key(job, window, ["host": .text(host), "attempt": .int4(attempt), "lease": interval(seconds: leaseSeconds)])
    return try await session.retrying { tx in try !tx.rows(context.sql(RunsSQL.windowRenew), values).isEmpty }
  }

  /// Records the end of an attempt; false if this host no longer has the window.
  func end(_ window: Window, of job: JobFile, attempt: Int32, _ ending: Ending, origin: String) async throws -> Bool {
    let mayRetry = origin == "schedule" && ending.retryAfter != nil && attempt < Int32(job.attemptsMax)
    let values = key(
      job, window,
      [
        "host": .text(host), "attempt": .int4(attempt), "verdict": .text(ending.verdict.rawValue),
        "exit_status": ending.exitStatus.map(Value.int4) ?? .null, "run_id": ending.runID.map(Value.text) ?? .null,
        "row_count": ending.rows.map(Value.int8) ?? .null, "message": ending.message.map(Value.text) ?? .null,
        "is_final": .bool(!mayRetry), "retry_after": mayRetry ? ending.retryAfter.map { interval(seconds: $0) } ?? .null : .null,
      ])
    return try await session.retrying { tx in try !tx.rows(context.sql(RunsSQL.windowEnd), values).isEmpty }
  }

  static func retrySeconds(after attempt: Int32) -> Int64 {
    (1..<max(1, min(attempt, 6))).reduce(retrySeconds) { seconds, _ in seconds * retryFactor }
  }

  /// Returns the child's entry in the run ledger and the seconds since the attempt began.
  ///
  /// - Parameter processID: the child; nil if none was started.
  func childRun(_ window: Window, of job: JobFile, processID: Int32?) async throws -> (
    runID: String?, verdict: Verdict?, rows: Int64?, message: String?, seconds: Int64
  ) {
    // The command names the run, as in `nightly` or `collect-notifications`, because other jobs may have the same clock.
    let words = job.command.prefix(2)
    let names = [words.first ?? "", words.joined(separator: "-")]
    // A process started by hand may have the same command at the same time.
    let process = processID.map { "\(context.process.prefix { $0 != ":" }):\($0)" }
    let values = key(
      job, window,
      ["scheduled_at": window.scheduledAt.sqlValue, "names": .textArray(names), "process": process.map(Value.text) ?? .null])
    guard let row = try await context.rows(RunsSQL.windowRun, values, on: session).first else { return (nil, nil, nil, nil, 0) }
    return (row.0, row.1.flatMap(Verdict.init(rawValue:)), row.2, row.3, row.4)
  }

  /// Returns rows and seconds of the four latest windows of the same weekday and time.
  func history(_ window: Window, of job: JobFile) async throws -> [RunGuards.Sample] {
    let parameters: [String: Value] = [
      "job": .text(job.name), "time_zone": .text(job.timeZone.name), "scheduled_at": window.scheduledAt.sqlValue,
    ]
    return try await context.rows(RunsSQL.windowHistory, parameters, on: session).map { RunGuards.Sample(rows: $0.0, seconds: $0.1) }
  }

  /// Returns the late inputs among those whose age the job limits.
  func lateInputs(of job: JobFile, asOf: Timestamp) async throws -> [RunGuards.Finding] {
    guard !job.inputAges.isEmpty else { return [] }
    let inputs = DueRunner.limits(of: job).lowerMaxAges(of: context.settings.inputs)
    return try await session.transaction(.readOnlySnapshot) { tx in
      try InputState.all(asOf: asOf, inputs: inputs, in: context, &tx)
        .filter { !$0.isFresh && job.inputAges[$0.kind] != nil }
        .map { RunGuards.Finding(verdict: .incomplete, reason: $0.reason) }
    }
  }

  private func key(_ job: JobFile, _ window: Window, _ others: [String: Value]) -> [String: Value] {
    ["job": .text(job.name), "window_from": window.from.sqlValue, "window_to": window.to.sqlValue].merging(others) { $1 }
  }
}
