internal import Domain
internal import Glibc
internal import JobCore
internal import Logging
internal import Scheduling
internal import Synchronization
internal import SystemCalls

/// Supervises one child process: renews its lease, stops it at its timeout, and reports its end.
struct JobChild: Sendable {
  private static let gracePeriod = Duration.seconds(10)
  /// Limits of the polling interval, which grows with the child's run time.
  private static let pauseMin = Duration.milliseconds(10)
  private static let pauseMax = Duration.milliseconds(250)

  let runner: DueRunner
  let ledger: WindowLedger
  let job: JobFile
  let window: Window
  let attempt: Int32

  private enum Cause: Sendable {
    case timeout, leaseLost, stopped
  }

  private struct Lease {
    let duration: Duration
    var renewedAt: ContinuousClock.Instant
    var triedAt: ContinuousClock.Instant
  }

  func run() async -> WindowLedger.Ending {
    let process: Child
    let log: JobLog
    do {
      log = try openLog()
      process = try start(output: log.descriptor)
    } catch {
      return WindowLedger.Ending(verdict: .failed, message: error.message, retryAfter: nil)
    }
    var cause: Cause?
    let clock = ContinuousClock()
    let begin = clock.now
    var lease = Lease(duration: .seconds(runner.leaseSeconds), renewedAt: begin, triedAt: begin)
    var endBy: ContinuousClock.Instant?
    var position = log.begin
    while true {
      if let ending = Self.poll(process) {
        _ = log.forward(from: position, isLast: true)
        var result = self.ending(ending, cause: cause, log: log.path)
        result.processID = process.id
        return result
      }
      position = log.forward(from: position)
      let now = clock.now
      if cause == nil {
        if now - begin > .seconds(job.timeoutSeconds) { cause = .timeout }
        if StopSignal.number != 0 || Task.isCancelled { cause = .stopped }
        if await !keepLease(&lease, now: now) { cause = .leaseLost }
        if cause != nil {
          process.send(SIGTERM)
          endBy = clock.now + Self.gracePeriod
        }
      } else if let limit = endBy, now > limit {
        process.send(SIGKILL)
        endBy = nil
      }
      let pause = max(Self.pauseMin, min(Self.pauseMax, (clock.now - begin) / 20))
      // A cancelled task cannot sleep but must still await the child's end.
      do { try await Task.sleep(for: pause) } catch { usleep(useconds_t(10_000)) }
    }
  }

  /// Starts the program directly, without a shell. It has no input, and one file gets all of its output.
  private func start(output: Int32) throws(JobError) -> Child {
    var child = ChildProgram(
      runner.program, arguments: job.arguments(for: window), environment: environment, output: output, errorOutput: output)
    child.closesOthers = true
    child.leadsGroup = true
    child.defaultSignals = [SIGPIPE, SIGTERM, SIGINT]
    do { return try child.start() } catch {
      // The system is short of processes or memory.
      let isTemporary = error.code == EAGAIN || error.code == ENOMEM
      throw JobError("could not start \"\(runner.program)\": \(errnoText(error.code))", status: isTemporary ? .temporary : .error)
    }
  }

  /// Returns the child's end, which is available once; nil while it runs.
  private static func poll(_ process: Child) -> Child.Ending? {
    do { return try process.poll() } catch { return .killed(signal: 0) }
  }

  private func openLog() throws(JobError) -> JobLog {
    let instant = window.scheduledAt.rfc3339.filter { $0 != "-" && $0 != ":" }
    let name = "\(instant)-\(attempt)"
    do {
      return try JobLog(job: job.name, name: name, directory: runner.logDirectory, echo: runner.echo)
    } catch {
      // A failing log does not prevent the job.
      runner.context.log.warning("no log is kept", metadata: ["job.name": "\(job.name)", "error": "\(error)"])
      return try JobLog(job: job.name, name: name, directory: nil, echo: runner.echo)
    }
  }

  /// The job's environment with its expectations, without those of an enclosing run.
  private var environment: [String] {
    runner.environment.filter { !$0.hasPrefix("\(RunLimits.variable)=") }
      + ["\(RunLimits.variable)=\(DueRunner.limits(of: job).text)"]
  }

  /// Renews the lease after a third of its duration. Returns false if it is lost.
  private func keepLease(_ lease: inout Lease, now: ContinuousClock.Instant) async -> Bool {
    guard now - lease.triedAt > lease.duration / 3 else { return true }
    lease.triedAt = now
    do {
      let isRenewed = try await ledger.renew(window, of: job, attempt: attempt)
      if isRenewed { lease.renewedAt = now }
      return isRenewed
    } catch {
      runner.context.log.warning(
        "could not renew a lease", metadata: ["job.name": "\(job.name)", "error": "\(error)"])
      // While the database is unreachable, the lease stays valid until its end. Then another host may take over.
      return now - lease.renewedAt <= lease.duration
    }
  }

  private func ending(_ ending: Child.Ending, cause: Cause?, log: String?) -> WindowLedger.Ending {
    var result = WindowLedger.Ending(verdict: .failed)
    switch ending {
    case .exited(let status):
      result.exitStatus = status
      describe(status, log: log, &result)
    case .killed(let signal):
      result.message = "ended by signal \(signal)"
      result.retryAfter = 0
    }
    switch cause {
    case .timeout:
      result.verdict = .failed
      result.message = "ended after its timeout of \(job.timeoutSeconds) s"
      result.retryAfter = nil
    case .leaseLost:
      result.verdict = .failed
      result.message = "ended because its lease was lost: another host may have taken the window"
    case .stopped:
      // The child may have finished successfully just before.
      if result.exitStatus != 0 {
        result.verdict = .failed
        result.message = "ended because payrecon was stopped"
        result.retryAfter = 0
      }
    case nil: break
    }
    return result
  }

  private func describe(_ status: Int32, log: String?, _ result: inout WindowLedger.Ending) {
    switch ExitStatus(rawValue: status) {
    case .clean: result.verdict = .clean
    case .breaks: result.verdict = .breaks
    case .incomplete: result.verdict = .incomplete
    case .lockHeld:
      result.message = "another process held the lock of its work"
      result.retryAfter = WindowLedger.retrySeconds(after: attempt)
    case .temporary:
      result.message = "ended for now (exit status 75)"
      result.retryAfter = WindowLedger.retrySeconds(after: attempt)
    case .error, .usage, nil: result.message = "exit status \(status); see its log\(log.map { " \($0)" } ?? "")"
    }
  }
}

/// Records a stop signal, so that children are stopped and recorded first.
enum StopSignal {
  private static let received = Atomic<Int32>(0)

  static var number: Int32 { received.load(ordering: .relaxed) }

  static func listen() {
    // Initialised before a handler can run, because the first access of a global takes a lock.
    _ = number
    for signal in [SIGTERM, SIGINT] {
      Glibc.signal(signal) { number in StopSignal.received.store(number, ordering: .relaxed) }
    }
  }
}
