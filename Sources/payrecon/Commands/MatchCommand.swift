internal import ArgumentParser
internal import CommandSupport
internal import Domain
internal import FoundationEssentials
internal import JobCore
internal import Jobs
internal import Logging
internal import Matching

struct DecisionOptions: ParsableArguments {
  @Flag(name: .customLong("dry-run"), help: "Shows the rows that would change, and keeps nothing.")
  var isDryRun = false

  @Option(help: "Explains the decision on an order, charge, transaction or break, given its id or the beginning of it.")
  var explain: String?

  var changesSomething: Bool { explain == nil && !isDryRun }

  /// Prints the requested explanation. Returns false if none is requested.
  func printExplanation(_ context: JobContext) async throws -> Bool {
    guard let explain else { return false }
    let whole = try await IDResolver(context: context).completed(explain, among: IDKind.explainable)
    Output.write(line: try await ExplainJob(context: context).explain(whole))
    return true
  }
}

/// Options of a job that may have to decide everything.
struct PartitioningOptions: ParsableArguments {
  private static let workersMax = 4

  @Option(help: "Partitions of a match run that decides everything; default: one up to 250,000 orders, above that one for each 20,000.")
  var partitions: Int?

  @Option(help: "Sessions of the database that decide partitions at the same time; default: one for each core, at most 4.")
  var workers: Int?

  var value: Partitioning {
    Partitioning(partitions: partitions, workers: workers ?? min(Self.workersMax, ProcessInfo.processInfo.activeProcessorCount))
  }

  func validate() throws {
    if let partitions, !(1...Partitioning.partitionsMax).contains(partitions) {
      throw ValidationError("--partitions takes 1 to \(Partitioning.partitionsMax), not \(partitions).")
    }
    if let workers, !(1...Partitioning.workersMax).contains(workers) {
      throw ValidationError("--workers takes 1 to \(Partitioning.workersMax), not \(workers).")
    }
  }
}

struct MatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "match", abstract: "Matches charges to orders by the ladder M0 to M7.")

  @OptionGroup var decision: DecisionOptions
  @Flag(name: .customLong("full"), help: "Decides everything again, not only what changed since the last run.")
  var isFull = false
  @OptionGroup var partitioning: PartitioningOptions
  @Flag(
    name: .customLong("join"),
    help: "Decides partitions of a run that another process has begun, here or elsewhere, until none is left; that process records them.")
  var joins = false
  @OptionGroup var options: JobOptions

  func run() async throws {
    let context = try await options.context(label: "match", createsCluster: decision.changesSomething)
    if joins {
      let count = try await DecisionRun(context: context).joinMatch()
      let none = "no run in partitions is under way with these settings"
      return Output.write(line: "match: " + (count.map { "\($0) partitions decided" } ?? none))
    }
    if try await decision.printExplanation(context) { return }
    try await Environment.requireSettings(for: "match", of: context)
    if !decision.isDryRun { try await context.requireNewestClock() }
    let outcome = try await DecisionRun(context: context).match(
      isFull: isFull, isDryRun: decision.isDryRun, partitioning: partitioning.value)
    if decision.isDryRun {
      Output.write(CSVLine.bytes(["change", "order_id", "charge_id", "rung"]))
      for change in outcome.changes {
        Output.write(CSVLine.bytes([change.change, change.orderID, change.chargeID, change.rung]))
      }
    } else {
      Output.write(line: "match: \(outcome.summary)")
    }
  }
}

struct DetectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "detect", abstract: "Finds every difference: new, persisting, resolved and reopened breaks; then runs the rules.")

  @OptionGroup var decision: DecisionOptions
  @Flag(name: .customLong("full"), help: "Evaluates everything again, not only what changed or became due.")
  var isFull = false
  @OptionGroup var trial: RuleOptions
  @OptionGroup var options: JobOptions

  func run() async throws {
    let context = try await options.context(label: "detect", createsCluster: decision.changesSomething)
    if try await decision.printExplanation(context) { return }
    if !decision.isDryRun { try await context.requireNewestClock() }
    if try await trial.run(context: context, isDryRun: decision.isDryRun) { return }
    try await Environment.requireSettings(for: "detect", of: context)
    let outcome = try await DecisionRun(context: context).detect(isFull: isFull, isDryRun: decision.isDryRun)
    if decision.isDryRun {
      Output.write(
        CSVLine.bytes(["break_id", "class", "change", "order_id", "charge_id", "detail", "signal_id", "rule", "state", "subject"]))
      for change in outcome.changes { Output.write(CSVLine.bytes(Self.cells(change))) }
      for reason in outcome.staleInputs { context.log.warning("incomplete: \(reason)") }
    } else {
      Output.write(line: "detect: \(outcome.summary)")
      for reason in outcome.staleInputs { Output.write(line: "        \(reason)") }
    }
    try ExitStatusError.check(outcome.verdict(failAt: context.settings.breaks.failAt))
  }

  /// Returns the cells of a change: those that identify a break come first, those of a signal last.
  private static func cells(_ change: DetectOutcome.Change) -> [String?] {
    let (names, empty): ([String?], [String?]) = ([change.id, change.name], [nil, nil])
    let isBreak = change.state.isEmpty
    return (isBreak ? names : empty) + [change.change, change.orderID, change.chargeID, change.detail]
      + (isBreak ? empty : names) + [change.state, change.subject]
  }
}

struct RuleOptions: ParsableArguments {
  @Option(help: "Runs these rules alone, such as R01,R04, and shows what they find.")
  var rules: String?

  @Flag(help: "With --rules: keeps what is found as shadows, whatever the settings say.")
  var shadow = false

  func validate() throws {
    if shadow, rules == nil { throw ValidationError("--shadow needs --rules") }
  }

  /// Returns whether rules were selected.
  func run(context: JobContext, isDryRun: Bool) async throws -> Bool {
    guard let rules else { return false }
    // An empty name, such as that of an unset variable, is refused as an unknown rule.
    let names = rules.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let outcome = try await RuleTrial(context: context, rules: names, isShadow: shadow).run(isDryRun: isDryRun)
    Output.write(CSVLine.bytes(["rule", "subject_kind", "subject_id", "user_id", "score", "detail"]))
    for found in outcome.found {
      Output.write(CSVLine.bytes([found.rule, found.subjectKind, found.subjectID, found.userID, "\(found.score)", found.detail]))
    }
    return true
  }
}
