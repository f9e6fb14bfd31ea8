public import ArgumentParser
internal import CommandSupport
internal import JobCore
internal import Matching
internal import Postgres
internal import Review

/// Lists the abuse rules and changes them. A change is tried on past nights and needs two people.
struct RulesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules", abstract: "Lists the abuse rules; tries, proposes and approves changes of them.",
    discussion: """
      A change is tried on what was known at the last complete nights; what makes a rule live must have been. It holds from \
      its approval on, whatever the settings file says of the rule, for runs of that clock or later.
      """,
    subcommands: [
      List.self, Try.self, Trials.self, Propose.self, Changes.self, Approve.self, Reject.self, Withdraw.self,
    ], defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Lists the rules: state, version and parameters as they are set.")
    @OptionGroup var list: ListOptions

    func run() async throws {
      let settings: RuleSettings
      // Without a database, no change can have been approved.
      if await Environment.hasDatabase() {
        settings = try await list.options.context(label: "rules", createsCluster: false).settings.rules
      } else {
        settings = try Environment.settings().rules
      }
      try list.write(settings.table)
    }
  }

  struct Try: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "try", abstract: "Tries a rule with other parameters on the last complete nights.",
      discussion: """
        Each night is looked at as it was known then, in a transaction that is rolled back. Of each the table says how many \
        signals the rule would have raised, which of them did not stand (new), which stood and would not (gone), and how many \
        cases they are; the line before it how people had judged these cases.
        """)
    @Argument(help: "Rule, such as R06 (with --due: none).") var rule: String?
    @Option(name: .customLong("set"), help: "NAME=VALUE of a parameter, such as window=60d; may be given several times.")
    var changes: [String] = []
    @Option(help: "Complete nights that are looked at, at most.") var nights = RuleChangeJob.nightsUsual
    @Flag(help: "Asks only; payrecon rules try --due, or its job file, does the work.") var later = false
    @Flag(help: "Works the trials that were asked for and did not end.") var due = false
    @OptionGroup var person: PersonOptions
    @OptionGroup var form: FormatOptions
    @OptionGroup var options: JobOptions

    func validate() throws {
      guard due == (rule == nil) else { throw ValidationError("name a rule, or say --due") }
      guard !due || (changes.isEmpty && !later) else { throw ValidationError("--due tries what was asked for before") }
    }

    func run() async throws {
      let context = try await options.context(label: "rules", createsCluster: false)
      guard let rule else { return Output.write(line: "rules: \(try await RuleBackTest(context: context).workDue()) trials ended") }
      let job = RuleChangeJob(context: context)
      let id = try await job.requestTrial(rule.uppercased(), changing: try SetOption.values(changes), nights: nights, by: person.value)
      guard !later else { return Output.write(line: "rules: trial \(id) waits") }
      do { try await RuleBackTest(context: context).workDue(id) } catch let error as PostgresError where error.isAboutPermission {
        // A reviewer's login may only request a trial; the jobs' role runs it.
        return Output.write(line: "rules: trial \(id) waits for payrecon rules try --due by a login with the role of jobs")
      }
      let trial = try await job.trial(id)
      Output.write(line: try Self.line(trial))
      let tried = try await job.table(RuleChangesSQL.trialNights, ["trial_id": .text(id)])
      Output.write(try RowFilter().bytes(of: tried, as: form.chosen))
    }

    private static func line(_ trial: ReportRecord) throws -> String {
      let head = try "rules: trial \(trial.text("trial_id")) of \(trial.text("rule")) (\(trial.text("parameters")))"
      guard try trial.text("status") == "finished" else {
        return try "\(head): \(trial.text("status"))\(trial["fault"].map { ", \($0)" } ?? "")"
      }
      return try "\(head): \(trial.text("nights")) nights, \(trial.text("signals")) signals (new \(trial.text("new_signals")), "
        + "gone \(trial.text("gone_signals"))), \(trial.text("cases")) cases: confirmed \(trial.text("confirmed")), "
        + "suspected \(trial.text("suspected")), false positive \(trial.text("false_positive")), "
        + "unjudged \(trial.text("unjudged")); precision \(trial["precision"] ?? "unknown")"
    }
  }

  struct Trials: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "trials", abstract: "Lists trials, newest first, with how their cases were judged.")
    @OptionGroup var list: RuleChangeListOptions

    func run() async throws { try await list.write { job, rule in try await job.trials(of: rule) } }
  }

  struct Changes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "changes", abstract: "Lists who proposed and concluded which change, newest first.")
    @OptionGroup var list: RuleChangeListOptions

    func run() async throws { try await list.write { job, rule in try await job.changes(of: rule) } }
  }
}

struct RuleChangeListOptions: ParsableArguments {
  @Argument(help: "Rule, such as R06 (default: all).") var rule: String?
  @OptionGroup var list: ListOptions

  func write(_ read: (RuleChangeJob, String) async throws -> ReportTable) async throws {
    let context = try await list.options.context(label: "rules", createsCluster: false)
    try list.write(try await read(RuleChangeJob(context: context), rule?.uppercased() ?? ""))
  }
}

enum SetOption {
  static func values(_ texts: [String]) throws -> [String: String] {
    try texts.reduce(into: [:]) { values, text in
      let pair = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard pair.count == 2, values.updateValue(pair[1], forKey: pair[0]) == nil else {
        throw ValidationError("--set \"\(text)\" is not NAME=VALUE, once for each name")
      }
    }
  }
}

extension RuleState: ExpressibleByArgument {}

struct RuleConclusionOptions: ParsableArguments {
  @Argument(help: "Rule, such as R06.") var rule: String
  @Option(help: "Id of the change, as rules changes lists it; another one is refused.") var change: String?
  @Option(help: "Why.") var reason: String
  @OptionGroup var acting: ActingOptions

  func run(_ conclusion: RuleChangeJob.Conclusion) async throws {
    let context = try await acting.options.context(label: "rules", createsCluster: false)
    try await RuleChangeJob(context: context).conclude(rule.uppercased(), conclusion, of: change, by: acting.person, reason: reason)
    Output.write(line: "rules: \(conclusion.rawValue)")
  }
}

extension RulesCommand {
  struct Propose: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "propose", abstract: "Proposes how a rule is to be set; a second person approves it.",
      discussion: "What is to be live names its trial and has the parameters that were tried; anything else may use --set.")
    @Argument(help: "Rule, such as R06.") var rule: String
    @Option(help: "draft, shadow or live.") var state: RuleState
    @Option(help: "Id of the trial, or its beginning.") var trial: String?
    @Option(name: .customLong("set"), help: "NAME=VALUE of a parameter; may be given several times.") var changes: [String] = []
    @Option(help: "Why.") var reason: String
    @OptionGroup var acting: ActingOptions

    func run() async throws {
      let changes = try SetOption.values(changes)
      let context = try await acting.options.context(label: "rules", createsCluster: false)
      try await RuleChangeJob(context: context).propose(
        rule.uppercased(), state: state, trialID: trial, changing: changes, reason: reason, by: acting.person)
      Output.write(line: "rules: proposed, a second person must approve")
    }
  }

  struct Approve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "approve", abstract: "Approves what another account proposed; it holds from this clock on.")
    @OptionGroup var conclusion: RuleConclusionOptions
    func run() async throws { try await conclusion.run(.approved) }
  }

  struct Reject: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "reject", abstract: "Rejects what another account proposed.")
    @OptionGroup var conclusion: RuleConclusionOptions
    func run() async throws { try await conclusion.run(.rejected) }
  }

  struct Withdraw: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "withdraw", abstract: "Takes back what one's own account proposed.")
    @OptionGroup var conclusion: RuleConclusionOptions
    func run() async throws { try await conclusion.run(.withdrawn) }
  }
}
