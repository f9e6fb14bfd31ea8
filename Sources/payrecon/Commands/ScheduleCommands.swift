internal import ArgumentParser
internal import CommandSupport
internal import Domain
internal import FoundationEssentials
internal import JobCore
internal import Jobs
internal import Logging
internal import Scheduling

struct SchedulingOptions: ParsableArguments {
  @Option(help: "Folder with one YAML file per job (default: PAYRECON_JOBS_DIR, else \"jobs\").")
  var jobs: String?

  @Option(help: "Seconds without a sign of life after which another host takes a window over, 3 to 3600.")
  var lease: Int64 = 120

  var directory: String { jobs ?? Environment.value("PAYRECON_JOBS_DIR") ?? "jobs" }

  func validate() throws {
    guard (3...3600).contains(lease) else { throw ValidationError("--lease is 3 to 3600 seconds") }
  }

  /// Returns the runner of a command. No window starts before its time.
  func runner(_ options: JobOptions, label: String) async throws -> DueRunner {
    guard !options.future else { throw ValidationError("--future: \(label) starts no window before its time") }
    let context = try await options.context(label: label)
    return DueRunner(
      context: context, program: ProgramLocation.executablePath(),
      callerEnvironment: ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" },
      leaseSeconds: lease,
      logDirectory: Environment.value("PAYRECON_LOGS_DIR") ?? context.settings.logDirectory,
      echo: { line in Output.writeError(line) })
  }

  func job(named name: String) throws -> JobFile {
    let path = "\(directory)/\(name).yaml"
    guard !name.contains("/"), Environment.exists(path) else {
      throw JobError("could not find job \"\(name)\": there is no \"\(path)\"", hint: "Name the folder with --jobs.", status: .usage)
    }
    do { return try JobFile.read(path: path) } catch { throw JobError(error.description, status: .usage) }
  }
}

/// Starts all due jobs; for cron, a systemd timer or a Kubernetes CronJob.
struct RunDueCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run-due", abstract: "Starts every job whose time has come, once on all hosts together.",
    discussion: """
      Call it every minute or so, on as many hosts as you like. Each window of a job is started by one of them; a host \
      that dies is replaced when its lease ends. Prints one line per window; what the jobs print goes to standard error, \
      each line behind the name of its job, and to one file per window under logs.directory.
      """)

  @OptionGroup var scheduling: SchedulingOptions
  @OptionGroup var options: JobOptions

  func run() async throws {
    let jobs: [JobFile]
    do { jobs = try JobFile.readAll(directory: scheduling.directory) } catch { throw JobError(error.description, status: .usage) }
    let runner = try await scheduling.runner(options, label: "run-due")
    try await finish(try await runner.runDue(jobs), runner.context)
  }
}

struct RunJobCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Starts the latest window of a job, also when it has ended before.")

  @Argument(help: "Name of the job.") var job: String
  @OptionGroup var scheduling: SchedulingOptions
  @OptionGroup var options: JobOptions

  func run() async throws {
    let job = try scheduling.job(named: job)
    let runner = try await scheduling.runner(options, label: "run")
    try await finish([try await runner.run(job)], runner.context)
  }
}

struct BackfillCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backfill", abstract: "Starts the windows of a job over a span of time, oldest first.")

  @Argument(help: "Name of the job.") var job: String
  @Option(help: "Starts after this RFC 3339 instant.", transform: Timestamp.option) var from: Timestamp
  @Option(help: "Starts up to this RFC 3339 instant.", transform: Timestamp.option) var to: Timestamp
  @Option(help: "Windows that one backfill may start, 1 to 10000.") var max = 400
  @Flag(help: "Starts windows that ended neither failed nor incomplete once more, too.") var again = false
  @OptionGroup var scheduling: SchedulingOptions
  @OptionGroup var options: JobOptions

  func validate() throws {
    guard (1...10_000).contains(max) else { throw ValidationError("--max is 1 to 10000") }
    guard from < to else { throw ValidationError("--from and --to are instants, the first before the second") }
  }

  func run() async throws {
    let job = try scheduling.job(named: job)
    let runner = try await scheduling.runner(options, label: "backfill")
    guard to <= WallClock.now() else {
      throw ValidationError("--to \(to.rfc3339) is later than now: no window is started before its time")
    }
    let outcomes = try await runner.backfill(job, from: from, to: to, max: max, mayRepeat: again)
    try await finish(outcomes, runner.context)
  }
}

func writeMetrics(_ context: JobContext) async {
  guard let path = Environment.value("PAYRECON_METRICS_FILE") ?? context.settings.metricsFile else { return }
  do {
    try await MetricsFile(context: context).write(path: path)
  } catch {
    // The jobs have already ended, and a monitor reports missing metrics itself.
    context.log.error("metrics were not written", metadata: ["error": "\(error)"])
  }
}

/// Prints the results, writes the metrics, and exits with the worst status.
private func finish(_ outcomes: [DueRunner.Outcome], _ context: JobContext) async throws {
  for outcome in outcomes {
    let status = outcome.exitStatus.map { "exit \($0)" } ?? (outcome.isSkipped ? "not started" : "killed")
    let reason = outcome.message.map { ": \($0)" } ?? ""
    let again = outcome.isRetried ? ", will be tried again" : ""
    Output.write(
      line: "\(outcome.job) \(outcome.window.from.rfc3339)/\(outcome.window.to.rfc3339) attempt \(outcome.attempt) "
        + "\(outcome.verdict.rawValue), \(status), \(outcome.seconds) s\(again)\(reason)")
  }
  await writeMetrics(context)
  guard let worst = outcomes.max(by: { $0.verdict < $1.verdict }), worst.verdict.exitStatus != .clean else { return }
  let isForNow = outcomes.allSatisfy { $0.verdict < .failed || $0.isRetried }
  throw ExitStatusError(status: worst.verdict == .failed && isForNow ? .temporary : worst.verdict.exitStatus)
}
