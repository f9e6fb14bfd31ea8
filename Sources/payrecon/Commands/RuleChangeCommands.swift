public import ArgumentParser
internal import CommandSupport
internal import JobCore
internal import Review

extension RuleState: ExpressibleByArgument {}

struct RuleConclusionOptions: ParsableArguments {
  @Argument(help: "Rule, such as R06.") var rule: String
  @Option(help: "Why.") var reason: String
  @OptionGroup var person: PersonOptions
  @OptionGroup var options: JobOptions

  func run(_ conclusion: RuleChangeJob.Conclusion) async throws {
    let context = try await options.context(label: "rules", createsCluster: false)
    try await RuleChangeJob(context: context).conclude(rule.uppercased(), conclusion, by: person.value, reason: reason)
    Output.write(line: "rules: \(conclusion.rawValue)")
  }
}

extension RulesCommand {
  struct Propose: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Proposes how a rule is to be set; a second person approves it.",
      discussion: "What is to be live names its trial and has the parameters that were tried; anything else may use --set.")
    @Argument(help: "Rule, such as R06.") var rule: String
    @Option(help: "draft, shadow or live.") var state: RuleState
    @Option(help: "Id of the trial, or its beginning.") var trial: String?
    @Option(name: .customLong("set"), help: "NAME=VALUE of a parameter; may be given several times.") var changes: [String] = []
    @Option(help: "Why.") var reason: String
    @OptionGroup var person: PersonOptions
    @OptionGroup var options: JobOptions

    func run() async throws {
      var proposal = RuleChangeJob.Proposal(rule: rule.uppercased(), state: state, trialID: trial, reason: reason)
      proposal.changes = try SetOption.values(changes)
      let context = try await options.context(label: "rules", createsCluster: false)
      try await RuleChangeJob(context: context).propose(proposal, by: person.value)
      Output.write(line: "rules: proposed, a second person must approve")
    }
  }

  struct Approve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Approves what another account proposed; it holds from this clock on.")
    @OptionGroup var conclusion: RuleConclusionOptions
    func run() async throws { try await conclusion.run(.approved) }
  }

  struct Reject: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Rejects what another account proposed.")
    @OptionGroup var conclusion: RuleConclusionOptions
    func run() async throws { try await conclusion.run(.rejected) }
  }

  struct Withdraw: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Takes back what one's own account proposed.")
    @OptionGroup var conclusion: RuleConclusionOptions
    func run() async throws { try await conclusion.run(.withdrawn) }
  }
}
