public import Domain
internal import Glibc
public import JobCore
internal import Logging
internal import Postgres
public import Scheduling
internal import SystemCalls

/// Starts windows of jobs as child processes of this same program, one after another per job.
public struct DueRunner: Sendable {
  /// Jobs that run side by side.
  static let jobsAtOnceMax = 4

  public let context: JobContext
  let program: String
  let environment: [String]
  let host: String
  let leaseSeconds: Int64
  let heartbeat: Heartbeat
  /// Folder with a log per window; nil keeps none.
  let logDirectory: String?
  /// Takes each line that a job prints, behind the name of the job.
  let echo: @Sendable (String) -> Void

  /// - Parameters:
  ///   - program: path of payrecon itself.
  ///   - callerEnvironment: `NAME=value` entries, of which a job is given its part.
  ///   - leaseSeconds: after so long without a sign of life, by the database's clock, a host is taken for dead;
  ///     3...3600.
  ///   - logDirectory: folder with a log per window; nil keeps none.
  ///   - echo: takes each line that a job prints, behind the name of the job.
  public init(
    context: JobContext, program: String, callerEnvironment: [String], leaseSeconds: Int64, logDirectory: String? = nil,
    echo: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.context = context
    self.program = program
    self.logDirectory = logDirectory
    self.echo = echo
    environment = JobProcess.environment(from: callerEnvironment)
    self.leaseSeconds = min(3600, max(3, leaseSeconds))
    host = "\(Machine.hostName):\(getpid())"
    heartbeat = Heartbeat(log: context.log)
  }

  /// One window that was started and how it ended.
  public struct Outcome: Sendable {
    public var job: String
    public var window: Window
    public var attempt: Int32
    public var verdict: Verdict
    /// nil when the child was killed or never ran.
    public var exitStatus: Int32?
    public var runID: String?
    public var seconds: Int64
    /// Why the verdict is what it is; nil for an ordinary end.
    public var message: String?
    /// Whether a later `run-due` starts it again.
    public var isRetried: Bool
    /// It was not started, because what it asks cannot be asked.
    public var isSkipped = false
  }

  /// Starts everything that is due.
  ///
  /// - Returns: what was started, by job and window; empty when nothing was due here.
  /// - Throws: `JobError`, `PostgresError` of the first job that could not be looked after; the others are still run.
  public func runDue(_ jobs: [JobFile]) async throws -> [Outcome] {
    StopSignal.listen()
    var rest = jobs[...]
    var outcomes: [Outcome] = []
    var failure: (any Error)?
    await withTaskGroup(of: Result<[Outcome], any Error>.self) { group in
      func addNext() {
        guard let job = rest.popFirst() else { return }
        group.addTask { await Self.result { try await self.runDue(job) } }
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

  private static func result<Value>(_ body: () async throws -> Value) async -> Result<Value, any Error> {
    do { return .success(try await body()) } catch { return .failure(error) }
  }

  private func runDue(_ job: JobFile) async throws -> [Outcome] {
    try await withLedger { ledger in
      let state = try await ledger.state(of: job, now: context.asOf)
      if let known = state.lastKnownAt, known > context.asOf {
        context.log.warning(
          "the clock is behind the latest start of this job; nothing is started twice",
          metadata: ["job.name": "\(job.name)", "clock": "\(context.asOf.rfc3339)", "latest": "\(known.rfc3339)"])
      }
      // One window after another: a later one waits for an earlier one that is under way or will be tried again.
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

  /// Starts one window by hand, also when it has ended before.
  ///
  /// - Throws: `JobError` with status 4 when a window of the job is under way.
  public func run(_ job: JobFile) async throws -> Outcome {
    StopSignal.listen()
    guard let window = job.latestWindow(at: context.asOf) else {
      throw JobError("could not run \"\(job.name)\": its schedule has no start up to \(context.asOf.rfc3339)")
    }
    return try await withLedger { ledger in
      switch try await start(window, of: job, origin: "hand", repeats: Verdict.allCases, ledger: ledger) {
      case .done(let outcome): return outcome
      case .ended, .busy: throw lockHeld(job)
      }
    }
  }

  /// Starts every window whose start lies after `from` and not after `to`, oldest first; those that
  /// ended neither failed nor incomplete are left.
  ///
  /// - Parameter mayRepeat: whether those are started again too.
  /// - Throws: `JobError` when there are more than `max` windows, or with status 4 when a window of the job is under way.
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
      switch try await start(window, of: job, origin: origin, repeats: repeats, ledger: ledger) {
      case .done(let outcome):
        outcomes.append(outcome)
        // A window that will be tried again holds up those after it.
        if outcome.isRetried { return outcomes }
      case .ended: continue
      // Another host is at this job: going on here could start a later window before an earlier one.
      case .busy: return outcomes
      }
    }
    return outcomes
  }

  /// What came of trying to start a window.
  private enum Start {
    case done(Outcome)
    /// It has ended before.
    case ended
    /// A window of the job is under way.
    case busy
  }

  private func start(
    _ window: Window, of job: JobFile, origin: String, repeats: [Verdict], ledger: WindowLedger
  ) async throws -> Start {
    let attempt: Int32
    switch try await ledger.claim(window, of: job, origin: origin, repeats: repeats) {
    case .taken(let number): attempt = number
    case .ended: return .ended
    case .busy: return .busy
    }
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
    let found = try await ledger.childRun(window, of: job)
    ending.runID = found.runID
    ending.rows = found.rows
    if let verdict = found.verdict, verdict.exitStatus.rawValue == ending.exitStatus {
      ending.verdict = verdict
      ending.message = [ending.message, found.message].compactMap { $0 }.first { !$0.isEmpty }
    }
    try await judge(&ending, seconds: found.seconds, window: window, of: job, ledger: ledger)
    let isHeld = try await ledger.end(window, of: job, attempt: attempt, ending, origin: origin)
    let isRetried =
      isHeld && origin == "schedule" && ending.retryAfter != nil && attempt < Int32(job.attemptsMax)
    let text = [ending.verdict.rawValue, ending.message].compactMap { $0 }.joined(separator: ": ")
    await heartbeat.send(
      ending.verdict >= job.alerts.failOn ? .fail : .success, url: url, job: job.name, run: run,
      text: "\(run)\n\(text)\n")
    context.log.info(
      "job ended", metadata: ["job.name": "\(job.name)", "run.id": "\(run)", "verdict": "\(ending.verdict.rawValue)"])
    return .done(
      Outcome(
        job: job.name, window: window, attempt: attempt, verdict: ending.verdict, exitStatus: ending.exitStatus,
        runID: ending.runID, seconds: found.seconds, message: ending.message, isRetried: isRetried))
  }

  /// Ends a window without starting it: it is told once, and not tried again.
  private func skip(
    _ window: Window, of job: JobFile, attempt: Int32, reason: String, ledger: WindowLedger
  ) async throws -> Start {
    let ending = WindowLedger.Ending(verdict: .warnings, message: "skipped: \(reason)")
    _ = try await ledger.end(window, of: job, attempt: attempt, ending, origin: "schedule")
    return .done(
      Outcome(
        job: job.name, window: window, attempt: attempt, verdict: .warnings, exitStatus: nil, runID: nil, seconds: 0,
        message: ending.message, isRetried: false, isSkipped: true))
  }

  /// Holds an attempt that ended by itself against its limits, its past and the age of its input.
  ///
  /// What kept a run was judged by that run, which was given the same limits: here it is only told how long it took.
  private func judge(
    _ ending: inout WindowLedger.Ending, seconds: Int64, window: Window, of job: JobFile, ledger: WindowLedger
  ) async throws {
    guard ending.verdict < .failed else { return }
    var limits = RunGuards.Limits()
    (limits.rowsMin, limits.rowsMax) = (job.rowsMin, job.rowsMax)
    (limits.secondsMin, limits.secondsMax) = (job.durationMin, job.durationMax)
    var findings = RunGuards.judge(
      RunGuards.Sample(rows: ending.rows, seconds: seconds), history: try await ledger.history(window, of: job),
      limits: limits)
    if ending.runID == nil { findings += try await ledger.lateInputs(of: job, asOf: window.scheduledAt) }
    if ending.runID == nil { for finding in findings { ending.verdict = max(ending.verdict, finding.verdict) } }
    let reasons = [ending.message].compactMap { $0 } + findings.map(\.reason)
    ending.message = reasons.isEmpty ? nil : reasons.joined(separator: "; ")
  }

  /// What a job's run is told to expect beyond the settings.
  static func limits(of job: JobFile) -> RunLimits {
    var limits = RunLimits()
    (limits.rowsMin, limits.rowsMax) = (job.rowsMin, job.rowsMax)
    limits.maxAges = job.inputAges
    return limits
  }

  private func withLedger<Result: Sendable>(_ body: (WindowLedger) async throws -> Result) async throws -> Result {
    return try await context.withSession { session in
      try await body(
        WindowLedger(context: context, session: session, host: host, leaseSeconds: leaseSeconds))
    }
  }
}
