public import Domain
internal import Glibc
public import JobCore
internal import Logging
internal import Postgres
public import Scheduling
internal import SystemCalls
internal import Wording

/// Runs windows of jobs as child processes of this program, one after another per job.
public struct DueRunner: Sendable {
  static let jobsAtOnceMax = 4

  public let context: JobContext
  let program: String
  let environment: [String]
  let host: String
  let leaseSeconds: Int64
  let heartbeat: Heartbeat
  let logDirectory: String?
  let echo: @Sendable (String) -> Void

  /// - Parameters:
  ///   - callerEnvironment: `NAME=value` entries, of which a job gets an allowed subset.
  ///   - leaseSeconds: seconds without a renewal, by the database's clock, after which a host counts as dead; 3...3600.
  ///   - logDirectory: folder with a log per window; nil for none.
  ///   - echo: receives each line that a job prints, prefixed with the job's name.
  public init(
    context: JobContext, program: String, callerEnvironment: [String], leaseSeconds: Int64, logDirectory: String? = nil,
    echo: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.context = context
    self.program = program
    self.logDirectory = logDirectory
    self.echo = echo
    environment = JobEnvironment.allowed(of: callerEnvironment)
    self.leaseSeconds = min(3600, max(3, leaseSeconds))
    host = "\(Machine.hostName):\(getpid())"
    heartbeat = Heartbeat(log: context.log)
  }

  public struct Outcome: Sendable {
    public var job: String
    public var window: Window
    public var attempt: Int32
    public var verdict: Verdict
    /// nil if the child was killed or never ran.
    public var exitStatus: Int32?
    public var runID: String?
    public var seconds: Int64
    /// Reason of the verdict; nil for an ordinary end.
    public var message: String?
    /// Whether a later `run-due` starts the window again.
    public var isRetried = false
    public var isSkipped = false

    init(_ job: JobFile, _ window: Window, attempt: Int32, _ ending: WindowLedger.Ending, seconds: Int64) {
      (self.job, self.window, self.attempt) = (job.name, window, attempt)
      (verdict, exitStatus, runID, message) = (ending.verdict, ending.exitStatus, ending.runID, ending.message)
      self.seconds = seconds
    }
  }

  /// Starts every due window.
  ///
  /// - Returns: the started windows, ordered by job and window; empty if none was due here.
  /// - Throws: `JobError` or `PostgresError` if no window was started and a job failed. With other windows, the error is only logged.
  public func runDue(_ jobs: [JobFile]) async throws -> [Outcome] {
    StopSignal.listen()
    var rest = jobs[...]
    var outcomes: [Outcome] = []
    var failure: (any Error)?
    await withTaskGroup(of: Result<[Outcome], any Error>.self) { group in
      func addNext() {
        guard let job = rest.popFirst() else { return }
        group.addTask {
          do { return .success(try await self.runDue(job)) } catch { return .failure(error) }
        }
      }
      for _ in 0..<Self.jobsAtOnceMax { addNext() }
      for await result in group {
        switch result {
        case .success(let done): outcomes += done
        case .failure(let error): failure = failure ?? error
        }
        addNext()
      }
    }
    if let failure, outcomes.isEmpty { throw failure }
    if let failure { context.log.error("a job could not be looked after", metadata: ["error": "\(failure)"]) }
    return outcomes.sorted { ($0.job, $0.window.scheduledAt) < ($1.job, $1.window.scheduledAt) }
  }

  private func runDue(_ job: JobFile) async throws -> [Outcome] {
    try await withLedger { ledger in
      let state = try await ledger.state(of: job, now: context.asOf)
      if let known = state.lastKnownAt, known > context.asOf {
        context.log.warning(
          "the clock is behind the latest start of this job; nothing is started twice",
          metadata: ["job.name": "\(job.name)", "clock": "\(context.asOf.rfc3339)", "latest": "\(known.rfc3339)"])
      }
      // A later window must not start while an earlier one runs or awaits a retry.
      guard !state.isRunning, !state.isWaiting else { return [] }
      let plan = duePlan(job, now: context.asOf, lastDone: state.lastScheduledAt)
      if plan.skippedCount > 0, !plan.windows.isEmpty {
        context.log.warning(
          "missed windows are given up by the catch-up policy",
          metadata: ["job.name": "\(job.name)", "window.count": "\(plan.skippedCount)"])
      }
      return try await runAll(
        state.retries + plan.windows, of: job, origin: "schedule", repeats: [], ledger: ledger)
    }
  }

  /// Starts the latest window manually, even if it has ended before.
  ///
  /// - Throws: `JobError` with status 4 if a window of the job is running.
  public func run(_ job: JobFile) async throws -> Outcome {
    StopSignal.listen()
    guard let window = job.latestWindow(at: context.asOf) else {
      throw JobError("could not run \"\(job.name)\": its schedule has no start up to \(context.asOf.rfc3339)")
    }
    return try await withLedger { ledger in
      guard case .taken(let attempt) = try await ledger.lease(window, of: job, origin: "hand", repeats: Verdict.allCases) else {
        throw lockHeld(job)
      }
      return try await start(window, of: job, attempt: attempt, origin: "hand", ledger: ledger)
    }
  }

  /// Starts every window with a start after `from` and up to `to`, oldest first. Windows that ended complete are skipped.
  ///
  /// - Parameter mayRepeat: whether complete windows are started again, too.
  /// - Throws: `JobError` if there are more than `max` windows, or with status 4 if a window of the job is running.
  public func backfill(
    _ job: JobFile, from: Timestamp, to: Timestamp, max: Int, mayRepeat: Bool
  ) async throws -> [Outcome] {
    StopSignal.listen()
    guard let windows = job.windows(after: from, through: to, max: max) else {
      throw JobError(
        "could not backfill \"\(job.name)\": it has more than \(max) windows from \(from.rfc3339) to \(to.rfc3339)",
        hint: "Name a shorter span, or raise --max.", status: .usage)
    }
    return try await withLedger { ledger in
      guard !(try await ledger.state(of: job, now: context.asOf)).isRunning else { throw lockHeld(job) }
      return try await runAll(
        windows, of: job, origin: "backfill", repeats: mayRepeat ? Verdict.allCases : [.failed, .incomplete],
        ledger: ledger)
    }
  }

  private func lockHeld(_ job: JobFile) -> JobError {
    JobError(
      "could not start \"\(job.name)\": a window of it is under way",
      hint: "Wait until it ends (payrecon runs windows), then start again; nothing was changed.", status: .lockHeld)
  }

  private func runAll(
    _ windows: [Window], of job: JobFile, origin: String, repeats: [Verdict], ledger: WindowLedger
  ) async throws -> [Outcome] {
    var outcomes: [Outcome] = []
    for window in windows {
      guard StopSignal.number == 0 else { break }
      switch try await ledger.lease(window, of: job, origin: origin, repeats: repeats) {
      case .taken(let attempt):
        let outcome = try await start(window, of: job, attempt: attempt, origin: origin, ledger: ledger)
        outcomes.append(outcome)
        // A window that awaits a retry blocks the later ones.
        if outcome.isRetried { return outcomes }
      case .ended: continue
      // Another host runs this job, so a further start could overtake an earlier window.
      case .busy: return outcomes
      }
    }
    return outcomes
  }

  private func start(
    _ window: Window, of job: JobFile, attempt: Int32, origin: String, ledger: WindowLedger
  ) async throws -> Outcome {
    if origin == "schedule", let reason = MissingKey.reason(to: job, in: context.settings) {
      return try await skip(window, of: job, attempt: attempt, reason: reason, ledger: ledger)
    }
    let run = "\(job.name)-\(window.scheduledAt.rfc3339)-\(attempt)"
    context.log.info(
      "job started", metadata: ["job.name": "\(job.name)", "run.id": "\(run)", "window.to": "\(window.to.rfc3339)"])
    let url = job.alerts.heartbeatURL
    await heartbeat.send(.start, url: url, job: job.name, run: run, text: run)
    let child = JobChild(runner: self, ledger: ledger, job: job, window: window, attempt: attempt)
    var ending = await child.run()
    let found = try await ledger.childRun(window, of: job, processID: ending.processID)
    ending.runID = found.runID
    ending.rows = found.rows
    if let verdict = found.verdict, verdict.exitStatus.rawValue == ending.exitStatus {
      ending.verdict = verdict
      ending.message = [ending.message, found.message].compactMap { $0 }.first { !$0.isEmpty }
    }
    try await judge(&ending, seconds: found.seconds, window: window, of: job, ledger: ledger)
    let ownsWindow = try await ledger.end(window, of: job, attempt: attempt, ending, origin: origin)
    let text = [ending.verdict.rawValue, ending.message].compactMap { $0 }.joined(separator: ": ")
    await heartbeat.send(
      ending.verdict >= job.alerts.failOn ? .fail : .success, url: url, job: job.name, run: run,
      text: "\(run)\n\(text)\n")
    context.log.info(
      "job ended", metadata: ["job.name": "\(job.name)", "run.id": "\(run)", "verdict": "\(ending.verdict.rawValue)"])
    var outcome = Outcome(job, window, attempt: attempt, ending, seconds: found.seconds)
    outcome.isRetried = ownsWindow && origin == "schedule" && ending.retryAfter != nil && attempt < Int32(job.attemptsMax)
    return outcome
  }

  /// Ends a window without starting it. The reason is reported once, and there is no retry.
  private func skip(
    _ window: Window, of job: JobFile, attempt: Int32, reason: String, ledger: WindowLedger
  ) async throws -> Outcome {
    let ending = WindowLedger.Ending(verdict: .warnings, message: "skipped: \(reason)")
    _ = try await ledger.end(window, of: job, attempt: attempt, ending, origin: "schedule")
    var outcome = Outcome(job, window, attempt: attempt, ending, seconds: 0)
    outcome.isSkipped = true
    return outcome
  }

  /// Checks a completed attempt against its limits, its history and the age of its input.
  ///
  /// A night or a detection judges its input itself. Here, its rows and duration only add reasons.
  private func judge(
    _ ending: inout WindowLedger.Ending, seconds: Int64, window: Window, of job: JobFile, ledger: WindowLedger
  ) async throws {
    guard ending.verdict < .failed else { return }
    let isJudged = ending.runID != nil && ["nightly", "detect"].contains(job.command.first)
    // Rows and duration of another command with a run vary with what Apple has to report.
    let history = ending.runID == nil || isJudged ? try await ledger.history(window, of: job) : []
    var findings = RunGuards.judge(
      RunGuards.Sample(rows: ending.rows, seconds: seconds), history: history,
      rows: (job.rowsMin, job.rowsMax), seconds: (job.durationMin, job.durationMax))
    if !isJudged {
      findings += try await ledger.lateInputs(of: job, asOf: window.scheduledAt)
      for finding in findings { ending.verdict = max(ending.verdict, finding.verdict) }
    }
    let reasons = [ending.message].compactMap { $0 } + findings.map(\.reason.english)
    ending.message = reasons.isEmpty ? nil : reasons.joined(separator: "; ")
  }

  /// Returns a job's expectations beyond the settings, for its run.
  static func limits(of job: JobFile) -> RunLimits {
    var limits = RunLimits()
    (limits.rowsMin, limits.rowsMax) = (job.rowsMin, job.rowsMax)
    limits.maxAges = job.inputAges
    return limits
  }

  private func withLedger<Result: Sendable>(_ body: (WindowLedger) async throws -> Result) async throws -> Result {
    try await context.withSession { session in
      try await body(WindowLedger(context: context, session: session, host: host, leaseSeconds: leaseSeconds))
    }
  }
}
